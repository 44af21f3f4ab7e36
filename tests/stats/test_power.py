"""Power and sample size against the simulated test, enumeration, and each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reliable_change.stats.paired import mcnemar_exact
from reliable_change.stats.power import exact_power, power, required_items, signal_to_noise

shares = st.floats(0.001, 1)


def test_the_ratio_is_that_of_the_counts():
    b, c, n = 120, 80, 5000
    ratio = signal_to_noise((b - c) / n, (b + c) / n, n)
    assert float(ratio) == pytest.approx((b - c) / np.sqrt(b + c))


@given(shares, st.floats(-1, 1), st.integers(10, 10**6), st.floats(0.01, 1))
def test_leaving_out_items_that_do_not_flip_keeps_the_ratio(flips, part, n, kept):
    kept = max(kept, flips)  # no flip is left out
    whole = signal_to_noise(part * flips, flips, n)
    trimmed = signal_to_noise(part * flips / kept, min(1, flips / kept), max(1, n * kept))
    if n * kept >= 1:
        assert float(trimmed) == pytest.approx(float(whole), rel=1e-9)


def test_without_a_drop_the_power_is_the_level():
    assert power(0, [0.01, 1], 100, 0.03) == pytest.approx(0.03)


@pytest.mark.parametrize(("drop", "flips", "n"), [(0.02, 0.1, 1000), (0.05, 0.3, 400)])
def test_power_is_about_the_rate_at_which_the_exact_test_rejects(drop, flips, n):
    rng = np.random.default_rng(1)
    gain = (flips - drop) / 2
    b, c, _ = rng.multinomial(n, [flips - gain, gain, 1 - flips], 20000).T
    rejected = int(np.sum(mcnemar_exact(b, c, "worse") <= 0.05))
    assert stats.binomtest(rejected, 20000, exact_power(drop, flips, n)).pvalue > 0.001
    assert float(power(drop, flips, n)) == pytest.approx(rejected / 20000, abs=0.06)


@pytest.mark.parametrize(("drop", "flips", "n", "alpha"), [(0.2, 0.4, 30, 0.05), (1, 1, 8, 0.01)])
def test_exact_power_is_the_sum_over_every_outcome(drop, flips, n, alpha):
    total = 0.0
    for m in range(n + 1):
        k = np.arange(m + 1)
        rejects = mcnemar_exact(k, m - k, "worse") <= alpha
        chance = (1 + drop / flips) / 2
        total += stats.binom.pmf(m, n, flips) * stats.binom.pmf(k, m, chance)[rejects].sum()
    assert exact_power(drop, flips, n, alpha) == pytest.approx(total, abs=1e-10)


@pytest.mark.parametrize("alpha", [0.5, 0.25, 0.05, 0.01, 0.0625])
def test_rejecting_is_what_mcnemars_p_at_most_alpha_does(alpha):
    """Also where a p is exactly alpha; all flips, so m = n, and the losses are a fair coin."""
    for n in range(1, 60):
        b = np.arange(n + 1)
        rejects = mcnemar_exact(b, n - b, "worse") <= alpha
        size = stats.binom.pmf(b, n, 0.5)[rejects].sum()
        assert exact_power(0, 1, n, alpha) == pytest.approx(size, abs=1e-12)


def test_no_drop_gives_the_exact_test_at_most_its_level():
    for n in (1, 5, 40, 3000):
        assert exact_power(0, 0.2, n) <= 0.05


@given(st.floats(0.001, 0.2), st.floats(0.2, 1), st.floats(0.06, 0.99))
def test_the_required_items_are_the_fewest(drop, flips, wanted):
    n = float(required_items(drop, flips, 0.05, wanted))
    assert float(power(drop, flips, n)) >= wanted - 1e-9
    if n > 1:
        assert float(power(drop, flips, n - 1)) < wanted + 1e-9


def test_power_rises_with_items_and_falls_with_flips():
    n = np.array([100, 400, 1600, 6400])
    assert np.all(np.diff(power(0.02, 0.1, n)) > 0)
    assert np.all(np.diff(power(0.02, [0.05, 0.1, 0.4], 1000)) < 0)
    exact = [exact_power(0.02, 0.1, k) for k in n]
    assert exact == sorted(exact)


@pytest.mark.parametrize(
    ("drop", "flips", "n", "what"),
    [
        (0.2, 0.1, 10, "larger than"),
        (0.0, 0.0, 10, "share of flips"),
        (0.1, 1.1, 10, "share of flips"),
        (0.1, 0.2, 0, "at least one item"),
        (np.nan, 0.2, 5, "larger than"),
    ],
)
def test_what_cannot_be_is_refused(drop, flips, n, what):
    with pytest.raises(ValueError, match=what):
        power(drop, flips, n)


def test_no_drop_needs_endless_items_and_is_refused():
    with pytest.raises(ValueError, match="above 0"):
        required_items(0, 0.1)
    with pytest.raises(ValueError, match="power"):
        required_items(0.1, 0.1, 0.05, 1)
