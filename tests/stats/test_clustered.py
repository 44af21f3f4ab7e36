"""A share over clusters: against the exact interval where it must agree, and by its coverage."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta, binomtest

from reliable_change.stats.clustered import korn_graubard
from reliable_change.stats.intervals import clopper_pearson


def test_clusters_of_one_mind_count_as_one_each():
    """All or none of a cluster: the design effect is its size, save for the divisor m − 1."""
    k = np.array([5, 0, 0, 5, 0, 0, 0, 5, 0, 0, 0])
    low, high = korn_graubard(k, np.full(11, 5))
    p, n = 3 / 11, 10
    assert low == pytest.approx(beta.ppf(0.025, p * n, n - p * n + 1))
    assert high == pytest.approx(beta.ppf(0.975, p * n + 1, n - p * n))


@pytest.mark.parametrize("k", [[2, 2, 2, 2], [0, 0, 0, 0], [4, 4, 4, 4]])
def test_without_more_spread_than_chance_it_is_the_exact_interval(k):
    found = korn_graubard(k, np.full(4, 4))
    exact = binomtest(sum(k), 16).proportion_ci(method="exact")
    assert tuple(map(float, found)) == pytest.approx((exact.low, exact.high))


def test_clusters_without_a_member_have_no_say():
    full = korn_graubard([3, 1, 4], [5, 5, 5])
    assert korn_graubard([3, 0, 1, 4, 0], [5, 0, 5, 5, 0]) == pytest.approx(full)
    assert np.isnan(korn_graubard([], [])).all()
    assert np.isnan(korn_graubard([0, 0], [0, 0])).all()
    assert np.isnan(korn_graubard([3], [5])).all(), "one cluster shows no spread"


def test_it_holds_the_truth_as_often_as_it_says_where_the_plain_interval_does_not():
    rng = np.random.default_rng(1)
    held = np.zeros(2)
    n = np.full(60, 30)
    for _ in range(600):
        k = rng.binomial(n, rng.beta(3, 7, n.size))
        clustered, plain = korn_graubard(k, n), clopper_pearson(k.sum(), n.sum())
        held += [bounds.low < 0.3 < bounds.high for bounds in (clustered, plain)]
    assert binomtest(int(held[0]), 600, 0.95).pvalue > 1e-3
    assert held[1] < 0.8 * 600


def test_bad_counts_are_refused():
    with pytest.raises(ValueError, match="one dimension"):
        korn_graubard([[1, 2]], [[2, 2]])
    with pytest.raises(ValueError, match="0 <= k <= n"):
        korn_graubard([3], [2])
