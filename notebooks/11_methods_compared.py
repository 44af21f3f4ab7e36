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
# # 11 Methods compared: what each finds, misses and invents
#
# Reproduces **the methods that the paper stands beside (§2), those of its neighbours, and the rules
# that people use today**, all on the archive named below (by default the synthetic `reconstruction`)
# and in simulated worlds.
#
# A new model is out and an item's score has moved. Did the item change? Every method answers with a
# *call*: regressed, improved, or nothing. It can fail twice: **miss** a change that is
# there, and **invent** one that is not. No archive shows both, because in an archive nobody knows
# the truth. So the comparison comes in two parts:
#
# 1. **Simulated worlds**, in which the changes were planted. They carry the conclusions.
# 2. **Archives**, with labels shuffled so that nothing changed, and with fewer trials than there
#    are. They show whether the worlds resemble anything.
#
# Throughout, a change counts as *found* when it is called in its direction, and a *false alarm* is a
# call in either direction on an item that did not change.

# %% [markdown]
# ## Parameters
#
# `real` is a second archive, shown beside the first; an empty one leaves it out.

# %% tags=["parameters"]
archive = "reconstruction"
real = "smollm2"
epsilon = 0.20
alpha = 0.05
trials: int | None = None
seed = 20260817

# %% [markdown]
# ## Load

# %%
import numpy as np

from reliable_change import notebook as nb
from reliable_change.analysis.methods import cells, items, shown, worlds
from reliable_change.analysis.methods.study import studies_of
from reliable_change.figures.methods import found_in_archive, found_in_worlds, overlap_matrix
from reliable_change.stats.cell_methods import cell_methods
from reliable_change.stats.methods import item_methods

archive = nb.start("11_methods_compared", globals())
rng = np.random.default_rng(seed)
studies = studies_of({"archive": archive, "real": nb.start_second(real)}, trials, rng)
by_item, by_cell = item_methods(epsilon, alpha), cell_methods(epsilon, alpha)

# %% [markdown]
# ## The methods
#
# Twelve decide item by item. Each test of a single item is made at the level that its rule names, with
# no correction for the number of items, except where the rule says Benjamini–Hochberg.
#
# | column | meaning |
# |---|---|
# | rule | when an item is called, in either direction |
# | source | whose method it is; *common practice* has no source |

# %%
nb.rows(shown.rules(by_item))

# %% [markdown]
# ## Worlds where the truth is known
#
# Each world is a cell of 300 items. A third of them are always right, a fifth never, the
# rest anywhere in between, as in archives of repeated trials. A tenth of the items **lose 40
# points** of their chance of a correct trial, a tenth **gain** as much, the others stay as
# they are. K trials a side are drawn, and every method makes its calls. 300 worlds for each K.
#
# Intervals are at 95 %. Benjamini–Hochberg and the index draw one line for all items of a cell, so that
# the calls within a world hang together. The intervals therefore count worlds as the sample, not
# items, and further below draws.
#
# **Planted changes found** (%); one column for each number of trials K. (At K = 1 the index is not
# defined, since reliability needs two halves; it then calls nothing, which shows as 0.)

# %%
truth = worlds.misses_and_alarms(by_item, rng=rng)
nb.keep_rows("methods_known_truth", truth)
nb.rows(shown.side_by_side(truth, "found"))

# %% [markdown]
# **Unchanged items called changed** (%), in the same form:

# %%
nb.rows(shown.side_by_side(truth, "alarm", 2))

# %% [markdown]
# **Calls that are wrong** (%): of the items on a method's list, those that did not change, or changed the
# other way. So much of the list is read in vain; – where nothing was called.

# %%
nb.rows(shown.side_by_side(truth, "wrong"))

# %% [markdown]
# ### Figure: what is found against what is invented
#
# Rows are ordered by false alarms at the most trials, fewest on top. Dots go from light and
# small (few trials) to dark and large (many). A method worth having has its dark dots far right on
# the left and far left on the right. The paper's is in bold.

# %%
nb.figure("methods_known_truth", found_in_worlds, truth)

# %% [markdown]
# ### Smaller and larger changes
#
# Planted changes found (%) with 50 trials, by how many points an item lost or gained. At 20
# points a change is just what ε = 0.20 asks for: by luck, half of them are observed as smaller.

# %%
sizes = worlds.found_by_size(by_item, 50, rng=rng)
nb.rows(shown.side_by_side(sizes, "found", 0, across="size", head="{:g} points"))

# %% [markdown]
# ### What the worlds say
#
# Computed from the tables above:

# %%
print("\n\n".join(shown.what_the_worlds_say(truth, worlds.SIZE)))

# %% [markdown]
# ## Archives: which items each method calls regressed
#
# From here on, data. A warning for the reconstruction: its items were made by us, and chosen so that the
# paper's own method gives the printed counts. That other methods agree with it there proves nothing.
#
# | column | meaning |
# |---|---|
# | regressed | items that the method calls regressed, over all cells |
# | percent | their share of the testable items (%) |
# | also | how many of them the paper's method calls too |
# | only | items that the paper's method calls and this one does not |
# | alone | items that no other method calls |
#
# In the figure, read a row: of the items that its method calls (bold), how many the method of the
# column calls too. The darker, the larger that share.

