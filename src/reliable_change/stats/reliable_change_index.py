"""The Reliable Change Index of each item: its shift in units of measurement error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from reliable_change.stats.checks import check_counts
from reliable_change.stats.reliability import MIN_TRIALS, Reliability, split_half_reliability

# 002 states 1.96, a normal deviate at 95 %. Its results file has conservative counts as well and
# names no bound for them: 2.58, the deviate at 99 %, is ours.
THRESHOLD, CONSERVATIVE = 1.96, 2.58
POPULATIONS = ("all", "analysable")
IMPROVED, UNCHANGED, DETERIORATED = "improved", "no reliable change", "deteriorated"
EXCLUDED, NOT_TESTABLE, UNDEFINED = "excluded", "not testable", "undefined"
INDEX_CLASSES = (IMPROVED, UNCHANGED, DETERIORATED, EXCLUDED, NOT_TESTABLE, UNDEFINED)


@dataclass(frozen=True)
class ReliableChange:
    """The index of each item and what it rests on.

    `difference` (p̂_target − p̂_source), `index`, `testable` and `analysable` have the shape of the
    counts, (..., items); `s_diff` that shape without the last axis. `source` and `target` say how
    reliable each side is. `difference` and `index` are NaN for an item that is not testable, and
    `index` for all where `s_diff` is NaN: `source.outcome` or `target.outcome` then says why.
    """

    difference: np.ndarray
    index: np.ndarray
    testable: np.ndarray
    analysable: np.ndarray
    s_diff: np.ndarray
    source: Reliability
    target: Reliability


def reliable_change_index(
    k_source: ArrayLike,
    n_source: ArrayLike,
    k_target: ArrayLike,
    n_target: ArrayLike,
    *,
    population: str = "all",
    splits: int | None = None,
    rng: np.random.Generator | None = None,
) -> ReliableChange:
    """Divide each item's shift by one standard error of the difference, common to all items.

    Parameters
    ----------
    k_source, n_source, k_target, n_target : array_like of int, shape (..., items)
        Correct and scored trials on both sides, 0 <= k <= n, of one cell or, along leading axes,
        of many. n may differ between sides and items. An item with fewer than two trials on a
        side is not testable, since no half of it can be had.
    population : {"all", "analysable"}
        Items that the reliabilities are computed from: all testable ones, or without those at
        floor or ceiling on both sides.
    splits, rng
        As for `split_half_reliability`: None needs no draw.

    Returns
    -------
    ReliableChange

    Raises
    ------
    ValueError
        Bad counts, an unknown population, or splits without a generator.

    Notes
    -----
    RCI = (p̂_target − p̂_source) / S_diff, S_diff = √(SEM_source² + SEM_target²).
    Analysable: testable, and not at 0 on both sides or at 1 on both sides. Where S_diff is 0
    (every score at 0 or 1) the index is 0 for no shift and ±∞ for any.

    "Beyond the Mean" does not say which items its reliability rests on, but its published results
    leave only one of the two: if SEM_1² + SEM_2² were means over the analysable items alone, those
    items could not hold the unchanged and the changed ones that it counts with their median shift
    (tests/stats/test_reliable_change_index.py does the sum). Hence "all".

    References
    ----------
    "Beyond the Mean", section 2, statistical framework, steps 2 to 4.
    Jacobson, N. S., & Truax, P. (1991). J. Consult. Clin. Psychol. 59, 12–19.

    Examples
    --------
    >>> found = reliable_change_index([0, 2, 5, 8, 10], 10, [0, 7, 5, 7, 9], 10)
    >>> round(float(found.s_diff), 4), found.index.round(2).tolist()
    (0.1719, [0.0, 2.91, 0.0, -0.58, -0.58])
    >>> found.analysable.tolist()
    [False, True, True, True, True]
    """
    if population not in POPULATIONS:
        raise ValueError(f"unknown population {population!r}: choose {' or '.join(POPULATIONS)}")
    k_s, n_s, k_t, n_t = check_counts(k_source, n_source, k_target, n_target)
    testable = (n_s >= MIN_TRIALS) & (n_t >= MIN_TRIALS)
    at_an_end = ((k_s == 0) & (k_t == 0)) | ((k_s == n_s) & (k_t == n_t))
    analysable = testable & ~at_an_end
    among = testable if population == "all" else analysable
    source, target = (
        split_half_reliability(k, n, among=among, splits=splits, rng=rng)
        for k, n in ((k_s, n_s), (k_t, n_t))
    )
    s_diff = np.hypot(source.sem, target.sem)
    with np.errstate(invalid="ignore", divide="ignore"):
        difference = np.where(testable, k_t / n_t - k_s / n_s, np.nan)
        index = difference / s_diff[..., None]
    still = (difference == 0) & ~np.isnan(s_diff)[..., None]
    return ReliableChange(
        difference, np.where(still, 0.0, index), testable, analysable, s_diff, source, target
    )


def index_classes(found: ReliableChange, threshold: float = THRESHOLD) -> np.ndarray:
    """Class of each item by its index: one of `INDEX_CLASSES`.

    Improved above the threshold, deteriorated below its negative, no reliable change from the
    one to the other inclusive. Excluded: at floor or at ceiling on both sides. Undefined: no
    S_diff could be had for the whole cell.

    Raises
    ------
    ValueError
        A threshold that is not positive.

    Examples
    --------
    >>> found = reliable_change_index([0, 2, 5, 8, 1], [10] * 4 + [1], [0, 7, 5, 2, 9], 10)
    >>> index_classes(found).tolist()
    ['excluded', 'improved', 'no reliable change', 'deteriorated', 'not testable']
    """
    if not threshold > 0:
        raise ValueError(f"a threshold is positive, not {threshold!r}")
    conditions = [
        ~found.testable,
        ~found.analysable,
        np.isnan(found.index),
        found.index > threshold,
        found.index < -threshold,
    ]
    names = [NOT_TESTABLE, EXCLUDED, UNDEFINED, IMPROVED, DETERIORATED]
    return np.select(conditions, names, default=UNCHANGED)
