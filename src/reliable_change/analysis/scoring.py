"""Table E.8 and §4.3: the six categories, and the gap between strict and loose scoring."""

from __future__ import annotations

import pandas as pd

from reliable_change.analysis.cells import Values, accuracy, as_text_values
from reliable_change.archive.manifest import edge_id
from reliable_change.archive.read import Archive
from reliable_change.archive.schema import CATEGORIES
from reliable_change.errors import NotInArchive


def table(archive: Archive, counts: pd.DataFrame) -> pd.DataFrame:
    """Table E.8: responses in each of the six categories, for each benchmark and model.

    Returns
    -------
    DataFrame
        benchmark, model, n, a column for each category, and unscored (trials that could not
        be scored here, which belong to no category). n counts the categorised responses.
    """
    columns = [*CATEGORIES, "unscored"]
    keys = [counts["benchmark"].astype(object), counts["model"].astype(object)]
    sums = counts[columns].groupby(keys).sum()
    sums.insert(0, "n", sums[list(CATEGORIES)].sum(axis=1))
    order = pd.MultiIndex.from_product(
        [archive.manifest.benchmarks, archive.manifest.models], names=["benchmark", "model"]
    )
    return sums.reindex(order.intersection(sums.index, sort=False)).reset_index()


def gaps(archive: Archive, counts: pd.DataFrame) -> pd.DataFrame:
    """R_m: mean over items of the loose minus the strict score (§3.6), where both exist.

    Returns
    -------
    DataFrame
        benchmark, model, strict, loose (percent), gap (percentage points).

    Raises
    ------
    NotInArchive
        When no trial has a loose verdict.
    """
    both = counts[(counts["n_loose"] > 0) & (counts["n"] > 0)]
    if both.empty:
        raise NotInArchive(f"{archive.path.name} has no loose verdict in scores.parquet")
    found = accuracy(both).rename(columns={"accuracy": "strict"})
    loose = accuracy(both, "correct_loose", "n_loose").rename(columns={"accuracy": "loose"})
    found = found.merge(loose, on=["benchmark", "model"])
    found["gap"] = found["loose"] - found["strict"]
    for name, order in [
        ("model", archive.manifest.models),
        ("benchmark", archive.manifest.benchmarks),
    ]:
        rank = {value: number for number, value in enumerate(order)}
        found = found.sort_values(
            name, key=lambda column, rank=rank: column.map(rank), kind="stable"
        )
    return found.reset_index(drop=True)


def gap_changes(archive: Archive, by_model: pd.DataFrame) -> pd.DataFrame:
    """ΔR and the change of both readings on each edge, in percentage points.

    Returns
    -------
    DataFrame
        edge, benchmark, strict, loose, gap: target minus source of each.

    Raises
    ------
    NotInArchive
        When no edge joins two models that have both readings.
    """
    rows = []
    for benchmark, part in by_model.groupby("benchmark", sort=False):
        values = part.set_index("model")[["strict", "loose", "gap"]]
        for source, target in archive.manifest.edges:
            if source in values.index and target in values.index:
                change = values.loc[target] - values.loc[source]
                rows.append({"edge": edge_id((source, target)), "benchmark": benchmark, **change})
    if not rows:
        raise NotInArchive(f"{archive.path.name} has no edge between models with both readings")
    return pd.DataFrame(rows, columns=["edge", "benchmark", "strict", "loose", "gap"])


def text_values(gaps: pd.DataFrame, changes: pd.DataFrame) -> Values:
    """R, ΔR and the declines of both readings, as §4.3 states them (percentage points)."""
    found = {f"gap, {row.benchmark}, {row.model}": row.gap for row in gaps.itertuples()}
    for row in changes.itertuples():
        found[f"gap change, {row.benchmark}, {row.edge}"] = row.gap
        found[f"strict decline, {row.benchmark}, {row.edge}"] = -row.strict
        found[f"loose decline, {row.benchmark}, {row.edge}"] = -row.loose
    return as_text_values(found)
