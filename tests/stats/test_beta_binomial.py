"""The posterior of a shift against closed forms, another quadrature, sampling, and at the edges."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta, norm

from reliable_change.stats.beta_binomial import posterior_shift

UNIFORM = (1.0, 1.0)
EVERY_TABLE = np.meshgrid(np.arange(8), np.arange(6), indexing="ij")


def below_in_closed_form(k_s: int, n_s: int, k_t: int, n_t: int) -> float:
    """P(p_t < p_s) under uniform priors: p_s has k_s + 1 as a whole parameter, so a finite sum.

    With whole a_s, P(X > Y) = Σ_{i < a_s} B(a_t + i, b_s + b_t) / ((b_s + i) B(1 + i, b_s)
    B(a_t, b_t)); here everything is whole, hence binomial coefficients.
    """

    def inverse_beta(a: int, b: int) -> int:  # 1 / B(a, b)
        return a * comb(a + b - 1, a)

    a_s, b_s, a_t, b_t = k_s + 1, n_s - k_s + 1, k_t + 1, n_t - k_t + 1
    return sum(
        inverse_beta(1 + i, b_s)
        * inverse_beta(a_t, b_t)
        / (inverse_beta(a_t + i, b_s + b_t) * (b_s + i))
        for i in range(a_s)
    )


def test_without_epsilon_and_with_uniform_priors_it_is_a_finite_sum():
    k_s, k_t = EVERY_TABLE
    found = posterior_shift(k_s, 7, k_t, 5, epsilon=0, prior=UNIFORM)
    expected = [
        [below_in_closed_form(int(a), 7, int(b), 5) for a, b in zip(row_s, row_t, strict=True)]
        for row_s, row_t in zip(k_s, k_t, strict=True)
    ]
    np.testing.assert_allclose(found.regressed, expected, atol=1e-12)
    np.testing.assert_allclose(found.improved, 1 - np.array(expected), atol=1e-12)


def test_one_trial_a_side_in_closed_form():
    # Uniform priors: densities 2x and 2(1 − y); ∫ 2x (1 − (1 − (x − ε))²) dx from ε to 1.
    for epsilon in (0.0, 0.2, 0.7):
        exact = quad(lambda x, e=epsilon: 2 * x * (1 - (1 - x + e) ** 2), epsilon, 1)[0]
        found = posterior_shift(1, 1, 0, 1, epsilon=epsilon, prior=UNIFORM).regressed
        assert float(found) == pytest.approx(exact, abs=1e-11)


@pytest.mark.parametrize("prior", [(0.5, 0.5), (1.0, 1.0), (0.1, 2.5)])
@pytest.mark.parametrize(("k_s", "k_t"), [(0, 0), (50, 0), (50, 30), (30, 20), (1, 40), (50, 40)])
def test_another_quadrature_agrees(k_s, k_t, prior):
    source = beta(prior[0] + k_s, prior[1] + 50 - k_s)
    target = beta(prior[0] + k_t, prior[1] + 40 - k_t)
    kink = [u for u in [source.cdf(0.2)] if 1e-9 < u < 1 - 1e-9]
    exact = quad(
        lambda u: target.cdf(source.ppf(u) - 0.2), 0, 1, epsabs=1e-9, limit=400, points=kink or None
    )[0]
    found = posterior_shift(k_s, 50, k_t, 40, prior=prior).regressed
    assert float(found) == pytest.approx(exact, abs=1e-7)


def test_sampling_agrees():
    rng = np.random.default_rng(1)
    k_s, n_s, k_t, n_t = rng.integers(0, 11, 20), 10, rng.integers(0, 26, 20), 25
    found = posterior_shift(k_s, n_s, k_t, n_t, epsilon=0.15)
    size = (200_000, 20)
    shift = rng.beta(k_t + 0.5, n_t - k_t + 0.5, size) - rng.beta(k_s + 0.5, n_s - k_s + 0.5, size)
    for part, share in (
        (found.regressed, (shift < -0.15).mean(axis=0)),
        (found.improved, (shift > 0.15).mean(axis=0)),
        (found.within, (np.abs(shift) <= 0.15).mean(axis=0)),
    ):
        np.testing.assert_allclose(part, share, atol=5 * 0.5 / np.sqrt(200_000))


def test_the_three_parts_sum_to_one_and_sides_mirror():
    k_s, k_t = np.meshgrid(np.arange(51), np.arange(51), indexing="ij")
    found = posterior_shift(k_s, 50, k_t, 50)
    np.testing.assert_allclose(found.regressed + found.within + found.improved, 1, atol=1e-11)
    np.testing.assert_allclose(found.improved, found.regressed.T, atol=1e-14)
    turned = posterior_shift(50 - k_s, 50, 50 - k_t, 50)
    np.testing.assert_allclose(turned.improved, found.regressed, atol=1e-10)
    # More correct trials on the source, or fewer on the target, never lower it.
    assert (np.diff(found.regressed, axis=0) > -1e-12).all()
    assert (np.diff(found.regressed, axis=1) < 1e-12).all()


def test_with_many_trials_it_is_nearly_normal():
    k_s, k_t, n = 60_000, 59_000, 100_000
    p_s, p_t = k_s / n, k_t / n
    spread = np.sqrt((p_s * (1 - p_s) + p_t * (1 - p_t)) / n)
    expected = norm.cdf((p_s - 0.012 - p_t) / spread)
    found = posterior_shift(k_s, n, k_t, n, epsilon=0.012).regressed
    assert float(found) == pytest.approx(expected, abs=2e-3)


def test_edges():
    found = posterior_shift([0, 3, 0], [0, 5, 4], [2, 0, 0], [4, 0, 4])
    assert np.isnan([part[:2] for part in found]).all(), "not testable"
    assert found.within[2] > 0.75
    assert posterior_shift([], [], [], []).regressed.size == 0
    assert posterior_shift(np.ones((2, 3), int), 4, 0, 4).improved.shape == (2, 3)
    certain = posterior_shift(1, 1, 0, 1)
    assert 0.5 < certain.regressed < 0.95, "one trial a side convinces nobody"


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"epsilon": 1.0}, "epsilon"),
        ({"epsilon": -0.1}, "epsilon"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"prior": (0, 1)}, "prior"),
    ],
)
def test_parameters_out_of_range_are_refused(more, reason):
    with pytest.raises(ValueError, match=reason):
        posterior_shift(1, 2, 1, 2, **more)
