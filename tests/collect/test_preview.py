"""The dry run counts what is left, says what is assumed, and touches nothing."""

from __future__ import annotations

import dataclasses

import pandas as pd
import pytest

from reliable_change.collect.journal import Journal
from reliable_change.collect.plan import Limits, Plan, work_order
from reliable_change.collect.preview import describe, describe_work, plain, preview
from reliable_change.collect.prices import Price, Prices
from reliable_change.collect.records import Settings
from reliable_change.errors import CollectError
from tests.collect.plans import MADE, reply, small_plan, store_all

PRICES = Prices({"old": Price(1.0, 4.0), "new": Price(2.0, 8.0)}, "EUR", (100, 1000))


def two_benchmarks() -> Plan:
    items = pd.DataFrame(
        {"benchmark": ["long", "quiz"], "item_id": ["1", "1"], "prompt": ["p" * 4000, "p" * 40]}
    )
    return Plan("two", items, ("old", "new"), trials=10, prices=PRICES)


def test_everything_is_missing_before_the_first_request(tmp_path):
    plan = two_benchmarks()
    found = preview(plan, tmp_path / "none")
    assert [(phase.missing, phase.total, phase.measured) for phase in found.phases] == [
        (20, 20, 0)
    ] * 2
    old, new = found.phases
    assert old.input_tokens == (10 * 1010, 10 * 1010)
    assert old.output_tokens == (2000, 20_000)
    assert old.cost == pytest.approx(((10_100 + 2000 * 4) / 1e6, (10_100 + 20_000 * 4) / 1e6))
    assert new.cost == pytest.approx(tuple(2 * amount for amount in old.cost))
    assert found.spent == 0.0
    assert not (tmp_path / "none").exists()


def test_what_was_collected_takes_the_place_of_assumptions(tmp_path):
    plan = two_benchmarks()
    with Journal.open(tmp_path, plan) as journal:
        for key in work_order(plan, "old"):
            if key.benchmark == "quiz" and key.trial < 6:
                counts = {"input_tokens": 15, "output_tokens": 40}
                journal.store(key, reply(**counts), 1, 0.1, MADE)
        found = preview(plan, tmp_path)  # while it is collected into
    old, new = found.phases
    assert (old.missing, old.measured, new.missing, new.measured) == (14, 4, 20, 0)
    assert old.input_tokens == (4 * 15 + 10 * 1000, 4 * 15 + 10 * 1000)
    assert old.output_tokens == pytest.approx((4 * 40 + 1000, 4 * 40 + 10_000))
    assert found.spent == pytest.approx(6 * (15 + 40 * 4) / 1e6)


def test_the_words_hold_the_numbers_and_what_they_rest_on(tmp_path):
    plan = dataclasses.replace(two_benchmarks(), limits=Limits(cost=3.5))
    text = describe(plan, preview(plan, tmp_path))
    for said in (
        "prompt of 1 (long):",
        "… 3,400 characters more",
        '"reasoning_effort":"medium"',
        "phase 1, old: 20 of 20 requests; tokens in 10,100, out 2,000 to 20,000; 0.0181 to 0.0901",
        "total 40 requests; 0.0543 to 0.27 EUR; spent so far: 0.00 EUR",
        "stops at 3.50 EUR in all",
        "of 40 requests the tokens are ASSUMED, not measured",
        "100 to 1,000 of output",
    ):
        assert said in text
    with Journal.open(tmp_path, plan) as journal:
        store_all(journal, plan)
    text = describe_work(plan, preview(plan, tmp_path))
    assert "total 0 requests; 0.00 EUR" in text
    assert "ASSUMED" not in text


def test_without_prices_there_is_no_cost(tmp_path):
    plan = small_plan()
    found = preview(plan, tmp_path)
    assert [phase.cost for phase in found.phases] == [None, None]
    assert "no cost, as the plan has no [prices]" in describe(plan, found)


def test_replies_with_other_settings_are_named_and_not_used(tmp_path):
    plan = small_plan(settings=Settings(temperature=0.5))
    with Journal.open(tmp_path, plan) as journal:
        store_all(journal, plan)
    other = dataclasses.replace(plan, settings=Settings(temperature=1.0))
    text = describe_work(other, preview(other, tmp_path))
    assert "total 24 requests" in text
    name = f"journal-{plan.settings.fingerprint}.sqlite"
    assert f"not used: 24 replies in {name}, collected with temperature = 0.5" in text


def test_a_changed_prompt_is_found_before_any_money_is_spent(tmp_path):
    plan = small_plan()
    with Journal.open(tmp_path, plan) as journal:
        store_all(journal, plan)
    changed = dataclasses.replace(plan, items=plan.items.assign(prompt="other"))
    with pytest.raises(CollectError, match="the prompt of item '000'"):
        preview(changed, tmp_path)


def test_each_benchmark_shows_a_prompt_and_three_are_shown_if_there_are():
    assert [item for _, item, _ in preview(small_plan(9), "none").samples] == ["000", "001", "002"]
    assert len(preview(two_benchmarks(), "none").samples) == 2
    names = [f"b{number}" for number in range(5)]
    items = pd.DataFrame({"benchmark": names, "item_id": "1", "prompt": "?"})
    plan = Plan("five", items, ("new",), 1)
    assert [name for name, *_ in preview(plan, "none").samples] == names


def test_a_prompt_cannot_command_the_terminal():
    assert plain("\x1b]0;owned\x07\r\n\u202e") == "\\x1b]0;owned\\x07\\r\n\\u202e"
