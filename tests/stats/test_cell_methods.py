"""Methods of whole cells against their parts, under a null, and at the edges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.proportion import proportions_ztest

from reliable_change.stats.bootstrap import stratified_bootstrap
from reliable_change.stats.cell_methods import cell_methods, differences, sums
from reliable_change.stats.classification import classify
from reliable_change.stats.methods import pair_trials
from reliable_change.stats.multiplicity import holm
from reliable_change.stats.paired import mcnemar_exact

METHODS = {method.name: method for method in cell_methods(resamples=499)}
PAIRING = ("McNemar on pairs", "Clustered pairs")
BENCHMARK = np.repeat(["quiz", "form"], [30, 20])


def edge(rng, rows=None, shift=0.0, trials=20):
    p = np.where(rng.random(50) < 0.4, 1.0, rng.beta(0.7, 0.7, 50))
    n = np.full(50, trials)
    size = (50,) if rows is None else (rows, 50)
    return (
        rng.binomial(trials, p, size),
        n,
        rng.binomial(trials, np.clip(p + shift, 0, 1), size),
        n,
    )


def test_each_is_what_its_parts_say():
    counts = edge(np.random.default_rng(1), shift=-0.1)
    k_s, n_s, k_t, n_t = counts
    rng = np.random.default_rng(2)
    found = {name: method.call(*counts, BENCHMARK, rng) for name, method in METHODS.items()}
    for number, name in enumerate(["quiz", "form"]):
        mine = np.equal(BENCHMARK, name)
        delta = (k_t / n_t - k_s / n_s)[mine].mean()
        assert found["Any drop of Δ"].regressed[number] == (delta < 0)
        z, p = proportions_ztest(
            [k_t[mine].sum(), k_s[mine].sum()], [n_t[mine].sum(), n_s[mine].sum()]
        )
        assert found["z-test of responses"].regressed[number] == (z < 0 and p <= 0.05)
        classes = classify(*(count[mine] for count in counts)).classes
        any_item = found["Any item (Fisher + BH + ε)"]
        assert any_item.regressed[number] == ("regressed" in classes)
        assert any_item.improved[number] == ("improved" in classes)
    pairs = METHODS["McNemar on pairs"].call(*counts, BENCHMARK, np.random.default_rng(3))
    b, c = (sums(x, BENCHMARK) for x in pair_trials(*counts, np.random.default_rng(3)))
    np.testing.assert_array_equal(pairs.regressed, mcnemar_exact(b, c, "worse") <= 0.05)
    np.testing.assert_array_equal(pairs.improved, mcnemar_exact(b, c, "better") <= 0.05)
    clustered = METHODS["Clustered pairs"].call(*counts, BENCHMARK, rng)
    for number, name in enumerate(["quiz", "form"]):
        mine = np.equal(BENCHMARK, name)
        # Least squares of the difference on a constant, weighted by pairs, errors by item.
        fit = OLS(np.repeat((k_t - k_s)[mine] / 20, 20), np.ones(20 * mine.sum())).fit(
            cov_type="cluster",
            cov_kwds={"groups": np.repeat(np.flatnonzero(mine), 20), "use_correction": False},
        )
        low, high = fit.conf_int(0.05)[0]
        assert (clustered.regressed[number], clustered.improved[number]) == (high < 0, low > 0)
    resampled = METHODS["Bootstrap + Holm"].call(*counts, BENCHMARK, np.random.default_rng(4))
    direct = stratified_bootstrap(
        differences(*counts), BENCHMARK, resamples=499, rng=np.random.default_rng(4)
    )
    np.testing.assert_array_equal(
        resampled.regressed, holm(direct.p, 0.05).rejected & (direct.delta < 0)
    )


@pytest.mark.parametrize("name", METHODS)
def test_replications_and_gaps(name):
    k_s, n_s, k_t, n_t = edge(np.random.default_rng(5), rows=6, shift=-0.1)
    n_t = n_t.copy()
    n_t[[0, 45]] = 0
    k_t[:, [0, 45]] = 0
    calls = METHODS[name].call(k_s, n_s, k_t, n_t, BENCHMARK, np.random.default_rng(6))
    assert calls.regressed.shape == calls.improved.shape == (6, 2)
    kept = n_t > 0
    fewer = METHODS[name].call(
        k_s[:, kept], n_s[kept], k_t[:, kept], n_t[kept], BENCHMARK[kept], np.random.default_rng(6)
    )
    if name not in PAIRING:  # which draws other numbers then
        np.testing.assert_array_equal(calls.regressed, fewer.regressed)


@pytest.mark.parametrize(
    "name",
    ["z-test of responses", "McNemar on pairs", "Clustered pairs", "Bootstrap + Holm"],
)
def test_an_unchanged_cell_is_called_worse_no_more_often_than_promised(name):
    rng = np.random.default_rng(7)
    wrong = of = 0
    for _ in range(20):
        calls = METHODS[name].call(*edge(rng, rows=60), BENCHMARK, rng)
        wrong, of = wrong + int(calls.regressed.sum()), of + calls.regressed.size
    assert binomtest(wrong, of, METHODS[name].nominal, alternative="greater").pvalue > 0.001


def test_of_few_items_clustered_pairs_call_3_to_4_percent():
    """As its notes say: 8 unchanged items of which half are settled; 2.5 % are promised."""
    rng = np.random.default_rng(12)
    p = np.where(rng.random((8000, 8)) < 0.5, 1.0, rng.beta(0.7, 0.7, (8000, 8)))
    n = np.full(8, 50)
    calls = METHODS["Clustered pairs"].call(
        rng.binomial(n, p), n, rng.binomial(n, p), n, ["a"] * 8, rng
    )
    worse = int(calls.regressed.sum())
    assert binomtest(worse, 8000, 0.025, alternative="greater").pvalue < 0.001
    assert binomtest(worse, 8000, 0.03, alternative="less").pvalue > 0.001
    assert binomtest(worse, 8000, 0.04, alternative="greater").pvalue > 0.001


@pytest.mark.parametrize("name", [name for name in METHODS if name != "Any drop of Δ"])
def test_power_rises_with_trials(name):
    shares = []
    for trials in (3, 15, 50):
        counts = edge(np.random.default_rng(8), rows=100, shift=-0.15, trials=trials)
        calls = METHODS[name].call(*counts, BENCHMARK, np.random.default_rng(9))
        shares.append(calls.regressed.mean())
    assert shares[0] < shares[1] < shares[2] or shares[1] == shares[2] == 1


@pytest.mark.parametrize("name", METHODS)
def test_edges(name):
    call, rng = METHODS[name].call, np.random.default_rng(10)
    names = ["a", "a", "b"]
    n = np.full(3, 10)
    for k in (0, 10):
        still = np.full(3, k)
        assert not np.any(call(still, n, still, n, names, rng))
    nothing = np.zeros(3, int)
    assert not np.any(call(nothing, nothing, nothing, nothing, names, rng)), "no trial at all"
    lost = call(np.full(3, 10), n, np.zeros(3, int), n, names, rng)
    assert lost.regressed[0] == (name != "Clustered pairs"), "all alike: no variance"
    assert not lost.improved.any()


def test_holm_decides_a_boundary_as_everywhere():
    """Three times p = 0.1 at alpha = 0.3: equality rejects, though 3 · 0.1 > 0.3 in floats."""
    n = np.full(6, 10)
    k_s, k_t = np.array([9, 8, 9, 8, 9, 8]), np.array([5, 3, 5, 3, 5, 3])
    (method,) = (m for m in cell_methods(alpha=0.3, resamples=19) if m.name == "Bootstrap + Holm")
    calls = method.call(k_s, n, k_t, n, list("aabbcc"), np.random.default_rng(11))
    assert calls.regressed.all()


def test_rounding_is_no_drop():
    n = np.array([10, 10, 10])
    calls = METHODS["Any drop of Δ"].call([1, 2, 0], n, [0, 0, 3], n, ["a"] * 3, None)
    assert not np.any(calls)  # −0.1 − 0.2 + 0.3 is not 0 in floats
