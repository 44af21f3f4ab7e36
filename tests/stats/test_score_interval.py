"""Miettinen–Nurminen by definition: the restricted fit, and the statistic at the bounds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import xlogy
from statsmodels.stats.proportion import score_test_proportions_2indep

from reliable_change.stats.score_interval import (
    miettinen_nurminen,
    restricted_source,
    score_statistic,
)

Z = 1.959963984540054


def random_tables(size: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(23)
    n_s, n_t = rng.integers(1, 80, size=(2, size))
    return rng.integers(0, n_s + 1), n_s, rng.integers(0, n_t + 1), n_t


def log_likelihood(tables, p, difference):
    k_s, n_s, k_t, n_t = tables
    q = np.clip(p + difference, 0, 1)
    return xlogy(k_s, p) + xlogy(n_s - k_s, 1 - p) + xlogy(k_t, q) + xlogy(n_t - k_t, 1 - q)


def test_the_restricted_fit_is_the_most_likely_one():
    tables = random_tables(2000)
    difference = np.random.default_rng(29).uniform(-1, 1, 2000)
    fit = restricted_source(*tables, difference)
    low, high = np.maximum(0, -difference), np.minimum(1, 1 - difference)
    assert (low <= fit).all()
    assert (fit <= high).all()
    best = log_likelihood(tables, fit, difference)
    for share in np.linspace(0, 1, 201):
        other = log_likelihood(tables, low + share * (high - low), difference)
        assert (other <= best + 1e-9).all()


def test_the_statistic_at_a_bound_is_the_critical_value():
    tables = random_tables(500)
    low, high = miettinen_nurminen(*tables, Z)
    inner = low > -1
    assert inner.sum() > 400
    at_low = score_statistic(*(x[inner] for x in tables), low[inner])
    np.testing.assert_allclose(at_low, Z, atol=1e-7)
    inner = high < 1
    assert inner.sum() > 400
    at_high = score_statistic(*(x[inner] for x in tables), high[inner])
    np.testing.assert_allclose(at_high, -Z, atol=1e-7)


def test_the_statistic_falls_as_the_difference_grows():
    for k_s, n_s, k_t, n_t in zip(*random_tables(100), strict=True):
        statistic = score_statistic(k_s, n_s, k_t, n_t, np.linspace(-0.999, 0.999, 501))
        assert (np.diff(statistic) < 1e-9).all(), (k_s, n_s, k_t, n_t)


def test_one_equal_side_has_a_closed_form():
    # 0/n against 0/n: restricted to a difference d > 0 the fit is (0, d), so the bound solves
    # d² = z² · d (1 − d) / n · 2n / (2n − 1).
    n = 50
    factor = Z**2 * 2 / (2 * n - 1)
    low, high = miettinen_nurminen(*(np.array([x]) for x in (0, n, 0, n)), Z)
    assert high[0] == pytest.approx(factor / (1 + factor), rel=1e-12)
    assert low[0] == pytest.approx(-high[0], rel=1e-12)


@pytest.mark.parametrize(
    ("target", "source", "expected"),
    [
        ((56, 70), (48, 80), (0.0528, 0.3382)),
        ((9, 10), (3, 10), (0.1700, 0.8406)),
        ((6, 7), (2, 7), (0.0342, 0.8534)),
        ((5, 56), (0, 29), (-0.0326, 0.1933)),
        ((0, 10), (0, 20), (-0.1658, 0.2844)),
        ((0, 10), (0, 10), (-0.2879, 0.2879)),
        ((10, 10), (0, 20), (0.7156, 1.0)),
        ((10, 10), (0, 10), (0.6636, 1.0)),
    ],
)
def test_newcombes_printed_examples(target, source, expected):
    # Newcombe (1998), Stat. Med. 17, 873–890, table II, method 6.
    low, high = miettinen_nurminen(*(np.array([x]) for x in (*source, *target)), Z)
    assert (low[0], high[0]) == pytest.approx(expected, abs=5.1e-5)


def test_the_interval_of_propcis_in_r():
    # diffscoreci(7, 34, 1, 34, 0.95)
    low, high = miettinen_nurminen(*(np.array([x]) for x in (1, 34, 7, 34)), Z)
    assert (low[0], high[0]) == pytest.approx((0.0270416, 0.3452912), abs=1e-7)


def test_statsmodels_agrees_on_no_difference():
    # Only there: for other differences its restricted fit is wrong (statsmodels issue 10269).
    for k_s, n_s, k_t, n_t in [(10, 50, 20, 50), (3, 4, 10, 55), (1, 9, 8, 9)]:
        theirs = score_test_proportions_2indep(k_t, n_t, k_s, n_s, value=0).statistic
        assert score_statistic(k_s, n_s, k_t, n_t, 0.0) == pytest.approx(theirs, rel=1e-12)


def test_agreement_with_a_hypothesis_without_variance_is_no_distance():
    assert score_statistic(5, 5, 0, 5, -1.0) == 0
    assert score_statistic(5, 5, 1, 5, -1.0) == np.inf
