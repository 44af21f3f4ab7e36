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
# # 05 Sensitivity: what the threshold ε and the number of trials decide
#
# Reproduces **Table C.5** (Appendix C) and draws the whole curve behind it,
# from the archive named below (by default the synthetic `reconstruction`).
#
# The test (Fisher, Benjamini–Hochberg) is held fixed while the practical threshold ε moves. Items
# that the test rejects have mostly shifted by far more than a tenth, so the shares hardly
# move between ε = 0.10 and 0.15 in the paper, and fall beyond.

# %% [markdown]
# ## Parameters

# %% tags=["parameters"]
archive = "reconstruction"
epsilon = 0.20
alpha = 0.05
trials: int | None = None
seed = 20260817

# %% [markdown]
# ## Load

# %%
import numpy as np

from reliable_change import notebook as nb
from reliable_change.analysis import sensitivity
from reliable_change.analysis.cells import thin
from reliable_change.archive.counts import item_counts
from reliable_change.figures.sensitivity import epsilon_curves, trial_curves

archive = nb.start("05_sensitivity", globals())
counts = thin(item_counts(archive), trials, np.random.default_rng(seed))
settings = {"alpha": alpha, "counts": counts}

# %% [markdown]
# ## Table C.5
#
# | column | meaning |
# |---|---|
# | epsilon | the threshold ε |
# | improved, regressed, changed | P⁺, P⁻ and their sum (% of testable items) |

# %%
table = sensitivity.table(archive, **settings)
nb.table("table_c5", table, archive)

# %% [markdown]
# ## Figure: the curve over ε
#
# Blue above the line: improved. Vermilion below: regressed. The dotted line is the ε in use.

# %%
curve = sensitivity.table(archive, sensitivity.CURVE_EPSILONS, **settings)
nb.figure("epsilon", epsilon_curves, curve, epsilon, archive.manifest)

# %% [markdown]
# ## Figure: fewer trials
#
# What the same items would have shown with fewer trials each: K of them are drawn at random without
# replacement, several times over; the line is the mean of the draws and the band their range. With
# few trials only the largest shifts can be told from noise.

# %%
rng = np.random.default_rng(seed)
fewer = sensitivity.trials_curve(archive, epsilon=epsilon, rng=rng, **settings)
nb.figure("trials", trial_curves, fewer, archive.manifest)

# %% [markdown]
# ## Ledger

# %%
nb.ledger("05_sensitivity", {"table_c5": table})
