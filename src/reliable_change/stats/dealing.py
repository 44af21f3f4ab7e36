"""Dealing an item's trials to two sides at random, from its counts alone."""

from __future__ import annotations

import numpy as np


def random_halves(
    k: np.ndarray, n: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Deal each item's trials to two halves of ⌊n / 2⌋; of an odd n, one trial sits out.

    Returns the correct trials in the first and in the second half, and the trials in each.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> first, second, h = random_halves(np.array([4, 3]), np.array([10, 3]), rng)
    >>> (first + second).tolist(), h.tolist()
    ([4, 2], [5, 1])
    """
    h = n // 2
    first = rng.hypergeometric(k, n - k, h)
    rest = k - first
    return first, rng.hypergeometric(rest, n - h - rest, h), h


def shuffled_labels(
    k_source: np.ndarray,
    n_source: np.ndarray,
    k_target: np.ndarray,
    n_target: np.ndarray,
    rng: np.random.Generator,
    *,
    size: tuple[int, ...] | None = None,
    most: int | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Deal each item's outcomes of both sides to two sides at random, as if nothing had changed.

    Parameters
    ----------
    k_source, n_source, k_target, n_target : numpy.ndarray of int, shape (items,)
        Correct and scored trials, 0 <= k <= n.
    rng : numpy.random.Generator
        The only source of chance.
    size : tuple of int, optional
        Shape of the result, its last axis the items; leading axes are replications.
    most : int or None
        Trials that a side is dealt at most; None deals it as many as it has.

    Returns
    -------
    k_source, n_source, k_target, n_target
        k of shape `size`, hypergeometric; n of shape (items,).

    Examples
    --------
    >>> k, n = np.array([5, 0]), np.array([5, 4])
    >>> dealt = shuffled_labels(k, n, k - k, n, np.random.default_rng(1), size=(3, 2))
    >>> (dealt[0] + dealt[2]).tolist(), dealt[1].tolist()
    ([[5, 0], [5, 0], [5, 0]], [5, 4])
    """
    right, total = k_source + k_target, n_source + n_target
    dealt_source, dealt_target = (
        n if most is None else np.minimum(n, most) for n in (n_source, n_target)
    )
    source = rng.hypergeometric(right, total - right, dealt_source, size)
    rest = right - source
    if most is None:
        return source, dealt_source, rest, dealt_target
    target = rng.hypergeometric(rest, total - dealt_source - rest, dealt_target)
    return source, dealt_source, target, dealt_target
