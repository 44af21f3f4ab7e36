"""Many tests at once: the false discovery rate over items, the family-wise error over cells."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from reliable_change.stats.checks import check_level

# p, m and alpha are floats: 0.025 * 6 / 0.05 comes out a little above 3. A few units in the last
# place are forgiven, so that a p-value meant to lie on its bound always does.
_FORGIVEN = 8 * np.finfo(float).eps


class FalseDiscovery(NamedTuple):
    """Outcome of a Benjamini–Hochberg procedure, each array in the order of the p-values."""

    rejected: np.ndarray
    adjusted: np.ndarray


class FamilyWise(NamedTuple):
    """Outcome of Holm's procedure, each array in the order of the p-values."""

    rejected: np.ndarray
    adjusted: np.ndarray


def benjamini_hochberg(p: ArrayLike, alpha: float = 0.05) -> FalseDiscovery:
    """Reject the hypotheses that Benjamini and Hochberg's step-up procedure rejects at `alpha`.

    Parameters
    ----------
    p : array_like of float, one dimension
        p-values in [0, 1]. NaN marks an item that was not tested: it is no hypothesis, does not
        count in m, is never rejected, and its adjusted value stays NaN.
    alpha : float
        False discovery rate, strictly between 0 and 1.

    Returns
    -------
    FalseDiscovery
        `rejected` (bool) and `adjusted` (the smallest rate at which the item is rejected, at
        most 1). Empty input gives empty arrays.

    Raises
    ------
    ValueError
        A p-value lies outside [0, 1], `p` is not one-dimensional, or `alpha` is out of range.

    Notes
    -----
    With R the largest k for which p(k) <= k · alpha / m, the R smallest are rejected; equality
    rejects, and tied p-values stand or fall together. A p-value within eight units in the last
    place above its bound counts as on it. `rejected` is decided by that comparison alone: at a
    bound, `adjusted` may print one rounding error above `alpha`. The rate is controlled for
    independent or positively dependent tests.

    References
    ----------
    Benjamini, Y., & Hochberg, Y. (1995). J. R. Stat. Soc. B 57, 289–300, procedure (1).

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03, 0.005]).adjusted.tolist()
    [0.02, 0.04, 0.04, 0.02]
    >>> result = benjamini_hochberg([0.01, float("nan"), 0.02])
    >>> result.rejected.tolist(), result.adjusted.tolist()
    ([True, False, True], [0.02, nan, 0.02])
    """
    p, alpha = _checked(p, alpha)
    adjusted = np.full(p.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(p))
    m = tested.size
    order = tested[np.argsort(p[tested], kind="stable")]
    smallest = np.minimum.accumulate((p[order] * m / np.arange(1, m + 1))[::-1])[::-1]
    adjusted[order] = np.minimum(smallest, 1)
    return FalseDiscovery(reject_each(p, alpha), adjusted)


def reject_each(p: np.ndarray, alpha: float) -> np.ndarray:
    """Which hypotheses Benjamini and Hochberg reject in each of many cells at once.

    Parameters
    ----------
    p : numpy.ndarray of float, shape (..., items)
        p-values in [0, 1], NaN where untested; each row of the last axis is a cell of its own.
    alpha : float
        As for `benjamini_hochberg`, whose conventions hold.

    Returns
    -------
    numpy.ndarray of bool, shape (..., items)

    Examples
    --------
    >>> reject_each(np.array([[0.01, 0.04, 0.2], [0.01, 0.03, np.nan]]), 0.05).tolist()
    [[True, False, False], [True, True, False]]
    """
    tested = ~np.isnan(p)
    rank = rank_needed(p, tested.sum(axis=-1, keepdims=True), alpha)
    rank = np.where(tested, rank, np.inf)
    place = np.arange(1, p.shape[-1] + 1)
    passes = np.sort(rank, axis=-1) <= place
    return rank <= np.max(np.where(passes, place, 0), axis=-1, keepdims=True, initial=0)


def holm(p: ArrayLike, alpha: float = 0.05) -> FamilyWise:
    """Reject the hypotheses that Holm's step-down procedure rejects at `alpha`.

    Parameters
    ----------
    p : array_like of float, one dimension
        p-values in [0, 1]. NaN marks what was not tested: it is no hypothesis, does not count in
        m, is never rejected, and its adjusted value stays NaN.
    alpha : float
        Chance of any false rejection, strictly between 0 and 1.

    Returns
    -------
    FamilyWise
        `rejected` (bool) and `adjusted` (the smallest alpha at which it is rejected, at most 1).
        Empty input gives empty arrays.

    Raises
    ------
    ValueError
        As for `benjamini_hochberg`.

    Notes
    -----
    From the smallest p-value on, p(k) is held against alpha / (m − k + 1), until the first that
    lies above its bound; equality rejects, forgiven as in `benjamini_hochberg`. Holds whatever
    the dependence between the tests.

    References
    ----------
    Holm, S. (1979). Scand. J. Stat. 6, 65–70.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, 0.005]).adjusted.tolist()
    [0.03, 0.06, 0.06, 0.02]
    >>> holm([0.01, 0.04, 0.03, 0.005]).rejected.tolist()
    [True, False, False, True]
    """
    p, alpha = _checked(p, alpha)
    rejected, adjusted = np.zeros(p.shape, dtype=bool), np.full(p.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    left = np.arange(order.size, 0, -1)
    passes = p[order] * left * (1 - _FORGIVEN) <= alpha
    rejected[order[np.logical_and.accumulate(passes)]] = True
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * left), 1)
    return FamilyWise(rejected, adjusted)


def _checked(p: ArrayLike, alpha: float) -> tuple[np.ndarray, float]:
    p = np.asarray(p, dtype=float)
    alpha = check_level("alpha", alpha)
    if p.ndim != 1:
        raise ValueError("p-values must form one dimension: those of one family of tests")
    if np.any((p < 0) | (p > 1)):
        raise ValueError("p-values must lie in [0, 1]; NaN marks what was not tested")
    return p, alpha


def rank_needed(p: np.ndarray, m: int | np.ndarray, alpha: float) -> np.ndarray:
    """Smallest rank k >= 1 at which a p-value satisfies p <= k · alpha / m, as whole floats.

    A rank above `m` means that the item can never be rejected. The one place where a p-value is
    compared with its bound; see the notes of `benjamini_hochberg` on rounding.

    Examples
    --------
    >>> rank_needed(np.array([0.0, 0.01, 0.0101, 0.03, 1.0]), m=5, alpha=0.05).tolist()
    [1.0, 1.0, 2.0, 3.0, 100.0]
    """
    with np.errstate(over="ignore"):  # a tiny alpha asks for an infinite rank
        return np.maximum(1, np.ceil(p * m / alpha * (1 - _FORGIVEN)))
