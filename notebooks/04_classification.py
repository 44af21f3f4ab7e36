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
# # 04 Classification: each item's class on each edge
#
# Reproduces **§4.1, Table 1, Figure 1 and the permutation null of §4.2**
# from the archive named below (by default the synthetic `reconstruction`).
#
# For each item and edge the correct trials of the two models form a 2 × 2 table. An item is
# **reliably changed** when Fisher's exact test rejects under Benjamini–Hochberg (5 % false
# discoveries within the cell) *and* the shift in p̂ is at least ε. It is **improved** or
# **regressed** by sign. Of the rest, an item is **equivalent** when the 95 % interval of the
# difference lies strictly inside (−ε, ε), and **inconclusive** otherwise.
#
# Change a parameter and run again: a smaller `epsilon` lets smaller shifts count, a smaller `alpha`
# asks for more evidence, `trials` keeps only that many trials of each item, drawn at random.

# %% [markdown]
# ## Parameters
#
# `interval` is one of newcombe, agresti_caffo, miettinen_nurminen, wald.

# %% tags=["parameters"]
archive = "reconstruction"
epsilon = 0.20
alpha = 0.05
interval = "newcombe"
trials: int | None = None
replications = 1000
seed = 20260817

# %% [markdown]
# ## Load

# %%
import numpy as np

from reliable_change import notebook as nb
from reliable_change.analysis import classification
from reliable_change.analysis.cells import thin
from reliable_change.analysis.reach import reach, what_they_could_show
from reliable_change.archive.counts import item_counts
from reliable_change.figures.classification import change_bars, item_scatter
from reliable_change.figures.intervals import interval_bars
from reliable_change.figures.null import null_bars

archive = nb.start("04_classification", globals())
rng = np.random.default_rng(seed)
counts = thin(item_counts(archive), trials, rng)
settings = {"epsilon": epsilon, "alpha": alpha, "counts": counts}

# %% [markdown]
# ## Table 1
#
# | column | meaning |
# |---|---|
# | delta | Δ: mean p̂ of the target minus mean p̂ of the source (points) |
# | improved, regressed, changed | P⁺, P⁻ and their sum (% of testable items) |
# | equivalent, inconclusive | the rest (%) |
# | null95 | 95th percentile of the changed share when labels are shuffled (%) |

# %%
items = classification.classify_items(archive, interval=interval, **settings)
null = classification.simulate_null(archive, replications=replications, seed=seed, **settings)
table = classification.table(items, null)
nb.table("table_1", table, archive)
print("Items that are not testable (no scored trial on one side):", table["not_testable"].sum())

# %% [markdown]
# ## Figure 1
#
# Bars to the right: items reliably improved. To the left: reliably regressed. The diamond is what an
# aggregate score shows of it.

# %%
nb.figure("figure_1", change_bars, table, archive.manifest, rests_on="items")

# %% [markdown]
# ## What these trials could show at all
#
# No finding is no all-clear where the trials were too few. This depends on the number of trials and
# items alone, not on the replies:
#
# | column | meaning |
# |---|---|
# | smallest_p | the smallest p that any outcome of so many trials can have |
# | together | items that must have that p, for any of them to be called; with more than all items, none can |
# | alone | smallest shift at which an item may be called though no other is (points); – where none is enough |
# | trials_needed | trials a side from which on one item, from always to never correct, is called alone |

# %%
could = reach(items, archive.manifest, epsilon=epsilon, alpha=alpha)
nb.rows(could.assign(smallest_p=could["smallest_p"].map("{:.2g}".format)), 1)
nb.keep_rows("reach", could)
for sentence in what_they_could_show(could):
    print(sentence)

# %% [markdown]
# ## Every item on both sides
#
# Each point is an item; on the diagonal nothing changed. Points far from it are the change that
# the mean hides: those above and below partly cancel. Points are moved a little so that they do
# not cover each other.

# %%
nb.figure("items", item_scatter, items, archive.manifest, rng)

# %% [markdown]
# ## The items that changed
#
# The review of an upgrade: read the items that regressed. If they share a topic or a format, that is
# the finding, whatever the average says. Here are the ten worst; the file holds all, and those
# that improved.
#
# | column | meaning |
# |---|---|
# | p_hat_source, p_hat_target, difference | p̂ on both sides, and the shift (fractions) |
# | adjusted | p value after Benjamini–Hochberg within the cell |
# | prompt | its beginning, where the archive has one |

# %%
changed = classification.changed_items(archive, items)
nb.rows(changed.head(10))
nb.keep_rows("changed_items", changed)

# %% [markdown]
# ## The permutation null (§4.2)
#
# If the two models were the same, an item's 2K outcomes could be dealt to the two sides at random.
# Doing just that, `replications` times, shows what the procedure reports when nothing changed. In the
# figure, *none in* so many per cent means that in so many of these runs no item at all was called
# reliable.
#
# | column | meaning |
# |---|---|
# | null95 | 95th percentile of the share called reliable (%) |
# | any_reliable | replications with at least one item called reliable |
# | low, high | exact 95 % interval of their proportion (%) |

# %%
nb.rows(classification.null_table(null))
shown = classification.null_distribution(null)
nb.figure("null", null_bars, shown, table, archive.manifest)

# %% [markdown]
# ## Which interval?
#
# The paper does not name the interval behind *equivalent* and *inconclusive*. The choice cannot touch
# the reliable classes. Wald's interval has no width when all trials of both sides agree, so it calls
# any such item equivalent, even at one trial a side; it is offered for comparison only.

# %%
choice = classification.interval_choice(archive, **settings)
nb.figure("intervals", interval_bars, choice, archive.manifest)

# %% [markdown]
# ## Ledger

# %%
text = classification.text_values(archive, counts, table, null)
nb.ledger("04_classification", {"table_1": table}, text)
