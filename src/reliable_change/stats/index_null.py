"""How often the Reliable Change Index fires when nothing changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import binom

from reliable_change.stats.checks import check_counts
from reliable_change.stats.dealing import random_halves, shuffled_labels
from reliable_change.stats.reliable_change_index import (
    THRESHOLD,
    ReliableChange,
    reliable_change_index,
)

_BLOCK = 1_000_000  # draws at a time, which keeps memory flat


class Rate(NamedTuple):
    """A mean over replications and its 95 % Monte Carlo interval, as proportions."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class IndexNull:
    """Items beyond the threshold in each replication of a world without change.

    `fired` and `analysable` have shape (replications,): items beyond ± the threshold, and items
    not at floor or ceiling on both sides. A replication whose S_diff is not defined fires
    nothing and is counted in `undefined`. `item_fired` and `item_analysable`, shape (items,),
    count the same over replications for each item.
    """

    fired: np.ndarray
    analysable: np.ndarray
    undefined: int
    item_fired: np.ndarray
    item_analysable: np.ndarray

    def rate(self) -> Rate:
        """Mean over replications of fired / analysable, with a 95 % interval.

        Replications without an analysable item are left out; all NaN if none is left. The
        interval is that of the simulation, given these items: mean ± 1.96 standard errors.

        Examples
        --------
        >>> none = np.zeros(1, int)
        >>> found = IndexNull(np.array([1, 2, 0]), np.array([10, 10, 10]), 0, none, none).rate()
        >>> [round(x, 3) for x in found]
        [0.1, -0.013, 0.213]
        """
        kept = self.analysable > 0
        shares = self.fired[kept] / self.analysable[kept]
        if not shares.size:
            return Rate(np.nan, np.nan, np.nan)
        half = 1.96 * shares.std(ddof=1) / np.sqrt(shares.size) if shares.size > 1 else np.nan
        return Rate(float(shares.mean()), float(shares.mean() - half), float(shares.mean() + half))


def permuted_index_null(
    k_source: ArrayLike,
    n_source: ArrayLike,
    k_target: ArrayLike,
    n_target: ArrayLike,
    *,
    threshold: float = THRESHOLD,
    population: str = "all",
    replications: int = 1000,
    rng: np.random.Generator,
) -> IndexNull:
    """Deal each item's outcomes to the two sides at random and compute the index again.

    The same null as `stats.null.permutation_null`: an item's correct trials fall on its trials at
    random (hypergeometric), independently over items. Reliability, S_diff and the index are
    computed anew in each replication.

    Parameters
    ----------
    k_source, n_source, k_target, n_target, population
        As for `reliable_change_index`, one cell; items that are not testable are left out.
    threshold : float
        An item fires where |index| exceeds it.
    replications : int
        At least 1.
    rng : numpy.random.Generator

    Raises
    ------
    ValueError
        Bad counts or a parameter out of range.

    Examples
    --------
    >>> k = [0, 1, 5, 5, 9, 10]
    >>> found = permuted_index_null(k, 10, k, 10, rng=np.random.default_rng(1))
    >>> round(found.rate().mean, 3)
    0.097
    """
    counts = check_counts(k_source, n_source, k_target, n_target)

    def world(shape: tuple[int, int]) -> ReliableChange:
        dealt = shuffled_labels(*counts, rng, size=shape)
        return reliable_change_index(*dealt, population=population)

    return _repeat(world, counts[0].size, threshold, replications)


def halved_index_null(
    k: ArrayLike,
    n: ArrayLike,
    *,
    threshold: float = THRESHOLD,
    population: str = "all",
    replications: int = 1000,
    rng: np.random.Generator,
) -> IndexNull:
    """Split one model's trials in two random halves and take one for source, one for target.

    Nothing changed, and no second model is needed. Each side has ⌊n / 2⌋ trials, so this is the
    index at half the K. Parameters and errors otherwise as for `permuted_index_null`; items with
    fewer than four trials are not testable.

    Examples
    --------
    >>> found = halved_index_null([0, 2, 10, 10, 18, 20], 20, rng=np.random.default_rng(1))
    >>> round(found.rate().mean, 3)
    0.097
    """
    k, n = check_counts(k, n)

    def world(shape: tuple[int, int]) -> ReliableChange:
        first, second, h = random_halves(np.broadcast_to(k, shape), np.broadcast_to(n, shape), rng)
        return reliable_change_index(first, h, second, h, population=population)

    return _repeat(world, k.size, threshold, replications)


def _repeat(
    world: Callable[[tuple[int, int]], ReliableChange],
    items: int,
    threshold: float,
    replications: int,
) -> IndexNull:
    if replications < 1 or not threshold > 0:
        raise ValueError("replications must be at least 1 and the threshold positive")
    fired, analysable, undefined = [], [], 0
    by_item = np.zeros((2, items), dtype=np.int64)
    size = max(1, _BLOCK // max(1, items))
    for start in range(0, replications, size):
        found = world((min(size, replications - start), items))
        fires = np.abs(found.index) > threshold  # never where excluded (0) or undefined (NaN)
        fired.append(fires.sum(axis=1))
        analysable.append(found.analysable.sum(axis=1))
        undefined += int(np.isnan(found.s_diff).sum())
        by_item += [fires.sum(axis=0), found.analysable.sum(axis=0)]
    return IndexNull(np.concatenate(fired), np.concatenate(analysable), undefined, *by_item)


def chance_of_flag(p_source: ArrayLike, p_target: ArrayLike, flagged: ArrayLike) -> np.ndarray:
    """Chance that an item lands on one of the tables that a rule flags, exactly.

    Parameters
    ----------
    p_source, p_target : array_like of float
        True chances of a correct trial, in [0, 1]; they broadcast together. Equal: the chance
        of a false alarm.
    flagged : array_like of bool, shape (n_source + 1, n_target + 1)
        Entry (k_source, k_target): whether the rule flags that table.

    Returns
    -------
    numpy.ndarray
        In the common shape of the chances: the sum over flagged tables of the product of the
        two binomial probabilities.

    Examples
    --------
    >>> k = np.arange(11)
    >>> rule = abs(k[:, None] - k) > 1.96 * 0.1 * 10  # the index at K = 10, S_diff = 0.1
    >>> chance_of_flag([0.02, 0.5], [0.02, 0.5], rule).round(3).tolist()
    [0.027, 0.503]
    """
    flagged = np.asarray(flagged, dtype=float)
    p_source, p_target = np.broadcast_arrays(p_source, p_target)
    source, target = (
        binom.pmf(np.arange(size), size - 1, p[..., None])
        for size, p in zip(flagged.shape, (p_source, p_target), strict=True)
    )
    return np.einsum("...i,ij,...j->...", source, flagged, target)
