"""Posterior of each item's shift: how likely is a regression beyond ε, given its trials?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaln, xlogy

from reliable_change.stats.checks import check_counts, distinct

JEFFREYS = (0.5, 0.5)
PROBABILITY = 0.95
_TOLERANCE = 1e-11
_REACH = 4.2  # beyond it, a node lies within 1e-45 of an end


class PosteriorShift(NamedTuple):
    """Posterior probabilities that sum to 1, in the shape of the counts; NaN if not testable.

    `regressed`: p_target − p_source < −ε; `improved`: > ε; `within`: neither.
    """

    regressed: np.ndarray
    within: np.ndarray
    improved: np.ndarray


def posterior_shift(
    k_source: ArrayLike,
    n_source: ArrayLike,
    k_target: ArrayLike,
    n_target: ArrayLike,
    *,
    epsilon: float = 0.20,
    prior: tuple[float, float] = JEFFREYS,
) -> PosteriorShift:
    """Probability that each item's chance of a correct trial fell, or rose, by more than ε.

    Parameters
    ----------
    k_source, k_target : array_like of int
        Correct trials, 0 <= k <= n.
    n_source, n_target : array_like of int
        Trials; may differ between sides and items. All four broadcast together.
    epsilon : float
        In [0, 1).
    prior : (float, float)
        Parameters of the Beta prior of each side, above 0; Jeffreys' (1/2, 1/2) by default.

    Returns
    -------
    PosteriorShift

    Raises
    ------
    ValueError
        Bad counts (see `fisher_exact`), or a parameter out of range.

    Notes
    -----
    Both sides have independent Beta priors, so p_s ~ Beta(a + k_s, b + n_s − k_s) and likewise
    p_t; the trials are binomial. With f the density and F the distribution function,

        P(p_t < p_s − ε) = ∫ f_s(x) F_t(x − ε) dx   over x from ε to 1,

    by tanh-sinh quadrature, whose nodes crowd at both ends, where the integrand is not smooth; the
    step is halved until no probability moves by 1e-11. Nothing is sampled. A side's density and
    distribution are evaluated once for each distinct (k, n). Items share nothing: no correction
    for their number, which is what sets this apart from a test under a false discovery rate.

    References
    ----------
    Casey et al. (2026), arXiv:2604.27082, compare candidate models in a Bayesian way, as "What
    Aggregate Scores Miss", section 2, says; this is the reading of it for single items.
    Takahasi, H., & Mori, M. (1974). Publ. RIMS 9, 721–741 (the quadrature).

    Examples
    --------
    >>> found = posterior_shift([50, 25, 5], 50, [30, 25, 20], 50)
    >>> found.regressed.round(4).tolist(), found.improved.round(4).tolist()
    ([0.9983, 0.0204, 0.0], [0.0, 0.0204, 0.8788])
    """
    if not 0 <= epsilon < 1:
        raise ValueError(f"epsilon must lie in [0, 1), not {epsilon!r}")
    if not min(prior) > 0:
        raise ValueError(f"the parameters of a Beta prior are above 0, not {prior!r}")
    counts = check_counts(k_source, n_source, k_target, n_target)
    shape = counts[0].shape
    k_s, n_s, k_t, n_t = (count.ravel() for count in counts)
    testable = (n_s > 0) & (n_t > 0)
    source, target = (
        np.column_stack([k, n - k])[testable] + prior for k, n in ((k_s, n_s), (k_t, n_t))
    )
    fell, rose = np.full(testable.shape, np.nan), np.full(testable.shape, np.nan)
    fell[testable] = _chance_below(source, target, float(epsilon))
    rose[testable] = _chance_below(target, source, float(epsilon))
    found = PosteriorShift(fell, np.maximum(1 - fell - rose, 0), rose)
    return PosteriorShift(*(part.reshape(shape) for part in found))


def _chance_below(high: np.ndarray, low: np.ndarray, epsilon: float) -> np.ndarray:
    """P(Y < X − ε) for X ~ Beta(row of high), Y ~ Beta(row of low), each shape (tables, 2)."""
    if not len(high):
        return np.empty(0)
    high, which_high = distinct(list(high.T))
    low, which_low = distinct(list(low.T))
    largest = max(high.sum(axis=1).max(), low.sum(axis=1).max())
    step = 2.0 ** -np.ceil(3 + np.log2(largest) / 2)  # a tenth of the narrowest peak or so
    before = np.full(len(which_high), np.inf)
    while True:
        chance = np.clip(_integrate(high, which_high, low, which_low, epsilon, step), 0, 1)
        if np.max(np.abs(chance - before)) < _TOLERANCE:
            return chance
        before, step = chance, step / 2


def _integrate(high, which_high, low, which_low, epsilon: float, step: float) -> np.ndarray:
    t = np.arange(-_REACH, _REACH + step / 2, step)
    part, rest = (1 / (1 + np.exp(sign * np.pi * np.sinh(t))) for sign in (-1, 1))
    width = (1 - epsilon) * step * np.pi * np.cosh(t) * part * rest
    x, x_below_one, y = epsilon + (1 - epsilon) * part, (1 - epsilon) * rest, (1 - epsilon) * part
    a, b = high.T[..., None]
    density = np.exp(xlogy(a - 1, x) + xlogy(b - 1, x_below_one) - betaln(a, b)) * width
    distribution = betainc(*low.T[..., None], y)
    chance = np.empty(len(which_high))
    for number, weights in enumerate(density):
        rows = which_high == number
        chance[rows] = distribution[which_low[rows]] @ weights
    return chance
