"""The +1 convention and the error bar of a p-value from draws."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from reliable_change.stats.monte_carlo import monte_carlo_p


def test_the_observed_arrangement_counts_as_a_draw():
    assert monte_carlo_p(0, 999).p == 0.001
    assert monte_carlo_p(999, 999).p == 1


def test_the_error_bar_is_scipys_exact_interval():
    found = monte_carlo_p(37, 1000, 0.9)
    theirs = stats.binomtest(37, 1000).proportion_ci(0.9, "exact")
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high))


def test_a_p_from_draws_is_not_too_small_under_the_null():
    """P(p <= α) <= α when the observed statistic is one more draw from the null."""
    rng = np.random.default_rng(4)
    u = rng.random((4000, 40))
    exceed = (u[:, 1:] >= u[:, :1]).sum(axis=1)
    ps = np.array([monte_carlo_p(k, 39).p for k in exceed])
    for alpha in (0.05, 0.1, 0.5):
        assert stats.binomtest(int((ps <= alpha).sum()), 4000, alpha, "greater").pvalue > 0.001


@pytest.mark.parametrize(("exceed", "draws"), [(0, 0), (5, 4), (-1, 4)])
def test_counts_that_do_not_fit_are_refused(exceed, draws):
    with pytest.raises(ValueError, match="draw|counts must"):
        monte_carlo_p(exceed, draws)
