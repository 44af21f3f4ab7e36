"""Permutation null of one cell: how much reliable change label noise alone produces."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from reliable_change.stats.checks import check_counts, check_level, distinct
from reliable_change.stats.classification import Epsilon, exact_epsilon, meets_epsilon
from reliable_change.stats.fisher import margin
from reliable_change.stats.intervals import clopper_pearson
from reliable_change.stats.multiplicity import rank_needed

_BLOCK = 16384  # replications at a time: their counts fit a core's cache
_BLOCK_MARKS = 1_000_000  # and at most about so many marks, which keeps memory flat


class AnyReliable(NamedTuple):
    """Replications with at least one reliable item, and a 95 % interval of their proportion."""

    count: int
    low: float
    high: float


@dataclass(frozen=True)
class PermutationNull:
    """Numbers of reliable items over the replications of one cell's permutation null.

    `improved`, `regressed` and `changed` (their sum, item by item) are histograms of length
    `n_items` + 1: entry j is the number of replications with j such items. `n_items` leaves out
    items that are not testable.
    """

    n_items: int
    replications: int
    improved: np.ndarray
    regressed: np.ndarray
    changed: np.ndarray

    def percentile(self, q: float) -> float:
        """The `q`-th percentile of the share of changed items, in percent of the items.

        The inverted distribution function, never interpolated: the smallest share that at least
        `q` percent of the replications do not exceed. NaN for a cell without testable items.

        Raises
        ------
        ValueError
            `q` outside [0, 100].

        Examples
        --------
        >>> changed = np.array([94, 5, 1, 0, 0])
        >>> PermutationNull(4, 100, changed, changed, changed).percentile(95)
        25.0
        """
        if not 0 <= q <= 100:
            raise ValueError(f"a percentile lies in [0, 100], not {q!r}")
        needed = max(1, ceil(Fraction(str(q)) * self.replications / 100))
        items = int(np.searchsorted(np.cumsum(self.changed), needed))
        return 100 * items / self.n_items if self.n_items else float("nan")

    def any_reliable(self) -> AnyReliable:
        """How many replications had any reliable item, with the exact (Clopper–Pearson) interval.

        Examples
        --------
        >>> changed = np.array([94, 5, 1, 0, 0])
        >>> count, low, high = PermutationNull(4, 100, changed, changed, changed).any_reliable()
        >>> count, round(low, 4), round(high, 4)
        (6, 0.0223, 0.126)
        """
        count = self.replications - int(self.changed[0])
        low, high = clopper_pearson(count, self.replications)
        return AnyReliable(count, float(low), float(high))


def permutation_null(
    k_source: ArrayLike,
    n_source: ArrayLike,
    k_target: ArrayLike,
    n_target: ArrayLike,
    *,
    epsilon: Epsilon,
    alpha: float,
    replications: int = 1000,
    rng: np.random.Generator,
) -> PermutationNull:
    """Rerun the whole procedure with each item's outcomes dealt to the two sides at random.

    Parameters
    ----------
    k_source, n_source, k_target, n_target : array_like of int, shape (items,)
        Counts of one cell, as for `classify`. Items without a trial on one side are left out.
    epsilon, alpha
        As for `classify`.
    replications : int
        At least 1.
    rng : numpy.random.Generator
        The only source of chance: the same state gives the same result.

    Returns
    -------
    PermutationNull

    Raises
    ------
    ValueError
        Bad counts, or a parameter out of range.

    Notes
    -----
    The null: an item's k_source + k_target correct trials fall on its n_source + n_target trials
    at random (hypergeometric), independently over items. Every replication is tested, adjusted
    and held against epsilon like the data.

    Only what can be rejected is drawn. Let an outcome's rank be the smallest k with
    p <= k · alpha / m; Benjamini and Hochberg then reject, for the largest R such that at least R
    outcomes have rank <= R, those outcomes. For each kind of item and each rank the outcomes fall
    on (item, replication) pairs as the marks of a Poisson process, with intensities chosen so that
    the lowest mark on a pair has exactly the outcome's distribution; a pair without a mark was an
    outcome of no consequence. Striking marks whose rank exceeds the number of marks left in their
    replication, until none does, leaves R of them: the procedure, without sorting. The
    distribution is that of the plain simulation; only the random stream differs.

    References
    ----------
    "What Aggregate Scores Miss", section 3.6 (the null).
    Benjamini, Y., & Hochberg, Y. (1995). J. R. Stat. Soc. B 57, 289–300, procedure (1).

    Examples
    --------
    >>> null = permutation_null(
    ...     [25] * 100, 50, [25] * 100, 50, epsilon=0.2, alpha=0.05, rng=np.random.default_rng(1)
    ... )
    >>> null.changed[:4].tolist(), null.percentile(95)
    ([987, 11, 2, 0], 0.0)
    """
    counts = check_counts(k_source, n_source, k_target, n_target)
    alpha, epsilon = check_level("alpha", alpha), exact_epsilon(epsilon)
    if replications < 1:
        raise ValueError(f"replications must be at least 1, not {replications!r}")
    testable = (counts[1] > 0) & (counts[3] > 0)
    k_s, n_s, k_t, n_t = (count[testable] for count in counts)
    m = k_s.size
    histograms = np.zeros((3, m + 1), dtype=np.int64)
    layers = _layers(n_s, n_t, k_s + k_t, epsilon, alpha) if m else None
    done = 0
    while done < replications:
        block = min(replications - done, _BLOCK)
        if layers is not None:
            block = min(block, max(1, int(_BLOCK_MARKS / max(1.0, layers.intensity.sum()))))
            up, down = _count_reliable(layers, m, block, rng)
        else:
            up = down = np.zeros(block, dtype=np.int64)
        for histogram, number in zip(histograms, (up, down, up + down), strict=True):
            histogram += np.bincount(number, minlength=m + 1)
        done += block
    return PermutationNull(m, replications, *histograms)


class _Layers(NamedTuple):
    """Outcomes that can matter, by kind of item and then by rank; one entry each.

    A kind is a margin (n_source, n_target, total); its items are `first_item` to `first_item` +
    `items` − 1. `intensity` is the mean number of marks per replication over all of them; `sign`
    is 1 or −1 where the difference reaches epsilon, else 0.
    """

    first_item: np.ndarray
    items: np.ndarray
    intensity: np.ndarray
    rank: np.ndarray
    sign: np.ndarray


def _layers(n_s, n_t, total, epsilon: Fraction, alpha: float) -> _Layers:
    m = total.size
    kinds, where = distinct([n_s, n_t, total])
    items = np.bincount(where)
    tables = [margin(*map(int, kind)) for kind in kinds]
    sizes = np.array([probability.size for probability, _ in tables])
    kind = np.repeat(np.arange(len(kinds)), sizes)
    probability, p = (np.concatenate(column) for column in zip(*tables, strict=True))
    n_s, n_t, total = kinds[kind].T
    within = np.arange(kind.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    k_s = np.maximum(0, total - n_t) + within
    k_t = total - k_s
    direction = np.sign(k_t * n_s - k_s * n_t)
    sign = np.where(meets_epsilon(k_s, n_s, k_t, n_t, epsilon), direction, 0)
    rank = np.minimum(rank_needed(p, m, alpha), m + 1).astype(np.int64)
    order = np.lexsort((rank, kind))
    order = order[rank[order] <= m]
    kind, rank, sign, probability = (x[order] for x in (kind, rank, sign, probability))
    intensity = -np.log1p(-_hazard(probability, kind)) * items[kind]
    first_item = (np.cumsum(items) - items)[kind]
    return _Layers(first_item, items[kind], intensity, rank, sign)


def _hazard(probability: np.ndarray, kind: np.ndarray) -> np.ndarray:
    """Chance of each outcome given that none listed before it for the same kind came up."""
    before = np.cumsum(probability) - probability
    starts = np.flatnonzero(np.diff(kind, prepend=-1))
    before -= np.repeat(before[starts], np.diff(starts, append=kind.size))
    # Only an alpha within rounding of 1 leaves no outcome without consequence: then it is capped.
    return np.minimum(probability / (1 - before), 1 - 1e-15)


def _count_reliable(layers: _Layers, m: int, block: int, rng) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of improved and of regressed items in each of `block` new replications."""
    marks = rng.poisson(layers.intensity * block)
    layer = np.repeat(np.arange(marks.size), marks)
    replication = rng.integers(block, size=layer.size)
    replication, layer = _strike(replication, layer, layers.rank, block)
    # Which item of its kind a mark fell on matters only now, and only to find pairs marked twice.
    # The lowest rank on a pair counts: the first, because layers are listed by rank.
    item = layers.first_item[layer] + rng.integers(layers.items[layer])
    first = np.sort(np.unique(replication * m + item, return_index=True)[1])
    replication, layer = _strike(replication[first], layer[first], layers.rank, block)
    sign = layers.sign[layer]
    up, down = (np.bincount(replication[sign == s], minlength=block) for s in (1, -1))
    return up, down


def _strike(replication, layer, rank, block: int) -> tuple[np.ndarray, np.ndarray]:
    """Strike marks whose rank exceeds the number left in their replication, until none does."""
    while True:
        left = np.bincount(replication, minlength=block)
        stays = rank[layer] <= left[replication]
        if stays.all():
            return replication, layer
        replication, layer = replication[stays], layer[stays]
