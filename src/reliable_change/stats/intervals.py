"""Confidence intervals for one proportion and for the difference between two."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtri

from reliable_change.stats.checks import check_counts, check_level
from reliable_change.stats.score_interval import miettinen_nurminen


class Interval(NamedTuple):
    """Lower and upper bounds, in the shape of the counts."""

    low: np.ndarray
    high: np.ndarray


def difference_interval(
    k_source: ArrayLike,
    n_source: ArrayLike,
    k_target: ArrayLike,
    n_target: ArrayLike,
    *,
    method: str = "newcombe",
    confidence: float = 0.95,
) -> Interval:
    """Confidence interval for p_target − p_source, two independent proportions.

    Parameters
    ----------
    k_source, k_target : array_like of int
        Correct trials, 0 <= k <= n.
    n_source, n_target : array_like of int
        Trials; may differ between sides and items. All four broadcast together.
    method : {"newcombe", "agresti_caffo", "miettinen_nurminen", "wald"}
        See the notes; "newcombe" unless told otherwise.
    confidence : float
        Two-sided level, strictly between 0 and 1.

    Returns
    -------
    Interval
        `low` and `high` in [−1, 1], around the observed difference; NaN where a side has no trial.

    Raises
    ------
    ValueError
        Bad counts (see `fisher_exact`), an unknown method, or a confidence out of range.

    Notes
    -----
    - newcombe: hybrid of the two Wilson score intervals, no continuity correction. Never without
      width and never outside [−1, 1].
    - agresti_caffo: Wald after one success and one failure are added to each side. It can leave
      [−1, 1] and is clipped to it.
    - miettinen_nurminen: the differences that a score test does not reject, variance taken under
      the tested difference and multiplied by N / (N − 1).
    - wald: degenerate. Where both sides are at 0 or at n it has no width, as if equal draws gave
      certainty. For comparison only. Clipped to [−1, 1].

    References
    ----------
    Newcombe, R. G. (1998). Stat. Med. 17, 873–890, method 10.
    Agresti, A., & Caffo, B. (2000). Am. Stat. 54, 280–288.
    Miettinen, O., & Nurminen, M. (1985). Stat. Med. 4, 213–226.

    Examples
    --------
    >>> low, high = difference_interval([0, 0, 0], 50, [0, 50, 3], 50)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([-0.0713, 0.8991, -0.0215], [0.0713, 1.0, 0.1622])
    >>> difference_interval(0, 50, 0, 50, method="wald")
    Interval(low=array(0.), high=array(0.))
    """
    if method not in METHODS:
        raise ValueError(f"unknown interval {method!r}: choose one of {', '.join(METHODS)}")
    counts = check_counts(k_source, n_source, k_target, n_target)
    z = _normal_quantile(confidence)
    low, high = np.full(counts[0].shape, np.nan), np.full(counts[0].shape, np.nan)
    testable = (counts[1] > 0) & (counts[3] > 0)
    bounds = _METHODS[method](*(count[testable] for count in counts), z)
    low[testable], high[testable] = np.clip(bounds, -1, 1)
    return Interval(low, high)


def _newcombe(k_s, n_s, k_t, n_t, z):
    source, target = k_s / n_s, k_t / n_t
    low_s, high_s = _wilson(k_s, n_s, z)
    low_t, high_t = _wilson(k_t, n_t, z)
    difference = target - source
    below = np.hypot(target - low_t, high_s - source)
    above = np.hypot(high_t - target, source - low_s)
    return difference - below, difference + above


def _wald(k_s, n_s, k_t, n_t, z):
    source, target = k_s / n_s, k_t / n_t
    half = z * np.sqrt(source * (1 - source) / n_s + target * (1 - target) / n_t)
    return target - source - half, target - source + half


def _agresti_caffo(k_s, n_s, k_t, n_t, z):
    return _wald(k_s + 1, n_s + 2, k_t + 1, n_t + 2, z)


_METHODS = {
    "newcombe": _newcombe,
    "agresti_caffo": _agresti_caffo,
    "miettinen_nurminen": miettinen_nurminen,
    "wald": _wald,
}
METHODS = tuple(_METHODS)


def wilson(k: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> Interval:
    """Wilson score interval for one proportion, without continuity correction.

    Parameters
    ----------
    k, n : array_like of int
        Successes and trials, 0 <= k <= n, that broadcast together.
    confidence : float
        Two-sided level, strictly between 0 and 1.

    Returns
    -------
    Interval
        Bounds in [0, 1], exactly 0 at k = 0 and 1 at k = n; NaN where n = 0.

    Raises
    ------
    ValueError
        Bad counts or a confidence out of range.

    References
    ----------
    Wilson, E. B. (1927). J. Am. Stat. Assoc. 22, 209–212.

    Examples
    --------
    >>> [round(float(bound), 4) for bound in wilson(0, 50)]
    [0.0, 0.0713]
    """
    k, n = check_counts(k, n)
    with np.errstate(invalid="ignore", divide="ignore"):
        return Interval(*_wilson(k, n, _normal_quantile(confidence)))


def _wilson(k, n, z):
    centre = (k + z**2 / 2) / (n + z**2)
    half = z / (n + z**2) * np.sqrt(k * (n - k) / n + z**2 / 4)
    # At 0 and n one bound is known, and rounding must not move it.
    low = np.where(k == 0, k / n, centre - half)
    return low, np.where(k == n, k / n, centre + half)


def clopper_pearson(k: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> Interval:
    """Exact (Clopper–Pearson) interval for one proportion.

    Parameters
    ----------
    k, n : array_like of int
        Successes and trials, 0 <= k <= n, that broadcast together.
    confidence : float
        Two-sided level, strictly between 0 and 1; each tail has half of the rest, also at k = 0
        and k = n, where one bound is 0 or 1.

    Returns
    -------
    Interval
        Bounds in [0, 1]; NaN where n = 0.

    Raises
    ------
    ValueError
        Bad counts or a confidence out of range.

    References
    ----------
    Clopper, C. J., & Pearson, E. S. (1934). Biometrika 26, 404–413.

    Examples
    --------
    >>> [round(float(bound), 5) for bound in clopper_pearson(0, 1000)]
    [0.0, 0.00368]
    """
    k, n = check_counts(k, n)
    tail = (1 - check_level("confidence", confidence)) / 2
    low = np.where(k == 0, 0.0, betaincinv(np.maximum(k, 1), n - k + 1, tail))
    high = np.where(k == n, 1.0, betaincinv(k + 1, np.maximum(n - k, 1), 1 - tail))
    return Interval(np.where(n == 0, np.nan, low), np.where(n == 0, np.nan, high))


def _normal_quantile(confidence: float) -> float:
    return float(ndtri((1 + check_level("confidence", confidence)) / 2))
