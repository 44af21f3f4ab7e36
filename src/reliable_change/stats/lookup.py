"""Deciding each distinct table of counts once, however many items and replications share it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

_LARGEST = 4_000_000  # possible tables up to which marking them is quicker than sorting


def by_table(
    function: Callable[..., np.ndarray],
    k_source: ArrayLike,
    n_source: ArrayLike,
    k_target: ArrayLike,
    n_target: ArrayLike,
) -> np.ndarray:
    """Apply a function of an item's own counts once per distinct table, and spread the results.

    Parameters
    ----------
    function : callable
        ``function(k_source, n_source, k_target, n_target)`` on arrays of one dimension, with a
        result (or several, stacked in front) for each table.
    k_source, n_source, k_target, n_target : array_like of int
        As for `fisher_exact`, 0 <= k <= n; they broadcast together, and an n without the leading
        axes of k saves work.

    Returns
    -------
    numpy.ndarray
        In the broadcast shape, with the stacked axes of the function's result in front.

    Raises
    ------
    ValueError
        k outside 0 … n or counts that are no integers, and whatever `function` raises.

    Examples
    --------
    >>> by_table(lambda k_s, n_s, k_t, n_t: k_t / n_t - k_s / n_s, [[1, 1], [2, 1]], 2, 2, [2, 4])
    array([[0.5, 0. ],
           [0. , 0. ]])
    """
    counts = [np.asarray(count) for count in (k_source, n_source, k_target, n_target)]
    if any(count.size and count.dtype.kind not in "iu" for count in counts):
        raise ValueError("counts must be whole numbers, held as such")
    k_s, n_s, k_t, n_t = (count.astype(np.int64, copy=False) for count in counts)
    if any(np.any((k < 0) | (k > n)) for k, n in ((k_s, n_s), (k_t, n_t))):
        raise ValueError("counts must satisfy 0 <= k <= n")
    wide_s, wide_t = (int(n.max(initial=0)) + 1 for n in (n_s, n_t))
    sizes, pair = np.unique(n_s * wide_t + n_t, return_inverse=True)
    pair = pair.reshape(np.broadcast_shapes(n_s.shape, n_t.shape))
    code = (pair * wide_s + k_s) * wide_t + k_t
    tables, where = _distinct(code, sizes.size * wide_s * wide_t)
    pair_and_source, k_t = np.divmod(tables, wide_t)
    pair, k_s = np.divmod(pair_and_source, wide_s)
    n_s, n_t = np.divmod(sizes[pair], wide_t)
    return np.asarray(function(k_s, n_s, k_t, n_t))[..., where]


def _distinct(code: np.ndarray, possible: int) -> tuple[np.ndarray, np.ndarray]:
    if possible > _LARGEST:
        tables, where = np.unique(code, return_inverse=True)
        return tables, where.reshape(code.shape)
    there = np.zeros(possible, dtype=bool)
    there[code] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[code]
