"""Costs add up, silence is not free, and an estimate says whether it was measured."""

from __future__ import annotations

import numpy as np
import pytest

from reliable_change.collect.prices import (
    ENOUGH,
    OUTPUT_TOKENS,
    Price,
    Prices,
    Range,
    cost_range,
    need,
    spent,
)
from reliable_change.collect.records import Usage
from reliable_change.errors import CollectError

TABLE = Prices({"old": Price(2.0, 8.0), "new": Price(5.0, 20.0)})


def used(outputs, inputs=100, replies=None) -> Usage:
    outputs = [int(count) for count in outputs]
    return Usage(
        replies or len(outputs),
        len(outputs),
        inputs * len(outputs),
        sum(outputs),
        0,
        float(sum(count**2 for count in outputs)),
    )


def test_what_was_spent_is_what_the_table_says():
    usage = {"old": Usage(10, 10, 2_000_000, 500_000), "new": Usage(1, 1, 1_000_000, 0)}
    assert spent(TABLE, usage) == pytest.approx(2 * 2 + 0.5 * 8 + 5)
    assert spent(TABLE, {}) == 0.0
    assert spent(None, usage) is None


def test_reasoning_tokens_are_not_paid_twice():
    assert spent(TABLE, {"old": Usage(1, 1, 0, 1000, 900)}) == spent(
        TABLE, {"old": Usage(1, 1, 0, 1000)}
    )


def test_a_reply_without_counts_is_not_free():
    known = spent(TABLE, {"old": used([100, 300])})
    assert spent(TABLE, {"old": used([100, 300], replies=4)}) == pytest.approx(2 * known)
    most = OUTPUT_TOKENS[1] * 8.0 / 1e6
    assert spent(TABLE, {"old": Usage(replies=3)}) == pytest.approx(3 * most)


def test_a_model_of_an_earlier_plan_has_no_price_any_more():
    assert spent(TABLE, {"dropped": Usage(1, 1, 1000, 1000)}) == 0.0


def test_nothing_counted_is_assumed_and_said():
    for counted in range(ENOUGH):
        needed = need(used([50] * counted), 1000, (200, 4000), None)
        assert needed == (Range(250.0, 250.0), Range(200, 4000), False)
    assert need(Usage(), 1000, (200, 4000), 96).output_tokens == Range(96, 96)


def test_counted_replies_are_measured_by_two_standard_errors():
    outputs = np.random.default_rng(1).integers(50, 900, 30)
    needed = need(used(outputs), 1000, (200, 4000), None)
    margin = 2 * outputs.std(ddof=1) / np.sqrt(30)
    assert needed.measured
    assert needed.input_tokens == Range(100.0, 100.0)
    assert needed.output_tokens == pytest.approx((outputs.mean() - margin, outputs.mean() + margin))
    assert need(used([7] * 30), 1, (1, 2), None).output_tokens == pytest.approx((7, 7))


def test_a_range_covers_what_the_rest_costs_about_as_often_as_it_says():
    """Against theory: 95 % of such ranges hold the true mean."""
    rng, held = np.random.default_rng(20261130), 0
    for _ in range(400):
        low, high = need(used(rng.geometric(1 / 300, 200)), 1, (1, 2), None).output_tokens
        held += low <= 300 <= high
    assert 0.92 <= held / 400 <= 0.98


def test_the_cost_of_a_request_is_that_of_its_tokens():
    needed = need(Usage(), 4_000, (100, 1000), None)
    low, high = cost_range(TABLE.models["new"], needed)
    assert (low, high) == pytest.approx(((1000 * 5 + 100 * 20) / 1e6, (1000 * 5 + 1000 * 20) / 1e6))


@pytest.mark.parametrize(
    "wrong",
    [
        {"models": {"old": Price(-1, 0)}},
        {"models": {"old": Price(0, float("nan"))}},
        {"models": {}, "output_tokens": (5, 4)},
        {"models": {}, "output_tokens": (0, float("inf"))},
    ],
)
def test_prices_that_are_none_are_refused(wrong):
    with pytest.raises(CollectError, match="^prices: "):
        Prices(**wrong)