# %%
for place, study in studies.items():
    print(f"Archive {study.name}")
    calls = items.called_regressed(study.archive, by_item, seed=seed, counts=study.counts)
    nb.keep_rows(f"called_regressed_{place}", calls)
    nb.rows(items.call_counts(calls, by_item), 1)
    both = items.overlap(calls, by_item)
    nb.figure(f"methods_overlap_{place}", overlap_matrix, both, study.manifest)

# %% [markdown]
# ## When nothing changed
#
# Two ways to make sure that nothing did. **Shuffled**: each item's outcomes of both models are dealt
# to the two sides at random, as in the paper's null. **Halves**: one model's trials are split in two at
# random, and one half is held against the other. 1,000 draws of each. Draws are independent of each
# other, cells within a draw too: each is shuffled for itself. The intervals say how well the
# draws settle the number for *these* items, not for others.
#
# | column | meaning |
# |---|---|
# | shuffled: items, halves: items | items called changed (%), with its interval |
# | shuffled: cells, halves: cells | cells in which any item is called (%), with its interval |
#
# A cell of hundreds of items gives a test at 5 % hundreds of chances: look at the cells.

# %%
found = {}
for place, study in studies.items():
    print(f"Archive {study.name}")
    found[place] = items.found_and_alarms(study.cells, by_item, at_all=1000, rng=rng)
    halved = items.halves_alarms(study.counts, by_item, draws=1000, rng=rng)
    nb.rows(shown.when_nothing_changed(found[place], halved))

# %% [markdown]
# ## Fewer trials
#
# Here the changes that the paper's method finds **with all trials** stand in for the truth, and
# fewer trials of the same items are drawn at random, 200 times. Two tables for each archive: changes
# found (%), and calls that are none of them (items). In brackets the middle 95 % of the draws: what
# one study with so many trials would see. Calls beyond the paper's are not all false: a change
# smaller than ε is a change all the same. That is why the worlds carry the conclusions, not this.
#
# The right panel of the figure has shuffled labels, with as many trials.

# %%
for place, study in studies.items():
    print(f"Archive {study.name}")
    nb.rows(shown.side_by_side(found[place], "found", 0))
    nb.rows(shown.side_by_side(found[place], "extra", 0))
    nb.figure(f"methods_{place}", found_in_archive, found[place], study.manifest)

# %% [markdown]
# ## Methods that decide for a whole benchmark
#
# They ask another question, whether the *average* got worse, and answer with one word for each cell. The
# last row of the rules puts the paper's method beside them: is any single item reliably worse? The
# bootstrap takes the items that it has for all there could be. The fewer of them move at all, the more
# it understates chance: of a handful, all may have moved alike by luck, and then every resample does.
# Clustered pairs share this fault, and the fewer the items, the more they overstep their promise; the
# last table of each archive shows how far.
#
# McNemar's test on pairs of trials finds more, for two reasons. It asks one side only, and spends all of
# α there. And it claims less: that the answers to *these* items got worse. For that, the trials of an
# item are independent. Whether other items of the kind would have gone the same way is another question,
# which two methods ask: **clustered pairs**, the reading that notebook 10 recommends, with an error that
# counts items and not trials; and the bootstrap, which is stricter since Holm's correction runs over the
# benchmarks of the edge. Clustered pairs judge each benchmark alone, and say nothing where all its items
# move alike.

# %%
nb.rows(shown.rules(by_cell))

# %% [markdown]
# **In the worlds**: cells called worse (%), with intervals. An edge has three benchmarks of 100
# items. *As many gains as losses*: a tenth of the items lost 40 points, a tenth gained 40. *By a coin*: a
# fifth changed, each up or down with equal chance. These items may then be a little better or worse,
# while items at large are neither.

# %%
whole = worlds.cells_called_worse(by_cell, rng=rng)
nb.keep_rows("cell_methods_known_truth", whole)
nb.rows(shown.side_by_side(whole, "worse", down=("world", "method")))

# %% [markdown]
# **On the archives**: what each method says of each cell, and how often it calls a cell worse when labels
# are shuffled. Where they disagree, mind what they ask. The z-test and McNemar's ask whether *these
# items* got worse on average; clustered pairs and the bootstrap ask whether *other items of the kind*
# would have, and for that, a few items that moved far weigh little.
#
# | column | meaning |
# |---|---|
# | delta | Δ: change of the mean of p̂ (points) |
# | one for each method | worse, better, both (items went both ways), or – |
# | nominal | how often the method promises to be wrong, at most (%) |
# | cells | cells judged, over the draws |
# | alarm, alarm_low, alarm_high | cells called worse (%), and its interval |

# %%
said = shown.what_the_cells_say(whole, by_cell)
for place, study in studies.items():
    print(f"Archive {study.name}")
    nb.rows(cells.cell_verdicts(study.cells, by_cell, rng=rng), 1)
    alarms = cells.cell_alarms(study.cells, by_cell, draws=1000, rng=rng)
    nb.rows(alarms)
    said += shown.what_the_archive_says(study.name, found[place], alarms)

# %% [markdown]
# ## What follows
#
# Computed from the tables above.

# %%
print("\n\n".join(said))

# %% [markdown]
# ## Ledger

# %%
nb.ledger("11_methods_compared", {}, items.text_values(found["archive"]))
