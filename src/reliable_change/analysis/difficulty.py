"""Table F.9: accuracy and change within strata that the benchmarks define (Appendix F)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from reliable_change.archive.counts import item_counts
from reliable_change.archive.manifest import edge_id
from reliable_change.archive.read import Archive
from reliable_change.errors import NotInArchive

KEYS = ["benchmark", "stratum", "level"]


def stratified(archive: Archive, counts: pd.DataFrame | None = None) -> pd.DataFrame:
    """Each item's p̂ (percent) under each model, once for each stratum it belongs to.

    Returns
    -------
    DataFrame
        benchmark, stratum, level, item_id and a column for each model; NaN where an item has
        no scored trial. Levels come in the manifest's order; a level that the manifest does
        not list follows in text order; items without a label are left out.

    Raises
    ------
    NotInArchive
        When the manifest declares no strata.
    """
    if not archive.manifest.strata:
        raise NotInArchive(f"{archive.path.name} declares no strata in its manifest")
    counts = item_counts(archive) if counts is None else counts
    shares = counts.assign(p_hat=100.0 * counts["correct"] / counts["n"].where(counts["n"] > 0))
    shares = shares.astype({"benchmark": object, "item_id": object, "model": object})
    wide = shares.pivot(
        index=["benchmark", "item_id"], columns="model", values="p_hat"
    ).reset_index()
    wide = wide.reindex(columns=["benchmark", "item_id", *archive.manifest.models])
    frames = []
    for benchmark, strata in archive.manifest.strata.items():
        for stratum, order in strata.items():
            labels = archive.items.loc[
                archive.items["benchmark"] == benchmark, ["item_id", stratum]
            ]
            labels = labels.dropna().astype(object).rename(columns={stratum: "level"})
            part = wide[wide["benchmark"] == benchmark].merge(labels, on="item_id")
            levels = [*order, *sorted(set(part["level"]) - set(order))]
            part = part.assign(stratum=stratum, rank=part["level"].map(levels.index))
            frames.append(part.sort_values(["rank", "item_id"]).drop(columns="rank"))
    return pd.concat(frames, ignore_index=True)[[*KEYS, "item_id", *archive.manifest.models]]


def table(archive: Archive, items: pd.DataFrame) -> pd.DataFrame:
    """Table F.9: items, mean strict accuracy per model (percent), change per edge (points).

    A change is the difference of the two unrounded means over the stratum's items.
    """
    models = archive.manifest.models
    groups = items.groupby(KEYS, sort=False)
    means = groups[list(models)].mean()
    means.insert(0, "items", groups.size())
    for source, target in archive.manifest.edges:
        means[edge_id((source, target))] = means[target] - means[source]
    return means.reset_index()


def changes(archive: Archive, items: pd.DataFrame, confidence: float = 0.95) -> pd.DataFrame:
    """Mean change in each stratum with a t interval over its items.

    The interval treats the items as a sample from the stratum; with fewer than two items, or
    when all changes are equal, it is not defined and NaN.

    Returns
    -------
    DataFrame
        edge, benchmark, stratum, level, items, change, low, high (percentage points).
    """
    rows = []
    for edge in archive.manifest.edges:
        difference = items[edge[1]] - items[edge[0]]
        for key, values in difference.groupby([items[k] for k in KEYS], sort=False):
            values = values.dropna()
            half = np.nan
            if len(values) > 1 and values.std() > 0:
                half = stats.t.ppf((1 + confidence) / 2, len(values) - 1) * stats.sem(values)
            middle = values.mean()
            rows.append((edge_id(edge), *key, len(values), middle, middle - half, middle + half))
    return pd.DataFrame(rows, columns=["edge", *KEYS, "items", "change", "low", "high"])
