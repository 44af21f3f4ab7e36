"""What the statistics demand of the counts and levels that they are given."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike


def check_counts(*arrays: ArrayLike) -> list[np.ndarray]:
    """Return pairs (k, n) of counts as int64 arrays of one common shape.

    Parameters
    ----------
    *arrays : array_like of int
        k_1, n_1, k_2, n_2, … that broadcast together, with 0 <= k <= n. Whole numbers held as
        floats are accepted, since a table with gaps holds them so.

    Raises
    ------
    ValueError
        A value is missing, not whole or negative, k > n, or the shapes do not fit together.

    Examples
    --------
    >>> check_counts([1, 2], 50)
    [array([1, 2]), array([50, 50])]
    """
    counts = [_whole(array) for array in np.broadcast_arrays(*map(np.asarray, arrays))]
    for k, n in zip(counts[::2], counts[1::2], strict=True):
        if np.any(k < 0) or np.any(k > n):
            raise ValueError("counts must satisfy 0 <= k <= n")
    return counts


def _whole(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind not in "iuf" and array.size:
        raise ValueError(f"counts must be numbers, not {array.dtype}")
    if array.dtype.kind == "f" and not np.all(np.isfinite(array) & (array == np.rint(array))):
        raise ValueError("counts must be whole numbers; an item without trials has n = 0")
    return array.astype(np.int64)


def check_level(name: str, value: float) -> float:
    """Return `value` as a float strictly between 0 and 1, or raise ValueError naming it.

    Examples
    --------
    >>> check_level("alpha", 0.05)
    0.05
    """
    level = float(value)
    if not 0 < level < 1:
        raise ValueError(f"{name} must lie strictly between 0 and 1, not {value!r}")
    return level


def distinct(columns: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct rows of equally long integer columns, and where each row went.

    Work is then done once per distinct row and spread with ``result[where]``.

    Examples
    --------
    >>> rows, where = distinct([np.array([5, 7, 5]), np.array([1, 0, 1])])
    >>> rows.tolist(), where.tolist()
    ([[5, 1], [7, 0]], [0, 1, 0])
    """
    rows, where = np.unique(np.column_stack(columns), axis=0, return_inverse=True)
    return rows, where.ravel()
