"""Paired verdicts against statsmodels, scipy, enumeration, theory, and the cases STA-05."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from reliable_change.stats.paired import (
    clustered_gain,
    degradation_probability,
    majority_flips,
    mcnemar_exact,
    paired_gain,
)

counts = st.integers(0, 60)


@pytest.mark.parametrize(
    ("b", "c", "expected"),
    [(0, 0, 1), (5, 5, 1), (6, 0, 0.03125), (5, 0, 0.0625), (3, 9, 0.14599609375)],
)
def test_the_edges_are_exact(b, c, expected):
    assert float(mcnemar_exact(b, c)) == float(mcnemar_exact(c, b)) == expected


@given(counts, counts)
def test_both_sides_equal_statsmodels_and_scipy(b, c):
    theirs = mcnemar([[0, b], [c, 0]], exact=True).pvalue
    assert float(mcnemar_exact(b, c)) == pytest.approx(theirs, rel=1e-10)
    if b + c:
        for side, k in [("worse", b), ("better", c)]:
            one = stats.binomtest(k, b + c, alternative="greater").pvalue
            assert float(mcnemar_exact(b, c, side)) == pytest.approx(one, rel=1e-10)


@given(counts, counts)
def test_one_side_is_the_sum_of_binomials(b, c):
    exact = sum(comb(b + c, k) for k in range(b, b + c + 1)) / 2 ** (b + c)
    assert float(mcnemar_exact(b, c, "worse")) == pytest.approx(exact, rel=1e-12)
    assert mcnemar_exact(b, c, "worse") == mcnemar_exact(c, b, "better")


def test_a_tiny_p_keeps_its_digits_and_never_becomes_zero():
    assert float(mcnemar_exact(1000, 0, "worse")) == pytest.approx(2.0**-1000, rel=1e-12)


def test_arrays_broadcast_and_keep_their_shape():
    b, c = np.arange(4)[:, None], np.arange(3)
    p = mcnemar_exact(b, c)
    assert p.shape == (4, 3)
    assert all(p[i, j] == mcnemar_exact(i, j) for i, j in np.ndindex(4, 3))
    assert mcnemar_exact([], []).shape == (0,)


@pytest.mark.parametrize("bad", [-1, 0.5, np.nan])
def test_bad_counts_are_refused(bad):
    with pytest.raises(ValueError, match="counts must"):
        mcnemar_exact([3, bad], 2)
    with pytest.raises(ValueError, match="unknown alternative"):
        mcnemar_exact(1, 2, "less")


def test_the_error_rate_under_the_null_is_held():
    """Seeded; p(p <= 0.05) is at most 0.05 exactly, and simulated rates agree with it."""
    rng = np.random.default_rng(5)
    total = rng.integers(0, 80, 20000)
    b = rng.binomial(total, 0.5)
    for side in ("two-sided", "worse", "better"):
        rejected = int(np.sum(mcnemar_exact(b, total - b, side) <= 0.05))
        assert stats.binomtest(rejected, len(b), 0.05, "greater").pvalue > 0.001
    for m in range(80):
        k = np.arange(m + 1)
        p = mcnemar_exact(k, m - k)
        assert stats.binom.pmf(k[p <= 0.05], m, 0.5).sum() <= 0.05 + 1e-12


def test_the_degradation_probability_has_the_exact_interval_of_scipy():
    share, low, high = degradation_probability([7, 0, 5], [3, 0, 0])
    theirs = stats.binomtest(7, 10).proportion_ci(0.95, "exact")
    assert (share[0], low[0], high[0]) == pytest.approx((0.7, theirs.low, theirs.high))
    assert np.isnan([share[1], low[1], high[1]]).all()
    assert (share[2], high[2]) == (1, 1)


def test_the_worked_example_of_counting_regressions():
    gain, se, low, high = paired_gain(12, 30, 300)
    assert float(gain) == 0.06
    assert float(se) == pytest.approx(np.sqrt(42 - 1.08) / 300)
    assert (low, high) == pytest.approx((0.06 - 1.959964 * se, 0.06 + 1.959964 * se), rel=1e-6)


@given(st.integers(0, 20), st.integers(0, 20), st.integers(1, 20))
def test_the_paired_error_is_that_of_the_mean_of_differences(b, c, rest):
    differences = np.repeat([-1, 1, 0], [b, c, rest])
    gain, se, low, high = paired_gain(b, c, len(differences))
    assert float(gain) == pytest.approx(differences.mean())
    assert -1 <= low < gain < high <= 1
    if b + c:
        assert float(se) == pytest.approx(differences.std() / np.sqrt(len(differences)))


def test_equal_draws_are_no_certainty():
    """At 0 of n changed, all n lost and all n gained, against the exact bound by hand."""
    unseen = 1 - 0.025 ** (1 / 40)
    gain, se, low, high = paired_gain([0, 40, 0], [0, 0, 40], 40)
    assert gain.tolist() == [0, -1, 1]
    assert np.isnan(se).all()
    assert low == pytest.approx([-unseen, -1, 1 - 2 * unseen])
    assert high == pytest.approx([unseen, 2 * unseen - 1, 1])
    assert np.isnan(paired_gain(0, 0, 0)).all()
    with pytest.raises(ValueError, match="counts must"):
        paired_gain(3, 3, 5)


def test_the_interval_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(8)
    b, c, _ = rng.multinomial(300, [0.06, 0.1, 0.84], 4000).T
    _, _, low, high = paired_gain(b, c, 300)
    covered = int(np.sum((low <= 0.04) & (high >= 0.04)))
    assert 0.93 < covered / 4000 < 0.97


def test_one_pair_an_item_gives_the_paired_error():
    b = np.repeat([1, 0, 0], [12, 30, 258])
    c = np.repeat([0, 1, 0], [12, 30, 258])
    one = clustered_gain(b, c, np.ones(300, int))
    np.testing.assert_allclose(one, paired_gain(12, 30, 300))


def test_the_clustered_error_is_that_of_the_items_means_when_pairs_are_even():
    rng = np.random.default_rng(2)
    b, c = rng.multinomial(10, [0.2, 0.3, 0.5], 50).T[:2]
    found = clustered_gain(b, c, np.full(50, 10))
    means = (c - b) / 10
    assert float(found.gain) == pytest.approx(means.mean())
    assert float(found.se) == pytest.approx(means.std() / np.sqrt(50))


def test_items_count_and_not_their_pairs():
    """Fifty copies of each item's pair are no more evidence than one."""
    b, c = np.array([1, 0, 0, 1, 0]), np.array([0, 1, 1, 0, 0])
    once = clustered_gain(b, c, np.ones(5, int))
    copied = clustered_gain(50 * b, 50 * c, np.full(5, 50))
    np.testing.assert_allclose(copied, once)
    assert paired_gain(100, 100, 250).se < copied.se / 5


