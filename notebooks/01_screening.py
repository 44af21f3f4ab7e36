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
# # 01 Screening: which benchmarks leave the models room to move
#
# Reproduces **Table A.2** and the selection rule of §3.3 from the archive `screening`
# (a small archive with few trials an item; in the paper eleven candidates, 30 items each, K = 10).
#
# An item that every model always gets right, or always wrong, cannot show a change. So before
# the main collection each candidate benchmark is tried on a few items, and an item counts as
# **estimable** when at least one model's observed accuracy lies in [0.1, 0.9]. In each slot
# (knowledge, mathematics, instruction following) the candidate with the highest share of
# estimable items is taken, provided that the share reaches 35 % and its screening is complete.
#
# Set `screening` to the name or folder of another archive to screen your own candidates; its
# manifest may name slots, and without them all candidates compete for one.

# %% [markdown]
# ## Parameters
#
# `real_screening` is a second one, shown below; an empty one is none.

# %% tags=["parameters"]
screening = "screening"
real_screening = "smollm2_screening"

# %% [markdown]
# ## Load

# %%
from reliable_change import notebook as nb
from reliable_change.analysis import screening as analysis
from reliable_change.archive.counts import item_counts
from reliable_change.figures.screening import estimable_bars

archive = nb.start("01_screening", globals(), parameter="screening")
counts = item_counts(archive)

# %% [markdown]
# ## Table A.2
#
# | column | meaning |
# |---|---|
# | slot, candidate | the category, and the benchmark that competes for it |
# | estimable | estimable items of all items screened |
# | share | the same in percent |
# | outcome | selected, not selected, or incomplete where trials are missing |

# %%
table = analysis.table(archive, counts)
nb.table("table_a2", table, archive)

# %% [markdown]
# ## Figure
#
# The dashed line is the threshold. A bar that crosses it and is not the longest of its slot is
# not taken either: one benchmark a slot.

# %%
least = float(100 * analysis.LEAST_SHARE)
nb.figure("screening", estimable_bars, table, least, archive.manifest)

# %% [markdown]
# ## A real screening
#
# The same rule on replies that models really gave: every item written for the migration that
# `00_index` reports was first asked a few times. Here one benchmark stands in each slot, and the
# items that are estimable are the ones that were then collected. The columns are those of Table A.2.

# %%
real = nb.start_second(real_screening)
if real is not None:
    nb.table("table_a2", analysis.table(real, item_counts(real)), real)

# %% [markdown]
# ## Ledger
#
# Every number of Table A.2, and what the text says of the screening, beside the recomputed one.

# %%
nb.ledger("01_screening", {"table_a2": table}, analysis.text_values(archive, counts, table))
