"""Split-half reliability against splits of actual trials, full enumeration and hand sums."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from reliable_change.stats.reliability import (
    DEFINED,
    NEGATIVE,
    NO_VARIANCE,
    TOO_FEW_ITEMS,
    split_half_reliability,
)


def lengthened(half: float) -> float:
    return 2 * half / (1 + half)


def split_of_trials(trials: list[np.ndarray], rng: np.random.Generator) -> float:
    """Correlation of two random halves of each item's own trials, by numpy alone."""
    scores = []
    for item in trials:
        order, h = rng.permutation(item), item.size // 2
        scores.append((order[:h].mean(), order[h : 2 * h].mean()))
    return np.corrcoef(np.transpose(scores))[0, 1]


def trials_of(k, n) -> list[np.ndarray]:
    return [np.repeat([1.0, 0.0], [a, b - a]) for a, b in zip(k, n, strict=True)]


@pytest.mark.parametrize(
    "n",
    [
        np.full(60, 10),
        np.full(60, 7),
        np.full(60, 2),
        np.random.default_rng(1).integers(2, 30, 60),
    ],
    ids=["10", "odd", "2", "uneven"],
)
def test_counts_are_split_as_trials_are(n):
    rng = np.random.default_rng(3)
    k = rng.binomial(n, rng.beta(0.5, 0.5, n.size))
    trials = trials_of(k, n)
    halves = [split_of_trials(trials, rng) for _ in range(1000)]
    by_trials = lengthened(np.mean(halves))
    by_counts = split_half_reliability(k, n, splits=1000, rng=rng)
    exact = split_half_reliability(k, n)
    error = 4 * np.std(halves) / np.sqrt(1000)
    assert by_counts.r == pytest.approx(by_trials, abs=2 * error)
    # The limit is a ratio of averages, not an average of ratios: near, not the same.
    assert exact.r == pytest.approx(by_counts.r, abs=0.3 / n.size + 2 * error)
    assert by_counts.outcome == exact.outcome == DEFINED
    assert exact.sem == pytest.approx(np.std(k / n, ddof=1) * np.sqrt(1 - exact.r))


@pytest.mark.parametrize("n", [(4, 4, 4), (5, 5, 5), (2, 4, 5)])
def test_the_limit_is_the_mean_over_every_split(n):
    k = (1, 2, 4)
    # Items are split independently, so moments over all joint splits follow from each item's.
    pairs = []
    for item in trials_of(k, n):
        h, places = item.size // 2, range(item.size)
        pairs.append(
            [
                (item[list(a)].mean(), item[list(b)].mean())
                for a in combinations(places, h)
                for b in combinations(sorted(set(places) - set(a)), h)
            ]
        )
    joint = [np.cov(np.transpose([x, y, z])) for x in pairs[0] for y in pairs[1] for z in pairs[2]]
    mean = np.mean(joint, axis=0)
    half = mean[0, 1] / np.sqrt(mean[0, 0] * mean[1, 1])
    assert split_half_reliability(k, n).r == pytest.approx(lengthened(half))


def test_correlations_averaged_over_many_splits_agree_for_many_items_and_not_for_few():
    k = np.array([1, 0, 2, 0, 0, 0, 1, 3, 0, 0])
    for copies, agrees in ((1, False), (60, True)):
        items = np.tile(k, copies)
        drawn = split_half_reliability(items, 10, splits=400, rng=np.random.default_rng(1)).r
        assert (abs(float(drawn - split_half_reliability(items, 10).r)) < 0.02) is agrees


def test_an_example_by_hand():
    # p = 0, 0.2, 0.5, 0.8, 1: variance 0.68 / 4; p(1 − p) sums to 0.57, a mean of 0.114.
    found = split_half_reliability([0, 2, 5, 8, 10], 10)
    assert found.sd == pytest.approx(np.sqrt(0.17))
    assert found.r == pytest.approx(1 - 0.114 / 9 / 0.17)
    assert found.sem == pytest.approx(np.sqrt(0.114 / 9))
    assert found.items == 5


