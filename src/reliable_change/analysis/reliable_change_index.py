"""The Reliable Change Index on an archive: each cell's table, classes, and false alarms."""

from __future__ import annotations

from dataclasses import asdict
from typing import NamedTuple

import numpy as np
import pandas as pd

from reliable_change.analysis.cells import Cell, iterate_cells, thin
from reliable_change.archive.counts import item_counts
from reliable_change.archive.read import Archive
from reliable_change.errors import NotInArchive
from reliable_change.stats.classification import CLASSES
from reliable_change.stats.index_null import (
    IndexNull,
    Rate,
    halved_index_null,
    permuted_index_null,
)
from reliable_change.stats.index_summary import summarise_change
from reliable_change.stats.reliable_change_index import (
    DETERIORATED,
    EXCLUDED,
    IMPROVED,
    THRESHOLD,
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
    counted = pd.crosstab(both["class"], both["index_class"])
    counted = counted.reindex(index=CLASSES, columns=SHOWN_CLASSES, fill_value=0)
    counted.loc["total"] = counted.sum()
    return (
        counted.assign(total=counted.sum(axis=1))
        .rename_axis("class")
        .rename_axis(None, axis=1)
        .reset_index()
    )


def null_rates(
    indexed: list[IndexedCell],
    *,
    population: str = "all",
    replications: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """How often the index fires in each cell where nothing changed.

    Each cell, and each null of it, has its own stream of `seed`.

    Returns
    -------
    DataFrame
        edge, benchmark, null ("labels permuted", "source halved" or "target halved"), rate, low,
        high (mean share of the analysable items beyond 1.96, and its 95 % Monte Carlo interval,
        percent), items (mean number of them), any (replications with at least one, percent),
        found (items beyond 1.96 in the data, for comparison; missing beside halves).
    """
    rows = []
    for number, (cell, found) in enumerate(indexed):
        beyond = int(np.sum(np.abs(found.index[found.analysable]) > THRESHOLD))
        settings = {"population": population, "replications": replications}
        nulls = {
            "labels permuted": (permuted_index_null, cell.counts),
            "source halved": (halved_index_null, cell.counts[:2]),
            "target halved": (halved_index_null, cell.counts[2:]),
        }
        for place, (name, (simulate, counts)) in enumerate(nulls.items()):
            rng = np.random.default_rng([seed, number, place])
            null = simulate(*counts, **settings, rng=rng)
            rows.append(
                (cell.edge, cell.benchmark, name, *_rate(null), np.nan if place else beyond)
            )
    columns = ["edge", "benchmark", "null", "rate", "low", "high", "items", "any", "found"]
    return pd.DataFrame(rows, columns=columns).astype({"found": "Int64"})


def _rate(null: IndexNull) -> tuple[float, ...]:
    rate = Rate(*(100 * x for x in null.rate()))
    return (*rate, float(null.fired.mean()), 100 * float((null.fired > 0).mean()))


def fewer_trials(
    archive: Archive,
    indexed: list[IndexedCell],
    trials: int,
    *,
    draws: int = 20,
    population: str = "all",
    seed: int = 0,
    counts: pd.DataFrame | None = None,
) -> list[list[IndexedCell]]:
    """Index every cell from random subsets of its trials.

    Parameters
    ----------
    indexed : list of IndexedCell
        The cells with all their trials.
    trials : int
        Trials kept of each item and model, drawn without replacement.
    draws : int
        Number of subsets; each has its own stream of `seed`.

    Raises
    ------
    NotInArchive
        Where no item has more than `trials` trials, so that there is nothing to leave out.
    """
    counts = item_counts(archive) if counts is None else counts
    if max(np.max([cell.n_source, cell.n_target]) for cell, _ in indexed) <= trials:
        raise NotInArchive(f"no item has more than {trials} trials; there is nothing to leave out")
    subsets = (thin(counts, trials, np.random.default_rng([seed, draw])) for draw in range(draws))
    return [index_cells(archive, population=population, counts=subset) for subset in subsets]


def fewer_trials_table(
    subsets: list[list[IndexedCell]], *, population: str = "all", seed: int = 0
) -> pd.DataFrame:
    """The table of each cell averaged over subsets of the trials, with the rate of false alarms.

    Returns
    -------
    DataFrame
        edge, benchmark, r_source, r_target, s_diff, analysable, improved, deteriorated, churn
        (percent), median_change, breadth (percent): means over the subsets where defined;
        churn_low, churn_high, its range; null_rate (percent): mean over the subsets of the share
        that fires when labels are permuted, 50 times each.
    """
    key, columns = ["edge", "benchmark"], ["r_source", "r_target", "s_diff", "analysable"]
    columns += ["improved", "deteriorated", "churn", "median_change", "breadth"]
    groups = pd.concat(map(table, subsets)).groupby(key, sort=False)
    found = groups[columns].mean()
    found["churn_low"], found["churn_high"] = groups["churn"].min(), groups["churn"].max()
    rates = []
    for number, indexed in enumerate(subsets):
        for place, (cell, _) in enumerate(indexed):
            rng = np.random.default_rng([seed, number, place])
            null = permuted_index_null(
                *cell.counts, population=population, replications=50, rng=rng
            )
            rates.append((cell.edge, cell.benchmark, 100 * null.rate().mean))
    rates = pd.DataFrame(rates, columns=[*key, "null_rate"])
    return found.join(rates.groupby(key, sort=False).mean()).reset_index()
