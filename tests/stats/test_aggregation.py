"""Aggregation over tasks against scipy, enumeration of every outcome, and simulation."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from reliable_change.stats.aggregation import (
    any_of_three,
    fisher_combined,
    max_drop,
    max_drop_monte_carlo,
    pooled,
    standardised_drop,
)
from reliable_change.stats.paired import mcnemar_exact


def enumerated(b, c):
    """P(max >= observed) over every outcome of every task, in fractions of whole numbers."""
    m = np.add(b, c)

    def key(x):
        signs = [((2 * k - n) * abs(2 * k - n), n) for k, n in zip(x, m, strict=True) if n]
        return max((stats_ / n for stats_, n in signs), default=-np.inf)

    observed, total = key(b), 0.0
    for x in itertools.product(*(range(n + 1) for n in m)):
        if key(x) >= observed - 1e-12:
            total += np.prod([stats.binom.pmf(k, n, 0.5) for k, n in zip(x, m, strict=True)])
    return total


TABLES = [
    ([6, 3], [0, 3]),
    ([2, 6], [0, 2]),  # √2 in both: a tie between tasks of different size
    ([0, 4, 1], [0, 1, 1]),
    ([0, 1], [5, 3]),
    ([3], [3]),
    ([1, 1, 1, 1], [0, 0, 0, 0]),
]


@pytest.mark.parametrize(("b", "c"), TABLES)
def test_max_drop_is_the_sum_over_every_outcome(b, c):
    assert float(max_drop(b, c)) == pytest.approx(enumerated(b, c), rel=1e-10)


@pytest.mark.parametrize(("b", "c"), TABLES)
def test_the_draws_error_bar_holds_the_exact_value(b, c):
    found = max_drop_monte_carlo(b, c, draws=20000, rng=np.random.default_rng(3), confidence=0.999)
    assert found.low <= float(max_drop(b, c)) <= found.high
    assert found.p == (found.exceed + 1) / 20001


def test_max_drop_of_one_task_is_mcnemar():
    for b, c in itertools.product(range(9), range(9)):
        assert float(max_drop([b], [c])) == pytest.approx(float(mcnemar_exact(b, c, "worse")))


def test_draws_are_seeded_and_leave_the_global_state_alone():
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    rngs = [np.random.default_rng(seed) for seed in (1, 1, 2)]
    one, same, other = (max_drop_monte_carlo([9, 3], [4, 3], draws=5000, rng=r) for r in rngs)
    assert one == same != other
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


def test_draws_in_blocks_are_all_made():
    b, c = np.full(3000, 2), np.full(3000, 2)
    found = max_drop_monte_carlo(b, c, draws=1500, rng=np.random.default_rng(0))
    assert (found.draws, found.exceed, found.p) == (1500, 1500, 1)


def test_pooled_is_mcnemar_of_the_sums():
    assert float(pooled([6, 3], [0, 3])) == float(mcnemar_exact(9, 3, "worse"))


def test_fisher_equals_scipy_and_counts_tasks_without_flips():
    rng = np.random.default_rng(1)
    p = rng.random((50, 6))
    theirs = [stats.combine_pvalues(row, "fisher").pvalue for row in p]
    np.testing.assert_allclose(fisher_combined(p), theirs, rtol=1e-10)
    with_empty = fisher_combined([0.01, 1.0])
    assert with_empty == pytest.approx(stats.combine_pvalues([0.01, 1.0]).pvalue)
    assert with_empty > fisher_combined([0.01])


def test_no_flips_anywhere_is_p_1_and_no_rejection():
    found = any_of_three([0, 0], [0, 0])
    assert [float(p) for p in found[:3]] == [1, 1, 1]
    assert not found.rejected
    assert standardised_drop([0, 0], [0, 0]).tolist() == [-np.inf, -np.inf]
    draws = max_drop_monte_carlo([0, 0], [0, 0], draws=10, rng=np.random.default_rng(0))
    assert draws.p == 1


def test_all_lost_is_found_by_each_even_where_p_is_too_small_for_a_float():
    found = any_of_three([3000, 2000], [0, 0])
    assert [float(p) for p in found[:3]] == [0, 0, 0]
    assert found.rejected


def test_a_task_without_flips_changes_nothing_for_pooled_and_max_drop():
    for test in (pooled, max_drop):
        assert float(test([5, 0], [1, 0])) == float(test([5], [1]))


def test_tables_are_vectorised_over_leading_axes():
    rng = np.random.default_rng(2)
    b, c = rng.integers(0, 9, (2, 4, 5, 3))
    found = any_of_three(b, c)
    assert all(value.shape == (4, 5) for value in found)
    for place in np.ndindex(4, 5):
        one = any_of_three(b[place], c[place])
        assert [v[place] for v in found] == [v.item() for v in one]


def simulate(losses, flips, repetitions, seed):
    """Changed verdicts of tasks whose share of losses is given."""
    rng = np.random.default_rng(seed)
    m = rng.binomial(*flips, size=(repetitions, len(losses)))
    b = rng.binomial(m, losses)
    return b, m - b


def test_each_test_holds_its_level_and_the_three_together_3_alpha():
    b, c = simulate([0.5] * 6, (300, 0.1), 20000, 7)
    found = any_of_three(b, c, 0.05)
    for p in found[:3]:
        assert stats.binomtest(int((p <= 0.05).sum()), 20000, 0.05, "greater").pvalue > 0.001
    any_rate = float(found.rejected.mean())
    assert 0.05 < any_rate < 0.15
    # Discrete p-values make Fisher's method the more conservative the fewer flips there are.
    b, c = simulate([0.5] * 6, (30, 0.1), 20000, 8)
    assert np.mean(any_of_three(b, c).fisher <= 0.05) < 0.02


def test_each_test_is_best_at_what_it_is_for():
    """Pooled where all tasks fall, max-drop where one does; Fisher between (004)."""
    every = any_of_three(*simulate([0.6] * 6, (400, 0.1), 3000, 1))
    one = any_of_three(*simulate([0.8] + [0.5] * 5, (400, 0.1), 3000, 2))
    power = [[float(np.mean(p <= 0.05)) for p in found[:3]] for found in (every, one)]
    assert power[0][0] > power[0][2] > power[0][1]
    assert power[1][1] > power[1][2] > power[1][0]


def test_power_rises_with_items():
    rates = [
        any_of_three(*simulate([0.6] * 4, (n, 0.1), 2000, n)).rejected.mean()
        for n in (100, 400, 1600)
    ]
    assert rates == sorted(rates)
    assert rates[2] > 0.95 > rates[0]


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="no task"):
        pooled([], [])
    with pytest.raises(ValueError, match="no task"):
        pooled(3, 4)
    with pytest.raises(ValueError, match="no task"):
        fisher_combined([])
    with pytest.raises(ValueError, match="must lie in"):
        fisher_combined([0.5, np.nan])
    with pytest.raises(ValueError, match="counts must"):
        max_drop([-1], [2])
    with pytest.raises(ValueError, match="one dimension"):
        max_drop_monte_carlo([[1]], [[1]], draws=1, rng=np.random.default_rng(0))
    with pytest.raises(ValueError, match="draw"):
        max_drop_monte_carlo([1], [1], draws=0, rng=np.random.default_rng(0))
    with pytest.raises(ValueError, match="alpha"):
        any_of_three([1], [1], 1.0)
