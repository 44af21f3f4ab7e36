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
# # 06 Single draw: what one trial per item can and cannot show
#
# Reproduces **Tables B.3 and B.4** (Appendix B)
# from the archive named below (by default the synthetic `reconstruction`).
#
# Most evaluations ask each item once. Here one trial for each item and model is drawn, and the
# same procedure is run on these single outcomes. A table of 1 against 1 can never be significant,
# so nothing is found to be reliable. What remains is to count raw flips: some are real changes,
# some are luck, and a real change need not flip at all.
#
# The draw is a keyed hash of (seed, benchmark, item, model), so it depends on no random stream.

# %% [markdown]
# ## Parameters

# %% tags=["parameters"]
archive = "reconstruction"
epsilon = 0.20
alpha = 0.05
interval = "newcombe"
trials: int | None = None
seed = 20260817

# %% [markdown]
# ## Load

# %%
import numpy as np

from reliable_change import notebook as nb
from reliable_change.analysis import classification, single_draw
from reliable_change.analysis.cells import thin
from reliable_change.archive.counts import item_counts
from reliable_change.figures.single_draw import flips_by_class

archive = nb.start("06_single_draw", globals())
counts = thin(item_counts(archive), trials, np.random.default_rng(seed))
settings = {"epsilon": epsilon, "alpha": alpha, "interval": interval, "counts": counts}

# %% [markdown]
# ## Table B.3
#
# | column | meaning |
# |---|---|
# | reliable | items reliably changed, from all trials |
# | single_draw_reliable | items reliably changed, from the single draws |
# | incorrect_to_correct, correct_to_incorrect | raw flips between the single draws |

# %%
items = classification.classify_items(archive, **settings)
flips = single_draw.flips(archive, items, seed=seed, **settings)
by_cell = single_draw.table_by_cell(flips)
nb.table("table_b3", by_cell, archive)

# %% [markdown]
# ## Table B.4
#
# Rows are the classes from all trials, columns the flips of the single draws, added over all cells.

# %%
by_class = single_draw.table_by_class(flips)
nb.table("table_b4", by_class, archive)

# %% [markdown]
# ## Figure
#
# Read it row by row: of the items that truly changed, how many flipped the right way; of those
# that did not, how many flipped at all.

# %%
nb.figure("single_draw", flips_by_class, by_class, archive.manifest, rests_on="total")

# %% [markdown]
# ## Ledger

# %%
text = single_draw.text_values(flips)
nb.ledger("06_single_draw", {"table_b3": by_cell, "table_b4": by_class}, text)
