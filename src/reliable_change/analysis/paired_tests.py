"""Regressions b and fixes c of each cell: by one verdict an item, and by pairs of trials (003)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from reliable_change.analysis.cells import Cell, iterate_cells
from reliable_change.archive.read import Archive
from reliable_change.stats.classification import NOT_TESTABLE
from reliable_change.stats.paired import (
    clustered_gain,
    degradation_probability,
    majority_flips,
    mcnemar_exact,
    paired_gain,
)

LOST, GAINED, SAME = "lost", "gained", "unchanged"
CELL = ["edge", "benchmark"]


def verdicts(archive: Archive, counts: pd.DataFrame | None = None) -> pd.DataFrame:
    """Each item's verdict before and after, and whether it was lost or gained.

    An item is right when more than half of its scored trials are; half exactly is wrong. At one
    trial a side that is the trial itself.

    Returns
    -------
    DataFrame
        edge, benchmark, item_id, k_source, n_source, k_target, n_target, right_before, flip
        (lost, gained, unchanged, or not testable where a side has no scored trial).
    """
    return pd.concat(map(_verdicts, iterate_cells(archive, counts)), ignore_index=True)


def _verdicts(cell: Cell) -> pd.DataFrame:
    k_s, n_s, k_t, n_t = cell.counts
    testable = (n_s > 0) & (n_t > 0)
    flip = np.full(len(cell.item_id), NOT_TESTABLE, dtype=object)
    lost, gained = majority_flips(*(count[testable] for count in cell.counts))
    flip[testable] = np.select([lost, gained], [LOST, GAINED], SAME)
    columns = {"k_source": k_s, "n_source": n_s, "k_target": k_t, "n_target": n_t}
    keys = {"edge": cell.edge, "benchmark": cell.benchmark, "item_id": cell.item_id}
    return pd.DataFrame({**keys, **columns, "right_before": 2 * k_s > n_s, "flip": flip})


def table(items: pd.DataFrame) -> pd.DataFrame:
    """b, c, the paired gain and the exact tests of each cell.

    Parameters
    ----------
    items : DataFrame
        From `verdicts`.

    Returns
    -------
    DataFrame
        edge, benchmark, items (testable), not_testable, b, c; gain, se, low, high (points, 95 %);
        degradation, degradation_low, degradation_high (b / (b + c), percent, exact 95 %; NaN
        where nothing changed); p_worse (one-sided), p (two-sided).
    """
    flips = items["flip"]
    found = (
        items.assign(
            items=(flips != NOT_TESTABLE).astype(int),
            not_testable=(flips == NOT_TESTABLE).astype(int),
            b=(flips == LOST).astype(int),
            c=(flips == GAINED).astype(int),
        )
        .groupby(CELL, sort=False)[["items", "not_testable", "b", "c"]]
        .sum()
        .reset_index()
    )
    b, c, n = (found[name].to_numpy() for name in ("b", "c", "items"))
    gain = {name: 100 * value for name, value in paired_gain(b, c, n)._asdict().items()}
    share, low, high = (100 * value for value in degradation_probability(b, c))
    return found.assign(
        **gain,
        degradation=share,
        degradation_low=low,
        degradation_high=high,
        p_worse=mcnemar_exact(b, c, "worse"),
        p=mcnemar_exact(b, c),
    )


def pair_table(pairs: pd.DataFrame) -> pd.DataFrame:
    """The reading per pair of trials, with items as clusters, beside the naive error.

    Parameters
    ----------
    pairs : DataFrame
        From `trial_pairs`.

    Returns
    -------
    DataFrame
        edge, benchmark, items (with a pair), pairs, b, c, gain, naive_se, naive_low, naive_high
        (every pair taken as an item), se, low, high (items as clusters; points, 95 %), times
        ((se / naive_se)², by which the naive reading overstates the evidence).
    """
    rows = []
    for key, cell in pairs.groupby(CELL, sort=False):
        b, c, n = (cell[name].to_numpy() for name in ("b", "c", "pairs"))
        totals = (np.count_nonzero(n), n.sum(), b.sum(), c.sum())
        gain, se, low, high = (100 * float(x) for x in clustered_gain(b, c, n))
        naive = (100 * float(x) for x in paired_gain(b.sum(), c.sum(), n.sum())[1:])
        rows.append((*key, *totals, gain, *naive, se, low, high))
    columns = ["items", "pairs", "b", "c", "gain", "naive_se", "naive_low", "naive_high"]
    found = pd.DataFrame(rows, columns=[*CELL, *columns, "se", "low", "high"])
    found = found[found["pairs"] > 0].reset_index(drop=True)
    return found.assign(times=(found["se"] / found["naive_se"]) ** 2)


def readings(cells: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """Both readings of each cell in one row: what the figure of losses and gains draws.

    Parameters
    ----------
    cells, pairs : DataFrame
        From `table` and `pair_table`.

    Returns
    -------
    DataFrame
        edge, benchmark, b, c, gain, low, high (one verdict an item); pair_gain, pair_low,
        pair_high (pairs of trials, items as clusters), naive_low, naive_high. Points.
    """
    renamed = {"gain": "pair_gain", "low": "pair_low", "high": "pair_high"}
    columns = [*CELL, *renamed, "naive_low", "naive_high"]
    both = cells[[*CELL, "b", "c", "gain", "low", "high"]]
    return both.merge(pairs[columns].rename(columns=renamed), on=CELL, how="left")
