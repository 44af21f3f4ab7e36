"""Rules that people use today to call an item regressed, each as one function of its counts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from reliable_change.stats.checks import check_counts, check_level
from reliable_change.stats.intervals import wilson


class Calls(NamedTuple):
    """What a method calls regressed and improved: boolean arrays, never both.

    An item that is not testable (no trial on a side) is called neither.
    """

    regressed: np.ndarray
    improved: np.ndarray


def any_drop(
    k_source: ArrayLike, n_source: ArrayLike, k_target: ArrayLike, n_target: ArrayLike
) -> Calls:
    """Regressed if the mean falls at all, improved if it rises; compared in whole numbers.

    Parameters
    ----------
    k_source, n_source, k_target, n_target : array_like of int
        Correct and scored trials, 0 <= k <= n, that broadcast together.

    Raises
    ------
    ValueError
        Bad counts. The other rules of this module take and refuse the same.

    Examples
    --------
    >>> any_drop([5, 5, 5], 10, [4, 5, 6], 10).regressed.tolist()
    [True, False, False]
    """
    k_s, n_s, k_t, n_t = check_counts(k_source, n_source, k_target, n_target)
    return Calls(k_t * n_s < k_s * n_t, k_t * n_s > k_s * n_t)


def to_zero(
    k_source: ArrayLike, n_source: ArrayLike, k_target: ArrayLike, n_target: ArrayLike
) -> Calls:
    """Regressed if some trial was right and none is now; improved if none was and some is.

    Examples
    --------
    >>> to_zero([5, 1, 0], 10, [1, 0, 3], 10)
    Calls(regressed=array([False,  True, False]), improved=array([False, False,  True]))
    """
    k_s, n_s, k_t, n_t = check_counts(k_source, n_source, k_target, n_target)
    testable = (n_s > 0) & (n_t > 0)
    return Calls(testable & (k_s > 0) & (k_t == 0), testable & (k_s == 0) & (k_t > 0))


def single_draw_flip(
    k_source: ArrayLike,
    n_source: ArrayLike,
    k_target: ArrayLike,
    n_target: ArrayLike,
    rng: np.random.Generator,
) -> Calls:
    """Regressed if one trial drawn of the source is right and one of the target wrong.

    With a single trial a side nothing is left to chance; `analysis.single_draw` gives such counts
    by a draw that is keyed to the item.

    Examples
    --------
    >>> single_draw_flip([1, 1, 0], 1, [0, 1, 1], 1, np.random.default_rng(1)).regressed.tolist()
    [True, False, False]
    """
    k_s, n_s, k_t, n_t = check_counts(k_source, n_source, k_target, n_target)
    before, after = (rng.random(n.shape) * n < k for k, n in ((k_s, n_s), (k_t, n_t)))
    testable = (n_s > 0) & (n_t > 0)
    return Calls(testable & before & ~after, testable & ~before & after)


def unpaired_z(
    k_source: ArrayLike,
    n_source: ArrayLike,
    k_target: ArrayLike,
    n_target: ArrayLike,
    alpha: float = 0.05,
) -> Calls:
    """Regressed or improved, by sign, if the z-test of two accuracies has a two-sided p <= alpha.

    The counts are an item's trials, or a cell's: all responses to it, as if they were unrelated.

    Examples
    --------
    >>> unpaired_z([40, 25, 50], 50, [25, 20, 50], 50).regressed.tolist()
    [True, False, False]
    """
    z = two_proportion_z(k_source, n_source, k_target, n_target)
    beyond = 2 * ndtr(-np.abs(z)) <= check_level("alpha", alpha)
    return Calls(beyond & (z < 0), beyond & (z > 0))


def two_proportion_z(
    k_source: ArrayLike, n_source: ArrayLike, k_target: ArrayLike, n_target: ArrayLike
) -> np.ndarray:
    """Standardised difference p̂_target − p̂_source, variance pooled over the two sides.

    0 where all trials agree, NaN where a side has none.

    Examples
    --------
    >>> float(two_proportion_z(40, 50, 25, 50).round(4))
    -3.1449
    """
    k_s, n_s, k_t, n_t = check_counts(k_source, n_source, k_target, n_target)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = (k_s + k_t) / (n_s + n_t)
        difference = k_t / n_t - k_s / n_s
        spread = np.sqrt(share * (1 - share) * (1 / n_s + 1 / n_t))
        return np.where(difference == 0, 0.0, difference / spread)


def wilson_apart(
    k_source: ArrayLike,
    n_source: ArrayLike,
    k_target: ArrayLike,
    n_target: ArrayLike,
    confidence: float = 0.95,
) -> Calls:
    """Regressed if the Wilson interval of the target lies wholly below that of the source.

    Intervals that touch overlap.

    Examples
    --------
    >>> wilson_apart([45, 40], 50, [25, 30], 50).regressed.tolist()
    [True, False]
    """
    k_s, n_s, k_t, n_t = check_counts(k_source, n_source, k_target, n_target)
    source, target = wilson(k_s, n_s, confidence), wilson(k_t, n_t, confidence)
    return Calls(target.high < source.low, target.low > source.high)
