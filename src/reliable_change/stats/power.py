"""How small a degradation a paired test can see, and how many items that takes (004)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri
from scipy.stats import binom

from reliable_change.stats.checks import check_level


def signal_to_noise(drop: ArrayLike, flips: ArrayLike, n: ArrayLike) -> np.ndarray:
    """Signal-to-noise ratio √(n / flips) · drop, on which alone the asymptotic power depends.

    Parameters
    ----------
    drop : array_like of float
        Accuracy of the source minus that of the target, a fraction in [−flips, flips].
    flips : array_like of float
        Share of items whose verdict changes, in (0, 1].
    n : array_like of int
        Items, at least 1. All broadcast together.

    Returns
    -------
    numpy.ndarray of float
        In standard errors; negative where the target is better.

    Raises
    ------
    ValueError
        A value out of range. Without flips there is no ratio.

    Notes
    -----
    In counts it is (b − c) / √(b + c), in which n does not occur. So items that do not flip can be
    left out, and the ratio stays the same to the last digit: drop and flips grow by the same
    factor by which n falls (004, Recommendation 1). What trimming costs is flips among the
    items that were wrongly expected to hold still.

    Examples
    --------
    >>> signal_to_noise(0.02, 0.1, 1000).round(9), signal_to_noise(0.02 * 5, 0.1 * 5, 200).round(9)
    (np.float64(2.0), np.float64(2.0))
    """
    drop, flips, n = _checked(drop, flips, n)
    return np.sqrt(n / flips) * drop


def power(drop: ArrayLike, flips: ArrayLike, n: ArrayLike, alpha: float = 0.05) -> np.ndarray:
    """Chance that the one-sided paired test finds a drop, by the normal approximation.

    Parameters
    ----------
    drop, flips, n
        As in `signal_to_noise`: the true values.
    alpha : float
        Level of the test, strictly between 0 and 1.

    Returns
    -------
    numpy.ndarray of float
        Φ(SNR − z), z the upper `alpha` quantile; `alpha` itself where the drop is zero.

    Raises
    ------
    ValueError
        As for `signal_to_noise`, or `alpha` is out of range.

    Notes
    -----
    The variance of the difference is taken as flips / n, leaving out drop² / n, and the counts as
    continuous. The exact test finds a little less; see `exact_power`.

    Examples
    --------
    >>> power(0.02, 0.1, [500, 1000, 2000]).round(3).tolist()
    [0.409, 0.639, 0.882]
    """
    z = ndtri(1 - check_level("alpha", alpha))
    return ndtr(signal_to_noise(drop, flips, n) - z)


def required_items(
    drop: ArrayLike, flips: ArrayLike, alpha: float = 0.05, target_power: float = 0.8
) -> np.ndarray:
    """Items that the one-sided test needs to find a drop with the chance asked for.

    Parameters
    ----------
    drop : array_like of float
        Above 0 and at most `flips`.
    flips : array_like of float
        In (0, 1].
    alpha, target_power : float
        Strictly between 0 and 1; a power below alpha needs one item.

    Returns
    -------
    numpy.ndarray of float
        The smallest whole n with `power` >= `target_power`: ⌈flips · (z_alpha + z_power)² / drop²⌉.

    Raises
    ------
    ValueError
        A value out of range.

    Examples
    --------
    >>> required_items([0.02, 0.01], 0.1).tolist()
    [1546.0, 6183.0]
    """
    drop, flips, _ = _checked(drop, flips, 1)
    if np.any(drop <= 0):
        raise ValueError("a drop to be found must be above 0")
    z = ndtri(1 - check_level("alpha", alpha)) + ndtri(check_level("power", target_power))
    return np.maximum(1, np.ceil(flips * (max(z, 0) / drop) ** 2))


def exact_power(drop: float, flips: float, n: int, alpha: float = 0.05) -> float:
    """Chance that the exact one-sided McNemar test finds a drop, without approximation.

    Parameters
    ----------
    drop, flips, n, alpha
        As in `power`, one of each.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        As for `power`.

    Notes
    -----
    The number of changed verdicts is binomial(n, flips), and of those the losses are binomial with
    chance (1 + drop / flips) / 2. Numbers of changed verdicts rarer than 10⁻¹² are left out.

    Examples
    --------
    >>> round(exact_power(0.02, 0.1, 1000), 3)
    0.603
    """
    drop, flips, n = (value.item() for value in _checked(drop, flips, n))
    alpha = check_level("alpha", alpha)
    low, high = binom.ppf([1e-12, 1 - 1e-12], n, flips)
    m = np.arange(max(0, int(low)), int(high) + 1)
    # The smallest b with P(X >= b) <= alpha, which may be m + 1: then nothing can reject.
    least = binom.isf(alpha, m, 0.5).astype(np.int64) + 1
    chance = min((1 + drop / flips) / 2, 1.0)
    return float(np.sum(binom.pmf(m, n, flips) * binom.sf(least - 1, m, chance)))


def _checked(drop: ArrayLike, flips: ArrayLike, n: ArrayLike) -> list[np.ndarray]:
    drop, flips, n = np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in (drop, flips, n)))
    if not np.all((flips > 0) & (flips <= 1)):
        raise ValueError("the share of flips must lie in (0, 1]")
    if not np.all(np.abs(drop) <= flips * (1 + 1e-12)):
        raise ValueError("a drop cannot be larger than the share of flips")
    if not np.all((n >= 1) & np.isfinite(n)):
        raise ValueError("there must be at least one item")
    return [drop, flips, n]
