"""What in the index is artefact: regression to the mean, and false alarms by an item's p."""

from __future__ import annotations

import numpy as np
import pandas as pd

from reliable_change.analysis.cells import Cell
from reliable_change.analysis.reliable_change_index import IndexedCell
from reliable_change.errors import NotInArchive
from reliable_change.stats.dealing import random_halves, shuffled_labels
from reliable_change.stats.fisher import fisher_table
from reliable_change.stats.index_null import chance_of_flag
from reliable_change.stats.index_summary import BinnedChange, change_by_bin
from reliable_change.stats.reliable_change_index import (
    THRESHOLD,
    reliable_change_index,
)

BINS = (0, 0.2, 0.4, 0.6, 0.8, 1)
CHANCES = np.arange(101) / 100


def by_difficulty(
    *runs: list[IndexedCell], population: str = "all", draws: int = 50, seed: int = 0
) -> pd.DataFrame:
    """Change by p̂ of the source: observed, with labels permuted, and sorted by a fresh half.

    Parameters
    ----------
    *runs : list of IndexedCell
        One for each number of trials. Cells of one edge are added up: its benchmarks, and
        repeated subsets of trials where a run holds several.
    draws : int
        Permutations, and splits of the source's trials, to average over, for each run.

    Returns
    -------
    DataFrame
        For each run, edge and bin of p̂ of the source: trials (K, the median where it differs),
        edge, low, high, analysable (items), improved, deteriorated (percent of them),
        null_improved, null_deteriorated (the same with labels permuted), change, null_change
        (mean shift of all testable items, points), and fresh_change: sorted by one half of the
        source's trials, the shift measured against the other half, which is free of regression
        to the mean.
    """
    frames = []
    for indexed in filter(None, runs):
        sums: dict[str, np.ndarray] = {}
        cells = len({(cell.edge, cell.benchmark) for cell, _ in indexed})
        repeats = -(-draws * cells // len(indexed))
        for number, (cell, found) in enumerate(indexed):
            rng = np.random.default_rng([seed, number])
            with np.errstate(invalid="ignore"):
                observed = _sums(change_by_bin(found, cell.k_source / cell.n_source, BINS))
            drawn = [_drawn(cell, population, rng) for _ in range(repeats)]
            both = np.vstack([observed, np.mean(drawn, axis=0)])
            sums[cell.edge] = sums.get(cell.edge, 0) + both
        frames += [
            _shares(edge, rows).assign(trials=_trials(indexed)) for edge, rows in sums.items()
        ]
    found = pd.concat(frames, ignore_index=True)
    return found[["trials", *found.columns.drop("trials")]]


def _shares(edge: str, rows: np.ndarray) -> pd.DataFrame:
    with np.errstate(invalid="ignore", divide="ignore"):
        return pd.DataFrame(
            {
                "edge": edge,
                "low": BINS[:-1],
                "high": BINS[1:],
                "analysable": rows[1].astype(int),
                "improved": 100 * rows[2] / rows[1],
                "deteriorated": 100 * rows[3] / rows[1],
                "null_improved": 100 * rows[7] / rows[6],
                "null_deteriorated": 100 * rows[8] / rows[6],
                "change": 100 * rows[4] / rows[0],
                "null_change": 100 * rows[9] / rows[5],
                "fresh_change": 100 * rows[11] / rows[10],
            }
        )


def _sums(binned: BinnedChange) -> np.ndarray:
    """Rows testable, analysable, improved, deteriorated, and the sum of the shifts."""
    total = np.where(binned.testable > 0, binned.mean_change * binned.testable, 0)
    return np.array(
        [binned.testable, binned.analysable, binned.improved, binned.deteriorated, total]
    )


def _drawn(cell: Cell, population: str, rng: np.random.Generator) -> np.ndarray:
    """Sums with labels permuted; below them items and shifts sorted by a fresh half."""
    k_s, n_s, k_t, n_t = cell.counts
    dealt = shuffled_labels(*cell.counts, rng)
    found = reliable_change_index(*dealt, population=population)
    one, other, h = random_halves(k_s, n_s, rng)
    fresh = reliable_change_index(other, h, k_t, n_t, population=population)
    with np.errstate(invalid="ignore"):
        null = _sums(change_by_bin(found, dealt[0] / n_s, BINS))
        sorted_by_one = _sums(change_by_bin(fresh, one / h, BINS))
    return np.vstack([null, sorted_by_one[[0, 4]]])


def false_alarms(*runs: list[IndexedCell], alpha: float = 0.05) -> pd.DataFrame:
    """Chance that an item which did not change is flagged, by its true chance of being correct.

    Exact, for two sides of K trials (the median over a run where K differs), with each cell's
    S_diff held fixed.

    Parameters
    ----------
    *runs : list of IndexedCell
        One for each number of trials.
    alpha : float
        Level of Fisher's test.

    Returns
    -------
    DataFrame
        trials (K), rule ("RCI" or "Fisher": p <= alpha, not adjusted), edge, benchmark (empty
        for Fisher, whose chance hangs on K alone), p (0 to 1), chance (percent). A cell without
        an S_diff has no rows.

    Raises
    ------
    NotInArchive
        No cell has an S_diff.
    """
    if all(np.isnan(found.s_diff) for run in runs for _, found in run):
        raise NotInArchive("no cell has a reliability, so there is no index to raise an alarm")
    frames = []
    for indexed in filter(None, runs):
        k = _trials(indexed)
        shift = np.abs(np.arange(k + 1)[:, None] - np.arange(k + 1)) / k
        for cell, found in indexed:
            if not np.isnan(found.s_diff):
                flagged = shift > THRESHOLD * found.s_diff
                frames.append(_alarms(k, "RCI", cell.edge, cell.benchmark, flagged))
        frames.append(_alarms(k, "Fisher", "", "", fisher_table(k, k) <= alpha))
    return pd.concat(frames, ignore_index=True)


def _trials(indexed: list[IndexedCell]) -> int:
    numbers = np.concatenate([np.append(cell.n_source, cell.n_target) for cell, _ in indexed])
    return int(np.median(numbers[numbers > 0]))


def _alarms(k: int, rule: str, edge: str, benchmark: str, flagged: np.ndarray) -> pd.DataFrame:
    columns = {"trials": k, "rule": rule, "edge": edge, "benchmark": benchmark, "p": CHANCES}
    return pd.DataFrame(columns | {"chance": 100 * chance_of_flag(CHANCES, CHANCES, flagged)})
