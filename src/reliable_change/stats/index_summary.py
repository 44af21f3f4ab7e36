"""What a cell's index values add up to: churn, breadth, change by difficulty."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

import numpy as np
from numpy.typing import ArrayLike

from reliable_change.stats.reliable_change_index import (
    CONSERVATIVE,
    DETERIORATED,
    EXCLUDED,
    IMPROVED,
    NOT_TESTABLE,
    THRESHOLD,
    UNCHANGED,
    UNDEFINED,
    ReliableChange,
    index_classes,
)


@dataclass(frozen=True)
class ChangeSummary:
    """Counts and rates of one cell's items.

    `not_testable`, `excluded`, `undefined`, `improved`, `unchanged` and `deteriorated` sum to
    `items`; `analysable` is the sum of the last four. The conservative counts are of items
    beyond `CONSERVATIVE`, 2.58 for 99 %: 002 publishes such counts and does not state their bound.
    Rates lie in [0, 1] and are NaN where their denominator is 0 or the index is undefined:
    `churn` = changed / analysable; `churn_of_testable` counts the excluded in; `rises` items have
    any positive shift and `breadth` = improved / rises. `median_change` is the median |shift| of
    the changed items. `min_difference` = 1.96 · S_diff, and `min_trials` the fewest trials out of
    the common K that exceed it (None where K is not common or S_diff not defined).
    """

    items: int
    not_testable: int
    excluded: int
    undefined: int
    analysable: int
    improved: int
    unchanged: int
    deteriorated: int
    improved_conservative: int
    deteriorated_conservative: int
    churn: float
    churn_of_testable: float
    rises: int
    breadth: float
    median_change: float
    min_difference: float
    min_trials: int | None


def summarise_change(found: ReliableChange, trials: int | None = None) -> ChangeSummary:
    """Count the classes of one cell and what "Beyond the Mean" reports beside them.

    Parameters
    ----------
    found : ReliableChange
        Of one cell: arrays of shape (items,).
    trials : int or None
        K, where all items have the same number of trials on both sides.

    References
    ----------
    "Beyond the Mean", sections 3A and 4.3 (churn rate); its published results (breadth: improved
    items among those with any positive shift; conservative counts, whose bound it does not
    state; smallest detectable shift).

    Examples
    --------
    >>> from reliable_change.stats.reliable_change_index import reliable_change_index
    >>> found = summarise_change(
    ...     reliable_change_index([0, 2, 5, 8, 8], 10, [0, 7, 5, 2, 9], 10), trials=10
    ... )
    >>> found.analysable, found.improved, found.deteriorated, found.churn
    (4, 1, 1, 0.5)
    >>> found.breadth, round(found.min_difference, 3), found.min_trials
    (0.5, 0.351, 4)
    """
    classes = index_classes(found)
    strict = index_classes(found, CONSERVATIVE)
    number = {name: int(np.sum(classes == name)) for name in np.unique(classes)}
    analysable = int(found.analysable.sum())
    undefined = number.get(UNDEFINED, 0)
    changed = (classes == IMPROVED) | (classes == DETERIORATED)
    rises = int(np.sum(found.difference > 0))
    least = THRESHOLD * float(found.s_diff)
    return ChangeSummary(
        items=classes.size,
        not_testable=number.get(NOT_TESTABLE, 0),
        excluded=number.get(EXCLUDED, 0),
        undefined=undefined,
        analysable=analysable,
        improved=number.get(IMPROVED, 0),
        unchanged=number.get(UNCHANGED, 0),
        deteriorated=number.get(DETERIORATED, 0),
        improved_conservative=int(np.sum(strict == IMPROVED)),
        deteriorated_conservative=int(np.sum(strict == DETERIORATED)),
        churn=_rate(changed.sum(), analysable, undefined),
        churn_of_testable=_rate(changed.sum(), found.testable.sum(), undefined),
        rises=rises,
        breadth=_rate(number.get(IMPROVED, 0), rises, undefined),
        median_change=float(np.median(np.abs(found.difference[changed])))
        if changed.any()
        else np.nan,
        min_difference=least,
        min_trials=None if trials is None or np.isnan(least) else floor(least * trials) + 1,
    )


def _rate(count: int, of: int, undefined: int) -> float:
    return float(count / of) if of and not undefined else np.nan


@dataclass(frozen=True)
class BinnedChange:
    """Change of a cell's items in bins of a share; each array has one entry a bin.

    Bin b holds shares in [edges[b], edges[b + 1]), the last bin its upper edge too. `testable`,
    `analysable`, `improved` and `deteriorated` count items; `mean_change` is the mean shift
    (target − source, as proportions) of the testable ones, NaN in an empty bin.
    """

    low: np.ndarray
    high: np.ndarray
    testable: np.ndarray
    analysable: np.ndarray
    improved: np.ndarray
    deteriorated: np.ndarray
    mean_change: np.ndarray


def change_by_bin(found: ReliableChange, share: ArrayLike, edges: ArrayLike) -> BinnedChange:
    """Count the items that improved and deteriorated by how hard they are.

    Parameters
    ----------
    found : ReliableChange
        Of one cell.
    share : array_like of float, shape (items,)
        What to sort the items by, in [0, 1]: mostly p̂ of the source; not read where an item is
        not testable. Sorting by a share that enters the shift itself makes items near 0 seem to
        rise and those near 1 to fall even where nothing changed: regression to the mean.
    edges : array_like of float
        Increasing, first 0, last 1.

    Raises
    ------
    ValueError
        Edges that do not rise from 0 to 1.

    References
    ----------
    "Beyond the Mean", section 3B.

    Examples
    --------
    >>> from reliable_change.stats.reliable_change_index import reliable_change_index
    >>> found = reliable_change_index([1, 2, 5, 8, 8], 10, [0, 7, 5, 2, 9], 10)
    >>> binned = change_by_bin(found, [0.1, 0.2, 0.5, 0.8, 0.8], [0, 0.5, 1])
    >>> binned.analysable.tolist(), binned.improved.tolist(), binned.deteriorated.tolist()
    ([2, 3], [1, 0], [0, 1])
    """
    edges = np.asarray(edges, dtype=float)
    if edges.size < 2 or edges[0] != 0 or edges[-1] != 1 or np.any(np.diff(edges) <= 0):
        raise ValueError("edges must rise from 0 to 1")
    bins = edges.size - 1
    place = np.minimum(np.searchsorted(edges, share, side="right") - 1, bins - 1)
    classes = index_classes(found)

    def tally(chosen: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
        weights = None if weights is None else weights[chosen]
        return np.bincount(place[chosen], weights, minlength=bins)

    testable = tally(found.testable)
    with np.errstate(invalid="ignore"):
        mean = tally(found.testable, found.difference) / testable
    counted = (found.analysable, classes == IMPROVED, classes == DETERIORATED)
    return BinnedChange(edges[:-1], edges[1:], testable, *map(tally, counted), mean)
