"""Each rule against its definition, statsmodels, and at the edges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint, proportions_ztest

from reliable_change.stats.rules import (
    any_drop,
    single_draw_flip,
    to_zero,
    two_proportion_z,
    unpaired_z,
    wilson_apart,
)

RULES = [
    any_drop,
    to_zero,
    unpaired_z,
    wilson_apart,
    lambda *counts: single_draw_flip(*counts, np.random.default_rng(1)),
]
TABLES = [(k_s, 12, k_t, 7) for k_s in range(13) for k_t in range(8)]


def each(rule, tables=TABLES):
    return rule(*np.array(tables).T)


def test_any_drop_is_decided_in_whole_numbers():
    found = any_drop(
        [1, 3, 2, 10**8], [3, 10, 7, 3 * 10**8], [2, 6, 3, 10**8 - 1], [6, 20, 10, 3 * 10**8]
    )
    assert found.regressed.tolist() == [False, False, False, True]
    assert found.improved.tolist() == [False, False, True, False]


def test_to_zero_by_hand():
    found = each(to_zero)
    assert found.regressed.tolist() == [k_s > 0 and k_t == 0 for k_s, _, k_t, _ in TABLES]
    assert found.improved.tolist() == [k_s == 0 and k_t > 0 for k_s, _, k_t, _ in TABLES]


def test_z_is_statsmodels():
    z = two_proportion_z(*np.array(TABLES).T)
    called = each(unpaired_z)
    for (k_s, n_s, k_t, n_t), ours, down, up in zip(TABLES, z, *called, strict=True):
        if k_s + k_t in (0, n_s + n_t):
            assert ours == 0  # statsmodels divides by zero there
            assert not np.any([down, up])
            continue
        theirs, p = proportions_ztest([k_t, k_s], [n_t, n_s])
        assert ours == pytest.approx(theirs, abs=1e-12)
        assert (down, up) == (p <= 0.05 and theirs < 0, p <= 0.05 and theirs > 0)


def test_wilson_intervals_are_statsmodels():
    called = each(wilson_apart)
    for (k_s, n_s, k_t, n_t), down, up in zip(TABLES, *called, strict=True):
        source = proportion_confint(k_s, n_s, method="wilson")
        target = proportion_confint(k_t, n_t, method="wilson")
        assert (down, up) == (target[1] < source[0], target[0] > source[1])
    assert called.regressed.any()
    assert called.improved.any()


def test_a_single_draw_flips_as_often_as_chances_say():
    shape = 20_000
    found = single_draw_flip(np.full(shape, 8), 10, np.full(shape, 3), 10, np.random.default_rng(2))
    for calls, chance in ((found.regressed, 0.8 * 0.7), (found.improved, 0.2 * 0.3)):
        assert binomtest(int(calls.sum()), shape, chance).pvalue > 0.001


def test_with_one_trial_a_draw_is_that_trial():
    found = single_draw_flip([0, 0, 1, 1], 1, [0, 1, 0, 1], 1, np.random.default_rng(3))
    assert found.regressed.tolist() == [False, False, True, False]
    assert found.improved.tolist() == [False, True, False, False]


@pytest.mark.parametrize("rule", RULES)
def test_without_a_trial_on_a_side_nothing_is_called(rule):
    found = rule([0, 3, 0], [0, 3, 0], [3, 0, 0], [3, 0, 0])
    assert not np.any(found)


@pytest.mark.parametrize("rule", RULES[:-1])  # a single draw is another one each time
def test_turning_the_edge_round_turns_the_calls_round(rule):
    there = each(rule)
    back = rule(*np.array([(k_t, n_t, k_s, n_s) for k_s, n_s, k_t, n_t in TABLES]).T)
    np.testing.assert_array_equal(there.regressed, back.improved)
    np.testing.assert_array_equal(there.improved, back.regressed)
    assert not np.any(there.regressed & there.improved)


@pytest.mark.parametrize("rule", RULES)
def test_bad_counts_are_refused(rule):
    with pytest.raises(ValueError, match="counts"):
        rule([4], [3], [1], [3])


def test_levels_out_of_range_are_refused():
    with pytest.raises(ValueError, match="alpha"):
        unpaired_z(1, 2, 1, 2, alpha=0)
    with pytest.raises(ValueError, match="confidence"):
        wilson_apart(1, 2, 1, 2, confidence=1)
