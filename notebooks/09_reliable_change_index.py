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
# # 09 Reliable Change Index: the psychometric neighbour
#
# Reproduces **the method of "Beyond the Mean" (the neighbour 002), sections 2 and 3,**
# on the archive named below (by default the synthetic `reconstruction`), and on random subsets of
# 10 trials of each of its items, as many as the authors took.
#
# Clinical psychology asks of each patient whether a score moved by more than the instrument's
# error. Put items in the place of patients:
#
# | step | formula | in words |
# |---|---|---|
# | 1 | r = 2 r_half / (1 + r_half) | **reliability**: split each item's trials into two random halves and correlate the halves' scores over the items; Spearman and Brown lengthen that to the whole. r = 1: a second run would give every item the same score. r = 0: it would tell nothing |
# | 2 | SEM = SD(p̂) · √(1 − r) | **standard error of measurement**, on the scale of p̂ |
# | 3 | S_diff = √(SEM₁² + SEM₂²) | standard error of the difference, **one for all items** |
# | 4 | RCI = (p̂₂ − p̂₁) / S_diff | above 1.96 improved, below −1.96 deteriorated |
#
# Items that are never right on either side (at floor), or always right on both (at ceiling), are
# excluded; the rest are *analysable*.
#
# **What SEM is.** Average the halves' covariance and variance over all possible splits, and for an even
# number of trials the algebra collapses: r = 1 − W / V, where V is the variance of p̂ over the items
# and W the mean of p̂(1 − p̂)/(K − 1). So SEM² = V (1 − r) = W: the plain mean of each item's own
# binomial variance. Fisher's test lets every item keep its own variance. The index gives all
# of them the mean. An item that is nearly always right or wrong has almost none, an item at one half
# has the most; where a benchmark consists mostly of the former, S_diff is far too small for the latter.
# Everything below follows from that.

# %% [markdown]
# ## Parameters
#
# `population`: the items that reliability is computed from, all or analysable ("Beyond the Mean" does
# not say; only *all* is compatible with the results that it published). `few_trials`: the size of the subsets.
# `greedy`: an archive with one answer an item, to hold against the index in place of a drawn trial.

# %% tags=["parameters"]
archive = "reconstruction"
population = "all"
epsilon = 0.20
alpha = 0.05
interval = "newcombe"
trials: int | None = None
few_trials = 10
replications = 1000
seed = 20260817
greedy = ""

# %% [markdown]
# ## Load

# %%
import numpy as np

from reliable_change import notebook as nb
from reliable_change.analysis import index_artefacts, index_comparisons, index_repeated, single_draw
from reliable_change.analysis import reliable_change_index as rci
from reliable_change.analysis.cells import thin
from reliable_change.analysis.classification import classify_items
from reliable_change.archive.counts import item_counts
from reliable_change.figures import reliable_change_index as draw

archive = nb.start("09_reliable_change_index", globals())
single = nb.start_second(greedy)
every = item_counts(archive)
counts = thin(every, trials, np.random.default_rng(seed))
chosen = {"population": population, "seed": seed}

# %% [markdown]
# ## Reliability and the smallest shift that counts
#
# | column | meaning |
# |---|---|
# | r_source, r_target | reliability of each side |
# | outcome | *defined*, or why r is not: *negative*, *no variance* over the items, too few of them |
# | s_diff, min_difference | S_diff, and 1.96 times it (fractions) |
# | min_trials | the fewest trials that a shift must have to exceed it |
# | not_testable | items with fewer than two trials on a side, of which no halves can be had |
# | excluded, analysable | items at floor or ceiling on both sides, and the others |
#
# A reliability near 1 is no praise of the index: it says that items differ far more from each other
# than each does from itself, which a benchmark of very easy and very hard items guarantees.

# %%
indexed = nb.ask(rci.index_cells, archive, population=population, counts=counts)
table = nb.ask(rci.table, indexed)
nb.rows(nb.ask(rci.reliability_columns, table), decimals=3)

# %% [markdown]
# The same from 100 random splits (*_drawn): their correlations averaged, as psychometricians do. The
# values above need no draw: they average covariance and variance over all splits, and divide then. With
# hundreds of items the two agree; with twenty they may differ by a tenth, however many splits are drawn.

# %%
nb.rows(nb.ask(rci.drawn_splits, indexed, **chosen), decimals=4)

# %% [markdown]
# ## What the index finds
#
# | column | meaning |
# |---|---|
# | delta | mean shift of all testable items (points) |
# | improved, deteriorated | items beyond ±1.96; with *_conservative*, beyond ±2.58 (99 %; the authors count so too, and name no bound) |
# | churn, churn_of_testable | both directions together (% of the analysable; of all testable items) |
# | breadth | improved items among those with any positive shift (%) |
# | median_change | median shift, sign ignored, of the items that changed (fraction) |

# %%
nb.rows(nb.ask(rci.change_columns, table))

# %% [markdown]
# ## The same items in both classifications
#
# The paper asks for Fisher's test under a false discovery rate *and* a shift of at least ε. Read the
# figure row by row: does the index find what the paper finds, and what does it find beside?

