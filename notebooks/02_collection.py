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
# # 02 Collection: ask every item K times, and lose nothing
#
# Reproduces the procedure of **§3.2 and §3.4**, not a table: how trials are collected, on a slice of the
# archive named below. A small server on this machine replays the archive's replies and misbehaves on
# purpose. Nothing leaves the machine, no key is needed, and it costs nothing.
#
# Set `base_url` (and put a key into the environment variable `OPENAI_API_KEY`) and the same cells
# collect **for real**: the prompts of the slice go to the models that `models` names, and **it is
# billed**. For more than a slice, write a plan and use the command line.

# %% [markdown]
# ## Parameters
#
# | setting | meaning |
# |---|---|
# | source | archive with texts: what the practice server replays, and whose prompts are sent |
# | slice_benchmark, slice_items, slice_trials | one benchmark or (empty) each; items drawn of each; K |
# | models | names with commas between; empty takes the archive's |
# | api, concurrency | `responses` or `chat`; requests under way at a time |
# | fault_rate | share of the requests that meet a fault (practice only) |
# | base_url, folder | address of a real API, empty for practice; folder of the journal, empty for a temporary one |

# %% tags=["parameters"]
source = "smollm2"
slice_benchmark = ""
slice_items = 6
slice_trials = 10
models = ""
api = "responses"
concurrency = 36
fault_rate = 0.3
seed = 20260817
base_url = ""
folder = ""

# %% [markdown]
# ## Load
#
# `place` is where requests go and where the journal lies; `plan` is what to ask: items, models, K and
# the settings of a request, which are the same for all models.

# %%
from reliable_change import notebook as nb
from reliable_change.analysis import collection, collection_log
from reliable_change.figures.collection import fault_bars

archive = nb.start("02_collection", globals(), parameter="source")
chosen = {"benchmark": slice_benchmark, "items": slice_items, "trials": slice_trials}
asked = {"models": models, "api": api, "concurrency": concurrency, "seed": seed}
place = nb.ask(collection.open_place, archive, base_url, folder, fault_rate=fault_rate, seed=seed)
plan = nb.ask(collection.slice_plan, archive, place, **chosen, **asked)

# %% [markdown]
# ## Dry run
#
# Before anything is asked: the prompts as they will be sent, and the work of each phase. Models are
# asked one after another, in release order; within a phase the order of items and trials is a shuffle
# by `seed`, so that whatever drifts during the hours of a real collection hits all items alike.
#
# | column | meaning |
# |---|---|
# | benchmark, item_id, prompt | an item, and its prompt word for word |
# | model, requests, of | a phase, its requests that are missing, and all of them |
# | input_tokens, output_low, output_high | tokens of the missing ones: assumed from the prompt's length and usual replies until some replies are stored, then measured |

# %%
nb.rows(nb.ask(collection.prompts, plan))
nb.rows(nb.ask(collection.planned, plan, place))

# %% [markdown]
# ## Collect, and be interrupted
#
# **Repeats need a key of their own.** A reply is stored under (benchmark, item, model, *trial*). Were the
# prompt the key, as in a cache, the second trial would be given the first one's reply: every item would
# be right always or never, and a lucky first reply would pass for ability. Other settings (another
# temperature, another address) start another journal: what answers differently is not mixed.
#
# **A failure is never an answer.** A rate limit, an empty body or a page of HTML says nothing of the
# model. Stored as an empty reply it would count as wrong, and a bad afternoon of the network would look
# like a regression. So a failed try is noted as such and made again until a reply comes, after a wait
# that grows with each failure and never ends before the server wants it. What no wait cures (a key
# that is not accepted, an unknown model, a used-up quota) stops the work at once.
#
# Here the practice server claims after 55 % of the replies that the quota is used up.

# %%
first = nb.ask(collection.collect_part, plan, place, 0.55)
nb.rows(nb.ask(collection.left, plan, place))

# %% [markdown]
# ## Resume
#
# **A resume is the same call again.** The journal is one SQLite file, written as each reply arrives, so
# a run that is stopped, or killed, loses at most what was under way. Starting again asks for exactly
# the keys that are missing: nothing is paid twice, and no trial has two replies. A third call finds
# nothing to do.
#
# | column | meaning |
# |---|---|
# | run, stored, missing | each call, the replies it stored, and what was missing after it |
# | ended | why it ended |

# %%
second = nb.ask(collection.collect_rest, plan, place)
third = nb.ask(collection.collect_rest, plan, place)
nb.rows(nb.ask(collection.runs, plan, first, second, third))

# %% [markdown]
# ## The fault log
#
# Every try that failed is in the journal. The server counted what it did; the table after this one compares.
#
# | column | meaning |
# |---|---|
# | recorded | the kind of failure that the journal has |
# | fault, meets | what the server did, and what the client met |
# | requests, expected | how often, and how often the rate lets expect (timeouts are kept rare: each is waited for) |

# %%
log = nb.ask(collection_log.fault_log, plan, place)
nb.rows(log)

# %% [markdown]
# ## Figure: what the tries met
#
# Bold are the journal's kinds of failure, below each what the server did. Which requests are hit is
# drawn from `seed` request by request, so the counts do not depend on how many are under way.

# %%
nb.figure("faults", fault_bars, log, nb.ask(collection_log.origin, archive, place))

# %% [markdown]
# ## Proof
#
# The journal is exported as an archive, validated, and held against its source.
#
# | column | meaning |
# |---|---|
# | check | what is counted |
# | expected | in the source, or by the server |
# | found | in the exported archive, or in the journal |
# | agrees | whether both are the same |

# %%
checked = nb.ask(collection_log.proof, archive, plan, place)
nb.ask(collection.close_place, place)
nb.rows(checked)
