"""Fisher's exact test on the 2 × 2 counts of one item, for many items at once."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, groupby
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from reliable_change.stats.checks import check_counts, distinct


def fisher_exact(
    k_source: ArrayLike, n_source: ArrayLike, k_target: ArrayLike, n_target: ArrayLike
) -> np.ndarray:
    """Two-sided p of Fisher's exact test that source and target succeed equally often.

    Parameters
    ----------
    k_source, k_target : array_like of int
        Correct trials, 0 <= k <= n.
    n_source, n_target : array_like of int
        Trials; may differ between sides and items. All four broadcast together.

    Returns
    -------
    numpy.ndarray of float
        p in (0, 1], in the broadcast shape. NaN where a side has no trial (not testable); exactly
        1 where all trials agree, since then only one table has these margins.

    Raises
    ------
    ValueError
        Counts are missing, not whole, negative, or k > n.

    Notes
    -----
    Two-sided: the summed probability of every table with the same margins that is no more
    probable than the observed one; tables of equal probability count on both sides. Sums and
    comparisons are made in whole numbers, so ties are ties, and p is the correctly rounded
    quotient. Each margin (n_source, n_target, total) is worked out once and kept.

    References
    ----------
    Fisher, R. A. (1935). The logic of inductive inference. J. R. Stat. Soc. 98, 39–82.

    Examples
    --------
    >>> fisher_exact([0, 1, 2, 50], 50, [3, 12, 13, 50], 50).round(8).tolist()
    [0.24242424, 0.00180713, 0.00381977, 1.0]
    >>> fisher_exact(0, 0, 3, 7)
    array(nan)
    """
    k_s, n_s, k_t, n_t = check_counts(k_source, n_source, k_target, n_target)
    p = np.full(k_s.shape, np.nan)
    testable = (n_s > 0) & (n_t > 0)
    k_s, n_s, k_t, n_t = (x[testable] for x in (k_s, n_s, k_t, n_t))
    if k_s.size:
        margins, where = distinct([n_s, n_t, k_s + k_t])
        tables = [margin(*map(int, row))[1] for row in margins]
        start = np.cumsum([0, *map(len, tables[:-1])])
        lowest = np.maximum(0, margins[:, 2] - margins[:, 1])
        p[testable] = np.concatenate(tables)[(start - lowest)[where] + k_s]
    return p


def fisher_table(n_source: int, n_target: int) -> np.ndarray:
    """p of every table of `n_source` against `n_target` trials, by the two counts.

    Returns
    -------
    numpy.ndarray of float, shape (n_source + 1, n_target + 1)
        Entry [k_source, k_target]; see `fisher_exact`.

    Examples
    --------
    >>> fisher_table(2, 2).round(4).tolist()
    [[1.0, 1.0, 0.3333], [1.0, 1.0, 1.0], [0.3333, 1.0, 1.0]]
    """
    k_source, k_target = np.ogrid[: n_source + 1, : n_target + 1]
    return fisher_exact(k_source, n_source, k_target, n_target)


@lru_cache(maxsize=4096)
def margin(n_source: int, n_target: int, total: int) -> tuple[np.ndarray, np.ndarray]:
    """Probability and two-sided p of every table with these margins, under no difference.

    Parameters
    ----------
    n_source, n_target, total : int
        Trials on each side and correct trials on both together.

    Returns
    -------
    probability, p : numpy.ndarray of float, read-only
        By the source's count, from max(0, total − n_target) to min(n_source, total).

    Examples
    --------
    >>> probability, p = margin(2, 2, 2)
    >>> probability.round(4).tolist(), p.round(4).tolist()
    ([0.1667, 0.6667, 0.1667], [0.3333, 1.0, 0.3333])
    """
    weights = _weights(n_source, n_target, total)
    order = sorted(range(len(weights)), key=weights.__getitem__)
    at_most = list(accumulate(weights[i] for i in order))
    everything = at_most[-1]
    p = np.empty(len(weights))
    position = 0
    for _, tied in groupby(order, key=weights.__getitem__):
        tables = list(tied)
        position += len(tables)
        p[tables] = at_most[position - 1] / everything  # int / int rounds correctly
    probability = np.array([weight / everything for weight in weights])
    for array in (probability, p):
        array.setflags(write=False)  # the cache hands the same array to every caller
    return probability, p


def _weights(n_source: int, n_target: int, total: int) -> list[int]:
    """Number of ways to each table: C(n_source, a) · C(n_target, total − a), as exact integers."""
    low, high = max(0, total - n_target), min(n_source, total)
    weights = [comb(n_source, low) * comb(n_target, total - low)]
    for a in range(low, high):
        up = (n_source - a) * (total - a)
        down = (a + 1) * (n_target - total + a + 1)
        weights.append(weights[-1] * up // down)
    return weights


def odds_ratio(
    k_source: ArrayLike, n_source: ArrayLike, k_target: ArrayLike, n_target: ArrayLike
) -> np.ndarray:
    """Odds of a correct trial on the target over those on the source, from the counts as they are.

    Returns
    -------
    numpy.ndarray of float
        In [0, inf]. NaN where it is undefined: a side has no trial, or all trials of both sides
        are correct, or none is. Leave those out of tables and plots. No 1/2 is added anywhere.

    Raises
    ------
    ValueError
        As for `fisher_exact`.

    Examples
    --------
    >>> odds_ratio([10, 0, 0], 50, [25, 0, 9], 50).tolist()
    [4.0, nan, inf]
    """
    k_s, n_s, k_t, n_t = check_counts(k_source, n_source, k_target, n_target)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.true_divide(k_t * (n_s - k_s), k_s * (n_t - k_t))
