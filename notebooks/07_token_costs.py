# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 07 Token costs: what a migration does to the bill
#
# Reproduces **Tables D.6 and D.7** (Appendix D)
# from the archive named below (by default the synthetic `reconstruction`).
#
# Total tokens are input plus output, per request. Mean, median and tail tell different stories: a
# few very long replies move the mean and the bill, while a typical request hardly changes.

# %% [markdown]
# ## Parameters

# %% tags=["parameters"]
archive = "reconstruction"

# %% [markdown]
# ## Load

# %%
from reliable_change import notebook as nb
from reliable_change.analysis import token_costs
from reliable_change.figures.token_costs import token_curves

archive = nb.start("07_token_costs", globals())
histograms = nb.ask(token_costs.token_histograms, archive)

# %% [markdown]
# ## Table D.6
#
# | column | meaning |
# |---|---|
# | input_mean, output_mean | mean tokens of the prompt and of the reply |
# | total_mean, total_median, total_p5, total_p95 | of their sum; percentiles by linear interpolation |

# %%
by_model = nb.ask(token_costs.table_by_model, archive, histograms)
nb.table("table_d6", by_model, archive)

# %% [markdown]
# ## Table D.7
#
# Mean total tokens on both sides of each edge, and the difference of the unrounded means.

# %%
by_edge = nb.ask(token_costs.table_by_edge, archive, by_model)
nb.table("table_d7", by_edge, archive)

# %% [markdown]
# ## Figure: the whole distribution
#
# The share of requests that take at most so many tokens. Note the logarithmic scale; a curve further
# right costs more, and where it bends to the right at the top are the long replies.

# %%
curve = nb.ask(token_costs.distribution, histograms)
nb.figure("tokens", token_curves, curve, archive.manifest)

# %% [markdown]
# ## Ledger

# %%
nb.ledger("07_token_costs", {"table_d6": by_model, "table_d7": by_edge})
