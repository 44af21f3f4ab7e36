"""What is printed, as linear rows over which candidates are chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from reliable_change.reconstruction.targets import (
    EPSILON,
    BenchmarkTarget,
    CellTarget,
    Edge,
    StratumTarget,
)
from reliable_change.stats.classification import meets_epsilon
from reliable_change.stats.fisher import fisher_exact
from reliable_change.stats.intervals import difference_interval
from reliable_change.stats.multiplicity import rank_needed

ALPHA = 0.05
Row = tuple[np.ndarray, float, float]  # coefficients, low, high


@dataclass(frozen=True)
class Rows:
    """
    Linear conditions ``low <= matrix @ x <= high``, x being 0 or 1, for a choice of candidates.

    Attributes
    ----------
    matrix : ndarray of float, shape (rows, candidates)
    low, high : ndarray of float, shape (rows,)
    """

    matrix: np.ndarray
    low: np.ndarray
    high: np.ndarray


def stack(rows: Iterable[Row], candidates: int) -> Rows:
    """Make :class:`Rows` of rows, of which there may be none."""
    rows = list(rows)
    matrix = np.array([r[0] for r in rows], dtype=float).reshape(len(rows), candidates)
    low, high = (np.array([r[i] for r in rows], dtype=float) for i in (1, 2))
    return Rows(matrix, low, high)


@dataclass(frozen=True)
class EdgeFeatures:
    """
    What a candidate is on one edge, if the edge has exactly the printed number of rejections.

    Attributes
    ----------
    source, target : ndarray of int, shape (candidates,)
        Correct trials on either side.
    trials : int
        Out of how many.
    rank : ndarray of float, shape (candidates,)
        Smallest k with p <= k·alpha/m.
    rejected, equivalent : ndarray of bool, shape (candidates,)
        Whether Benjamini–Hochberg rejects it, and whether it is practically equivalent at 0.20.
    """

    source: np.ndarray
    target: np.ndarray
    trials: int
    rank: np.ndarray
    rejected: np.ndarray
    equivalent: np.ndarray

    def meets(self, epsilon: Fraction) -> np.ndarray:
        """Whether the shift is at least ``epsilon``, compared exactly."""
        return meets_epsilon(self.source, self.trials, self.target, self.trials, epsilon)

    def in_class(self, name: str, epsilon: Fraction = EPSILON) -> np.ndarray:
        """Whether the candidate is in the class ``name`` (inconclusive being what is left)."""
        reliable = self.rejected & self.meets(epsilon)
        members = {
            "improved": reliable & (self.target > self.source),
            "regressed": reliable & (self.target < self.source),
            "equivalent": self.equivalent,
            "inconclusive": ~reliable & ~self.equivalent,
        }
        return members[name]

    def flips(self) -> tuple[np.ndarray, np.ndarray]:
        """Chance that one trial a side flips to correct, and to wrong."""
        source, target = self.source / self.trials, self.target / self.trials
        return (1 - source) * target, source * (1 - target)


def edge_features(counts: np.ndarray, target: BenchmarkTarget, edge: Edge) -> EdgeFeatures:
    """Classify every candidate on ``edge`` given the printed number of rejections."""
    k_source, k_target = (counts[:, end] for end in target.ends(edge))
    trials = target.trials
    rank = rank_needed(fisher_exact(k_source, trials, k_target, trials), target.items, ALPHA)
    rejected = rank <= target.cells[edge].rejected
    low, high = difference_interval(k_source, trials, k_target, trials)
    reliable = rejected & meets_epsilon(k_source, trials, k_target, trials, EPSILON)
    equivalent = ~reliable & (low > -float(EPSILON)) & (high < float(EPSILON))
    return EdgeFeatures(k_source, k_target, trials, rank, rejected, equivalent)


def benchmark_rows(
    counts: np.ndarray, target: BenchmarkTarget, rates: dict[str, tuple[float, float]]
) -> Rows:
    """
    Everything printed about a whole benchmark: Tables 1, C.5 and E.8, and B.3 and B.4 on average.

    Parameters
    ----------
    counts : ndarray of int, shape (candidates, models)
    target : BenchmarkTarget
    rates : dict
        Class to (share flipping to correct, share flipping to wrong), from Table B.4.
    """
    features = {edge: edge_features(counts, target, edge) for edge in target.edges}
    rows = [
        (counts[:, i], target.correct[m], target.correct[m]) for i, m in enumerate(target.models)
    ]
    for edge, feature in features.items():
        cell = target.cells[edge]
        rows += [*_class_rows(feature, cell), *rejection_rows(feature, cell, target.items)]
        rows += _flip_rows(feature, cell)
    rows += _class_flip_rows(features, target, rates)
    return stack(rows, len(counts))


def stratum_rows(counts: np.ndarray, target: BenchmarkTarget, stratum: StratumTarget) -> Rows:
    """Number of items of one stratum, its sums of correct trials and their changes (F.9)."""
    rows = [(np.ones(len(counts)), stratum.items, stratum.items)]
    rows += [(counts[:, i], *stratum.correct[m]) for i, m in enumerate(target.models)]
    for edge in target.edges:
        source, to = target.ends(edge)
        rows.append((counts[:, to] - counts[:, source], *stratum.change[edge]))
    return stack(rows, len(counts))


def _class_rows(feature: EdgeFeatures, cell: CellTarget) -> Iterator[Row]:
    """Improved and regressed at every threshold, and equivalent: exactly as printed."""
    for epsilon in cell.improved:
        for name in ("improved", "regressed"):
            wanted = getattr(cell, name)[epsilon]
            yield feature.in_class(name, epsilon), wanted, wanted
    yield feature.equivalent, cell.equivalent, cell.equivalent


def rejection_rows(feature: EdgeFeatures, cell: CellTarget, items: int) -> Iterator[Row]:
    """
    Benjamini–Hochberg stops at R: R items have p <= R·alpha/m, and for no k > R do k items
    have p <= k·alpha/m. Only ranks k <= m that some candidate has can matter.
    """
    wanted = cell.rejected
    yield feature.rejected, wanted, wanted
    for k in np.unique(feature.rank[~feature.rejected & (feature.rank <= items)]):
        yield ~feature.rejected & (feature.rank <= k), 0, k - 1 - wanted


def _flip_rows(feature: EdgeFeatures, cell: CellTarget) -> Iterator[Row]:
    """The printed single draws are ordinary: flips of a cell within a standard deviation."""
    both = sum(feature.flips())
    printed = cell.to_correct + cell.to_wrong
    yield both, printed - np.sqrt(printed), printed + np.sqrt(printed)


def _class_flip_rows(
    features: dict[Edge, EdgeFeatures],
    target: BenchmarkTarget,
    rates: dict[str, tuple[float, float]],
) -> Iterator[Row]:
    """Flips of each class but equivalent, whose rest follows, near the rates of Table B.4."""
    for name in ("improved", "regressed", "inconclusive"):
        members = {edge: feature.in_class(name) for edge, feature in features.items()}
        total = sum(target.cells[edge].sizes(target.items)[name] for edge in features)
        for direction, rate in enumerate(rates[name]):
            chance = sum(members[e] * features[e].flips()[direction] for e in features)
            yield chance, 0.85 * rate * total - 2, 1.15 * rate * total + 2
