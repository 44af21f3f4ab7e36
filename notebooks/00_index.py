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
# # 00 Index: what the paper claims, and what came out here
#
# Reproduces **every number** of *What Aggregate Scores Miss: Measuring Item-Level Regressions in
# Commercial LLM API Migrations* (X. Xu and W. Wu, arXiv:2608.17719, 2026), from the archive named below.
#
# **The claim.** When a vendor replaces a model, the benchmark average says little about single
# items. Asked 50 times each, items improve reliably and regress reliably *on the same edge*, in
# every benchmark, whether the average rises or falls.
#
# | notebook | reproduces | question |
# |---|---|---|
# | 01_screening | Table A.2, §3.3 | Which benchmarks leave room for change? |
# | 02_collection | §3.2, §3.4 | How are trials collected so that none is lost, doubled or made up? |
# | [03_scoring](03_scoring.ipynb) | Table E.8, §4.3 | How do responses fail, and does format matter? |
# | [04_classification](04_classification.ipynb) | Table 1, Figure 1, §4.1–4.2 | Which items changed, and is it more than noise? |
# | [05_sensitivity](05_sensitivity.ipynb) | Table C.5 | What do ε and the number of trials decide? |
# | [06_single_draw](06_single_draw.ipynb) | Tables B.3, B.4 | What does asking once miss? |
# | [07_token_costs](07_token_costs.ipynb) | Tables D.6, D.7 | What happens to the bill? |
# | [08_difficulty_strata](08_difficulty_strata.ipynb) | Table F.9 | Where does the change sit? |
# | [09_reliable_change_index](09_reliable_change_index.ipynb) | 002, sections 2–3 | What does the Reliable Change Index find, and how often is it luck? |
# | [10_paired_tests](10_paired_tests.ipynb) | 003 and 004 | How many items were lost, is it chance, and could we have seen it? |
# | [11_methods_compared](11_methods_compared.ipynb) | §2, and what others do | What does each method find, miss and invent? |
#
# 01 and 02 have data of their own and are left out of a run on another archive. Where a place starts
# with a number of three digits, it names a paper:
#
# | number | paper |
# |---|---|
# | 001 | the paper itself, where it cites a neighbour |
# | 002 | *Beyond the Mean: Within-Model Reliable Change Detection for LLM Evaluation* |
# | 003 | *Review a Model Upgrade: Count the Regressions* |
# | 004 | *When LLMs get significantly worse: A statistical approach to detect model degradations*; code at github.com/amazon-science/LLM-Accuracy-Stats |
#
# The texts of the neighbours that this was made from name neither authors nor year.

# %% [markdown]
# ## Parameters
#
# `real` is the archive of a migration that really took place. An empty `screening` or `real` leaves
# it out.

# %% tags=["parameters"]
archive = "reconstruction"
screening = "screening"
real = "smollm2"
epsilon = 0.20
alpha = 0.05
interval = "newcombe"
trials: int | None = None
replications = 1000
seed = 20260817

# %% [markdown]
# ## Which data is in use

# %%
from reliable_change import notebook as nb
from reliable_change.analysis.everything import recompute
from reliable_change.analysis.findings import findings
from reliable_change.published.ledger import compare, known_differences

archive = nb.start("00_index", globals())
screened = nb.start_second(screening)

# %% [markdown]
# ## Everything, computed anew
#
# All tables and all quantities that the text states, from the archive alone: nothing below reads
# a printed number to compute one. The tables are written as LaTeX, CSV and HTML for authors.

# %%
settings = {"epsilon": epsilon, "alpha": alpha, "interval": interval, "trials": trials}
found = recompute(archive, screened, replications=replications, seed=seed, **settings)
changed = nb.changed_settings("00_index", globals())
nb.write_tables(found, archive, screened, changed)
for reason in found.absent:
    print("Not in this archive:", reason)

# %% [markdown]
# ## What changed
#
# | column | meaning |
# |---|---|
# | edge, benchmark | the migration, and what was asked |
# | items | testable items |
# | delta | change of the mean accuracy, in percentage points |
# | improved, regressed | number of items that changed reliably |
# | null95 | 95th percentile of the number of items that would seem to, had nothing changed |

# %%
changes = findings(archive, replications=replications, seed=seed, **settings)
nb.rows(changes)
nb.keep_rows("findings", changes)

# %% [markdown]
# ## The ledger
#
# | verdict | meaning |
# |---|---|
# | reproduced | computed, and written like the printed number it is the same text |
# | differs | computed, and not the same; both are shown |
# | compatible | the inputs are printed, rounded numbers, and the printed result lies in the range they allow |
# | not computable | the archive does not hold what it needs; the note says what |

# %%
ledger = compare(found.values)
nb.keep_ledger("00_index", ledger)
nb.show_ledger(ledger)

# %% [markdown]
# ### What differs, and why
#
# Differences that are known on the default archive, each with its reason. On any other archive
# or with other settings the numbers are expected to differ from the paper's.

# %%
nb.rows(
    ledger.loc[ledger["verdict"] == "differs", ["place", "row", "column", "printed", "recomputed"]]
)
nb.rows(known_differences())

# %% [markdown]
# ### What cannot be computed, and what is missing

# %%
missing = ledger.loc[ledger["verdict"] == "not computable", ["place", "row", "printed", "note"]]
nb.rows(missing)

# %% [markdown]
# ## The neighbouring papers
#
# 002 (reliable change index), 003 (counting regressions) and 004 (McNemar with aggregation), whose
# titles are at the top, print numbers too. They say nothing of this archive; each is held against what the same paper states
# elsewhere, and rounded inputs allow a range. Most of what is not computable is an input of the rest.

# %%
nb.neighbours()

# %% [markdown]
# ## A real migration
#
# The same procedure on replies that a model really gave, collected by this project's own collector
# (`make collect-local`): a small language model, and a coarser quantisation of the same weights in
# place of its successor. Columns as under *What changed*.

# %%
migrated = nb.start_second(real)
if migrated is not None:
    nb.rows(findings(migrated, replications=replications, seed=seed, **settings))

# %% [markdown]
# ## Bring your own archive
#
# An archive is a folder with `manifest.json`, `items.parquet`, `responses.parquet` and
# `scores.parquet` (the README lists the columns). Check it, then run everything on it:
#
# ```
# .venv/bin/reliable-change validate path/to/archive
# make reproduce ARCHIVE=path/to/archive
# ```
#
# Executed notebooks, figures and tables land in `build/<archive>/`. Any setting of a notebook
# can be given the same way, for example `EPSILON=0.1`. A notebook whose input the archive lacks
# says so in one line and goes on.
