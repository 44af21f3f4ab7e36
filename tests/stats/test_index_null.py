"""False alarms of the index: by enumeration, by fresh models, and against the plain loop."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest, hypergeom

from reliable_change.stats.index_null import (
    IndexNull,
    chance_of_flag,
    halved_index_null,
    permuted_index_null,
)
from reliable_change.stats.reliable_change_index import reliable_change_index

TINY = ([1, 3, 4, 0], [4, 5, 6, 4], [2, 1, 6, 1], [4, 3, 6, 5])


def fires(*counts) -> tuple[np.ndarray, np.ndarray]:
    found = reliable_change_index(*counts)
    return found.analysable & (np.abs(found.index) > 1.96), found.analysable


def enumerated() -> tuple[np.ndarray, np.ndarray, float]:
    """Chances that each item fires and is analysable, and the mean rate, over every deal."""
    k_s, n_s, k_t, n_t = map(np.array, TINY)
    total = k_s + k_t
    ranges = [range(max(0, t - b), min(a, t) + 1) for a, b, t in zip(n_s, n_t, total, strict=True)]
    fired, analysable, rate = np.zeros(4), np.zeros(4), 0.0
    for deal in product(*ranges):
        chance = np.prod(hypergeom.pmf(deal, n_s + n_t, total, n_s))
        one, other = fires(deal, n_s, total - deal, n_t)
        fired, analysable = fired + chance * one, analysable + chance * other
        rate += chance * one.sum() / other.sum()
    return fired, analysable, rate


def test_every_item_fires_as_often_as_enumeration_says():
    fired, analysable, rate = enumerated()
    replications = 40_000
    found = permuted_index_null(*TINY, replications=replications, rng=np.random.default_rng(1))
    assert fired.max() > 0.02
    for item in range(4):
        for count, chance in (
            (found.item_fired[item], fired[item]),
            (found.item_analysable[item], analysable[item]),
        ):
            assert binomtest(int(count), replications, min(1.0, chance)).pvalue > 1e-3
    mean, low, high = found.rate()
    assert mean == pytest.approx(rate, abs=2.5 * (high - low) / 2)


@pytest.fixture(scope="module")
def real():
    rng = np.random.default_rng(3)
    chance = rng.beta(0.5, 0.5, 120)
    return rng.binomial(20, chance, (2, 120)), rng


def test_the_plain_loop_gives_the_same_rate(real):
    (k_s, k_t), rng = real
    plain = []
    for _ in range(800):
        deal = [
            rng.permutation(np.repeat([1, 0], [a + b, 40 - a - b]))[:20].sum()
            for a, b in zip(k_s, k_t, strict=True)
        ]
        one, other = fires(deal, 20, k_s + k_t - deal, 20)
        plain.append(one.sum() / other.sum())
    found = permuted_index_null(k_s, 20, k_t, 20, replications=800, rng=rng)
    error = np.hypot(np.std(plain), np.std(found.fired / found.analysable)) / np.sqrt(800)
    assert found.rate().mean == pytest.approx(np.mean(plain), abs=3.5 * error)


def fresh_rate(chance: np.ndarray, n: int, rng: np.random.Generator) -> float:
    """Mean share that fires between two fresh runs of a model with these chances."""
    runs = []
    for _ in range(200):
        k_s, k_t = rng.binomial(n, chance, (2, chance.size))
        fired, analysable = fires(k_s, n, k_t, n)
        runs.append(fired.sum() / analysable.sum())
    return float(np.mean(runs))


def test_labels_and_halves_agree_with_fresh_runs_of_an_unchanged_model():
    """Both nulls estimate what happens when the same chances are drawn from twice."""
    rng = np.random.default_rng(5)
    chance = rng.beta(0.4, 0.4, 2000)
    k = rng.binomial(20, chance, (3, 2000))
    truth = fresh_rate(chance, 10, rng)
    halves = halved_index_null(k[0], 20, replications=200, rng=rng).rate().mean
    assert halves == pytest.approx(truth, rel=0.05)
    truth = fresh_rate(chance, 20, rng)
    labels = permuted_index_null(k[1], 20, k[2], 20, replications=200, rng=rng).rate().mean
    assert labels == pytest.approx(truth, rel=0.05)


def test_where_every_item_is_alike_the_nominal_5_percent_holds():
    """One S_diff is right when all items share one variance; judged by a binomial test."""
    k_s, k_t = np.random.default_rng(1).binomial(200, 0.5, (2, 400))
    found = permuted_index_null(k_s, 200, k_t, 200, replications=100, rng=np.random.default_rng(2))
    k = np.arange(201)
    rule = np.abs(k[:, None] - k) > 1.96 * np.sqrt(2 * 0.25 / 199) * 200
    expected = float(chance_of_flag(0.5, 0.5, rule))
    assert expected == pytest.approx(0.05, abs=0.002)  # scores move in steps of 1/200
    assert binomtest(int(found.fired.sum()), int(found.analysable.sum()), expected).pvalue > 1e-3


def test_where_items_differ_the_middling_ones_fire_too_often():
    k = np.repeat([0, 1, 25, 49, 50], [40, 5, 10, 5, 40])
    found = permuted_index_null(k, 50, k, 50, replications=500, rng=np.random.default_rng(2))
    middle = found.item_fired[k == 25].sum() / found.item_analysable[k == 25].sum()
    assert middle > 0.25
    assert found.item_fired[(k == 0) | (k == 50)].sum() == 0


def test_the_chance_of_a_flag_is_that_of_many_draws():
    rng = np.random.default_rng(6)
    rule = rng.random((8, 6)) < 0.4
    p = np.array([0.1, 0.5, 0.8])
    source, target = rng.binomial(7, p, (50_000, 3)), rng.binomial(5, 1 - p, (50_000, 3))
    expected = chance_of_flag(p, 1 - p, rule)
    for item in range(3):
        count = int(rule[source[:, item], target[:, item]].sum())
        assert binomtest(count, 50_000, expected[item]).pvalue > 1e-3
    assert chance_of_flag(p, p[:, None], np.full((8, 6), True)) == pytest.approx(np.ones((3, 3)))


def test_undefined_replications_are_counted_and_fire_nothing(monkeypatch):
    monkeypatch.setattr("reliable_change.stats.index_null._BLOCK", 100)
    found = permuted_index_null(
        [1, 0], 2, [1, 0], 2, replications=400, rng=np.random.default_rng(1)
    )
    # The first item is dealt 2 + 0, 1 + 1 or 0 + 2, each uneven deal in 1 of 6; a side at 0
    # equals the other item's.
    assert binomtest(found.undefined, 400, 2 / 6).pvalue > 1e-3
    assert found.fired.shape == found.analysable.shape == (400,)


@pytest.mark.parametrize("counts", [([], 10, [], 10), ([0, 0], 10, [0, 0], 10), ([1], 1, [0], 1)])
def test_a_cell_that_cannot_fire(counts):
    found = permuted_index_null(*counts, replications=20, rng=np.random.default_rng(1))
    assert found.fired.tolist() == [0] * 20
    assert np.isnan(found.rate()).all()


def test_a_rate_of_one_replication_has_no_interval():
    one = np.array([1])
    mean, low, high = IndexNull(one, 4 * one, 0, one, one).rate()
    assert mean == 0.25
    assert np.isnan([low, high]).all()


def test_the_same_seed_gives_the_same_null_in_blocks_of_any_size(real, monkeypatch):
    (k_s, k_t), _ = real
    runs = [
        permuted_index_null(k_s, 20, k_t, 20, replications=9, rng=np.random.default_rng(seed))
        for seed in (1, 1, 2)
    ]
    monkeypatch.setattr("reliable_change.stats.index_null._BLOCK", 500)
    runs.append(permuted_index_null(k_s, 20, k_t, 20, replications=9, rng=np.random.default_rng(1)))
    fired = [run.fired.tolist() for run in runs]
    assert fired[0] == fired[1] == fired[3] != fired[2]


@pytest.mark.parametrize("parameters", [{"replications": 0}, {"threshold": 0}])
def test_parameters_out_of_range_are_refused(parameters):
    with pytest.raises(ValueError, match="at least 1"):
        permuted_index_null([1, 2], 3, [1, 2], 3, rng=np.random.default_rng(1), **parameters)
