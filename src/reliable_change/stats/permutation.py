"""The paired permutation test, for scores that are not just right or wrong."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from reliable_change.stats.monte_carlo import monte_carlo_p
from reliable_change.stats.paired import ALTERNATIVES

MOST_EXACT = 20
"""Differences up to which all 2^n arrangements are tried; 20 make a million."""
_BLOCK = 2**22


class PermutationTest(NamedTuple):
    """Mean difference, p, and how it was found; `low` and `high` bound p when it was drawn."""

    difference: float
    p: float
    low: float
    high: float
    exact: bool
    arrangements: int


def paired_permutation(
    source: ArrayLike,
    target: ArrayLike,
    *,
    alternative: str = "two-sided",
    draws: int = 9999,
    rng: np.random.Generator | None = None,
) -> PermutationTest:
    """Test that source and target scores could be swapped within each item.

    Parameters
    ----------
    source, target : array_like of float, shape (n_items,)
        One score an item and side, any finite numbers; the mean over its trials, for instance.
    alternative : {"two-sided", "worse", "better"}
        "worse": the target's mean is lower than chance allows; "better": it is higher.
    draws : int
        Random arrangements where there are too many to try all.
    rng : numpy.random.Generator, optional
        Needed only then.

    Returns
    -------
    PermutationTest
        `difference` is mean(target) − mean(source). `p` in (0, 1]: exact where at most `MOST_EXACT`
        items differ (`low` = `high` = `p`), else (exceed + 1) / (draws + 1) with exact bounds
        (Clopper–Pearson, 95 %) for what all arrangements would give.

    Raises
    ------
    ValueError
        Scores are missing, infinite, none, or not paired; an unknown alternative; or draws are
        needed and there is no generator.

    Notes
    -----
    Each arrangement gives every difference one of its two signs, all 2^n equally likely. Items
    whose scores agree have no say and are left out. Two-sided: arrangements whose sum is at
    least as far from zero. Sums within 10⁻⁹ of the sum of absolute differences are ties and
    count. With scores 0 and 1 this is the exact McNemar test.

    References
    ----------
    Fisher, R. A. (1935). The Design of Experiments, section 21. 004, Appendix D, is named there
    for scores that are not binary.

    Examples
    --------
    >>> paired_permutation([0.9, 0.8, 0.4, 1.0], [0.5, 0.3, 0.4, 0.2], alternative="worse").p
    0.125
    """
    if alternative not in ALTERNATIVES:
        raise ValueError(f"unknown alternative {alternative!r}: one of {', '.join(ALTERNATIVES)}")
    change = _changes(source, target)
    sign = -1.0 if alternative == "worse" else 1.0
    moved = sign * change[change != 0]
    both = alternative == "two-sided"
    observed = abs(moved.sum()) if both else moved.sum()
    threshold = observed - 1e-9 * np.abs(moved).sum()
    difference = float(change.mean())
    if moved.size <= MOST_EXACT:
        sums = _every_sum(np.abs(moved))
        p = float(np.mean((np.abs(sums) if both else sums) >= threshold))
        return PermutationTest(difference, p, p, p, True, sums.size)
    if rng is None:
        raise ValueError(f"{moved.size} items differ, too many to try all: give a generator rng")
    exceed = 0
    for start in range(0, draws, block := max(1, _BLOCK // moved.size)):
        signs = rng.integers(0, 2, (min(block, draws - start), moved.size), dtype=np.int8)
        sums = (2 * signs - 1) @ moved
        exceed += int(np.sum((np.abs(sums) if both else sums) >= threshold))
    found = monte_carlo_p(exceed, draws)
    return PermutationTest(difference, found.p, found.low, found.high, False, draws)


def _changes(source: ArrayLike, target: ArrayLike) -> np.ndarray:
    source, target = np.asarray(source, dtype=float), np.asarray(target, dtype=float)
    if source.ndim != 1 or source.shape != target.shape or not source.size:
        raise ValueError("scores must be two equally long rows of at least one item")
    if not (np.isfinite(source).all() and np.isfinite(target).all()):
        raise ValueError("every item needs a finite score on both sides; leave the others out")
    return target - source


def _every_sum(sizes: np.ndarray) -> np.ndarray:
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate([sums - size, sums + size])
    return sums
