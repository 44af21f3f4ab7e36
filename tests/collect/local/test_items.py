"""The items of data/local: each can be scored, and its reference is what the scorer calls right."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from reliable_change.collect.local.weights import RECIPES
from reliable_change.collect.plan import Plan, read_plan
from reliable_change.commands.local import PLAN
from reliable_change.scoring.tasks import default_scorers, score
from reliable_change.scoring.texts import close_scorers
from reliable_change.scoring.verdict import Item, Response

# A reply that keeps to each item's instructions, and one that does not.
OBEYED = {
    "instruction-01": ("The cat drinks milk.", "The cat drinks."),
    "instruction-02": ("A bee sits on a rose.", "A rose."),
    "instruction-03": ("The moon is far. It is bright.", "The moon shines at night."),
    "instruction-04": ("My dog is brown.", "My dog is loyal."),
    "instruction-05": ("Rain, rain and rain.", "Rain and rain."),
    "instruction-06": ("Music is fun.", "Music is " + "fun " * 18),
    "instruction-07": ("A horse runs.", "A horse runs " + "far " * 9),
    "instruction-08": ("The river runs " + "far " * 17, "The river runs " + "far " * 16),
    "instruction-09": ("The farm is " + "old " * 9, "The farm is " + "old " * 8),
    "instruction-10": ("Hello, my dear friend!", "Hello to you, my friend!"),
    "instruction-11": ("Cats sleep.", "Cats eat, play and sleep."),
    "instruction-12": ("The forest is dark.", "The forest is dark, old and green."),
    "instruction-13": ("What do you eat?", "I eat bread."),
    "instruction-14": ('"Books are good."', "Books are good."),
    "instruction-15": ("Rice is white.", "Rice is white, often."),
    "instruction-16": ("* red\n* blue", "no colours"),
    "instruction-17": ("* cat\n* dog\n* cow", "* cat\n* dog"),
    "instruction-18": ("<<The old king>>", "The old king"),
    "instruction-19": ("Dear [name], come to my party.", "Dear friend, come to my party."),
    "instruction-20": ("All is well.\nP.S. I miss you.", "All is well."),
}


@pytest.fixture(scope="module")
def plan() -> Plan:
    return read_plan(PLAN)


@pytest.fixture(scope="module")
def scorers():
    made = default_scorers()
    yield made
    close_scorers(made)


@pytest.fixture(scope="module")
def items(plan) -> list[Item]:
    columns = ["benchmark", "item_id", "task", "reference", "extra", "prompt"]
    rows = plan.items[columns].astype(object).where(plan.items[columns].notna(), None)
    return [
        Item(*row[:4], extra=json.loads(row.extra or "{}"), prompt=row.prompt)
        for row in rows.itertuples(index=False)
    ]


def category(item: Item, text: str, scorers) -> str | None:
    return score(item, Response(text, "stop"), scorers).category


def test_the_reference_is_right_in_the_form_that_is_asked_for(items, scorers):
    asked = [item for item in items if item.task != "instruction"]
    assert len(asked) == 40
    for item in asked:
        assert category(item, f"Answer: {item.reference}", scorers) == "correct", item.item_id


def test_another_answer_is_wrong(items, scorers):
    for item in items:
        if item.task == "multiple_choice":
            others = set("ABCD"[: len(item.extra["options"])]) - {item.reference}
        elif item.task == "math":
            others = {str(int(item.reference) + 1), f"-{item.reference}", f"1{item.reference}"}
        else:
            continue
        for other in others:
            assert category(item, f"Answer: {other}", scorers) == "wrong", (item.item_id, other)


def test_an_instruction_can_be_kept_and_broken(items, scorers):
    asked = {item.item_id: item for item in items if item.task == "instruction"}
    assert asked.keys() == OBEYED.keys()
    for name, (kept, broken) in OBEYED.items():
        assert category(asked[name], kept, scorers) == "correct", name
        assert category(asked[name], broken, scorers) == "wrong", name


def test_arithmetic_is_what_its_question_says(items):
    signs = {"+": int.__add__, "-": int.__sub__, "times": int.__mul__}
    sums = 0
    for item in items:
        words = item.prompt.removeprefix("What is ").split("?")[0].split()
        if item.task == "math" and len(words) == 3 and words[1] in signs:
            assert signs[words[1]](int(words[0]), int(words[2])) == int(item.reference), item.prompt
            sums += 1
    assert sums == 16


def test_options_stand_in_the_prompt_as_in_the_item(items):
    for item in items:
        if item.task == "multiple_choice":
            shown = [line[3:] for line in item.prompt.splitlines() if line[1:3] == ") "]
            assert shown == item.extra["options"]
            assert len(set(shown)) == len(shown)


def test_the_plan_fits_its_items_and_its_weights(plan, items):
    assert len({item.prompt for item in items}) == len(items) == 60
    assert set(Counter(item.benchmark for item in items).values()) == {20}
    assert set(plan.models) <= RECIPES.keys()
    assert plan.settings.base_url.startswith("http://127.0.0.1:")
    for benchmark, strata in plan.strata.items():
        mine = plan.items[plan.items["benchmark"] == benchmark]
        for column, levels in strata.items():
            assert set(mine[column]) == set(levels), (benchmark, column)
    assert plan.strata.keys() == plan.slots.keys() == set(plan.benchmarks)
