"""The check that two runs of the unchanged record agree, against enumeration and simulation."""

from __future__ import annotations

import itertools
from math import comb

import numpy as np
import pytest
from scipy import stats

from reliable_change.stats.halves import halves_agree


def by_enumeration(totals, n):
    """P(at least d items differ) for every d, every split of every item's trials counted."""
    chances = []
    for k in totals:
        ways = {a: comb(n, a) * comb(n, k - a) for a in range(k + 1) if a <= n and k - a <= n}
        differ = sum(w for a, w in ways.items() if (2 * a > n) != (2 * (k - a) > n))
        chances.append(differ / sum(ways.values()))
    tail = np.zeros(len(totals) + 2)
    for outcome in itertools.product([0, 1], repeat=len(totals)):
        p = np.prod([q if yes else 1 - q for q, yes in zip(chances, outcome, strict=True)])
        tail[: sum(outcome) + 1] += p
    return sum(chances), tail


@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_distribution_is_that_of_every_split(n):
    rng = np.random.default_rng(n)
    first, second = rng.integers(0, n + 1, (2, 8))
    found = halves_agree(first, second, n)
    expected, tail = by_enumeration((first + second).tolist(), n)
    assert found.expected == pytest.approx(expected)
    assert found.p_disagreement == pytest.approx(tail[found.lost + found.gained], abs=1e-12)


def test_halves_of_uneven_size_and_items_without_trials():
    found = halves_agree([3, 0, 2], [1, 0, 0], [3, 0, 2])
    assert (found.items, found.lost, found.gained) == (2, 2, 0)
    apart = [halves_agree([a], [b], [n]).expected for a, b, n in [(3, 1, 3), (2, 0, 2)]]
    assert found.expected == pytest.approx(sum(apart))


@pytest.mark.parametrize("k", [0, 10])
def test_items_at_floor_or_ceiling_cannot_differ(k):
    found = halves_agree([k] * 4, [k] * 4, 10)
    assert found == (4, 0, 0, 0, 1, 1)


def test_no_items_are_no_disagreement():
    assert halves_agree([], [], 5) == (0, 0, 0, 0, 1, 1)
    assert halves_agree([0], [0], 0) == (0, 0, 0, 0, 1, 1)


def simulated(repetitions, early, late, seed):
    """p-values of runs in which items have their own chance, shifted early and late."""
    rng = np.random.default_rng(seed)
    ps = []
    for _ in range(repetitions):
        chance = rng.beta(0.5, 0.5, 60)
        first = rng.binomial(5, np.clip(chance + early, 0, 1))
        second = rng.binomial(5, np.clip(chance + late, 0, 1))
        found = halves_agree(first, second, 5)
        ps.append((found.p_disagreement, found.p_drift))
    return np.array(ps)


def test_an_unchanged_record_is_doubted_no_more_often_than_it_should_be():
    ps = simulated(1500, 0, 0, 1)
    for column in ps.T:
        rejected = int(np.sum(column <= 0.05))
        assert stats.binomtest(rejected, len(column), 0.05, "greater").pvalue > 0.001
    assert np.sum(ps[:, 0] <= 0.05) > 15


def test_a_drift_is_seen():
    assert np.mean(simulated(200, 0.25, -0.25, 2)[:, 1] <= 0.05) > 0.9


def test_items_that_swap_sides_are_seen_without_any_drift():
    rng = np.random.default_rng(4)
    shift = np.where(np.arange(200) % 2, 0.3, -0.3)
    first, second = rng.binomial(5, 0.5 + shift), rng.binomial(5, 0.5 - shift)
    found = halves_agree(first, second, 5)
    assert found.p_disagreement < 1e-3
    assert found.p_drift > 0.05


def test_many_items_follow_the_normal_law():
    rng = np.random.default_rng(3)
    first, second = rng.binomial(5, 0.5, (2, 20000))
    found = halves_agree(first, second, 5)
    chance = np.array([by_enumeration([k], 5)[0] for k in range(11)])[first + second]
    spread = np.sqrt(np.sum(chance * (1 - chance)))
    about = stats.norm.sf((found.lost + found.gained - 0.5 - chance.sum()) / spread)
    assert 0.001 < about < 0.999
    assert found.p_disagreement == pytest.approx(about, abs=1e-3)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="counts must"):
        halves_agree([6], [1], 5)
    with pytest.raises(ValueError, match="one dimension"):
        halves_agree(1, 1, 5)