@pytest.mark.parametrize(
    ("b", "c", "pairs", "gain"),
    [([3], [0], [5], -0.6), ([0, 0], [0, 0], [5, 5], 0), ([0, 2], [0, 0], [0, 5], -0.4)],
)
def test_items_without_variance_have_no_error(b, c, pairs, gain):
    found = clustered_gain(b, c, pairs)
    assert float(found.gain) == pytest.approx(gain)
    assert np.isnan(found[1:]).all()


def test_each_row_of_items_has_its_own_clustered_gain():
    rng = np.random.default_rng(4)
    pairs = rng.integers(0, 9, 12)
    b = rng.binomial(pairs, 0.3, (4, 12))
    c = rng.binomial(pairs - b, 0.5)
    b[3], c[3] = 0, 0  # a row in which nothing moves
    together = clustered_gain(b, c, pairs)
    for row in range(4):
        alone = clustered_gain(b[row], c[row], pairs)
        np.testing.assert_allclose([field[row] for field in together], alone, rtol=1e-12)


def test_no_pairs_and_bad_shapes():
    assert np.isnan(clustered_gain([0, 0], [0, 0], [0, 0])).all()
    with pytest.raises(ValueError, match="axis of items"):
        clustered_gain(1, 1, 5)
    with pytest.raises(ValueError, match="counts must"):
        clustered_gain([4], [3], [5])


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=20))
def test_the_majority_is_more_than_half(items):
    k, t = np.array(items).T
    lost, gained = majority_flips(k, 9, t, 9)
    assert lost.tolist() == [a >= 5 and b < 5 for a, b in items]
    assert gained.tolist() == [a < 5 and b >= 5 for a, b in items]


def test_a_tie_is_wrong_and_an_item_without_trials_has_no_verdict():
    lost, gained = majority_flips([5, 6], 10, [6, 5], 10)
    assert (lost.tolist(), gained.tolist()) == ([False, True], [True, False])
    with pytest.raises(ValueError, match="no verdict"):
        majority_flips([0, 1], [0, 1], 1, 1)
