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
# # 10 Paired tests: count the regressions, then ask whether it is chance
#
# Reproduces **the methods of two neighbouring papers, 003 and 004, and what they print**,
# on the archive named below (by default the synthetic `reconstruction`).
#
# Both models answered the same items. So an upgrade is a diff: **b** items were right and are now
# wrong, **c** items were wrong and are now right, and on all others nothing is learnt about the
# difference. The score moves by (c − b) / n; b is what a user notices.
#
# An item asked K times is *right* here when more than half of its trials are (a tie is wrong).
# With K = 1 that is the usual single answer. This notebook asks whether a whole benchmark got better or
# worse on balance; notebook 04 asks which single items changed reliably. A benchmark may gain on balance
# and still hold items that were reliably lost.

# %% [markdown]
# ## Parameters
#
# `trials` keeps only that many trials of each item for the verdicts, drawn at random: with 1 this is
# what a usual evaluation sees. Pairs of trials, halves and numeric scores below always use all.

# %% tags=["parameters"]
archive = "reconstruction"
alpha = 0.05
trials: int | None = None
seed = 20260817

# %% [markdown]
# ## Load

# %%
import numpy as np

from reliable_change import notebook as nb
from reliable_change.analysis import (
    paired_benchmarks,
    paired_power,
    paired_tests,
    regressions,
    trial_pairs,
    unchanged_record,
)
from reliable_change.analysis.cells import thin
from reliable_change.archive.counts import item_counts
from reliable_change.figures import paired_tests as draw

# %%
archive = nb.start("10_paired_tests", globals())
rng = np.random.default_rng(seed)
every = item_counts(archive)
items = paired_tests.verdicts(archive, thin(every, trials, rng))

# %% [markdown]
# ## First, does the unchanged record agree with itself?
#
# Before two models are compared, one model should be compared with itself (003, "The check"). Here the
# first half of each item's trials stands for one run and the last half for another: in order of time
# if every response has one, else by number of the trial. The number follows time only where trials
# were asked for one after the other. If only chance is at work, the correct trials fall into the
# halves at random, which gives the exact distribution of how many verdicts differ. A small p means
# that something varies which nobody recorded, and the comparison has to wait. In a table with many
# rows, one or two small p are nothing unusual. (In the reconstruction the order of trials is of our
# making: there the table shows the method at work, and nothing of the models.)
#
# | column | meaning |
# |---|---|
# | differ, expected | items whose verdict differs between the halves, and how many should |
# | p_disagreement | exact chance of at least so many |
# | first_only, last_only | right in that half only |
# | p_drift | exact two-sided McNemar p that neither half is better |

# %%
moments = unchanged_record.moments(archive)
print(unchanged_record.order_of_halves(archive, moments))
halves = unchanged_record.halves(archive, moments)
nb.rows(nb.ask(unchanged_record.table, archive, halves), 3)

# %% [markdown]
# ## Lost and gained
#
# | column | meaning |
# |---|---|
# | items, not_testable | items with a verdict on both sides, and those without |
# | b, c | items lost and items gained |
# | gain, se | net gain (c − b) / n and its paired standard error √(b + c − (c − b)²/n) / n (points) |
# | low, high | 95 % interval of the gain; where nothing changed, from the exact bound on flips not seen |
# | degradation, with _low and _high | b / (b + c): the share of losses among the changes, exact 95 % interval (%) |
# | p_worse, p | exact McNemar: one-sided "the target is worse", and two-sided |
#
# The test asks of b and c alone whether a change is as often a loss as a gain. A degradation
# share above 50 % means that the target is worse; p_worse says how surely.

# %%
cells = paired_tests.table(items)
nb.rows(cells, 3)

# %% [markdown]
# ## The same, trial by trial
#
# A verdict by majority is blind to what does not cross one half: an item that falls from 20 of 50
# to none counts as unchanged. With K > 1 trials one can also pair trial t of the source with
# trial t of the target and count over all pairs; then the gain is the change of the mean, and
# nothing is rounded to a verdict.
#
# But fifty trials of one item are not fifty items: they share its difficulty. Taken as independent
# they give an interval that is far too narrow. Items are the sample, so items are the clusters.
#
# | column | meaning |
# |---|---|
# | pairs, b, c | pairs of trials, of which right then wrong, and wrong then right |
# | gain | over all pairs (points) |
# | naive_se, naive_low, naive_high | every pair taken as an item: too narrow |
# | se, low, high | items as clusters, 95 % |
# | times | (se / naive_se)²: so many pairs are worth one independent pair |

# %%
pairs = paired_tests.pair_table(trial_pairs.trial_pairs(archive))
nb.rows(pairs)

# %% [markdown]
# In the figure, read the bars first: the net gain is only the difference of the changes both ways. Then
# the three intervals: an interval that keeps clear of zero only in the palest reading is no finding.

# %%
readings = paired_tests.readings(cells, pairs)
nb.figure("losses_and_gains", draw.losses_and_gains, readings, archive.manifest)

# %% [markdown]
# ## The items that were lost
#
# "The regressions are the review. Read each one." The ten that fell furthest are here; the file
# has all, with both models, the prompt version, and where the archive has texts, the prompt, the
# source's first right text and the target's first wrong one, uncut.

# %%
lost = regressions.regressed_items(archive, items)
nb.rows(regressions.shortened(lost).head(10))
nb.keep_rows("regressed_items", lost)

