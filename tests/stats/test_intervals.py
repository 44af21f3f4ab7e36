"""Intervals against statsmodels, their definitions and the case STA-04."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, norm
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from reliable_change.stats.intervals import METHODS, clopper_pearson, difference_interval, wilson

# Ours, then what statsmodels calls it.
STATSMODELS = {"newcombe": "newcomb", "agresti_caffo": "agresti-caffo", "wald": "wald"}


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        (0, 0, (-0.07135, 0.07135)),
        (0, 50, (0.8991, 1.0)),
        (3, 0, (-0.16217, 0.0215)),
        (0, 1, (-0.05322, 0.10495)),
    ],
)
def test_newcombe_at_0_and_n(source, target, expected):
    assert difference_interval(source, 50, target, 50) == pytest.approx(expected, abs=5e-6)


@pytest.mark.parametrize("method", [m for m in METHODS if m != "wald"])
@pytest.mark.parametrize(("n_source", "n_target"), [(50, 50), (1, 1), (3, 50), (10, 7)])
def test_finite_inside_the_range_around_the_estimate_and_never_without_width(
    method, n_source, n_target
):
    k_source, k_target = np.ogrid[: n_source + 1, : n_target + 1]
    difference = k_target / n_target - k_source / n_source
    low, high = difference_interval(k_source, n_source, k_target, n_target, method=method)
    assert low.shape == difference.shape
    assert (low >= -1).all()
    assert (low <= difference).all()
    assert (difference <= high).all()
    assert (high <= 1).all()
    assert (high - low > 0.05).all()


def test_wald_is_degenerate_at_0_and_n():
    low, high = difference_interval([0, 50, 0], 50, [0, 50, 50], 50, method="wald")
    assert low.tolist() == high.tolist() == [0, 0, 1]


@pytest.mark.parametrize("method", METHODS)
def test_swapping_sides_or_verdicts_mirrors_the_interval(method):
    k_source, k_target = np.ogrid[:8, :13]
    low, high = difference_interval(k_source, 7, k_target, 12, method=method)
    for mirrored in (
        difference_interval(k_target, 12, k_source, 7, method=method),
        difference_interval(7 - k_source, 7, 12 - k_target, 12, method=method),
    ):
        np.testing.assert_allclose(-mirrored.high, low, atol=1e-12)
        np.testing.assert_allclose(-mirrored.low, high, atol=1e-12)


@pytest.mark.parametrize("method", STATSMODELS)
@pytest.mark.parametrize("confidence", [0.95, 0.8])
def test_statsmodels_agrees(method, confidence):
    rng = np.random.default_rng(17)
    n = rng.integers(1, 80, size=(150, 2))
    k = rng.integers(0, n + 1)
    ours = difference_interval(
        k[:, 0], n[:, 0], k[:, 1], n[:, 1], method=method, confidence=confidence
    )
    theirs = [
        confint_proportions_2indep(
            k_t, n_t, k_s, n_s, method=STATSMODELS[method], alpha=1 - confidence
        )
        for (k_s, k_t), (n_s, n_t) in zip(k, n, strict=True)
    ]
    np.testing.assert_allclose(np.column_stack(ours), np.clip(theirs, -1, 1), atol=1e-12)


@pytest.mark.parametrize(
    ("target", "source", "expected"),
    [
        ((56, 70), (48, 80), (0.0524, 0.3339)),
        ((9, 10), (3, 10), (0.1705, 0.8090)),
        ((5, 56), (0, 29), (-0.0381, 0.1926)),
        ((10, 10), (0, 10), (0.6075, 1.0)),
    ],
)
def test_newcombes_printed_examples(target, source, expected):
    # Newcombe (1998), Stat. Med. 17, 873–890, table II, method 10.
    assert difference_interval(*source, *target) == pytest.approx(expected, abs=5.1e-5)


@pytest.mark.parametrize("method", METHODS)
def test_a_side_without_trials_has_no_interval(method):
    low, high = difference_interval([0, 0, 1], [0, 0, 2], [3, 0, 1], [7, 0, 2], method=method)
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == [True, True, False]


@pytest.mark.parametrize("method", METHODS)
def test_no_items_give_no_interval(method):
    assert difference_interval([], 50, [], 50, method=method).low.shape == (0,)


def test_unknown_methods_and_levels_are_refused():
    with pytest.raises(ValueError, match="choose one of newcombe, agresti_caffo"):
        difference_interval(1, 2, 1, 2, method="score")
    with pytest.raises(ValueError, match="confidence"):
        difference_interval(1, 2, 1, 2, confidence=95)
    with pytest.raises(ValueError, match="confidence"):
        clopper_pearson(1, 2, confidence=0)


@pytest.mark.parametrize(
    ("ours", "theirs"), [(wilson, "wilson"), (clopper_pearson, "beta")], ids=["wilson", "exact"]
)
@pytest.mark.parametrize("confidence", [0.95, 0.8])
def test_one_proportion_equals_statsmodels(ours, theirs, confidence):
    n = np.repeat([1, 7, 50, 1000], [2, 8, 51, 1001])
    k = np.concatenate([np.arange(size + 1) for size in (1, 7, 50, 1000)])
    low, high = ours(k, n, confidence)
    expected = proportion_confint(k, n, alpha=1 - confidence, method=theirs)
    np.testing.assert_allclose(low, expected[0], atol=1e-12)
    np.testing.assert_allclose(high, expected[1], atol=1e-12)
    assert (low[k == 0] == 0).all()
    assert (high[k == n] == 1).all()


def test_wilson_bounds_are_where_the_score_test_turns():
    z = norm.ppf(0.975)
    for bound in wilson(13, 50):
        assert abs(13 / 50 - bound) / np.sqrt(bound * (1 - bound) / 50) == pytest.approx(z)


def test_clopper_pearson_bounds_have_half_of_the_rest_in_each_tail():
    low, high = clopper_pearson(8, 1000)
    assert binom.sf(7, 1000, low) == pytest.approx(0.025)
    assert binom.cdf(8, 1000, high) == pytest.approx(0.025)


@pytest.mark.parametrize("interval", [wilson, clopper_pearson])
def test_one_proportion_without_trials_has_no_interval(interval):
    low, high = interval([0, 0], [0, 5])
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == [True, False]
