"""The registry of methods: each is what its neighbours' own functions say, on any shape."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest, chisquare, hypergeom

from reliable_change.stats.beta_binomial import posterior_shift
from reliable_change.stats.classification import classify
from reliable_change.stats.fisher import fisher_exact
from reliable_change.stats.methods import PAPER, fisher_bh, item_methods, pair_trials
from reliable_change.stats.multiplicity import benjamini_hochberg
from reliable_change.stats.paired import majority_flips, mcnemar_exact
from reliable_change.stats.reliable_change_index import index_classes, reliable_change_index

METHODS = {method.name: method for method in item_methods()}
DETERMINED = [name for name in METHODS if name not in ("McNemar on pairs", "Single draw flips")]


def cells(rng, rows: int = 4, items: int = 40, uneven: bool = False):
    n_s, n_t = (rng.integers(0, 31, items) if uneven else np.full(items, 30) for _ in range(2))
    p = rng.beta(0.6, 0.6, (rows, items))
    moved = np.clip(p + rng.choice([0, -0.5, 0.5], (rows, items)), 0, 1)
    return rng.binomial(n_s, p), n_s, rng.binomial(n_t, moved), n_t


@pytest.fixture(params=[False, True], ids=["even", "uneven"])
def counts(request):
    return cells(np.random.default_rng(1), uneven=request.param)


def by_row(counts):
    k_s, n_s, k_t, n_t = counts
    return [(a, n_s, b, n_t) for a, b in zip(k_s, k_t, strict=True)]


def test_names_are_unique_and_the_papers_comes_first():
    methods = item_methods()
    assert methods[0].name == PAPER
    assert len(METHODS) == len(methods) == 12
    assert all(method.rule and method.source for method in methods)


@pytest.mark.parametrize("epsilon", [0.2, "0.35"])
@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_the_papers_method_is_its_classification(counts, epsilon, alpha):
    found = item_methods(epsilon, alpha)[0].call(*counts, None)
    expected = np.array(
        [classify(*row, epsilon=epsilon, alpha=alpha).classes for row in by_row(counts)]
    )
    np.testing.assert_array_equal(found.regressed, expected == "regressed")
    np.testing.assert_array_equal(found.improved, expected == "improved")
    assert found.regressed.any()


def test_without_epsilon_all_that_is_rejected_is_called(counts):
    found = fisher_bh(*counts, epsilon=None, alpha=0.05)
    expected = np.array([benjamini_hochberg(fisher_exact(*row)).rejected for row in by_row(counts)])
    np.testing.assert_array_equal(found.regressed | found.improved, expected)


def test_the_stricter_threshold_is_not_laid_at_its_papers_door():
    """002 states 1.96 alone; its results file has conservative counts and names no bound."""
    assert METHODS["RCI 1.96"].source == "Beyond the Mean, §2"
    assert METHODS["RCI 2.58"].rule == "the same at 99 %: beyond ±2.58"
    assert METHODS["RCI 2.58"].source == "ours, for the conservative counts of Beyond the Mean"


@pytest.mark.parametrize(("name", "threshold"), [("RCI 1.96", 1.96), ("RCI 2.58", 2.58)])
def test_the_index_is_its_own_classes(counts, name, threshold):
    found = METHODS[name].call(*counts, None)
    classes = index_classes(reliable_change_index(*counts), threshold)
    np.testing.assert_array_equal(found.regressed, classes == "deteriorated")
    np.testing.assert_array_equal(found.improved, classes == "improved")


def test_the_posterior_decides_at_its_probability(counts):
    found = METHODS["Posterior ≥ 0.95"].call(*counts, None)
    posterior = posterior_shift(*counts, epsilon=0.2)
    np.testing.assert_array_equal(found.regressed, posterior.regressed >= 0.95)
    np.testing.assert_array_equal(found.improved, posterior.improved >= 0.95)


def test_majority_flips_are_those_of_the_paired_tests():
    counts = cells(np.random.default_rng(2))
    found = METHODS["Majority flips"].call(*counts, None)
    expected = majority_flips(*counts)
    np.testing.assert_array_equal(found, expected)
    gap = METHODS["Majority flips"].call([0, 1], [0, 1], [1, 0], [1, 1], None)
    assert np.array(gap).tolist() == [[False, True], [False, False]]


def test_pairs_keep_the_margins_and_are_hypergeometric():
    shape = 30_000
    k_s, k_t, n = np.full(shape, 6), np.full(shape, 4), np.full(shape, 9)
    b, c = pair_trials(k_s, n, k_t, n, np.random.default_rng(3))
    assert (b - c == 2).all()
    seen = np.bincount(6 - b, minlength=5)
    expected = shape * hypergeom(9, 6, 4).pmf(np.arange(5))
    kept = expected > 0
    assert (seen[~kept] == 0).all()
    assert chisquare(seen[kept], expected[kept]).pvalue > 0.001


def test_pairs_are_as_many_as_the_shorter_side_has():
    rng = np.random.default_rng(4)
    k_s, n_s, k_t, n_t = cells(rng, uneven=True)
    b, c = pair_trials(k_s, n_s, k_t, n_t, rng)
    assert (b >= 0).all()
    assert (c >= 0).all()
    assert (b + c <= np.minimum(n_s, n_t)).all()
    assert (b <= k_s).all()
    assert (c <= k_t).all()


def test_mcnemar_rejects_as_its_own_p_says():
    counts = cells(np.random.default_rng(5))
    found = METHODS["McNemar on pairs"].call(*counts, np.random.default_rng(6))
    b, c = pair_trials(*counts, np.random.default_rng(6))
    rejected = mcnemar_exact(b, c) <= 0.05
    np.testing.assert_array_equal(found.regressed, rejected & (b > c))
    np.testing.assert_array_equal(found.improved, rejected & (c > b))


@pytest.mark.parametrize("name", DETERMINED)
def test_rows_are_cells_of_their_own(counts, name):
    together = METHODS[name].call(*counts, None)
    for number, row in enumerate(by_row(counts)):
        alone = METHODS[name].call(*row, None)
        np.testing.assert_array_equal(together.regressed[number], alone.regressed)
        np.testing.assert_array_equal(together.improved[number], alone.improved)


@pytest.mark.parametrize("name", METHODS)
def test_edges(name):
    call, rng = METHODS[name].call, np.random.default_rng(7)
    for k, n in ((0, 50), (50, 50), (0, 1), (0, 0)):
        still = np.full(5, k)
        assert not np.any(call(still, np.full(5, n), still, np.full(5, n), rng)), "all alike"
    lost = call(np.full(3, 50), np.full(3, 50), np.zeros(3, int), np.full(3, 50), rng)
    # Where all items of a side are alike, there is no reliability and hence no index.
    assert lost.regressed.tolist() == [not name.startswith("RCI")] * 3, "every trial lost"
    assert not lost.improved.any()
    one_item = call(np.array([40]), np.array([50]), np.array([5]), np.array([50]), rng)
    assert one_item.regressed.shape == (1,)
    empty = np.empty(0, int)
    assert call(empty, empty, empty, empty, rng).regressed.shape == (0,)


@pytest.mark.parametrize("name", ["Fisher + BH", "McNemar on pairs", "z-test", "RCI 1.96"])
def test_one_trial_a_side_convinces_no_test(name):
    one, rng = np.ones(4, int), np.random.default_rng(8)
    calls = METHODS[name].call(np.array([0, 1, 0, 1]), one, np.array([0, 1, 1, 0]), one, rng)
    assert not np.any(calls)


@pytest.mark.parametrize("name", ["McNemar on pairs", "z-test", "Wilson apart"])
def test_tests_of_single_items_err_no_more_often_than_promised(name):
    """At p = 1/2, where the normal approximation of the z-test is at its best."""
    rng = np.random.default_rng(9)
    n = np.full(400, 50)
    counts = rng.binomial(50, 0.5, (50, 400)), n, rng.binomial(50, 0.5, (50, 400)), n
    calls = METHODS[name].call(*counts, rng)
    wrong = int((calls.regressed | calls.improved).sum())
    limit = 0.06 if name == "z-test" else 0.05  # its exact size here is 5.7 %
    assert binomtest(wrong, 20_000, limit, alternative="greater").pvalue > 0.001


@pytest.mark.parametrize("name", [PAPER, "Fisher + BH"])
def test_the_false_discovery_rate_holds(name):
    rng = np.random.default_rng(10)
    n = np.full(100, 50)
    counts = rng.binomial(50, 0.5, (2000, 100)), n, rng.binomial(50, 0.5, (2000, 100)), n
    calls = METHODS[name].call(*counts, None)
    wrong = int((calls.regressed | calls.improved).any(axis=1).sum())
    assert binomtest(wrong, 2000, 0.05, alternative="greater").pvalue > 0.001


@pytest.mark.parametrize(
    "name", [n for n in METHODS if n not in ("Turned to zero", "Single draw flips")]
)
def test_power_rises_with_trials(name):
    rng = np.random.default_rng(11)
    shares = []
    for trials in (5, 20, 80):
        n = np.full(300, trials)
        p = np.full((20, 300), 0.75)
        p[:, :200] = rng.beta(0.6, 0.6, (20, 200))
        target = p.copy()
        target[:, 200:] -= 0.5
        calls = METHODS[name].call(rng.binomial(n, p), n, rng.binomial(n, target), n, rng)
        shares.append(calls.regressed[:, 200:].mean())
    assert shares[0] <= shares[1] <= shares[2]
    assert shares[2] > 0.95
