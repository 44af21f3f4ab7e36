"""Rates of faults: what is refused, and draws that are fair and depend on nothing else."""

from __future__ import annotations

from collections import Counter

import pytest
from scipy.stats import binomtest

from reliable_change.collect.practice.faults import (
    KINDS,
    ODD_REPLIES,
    PERMANENT,
    TRANSIENT,
    Faults,
    draw,
    evenly,
)
from reliable_change.errors import CollectError


@pytest.mark.parametrize(
    ("rates", "said"),
    [
        ({"time_out": 0.1}, "did you mean timeout"),
        ({"flood": 0.1}, "choose from rate_limit, "),
        ({"html": 1.1}, "html = 1.1"),
        ({"html": -0.1}, "between 0 and 1"),
        ({"html": float("nan")}, "between 0 and 1"),
        ({"html": 0.6, "timeout": 0.6}, "add up to 1.2"),
    ],
)
def test_rates_that_make_no_sense_are_refused(rates, said):
    with pytest.raises(CollectError, match=said):
        Faults(rates)


def test_every_kind_is_of_one_sort():
    assert set(KINDS) == {*TRANSIENT, *PERMANENT, *ODD_REPLIES}
    assert len(KINDS) == len(TRANSIENT) + len(PERMANENT) + len(ODD_REPLIES)


def test_shares_are_cut_at_the_rates():
    faults = Faults({"timeout": 0.25, "html": 0.5})
    edges = [0.0, 0.2499, 0.25, 0.7499, 0.75, 0.9999]
    assert [faults.at(edge) for edge in edges] == ["timeout"] * 2 + ["html"] * 2 + [None] * 2


def test_a_whole_rate_spread_evenly_leaves_nothing_out():
    faults = evenly(1.0, KINDS)
    assert {faults.at(n / 10_000) for n in range(9_999)} == set(KINDS)


def test_draws_are_uniform_and_forms_do_not_follow_them():
    draws = [draw(7, ("quiz", "1", "old"), n) for n in range(4_000)]
    hits = sum(share < 0.3 for share, _ in draws)
    assert binomtest(hits, len(draws), 0.3).pvalue > 0.001
    odd = sum(form % 2 for share, form in draws if share < 0.3)
    assert binomtest(odd, hits, 0.5).pvalue > 0.001
    assert all(0 <= share < 1 for share, _ in draws)


def test_a_draw_depends_on_everything_that_it_is_given():
    given = [
        (1, ("quiz", "1", "old"), 0),
        (2, ("quiz", "1", "old"), 0),
        (1, ("quiz", "1", "new"), 0),
        (1, ("quiz", "11", "old"), 0),
        (1, ("quiz1", "", "old"), 0),
        (1, ("quiz", "1", "old"), 1),
    ]
    assert Counter(draw(*one) for one in given).most_common(1)[0][1] == 1
    assert draw(1, ("quiz", "\ud835", "old"), 0) == draw(1, ("quiz", "\ud835", "old"), 0)
