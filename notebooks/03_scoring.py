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
# # 03 Scoring: six categories, and what strict and loose reading decide
#
# Reproduces **Table E.8** and the strict–loose gap of **§4.3** from the scores in the archive
# named below (by default the synthetic `reconstruction`).
#
# Every response falls in exactly one of six categories: correct, wrong, format failure, refusal,
# truncation, API error. API errors leave the denominator; everything else stays in, because a
# reply that a program cannot parse is of no more use to it than a wrong one. Instruction
# following has two readings: *strict* takes the reply as it stands, *loose* also tries it
# without its first or last line and without markdown. What passes strictly passes loosely, so the
# gap **R** between the two is never negative; its change on an edge, **ΔR**, tells how much of
# a regression is one of format.

# %% [markdown]
# ## Parameters
#
# `real` is an archive of real replies, whose texts are read where the first has none; an empty one
# leaves it out.

# %% tags=["parameters"]
archive = "reconstruction"
real = "smollm2"

# %% [markdown]
# ## Load

# %%
from reliable_change import notebook as nb
from reliable_change.analysis import scoring, strict_loose, texts
from reliable_change.archive.counts import item_counts
from reliable_change.figures import scoring as figures

archive = nb.start("03_scoring", globals())
read = texts.first_with_texts(archive, nb.start_second(real))
counts = item_counts(archive)

# %% [markdown]
# ## Table E.8
#
# | column | meaning |
# |---|---|
# | n | responses that have a category |
# | correct … api_error | responses in each of the six |
# | unscored | responses that could not be scored here; neither right nor wrong |

# %%
table = scoring.table(archive, counts)
nb.table("table_e8", table, archive)
print("Responses that could not be scored here:", table["unscored"].sum())

# %% [markdown]
# ## Figure: how responses fail

# %%
nb.figure("categories", figures.failure_bars, table, archive.manifest, rests_on="n")

# %% [markdown]
# ## The strict–loose gap (§4.3)
#
# | column | meaning |
# |---|---|
# | strict, loose | mean accuracy over items under each reading (%); on an edge, its change (points) |
# | gap | R = loose − strict (points); on an edge, ΔR |

# %%
gaps = nb.ask(scoring.gaps, archive, counts)
nb.rows(gaps)
changes = nb.ask(scoring.gap_changes, archive, gaps)
nb.rows(changes)

# %% [markdown]
# ## Figure: strict against loose
#
# Where the two lines run apart, a model follows the task but not its form. A decline of the lower
# line alone is a regression for a program and none for a reader.

# %%
nb.figure("strict_loose", figures.strict_loose, gaps, archive.manifest)

# %% [markdown]
# ## The texts behind the scores
#
# Scores come from texts. Of these there is one of each category, the first in the archive that is named
# here; then responses that pass only loosely, so that strict reading rejects them for their form.

# %%
print("Texts of the archive", read.manifest.name)
nb.rows(nb.ask(texts.examples, read))
nb.rows(nb.ask(texts.loose_only, read))

# %% [markdown]
# ## What each reading decides, instruction by instruction
#
# Whole replies of the same archive to instruction items are judged here anew, each instruction by itself
# (of a large archive only the first trials of each item and model).
#
# | column | meaning |
# |---|---|
# | instruction | those on which the readings differ or that cannot be judged here; then all |
# | replies | how many were judged |
# | strict, loose, only_loose | how many of them follow it under each reading; under the loose one alone |
# | unscored, reason | how many could not be judged here, and why |

# %%
judged = nb.ask(strict_loose.judge_texts, read)
nb.rows(nb.ask(strict_loose.by_instruction, judged))

# %% [markdown]
# Replies that follow an instruction only loosely, two of each: what stands in the first and the last
# line, and the asterisks, are what the loose reading may leave out. Then, of the archive's own
# verdicts on these replies (all instructions followed or not), how many agree.
#
# | column | meaning |
# |---|---|
# | first_line, last_line, asterisks | how these lines of the reply begin; its asterisks |
# | reading, trials, agree | strict or loose; trials with both verdicts; those in which they agree |

# %%
nb.rows(nb.ask(strict_loose.only_loosely, judged))
nb.rows(nb.ask(strict_loose.agreement, read, judged))

# %% [markdown]
# ## Other scores of the same texts
#
# `make score` reads the texts of an archive anew and writes its scores beside those that are there.
# The table counts how many verdicts are the same, and from which category to which the others went.

# %%
nb.rows(nb.ask(texts.other_scores, read))

# %% [markdown]
# ## Ledger

# %%
text = nb.ask(scoring.text_values, gaps, changes)
nb.ledger("03_scoring", {"table_e8": table}, text)