# %%
found = nb.ask(rci.index_items, indexed)
items = classify_items(archive, epsilon=epsilon, alpha=alpha, interval=interval, counts=counts)
crossed = nb.ask(rci.cross_classes, found, items)
nb.rows(crossed)
nb.figure("index_classes", draw.index_by_class, crossed, archive.manifest, rests_on="total")

# %% [markdown]
# ## When nothing changed
#
# 1.96 promises 5 % false alarms. Two worlds without change test that: each item's trials are dealt to
# the two sides at random (*labels permuted*), and one model's trials are split in half (K / 2 a side).
# Reliability, S_diff and index are computed anew each time.
#
# | column | meaning |
# |---|---|
# | rate, low, high | analysable items beyond ±1.96, mean and its 95 % Monte Carlo interval (%) |
# | items | the same as a mean number of items |
# | any | runs with at least one such item (%) |
# | found | items beyond ±1.96 in the data, to hold against *items*, which luck alone brings |
#
# Nothing corrects for the number of items, either: a team that reviews every item that the index calls
# has some to review after so many of the changes of model that changed nothing as *any* says. The
# paper's procedure (04) is built so that this happens with a chance of at most α.

# %%
nb.rows(nb.ask(index_repeated.null_rates, indexed, replications=replications, **chosen))

# %% [markdown]
# ## Where the false alarms come from
#
# The chance that an item which did not change is flagged, by its true chance of being
# correct, exactly. Near 0 and 1 the index is blind: S_diff is larger than anything that luck does there. In the
# middle, where an item's own error exceeds the mean, it cries wolf. Fisher's test stays below its
# level everywhere. More trials do not help: they shrink S_diff and the item's own error alike.

# %%
fewer = nb.ask(index_repeated.fewer_trials, archive, indexed, few_trials, counts=counts, **chosen)
few = [] if isinstance(fewer, nb.Absent) else fewer
alarms = nb.ask(index_artefacts.false_alarms, indexed, *few[:1], alpha=alpha)
nb.figure("index_alarms", draw.alarm_curves, alarms, archive.manifest)

# %% [markdown]
# ## Change by difficulty: regression to the mean
#
# "Beyond the Mean" reports that nearly all improved items were low before and nearly all
# deteriorated ones high. Part of that must be so: from 0 there is only up. Part is artefact: an item that luck put low
# is likely to come back higher, because the same trials that sort it also enter its
# shift. The outlines show that part alone, with labels permuted; what stands beyond them is change.
#
# | column | meaning |
# |---|---|
# | low, high | bin of p̂ of the source |
# | analysable | items in it (with fewer trials: over all subsets) |
# | improved, deteriorated; null_… | % of them, as observed and with labels permuted |
# | change, null_change | mean shift of all testable items of the bin (points), likewise |
# | fresh_change | sorted by one half of the source's trials, measured against the other half: free of the artefact |

# %%
bins = nb.ask(index_artefacts.by_difficulty, indexed, sum(few, []), **chosen)
nb.rows(bins, decimals=1)
nb.figure("index_difficulty", draw.difficulty_bars, bins, archive.manifest)

# %% [markdown]
# ## Ten trials instead of all
#
# The authors took K = 10. Random subsets of so many trials show what they would have seen of these items.
# Means over 20 subsets; churn_low and churn_high are the range; null_rate is the share (%) that
# fires with labels permuted. Subsets that share trials are alike, so the range is not an interval.

# %%
repeated = nb.ask(index_repeated.fewer_trials_table, fewer, **chosen)
nb.rows(repeated, decimals=3, analysable=1, improved=1, deteriorated=1)

# %% [markdown]
# ## One answer instead of many
#
# One answer a side flips or does not. Taking the index for the truth, as "Beyond the Mean" does:
#
# | column | meaning |
# |---|---|
# | missed, missed_rate | changed items whose answers did not flip (and % of the changed) |
# | wrong_way | changed items that flipped against their shift |
# | false_flags, false_flag_rate | unchanged items that flipped (and % of the unchanged) |
# | flips, flips_in_vain | flips of analysable items, and the % of them on unchanged ones |
# | missed_mean, false_flag_mean | the two rates over every answer that might have been drawn (%) |
#
# They found 42 % missed and 25 % falsely flagged, against greedy answers. The index is not the truth,
# though: some of its changes are luck, and an answer that does not show those misses nothing.

# %%
drawn = single_draw.draw_trials(archive, seed=seed, counts=every) if single is None else None
answers = item_counts(single) if drawn is None else drawn
nb.rows(nb.ask(index_comparisons.against_single_answers, archive, found, answers), decimals=1)

# %% [markdown]
# ## Disciplines that move against their benchmark
#
# A gain may hide a loss. Mean shift of the benchmark (total) and of the discipline (delta), in points;
# rises and falls are items with any shift up or down. One trial an item is enough for this. Look
# at the number of items before believing one.

# %%
nb.rows(nb.ask(index_comparisons.against_the_total, archive, items))

# %% [markdown]
# ## Ledger: what "Beyond the Mean" prints
#
# Its ten trials of each item are not here, so what rests on them cannot be recomputed; what follows from
# other printed numbers can. None of it depends on the archive above. Places that start with 001 are
# where the paper cites its results.

# %%
nb.neighbours("002")