# %% [markdown]
# ## Do the losses gather somewhere?
#
# Only items that were right can be lost. If it did not matter where an item belongs, the lost ones
# would be a random draw from those that were right, and the number in each level hypergeometric.
# The eight most striking levels of all:
#
# | column | meaning |
# |---|---|
# | items, right_before | items of the level, and those that could be lost |
# | b, c, share | lost, gained, and lost as a share of right_before (%) |
# | expected | b if the level did not matter |
# | p, adjusted | exact chance of at least b, and that times the number of levels in its cell and stratum (Bonferroni) |
# | p_worse | the level's own one-sided McNemar p |
#
# A p that shows as 0.0000 is below 0.00005. Levels marked in the figure have an adjusted p of at
# most 0.05; a grey bar is what chance would put there. Nothing corrects for the number of cells and
# strata: of twenty, one may have a mark by luck.

# %%
clusters = nb.ask(regressions.clusters, archive, items)
nb.rows(nb.ask(regressions.most_clustered, clusters), 4)
nb.figure("lost_by_level", draw.lost_by_level, clusters, archive.manifest)

# %% [markdown]
# A cluster may also be a way to fail, such as a format that is no longer kept. How the target's trials
# fail on the lost items, beside how they fail on the others:
#
# | column | meaning |
# |---|---|
# | lost_items, other_items | failed trials of that category |
# | lost_share, other_share | as a share of all failed trials on these items (%) |

# %%
nb.rows(regressions.failures(items, every), 1)

# %% [markdown]
# ## One decision from several benchmarks
#
# Three one-sided tests that the target is worse (004). **Pooled** adds b and c up, best when every
# benchmark falls a little. **Max-drop** takes the largest (b − c) / √(b + c), best when one falls
# and the others do not. **Fisher's** method adds up the logarithms of the p-values; these come
# from counts and are a little too large, so it errs on the safe side. A benchmark in which nothing
# changed has p = 1 there and no say in the other two. Flagging an edge when any of the three rejects
# at α keeps the rate of false alarms at most 3α.
#
# | column | meaning |
# |---|---|
# | tasks, without_flips | benchmarks, and those in which nothing changed |
# | pooled, max_drop, fisher | p-values; max_drop needs no simulation, see below |
# | drawn, drawn_low, drawn_high | max-drop by 100,000 binomial draws as in 004, with the exact 95 % error bar of such a p |
# | worst | the benchmark with the largest standardised fall |
# | flagged | whether any of the three is at most α |
#
# Given how many verdicts change in each benchmark, it is the toss of a coin for each of them whether it
# is a loss. With benchmarks independent of each other, the chance that all of them stay below the largest
# that was seen is a product; max_drop is one minus it. The error bar of the draws should hold it.

# %%
nb.rows(paired_benchmarks.aggregate(cells, alpha=alpha, rng=rng), 4)

# %% [markdown]
# ### Scores that are not just right or wrong
#
# The paired permutation test swaps source and target within items and asks how often chance alone
# moves the mean as far. It takes any score: the archive's own numbers where there are any, else p̂,
# the share of an item's trials that are correct, so that a fall from 50 to 30 of 50 counts and one
# from 26 to 25 hardly does. With one trial each it is McNemar's exact test again.
#
# | column | meaning |
# |---|---|
# | tested | p̂, of as many trials as `trials` keeps; or the score, always the mean of all trials |
# | difference | mean of target minus source (points for p̂) |
# | p_worse, worse_low, worse_high | one-sided p, and the 95 % error bar that comes of drawing |
# | p | two-sided |
# | exact | whether all arrangements were tried (20 items or fewer that differ) |

# %%
scores = trial_pairs.mean_scores(archive)
nb.rows(paired_benchmarks.permutation_table(items, scores, rng=rng), 4)

# %% [markdown]
# ## What could these items have shown?
#
# No finding is no all-clear. Power depends on one number, √(n / flips) · drop: a small drop drowns in
# the items that flip both ways. With the share of flips seen here:
#
# | column | meaning |
# |---|---|
# | flips | items whose verdict changes (%) |
# | power, asymptotic | chance that the one-sided test finds a drop of that size (points), exact and by 004's formula |
# | needed | items for a chance of 80 %, by the formula |

# %%
nb.rows(paired_power.power_table(cells, alpha=alpha))
curve = nb.ask(paired_power.power_curve, cells, alpha=alpha)
nb.figure("power", draw.power_curves, curve, archive.manifest)

# %% [markdown]
# ## Items that do not flip can be left out
#
# snr = (b − c) / √(b + c) has no n in it. Leave out every item on which both models agree, and drop
# and flips grow while snr stays the same to the last digit (004, Recommendation 1). That is
# hindsight, though. The second pair of rows chooses beforehand: keep the items on which the
# source's *first* half of trials disagreed with itself, and judge by the *second* halves. The b and c
# that go are the price, the items that go are what is saved.
#
# | column | meaning |
# |---|---|
# | kept, items | which items, and how many |
# | drop, flips | (b − c) and (b + c) as a share of these items (%) |
# | snr | (b − c) / √(b + c): how many standard errors the drop is away from none |

# %%
nb.rows(paired_power.trimming(archive, items, halves))

# %% [markdown]
# ## What 003 and 004 print
#
# Neither comes with items, so nothing here depends on the archive. Each number is derived from
# others in the same text; rounded inputs allow a range. 004's p-values are those of every pair of
# counts (b, c) that prints as its drop and flips at its number of examples.

# %%
nb.neighbours("003")
nb.neighbours("004")
