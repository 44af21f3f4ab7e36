"""A plan is read as written, checked as a whole, and its order of work never changes."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reliable_change.archive.read import read_archive
from reliable_change.collect.plan import Limits, Plan, read_plan, work_order
from reliable_change.collect.prices import Price
from reliable_change.collect.records import Key, Settings
from reliable_change.errors import CollectError
from reliable_change.paths import DATA
from tests.collect.plans import small_plan

LINE = {"benchmark": "quiz", "item_id": "007", "task": "math", "prompt": "2 + 2?", "reference": "4"}
LEAST = 'name = "mine"\nitems = "items.jsonl"\nmodels = ["old", "new"]\ntrials = 50\n'
SECRET = "sk-abcdefghijklmnop"


def plan_file(folder, text: str = LEAST):
    (folder / "items.jsonl").write_text(json.dumps(LINE) + "\n")
    (folder / "plan.toml").write_text(text)
    return folder / "plan.toml"


def test_the_least_plan_is_the_papers(tmp_path):
    plan = read_plan(plan_file(tmp_path))
    assert (plan.name, plan.models, plan.trials, plan.total) == ("mine", ("old", "new"), 50, 100)
    assert plan.prompts == {("quiz", "007"): "2 + 2?"}
    assert (plan.settings, plan.limits, plan.prices) == (Settings(), Limits(), None)
    assert (plan.settings.reasoning_effort, plan.settings.temperature) == ("medium", None)
    assert (plan.concurrency, plan.edges) == (36, (("old", "new"),))
    assert plan.items.loc[0, ["reference", "task"]].tolist() == ["4", "math"]


def test_everything_in_a_plan_arrives(tmp_path):
    text = (
        LEAST.replace('"new"]', '"new", "next"]')
        + """
