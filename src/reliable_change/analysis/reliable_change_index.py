"""The Reliable Change Index on an archive: each cell's table and each item's class."""

from __future__ import annotations

from dataclasses import asdict
from typing import NamedTuple

import numpy as np
import pandas as pd

from reliable_change.analysis.cells import Cell, cross_table, iterate_cells
from reliable_change.archive.read import Archive
from reliable_change.errors import NotInArchive
from reliable_change.stats.classification import CLASSES
from reliable_change.stats.index_summary import summarise_change
from reliable_change.stats.reliable_change_index import (
    DETERIORATED,
    EXCLUDED,
    IMPROVED,
    UNCHANGED,
    ReliableChange,
    index_classes,
    reliable_change_index,
)

KEY = ["edge", "benchmark", "item_id"]
SHOWN_CLASSES = (IMPROVED, UNCHANGED, DETERIORATED, EXCLUDED)


class IndexedCell(NamedTuple):
    """A cell and the index of its items."""

    cell: Cell
    found: ReliableChange


def index_cells(
    archive: Archive, *, population: str = "all", counts: pd.DataFrame | None = None
) -> list[IndexedCell]:
    """Compute the index of every item of every cell.

    Raises
    ------
    NotInArchive
        Where no item has two trials on both sides of an edge: then nothing can be split in
        halves, and the index is not defined.
    """
    indexed = [
        IndexedCell(cell, reliable_change_index(*cell.counts, population=population))
        for cell in iterate_cells(archive, counts)
    ]
    if not any(found.testable.any() for _, found in indexed):
        raise NotInArchive(
            f"{archive.path.name} has no item with two trials on both sides, and reliability "
            "needs two halves; collect at least two trials of each item"
        )
    return indexed


def common_trials(cell: Cell) -> int | None:
    """K of a cell, None where it differs between items or sides."""
    numbers = np.unique(np.concatenate([cell.n_source, cell.n_target]))
    return int(numbers[0]) if numbers.size == 1 else None


def table(indexed: list[IndexedCell]) -> pd.DataFrame:
    """What "Beyond the Mean" reports of a pair of models, for each cell.

    Returns
    -------
    DataFrame
        edge, benchmark, r_source, r_target, outcome (of the less fortunate side), s_diff, the
        fields of `ChangeSummary` (churn, churn_of_testable and breadth in percent), and delta
        (mean shift of the testable items, points).
    """
    rows = []
    for cell, found in indexed:
        outcomes = {str(found.source.outcome), str(found.target.outcome)}
        summary = asdict(summarise_change(found, common_trials(cell)))
        for name in ("churn", "churn_of_testable", "breadth"):
            summary[name] *= 100
        rows.append(
            {
                "edge": cell.edge,
                "benchmark": cell.benchmark,
                "r_source": float(found.source.r),
                "r_target": float(found.target.r),
                "outcome": max(outcomes, key=lambda outcome: outcome != "defined"),
                "s_diff": float(found.s_diff),
                **summary,
                "delta": 100 * found.difference[found.testable].mean()
                if found.testable.any()
                else np.nan,
            }
        )
    return pd.DataFrame(rows)


def reliability_columns(table: pd.DataFrame) -> pd.DataFrame:
    """The columns of `table` that say how finely the index measures."""
    columns = ["r_source", "r_target", "outcome", "s_diff", "min_difference", "min_trials"]
    return table[["edge", "benchmark", *columns, "not_testable", "excluded", "analysable"]]


def drawn_splits(
    indexed: list[IndexedCell], *, splits: int = 100, population: str = "all", seed: int = 0
) -> pd.DataFrame:
    """The reliabilities without a draw beside those from random splits, correlations averaged.

    Returns
    -------
    DataFrame
        edge, benchmark, r_source, r_source_drawn, r_target, r_target_drawn, s_diff, s_diff_drawn.
    """
    rows = []
    for number, (cell, exact) in enumerate(indexed):
        rng = np.random.default_rng([seed, number])
        drawn = reliable_change_index(*cell.counts, population=population, splits=splits, rng=rng)
        columns = {"edge": cell.edge, "benchmark": cell.benchmark}
        for side in ("source", "target"):
            columns[f"r_{side}"] = float(getattr(exact, side).r)
            columns[f"r_{side}_drawn"] = float(getattr(drawn, side).r)
        rows.append(columns | {"s_diff": float(exact.s_diff), "s_diff_drawn": float(drawn.s_diff)})
    return pd.DataFrame(rows)


def change_columns(table: pd.DataFrame) -> pd.DataFrame:
    """The columns of `table` that say what the index found."""
    columns = ["delta", "analysable", "improved", "deteriorated", "improved_conservative"]
    columns += ["deteriorated_conservative", "churn", "churn_of_testable", "breadth"]
    return table[["edge", "benchmark", *columns, "median_change"]]


def index_items(indexed: list[IndexedCell]) -> pd.DataFrame:
    """Every item with its index.

    Returns
    -------
    DataFrame
        edge, benchmark, item_id, p_hat_source, p_hat_target, difference (fractions), index,
        index_class.
    """
    frames = []
    for cell, found in indexed:
        with np.errstate(invalid="ignore"):
            source, target = cell.k_source / cell.n_source, cell.k_target / cell.n_target
        columns = {
            "edge": cell.edge,
            "benchmark": cell.benchmark,
            "item_id": cell.item_id,
            "p_hat_source": source,
            "p_hat_target": target,
            "difference": found.difference,
            "index": found.index,
            "index_class": index_classes(found),
        }
        frames.append(pd.DataFrame(columns))
    return pd.concat(frames, ignore_index=True)


def cross_classes(indexed_items: pd.DataFrame, items: pd.DataFrame) -> pd.DataFrame:
    """The paper's classes against those of the index, over all cells.

    Parameters
    ----------
    indexed_items : DataFrame
        From `index_items`.
    items : DataFrame
        From `classify_items`.

    Returns
    -------
    DataFrame
        class, a column for each class of the index that an item can have where S_diff is
        defined, total; a last row total. Items that either side cannot test are left out.
    """
    both = items[[*KEY, "class"]].merge(indexed_items, on=KEY, validate="one_to_one")
    return cross_table(both["class"], both["index_class"], CLASSES, SHOWN_CLASSES)