def test_the_standard_error_of_measurement_is_that_of_a_repeated_run():
    """What SEM claims to be: the spread of an item's score about its true chance, over items."""
    rng = np.random.default_rng(5)
    chance = rng.beta(0.4, 0.4, 20_000)
    found = split_half_reliability(rng.binomial(10, chance), 10)
    spread = np.sqrt(np.mean((rng.binomial(10, chance) / 10 - chance) ** 2))
    assert found.sem == pytest.approx(spread, rel=0.02)
    again, third = rng.binomial(10, chance), rng.binomial(10, chance)
    assert found.r == pytest.approx(np.corrcoef(again, third)[0, 1], abs=0.01)


def test_axes_before_the_items_are_separate_models():
    rng = np.random.default_rng(7)
    n = rng.integers(0, 12, (2, 3, 40))
    k = rng.binomial(n, 0.3)
    together = split_half_reliability(k, n)
    for place in np.ndindex(2, 3):
        alone = split_half_reliability(k[place], n[place])
        assert together.r[place] == pytest.approx(alone.r)
        assert together.items[place] == alone.items == (n[place] >= 2).sum()


@pytest.mark.parametrize("splits", [None, 5])
@pytest.mark.parametrize(
    ("k", "n", "outcome"),
    [
        ([], [], TOO_FEW_ITEMS),
        ([3], [10], TOO_FEW_ITEMS),
        ([1, 0, 1], [1, 1, 1], TOO_FEW_ITEMS),
        ([0, 0, 5], [0, 1, 10], TOO_FEW_ITEMS),
        ([0, 0, 0], [10, 10, 10], NO_VARIANCE),
        ([10, 4], [10, 4], NO_VARIANCE),
        ([1, 5, 3], [2, 10, 6], NO_VARIANCE),
        ([1, 3, 2], [7, 21, 14], NO_VARIANCE),
    ],
)
def test_where_it_is_not_defined_it_says_why(k, n, outcome, splits):
    found = split_half_reliability(k, n, splits=splits, rng=np.random.default_rng(1))
    assert found.outcome == outcome
    assert np.isnan(found.r)
    assert np.isnan(found.sem)


@pytest.mark.parametrize("splits", [None, 400])
def test_a_negative_reliability_is_named_and_kept(splits):
    found = split_half_reliability([4, 5, 6] * 4, 10, splits=splits, rng=np.random.default_rng(1))
    assert found.outcome == NEGATIVE
    assert found.r < 0
    assert found.sem > found.sd


def test_two_items_of_two_trials():
    # p = 0 and 1/2: V = 1/8, W = (0 + 1/4) / 2.
    assert split_half_reliability([0, 1], 2).r == pytest.approx(0, abs=1e-15)
    assert split_half_reliability([0, 2], 2).r == 1
    assert split_half_reliability([0, 2], 2).sem == 0


def test_only_the_items_named_are_used():
    among = [True, False, True, True]
    chosen = split_half_reliability([1, 9, 5, 8], 10, among=among)
    assert chosen.r == split_half_reliability([1, 5, 8], 10).r
    assert chosen.items == 3


def test_the_same_seed_gives_the_same_splits_and_the_global_state_stays():
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    found = [
        split_half_reliability([1, 4, 9], 10, splits=7, rng=np.random.default_rng(seed)).r
        for seed in (1, 1, 2)
    ]
    assert found[0] == found[1] != found[2]
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


@pytest.mark.parametrize(
    "arguments", [{"splits": 0, "rng": np.random.default_rng(1)}, {"splits": 3}]
)
def test_random_splits_need_a_number_and_a_generator(arguments):
    with pytest.raises(ValueError, match="splits"):
        split_half_reliability([1, 2], 3, **arguments)


def test_impossible_counts_are_refused():
    with pytest.raises(ValueError, match="0 <= k <= n"):
        split_half_reliability([4], 3)
