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
# # 08 Difficulty strata: where the change sits
#
# Reproduces **Table F.9** (Appendix F)
# from the archive named below (by default the synthetic `reconstruction`).
#
# Some benchmarks label their items: by difficulty, by discipline. Within each label the table
# gives the mean accuracy of each model and its change on each edge. Many strata are small, so the
# figure adds what the table lacks: an interval over the stratum's items.

# %% [markdown]
# ## Parameters

# %% tags=["parameters"]
archive = "reconstruction"

# %% [markdown]
# ## Load

# %%
from reliable_change import notebook as nb
from reliable_change.analysis import difficulty
from reliable_change.archive.counts import item_counts
from reliable_change.figures.difficulty import stratum_changes

archive = nb.start("08_difficulty_strata", globals())
items = nb.ask(difficulty.stratified, archive, item_counts(archive))

# %% [markdown]
# ## Table F.9
#
# | column | meaning |
# |---|---|
# | items | items with this label |
# | a column for each model | mean strict accuracy over them (%) |
# | a column for each edge | difference of the two means (points) |

# %%
table = nb.ask(difficulty.table, archive, items)
nb.table("table_f9", table, archive)

# %% [markdown]
# ## Figure: change with its uncertainty
#
# Lines are 95 % t intervals of the mean change over the items of a stratum, as if these were drawn
# from a larger pool. Coloured where the interval leaves out zero; with this many strata one or
# two will do so by chance. A hollow point has too few items for an interval.

# %%
changes = nb.ask(difficulty.changes, archive, items)
nb.figure("strata", stratum_changes, changes, archive.manifest)

# %% [markdown]
# ## Ledger

# %%
nb.ledger("08_difficulty_strata", {"table_f9": table})