description = "Mine."
licence = "CC0-1.0"
edges = [["old", "next"]]
concurrency = 8
timeout = 90
seed = 5
prompt_version = "2"
key_variable = "MY_KEY"
labels = { old = "Old" }
short_labels = { old = "O" }
strata = { quiz = { difficulty = ["easy", "hard"] } }
[settings]
api = "chat"
reasoning_effort = false
temperature = 1
max_output_tokens = 96
base_url = "http://127.0.0.1:8100/v1"
extra = { top_p = 0.9 }
[limits]
cost = 10
hours = 1.5
attempts_per_trial = 9
[prices]
currency = "EUR"
output_tokens = [10, 100]
models.old = { input = 1, output = 2.5 }
models.new = {}
models.next = { output = 3 }
"""
    )
    plan = read_plan(plan_file(tmp_path, text))
    extra = {"top_p": 0.9}
    assert plan.settings == Settings("chat", None, 1.0, 96, extra, "http://127.0.0.1:8100/v1")
    assert plan.limits == Limits(10, 5400.0, 9)
    assert (plan.prices.currency, plan.prices.output_tokens) == ("EUR", [10, 100])
    assert plan.prices.models == {"old": Price(1, 2.5), "new": Price(0, 0), "next": Price(0, 3)}
    assert (plan.edges, plan.concurrency, plan.timeout, plan.seed) == ((("old", "next"),), 8, 90, 5)
    assert (plan.description, plan.licence, plan.prompt_version) == ("Mine.", "CC0-1.0", "2")
    assert (plan.key_variable, plan.labels, plan.short_labels) == (
        "MY_KEY",
        {"old": "Old"},
        {"old": "O"},
    )
    assert plan.strata == {"quiz": {"difficulty": ["easy", "hard"]}}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("trials =", "trails =", "unknown key 'trails'; did you mean 'trials'?"),
        ("trials = 50", "", "'trials' is missing; write a whole number"),
        ("trials = 50", "trials = 50.0", "'trials' has to be a whole number"),
        ("trials = 50", "trials = true", "'trials' has to be a whole number"),
        ("trials", "timeout = 0\ntrials", "timeout is 0; give seconds above zero"),
        ("trials = 50", "trials = 0", "trials is 0; give a whole number from 1"),
        ('"new"]', '"old"]', "name at least one model in 'models', and each only once"),
        ('"new"]', '"new", 5]', "'models' has to be a list of model ids"),
        ('"mine"', '"../mine"', "use letters, digits and the signs"),
        ("trials", "seed = -1\ntrials", "seed is -1; give a whole number from 0"),
        ("trials", 'edges = [["old", "newer"]]\ntrials', "is no pair of old, new"),
        ("trials", 'edges = [["old", "old"]]\ntrials', "is no pair of old, new"),
        (
            "50",
            "50\n[settings]\ntemprature = 1",
            "settings: unknown key 'temprature'; did you mean",
        ),
        ("50", '50\n[settings]\napi = "completion"', "settings: api 'completion' is none of"),
        ("50", "50\n[settings]\ntemperature = nan", "settings: 'temperature' has to be a number"),
        ("50", "50\n[limits]\ncost = 5", "a limit of cost needs a price table"),
        ("50", "50\n[limits]\nhours = 0", "limits: seconds is 0; give a number above zero"),
        ("50", "50\n[prices]\nmodels.old = {}", "prices: none for 'new'; add it"),
        (
            "50",
            "50\n[prices.models]\nold = {}\nnew = {input = -1}",
            "prices: of 'new' is (-1, 0.0)",
        ),
        (
            "50",
            "50\n[prices.models]\nold = {in = 1}",
            "price: unknown key 'in'; known are input, output",
        ),
        ("= 50", "= = 50", "cannot be read (Invalid value (at line 4"),
        ("items.jsonl", "none.jsonl", "none.jsonl: cannot be read (No such file"),
        ("items.jsonl", "plan.toml", "items are read from .jsonl or .csv files"),
        ('"items.jsonl"', "[]", "'items' has to be the path of"),
        ('"items.jsonl"', '["items.jsonl", "items.jsonl"]', "'007' of 'quiz' stands twice"),
        ('"items.jsonl"', '{ benchmrk = "IFBench" }', "items: unknown key 'benchmrk'"),
        ("trials", f'key_variable = "{SECRET}"\ntrials', "and never the key itself"),
        ("trials", f'key_variable = ["{SECRET}"]\ntrials', "'key_variable' has to be a text"),
        ("trials", f'seed = "{SECRET}"\ntrials', "'seed' has to be a whole number"),
    ],
)
def test_what_is_wrong_is_one_line_that_names_it(tmp_path, old, new, said):
    path = plan_file(tmp_path, LEAST.replace(old, new, 1))
    with pytest.raises(CollectError) as caught:
        read_plan(path)
    assert said in str(caught.value)
    assert str(caught.value).startswith(f"plan '{path}': ")
    assert "\n" not in str(caught.value)
    assert SECRET not in str(caught.value)


def test_a_plan_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CollectError, match=r"none.toml': cannot be read \(No such file"):
        read_plan(tmp_path / "none.toml")


def test_items_come_from_archives_too(tmp_path, uneven_k_dir):
    for source in (uneven_k_dir, uneven_k_dir / "items.parquet"):
        plan = read_plan(plan_file(tmp_path, LEAST.replace("items.jsonl", str(source))))
        assert plan.benchmarks == ("riddles", "sums")
        items = read_archive(uneven_k_dir).items
        pd.testing.assert_frame_equal(plan.items, items, check_dtype=False)


def test_several_sources_and_what_was_left_out(tmp_path, uneven_k_dir):
    torn = json.dumps(LINE) + '\n{"benchmark": "qu'
    path = plan_file(tmp_path, LEAST.replace('"items.jsonl"', f'["items.jsonl", "{uneven_k_dir}"]'))
    (tmp_path / "items.jsonl").write_text(torn)
    plan = read_plan(path)
    assert plan.benchmarks == ("quiz", "riddles", "sums")
    assert plan.notices == ("items.jsonl: line 2 was cut off and is left out",)


def test_a_sample_of_a_public_benchmark_is_frozen(tmp_path):
    row = {"prompt": "Say yes.", "instruction_id_list": ["a:b"], "kwargs": [{}]}
    lines = [json.dumps({"key": str(n), **row, "prompt": f"Say {n}."}) for n in range(9)]
    (tmp_path / "ifbench.jsonl").write_text("\n".join(lines) + "\n")
    source = '{ benchmark = "IFBench", file = "ifbench.jsonl", sample = 4, ids = "ids.json" }'
    path = plan_file(tmp_path, LEAST.replace('"items.jsonl"', source))
    first = read_plan(path)
    assert len(first.prompts) == 4
    assert len(json.loads((tmp_path / "ids.json").read_text())["item_ids"]) == 4
    path.write_text(path.read_text().replace("sample = 4", "sample = 4, seed = 99"))
    assert read_plan(path).prompts == first.prompts  # frozen: no other seed changes it


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"prompt": [None, "?", "?"]}, "'000' of 'quiz' has no prompt"),
        ({"prompt": " "}, "has no prompt"),
        ({"item_id": ["1", "1", "2"]}, "'1' of 'quiz' stands twice"),
        ({"item_id": ["", "1", "2"]}, "has no benchmark or no item_id"),
        ({"item_id": [1, 2, 3]}, "column 'item_id': is of type int64; give text"),
        ({"odd": 1}, "column 'odd': is not in the schema"),
    ],
)
def test_items_that_cannot_be_asked_are_named(change, said):
    plan = small_plan()
    with pytest.raises(CollectError) as caught:
        dataclasses.replace(plan, items=plan.items.assign(**change))
    assert said in str(caught.value)


def test_the_example_is_a_plan():
    plan = read_plan(DATA / "plans" / "example.toml")
    assert len(plan.models) == 2
    assert plan.total <= 1000


plans = st.builds(small_plan, st.integers(1, 6), st.integers(1, 9), seed=st.integers(0, 2**31 - 1))


@settings(deadline=None, max_examples=60)
@given(plans, st.randoms(use_true_random=False))
def test_the_order_holds_every_missing_trial_once_and_resuming_keeps_it(plan, chance):
    order = work_order(plan, "new")
    every = {Key(*item, "new", trial) for item in plan.prompts for trial in range(plan.trials)}
    assert len(order) == len(every)
    assert set(order) == every
    done = {key for key in order if chance.random() < 0.5}
    left = [key for key in order if key not in done]
    assert work_order(plan, "new", done) == left
    assert work_order(plan, "new", lambda key: key in done) == left


@settings(deadline=None, max_examples=30)
@given(plans)
def test_further_trials_items_and_rows_in_another_order_change_nothing(plan):
    larger = small_plan(8, plan.trials + 3, ("old", "new", "next"), seed=plan.seed)
    shuffled = dataclasses.replace(larger, items=larger.items.iloc[::-1])
    known = set(order := work_order(plan, "new"))
    for other in (larger, shuffled):
        assert [key for key in work_order(other, "new") if key in known] == order


def test_the_order_is_shuffled_by_the_seed_and_for_each_model():
    plan = small_plan(20, 20)
    orders = [
        [key[1::2] for key in work_order(one, model)]
        for one in (plan, dataclasses.replace(plan, seed=1))
        for model in plan.models
    ]
    places = [{key: place for place, key in enumerate(order)} for order in orders]
    ranks = np.array([[place[key] for key in sorted(place)] for place in places])
    # Independent orders of 400: each correlation has standard deviation 1/20 around 0.
    off_diagonal = np.corrcoef([*ranks, np.arange(400)])[np.triu_indices(5, 1)]
    assert np.abs(off_diagonal).max() < 0.2


def test_a_plan_needs_no_file():
    items = pd.DataFrame({"benchmark": ["quiz"], "item_id": ["1"], "prompt": ["?"]})
    with pytest.raises(CollectError, match="limits: cost is 0"):
        Plan("mine", items, ["one"], 1, limits=Limits(cost=0))
    assert Plan("mine", items, ["one"], 1).edges == ()
