"""What a migration showed, cell by cell: the short table that opens a report on it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from reliable_change.analysis import classification
from reliable_change.analysis.cells import thin
from reliable_change.archive.counts import item_counts
from reliable_change.archive.manifest import edge_id
from reliable_change.archive.read import Archive

COLUMNS = ["edge", "benchmark", "items", "delta", "improved", "regressed", "null95"]


def findings(
    archive: Archive,
    *,
    epsilon: float = 0.20,
    alpha: float = 0.05,
    interval: str = "newcombe",
    replications: int = 1000,
    seed: int = 0,
    trials: int | None = None,
) -> pd.DataFrame:
    """Set beside each other how a cell's average moved and how many of its items changed.

    Parameters
    ----------
    archive : Archive
        With scores.
    epsilon, alpha, interval, replications, seed, trials
        As the notebooks take them.

    Returns
    -------
    DataFrame
        edge, benchmark (both as the manifest labels them), items (testable), delta (change of the
        mean accuracy in percentage points), improved and regressed (number of items that changed
        reliably), null95 (95th percentile of the number of items that would seem to, had nothing
        changed). Cells in the manifest's order.
    """
    counts = thin(item_counts(archive), trials, np.random.default_rng(seed))
    test = {"epsilon": epsilon, "alpha": alpha, "counts": counts}
    items = classification.classify_items(archive, interval=interval, **test)
    null = classification.simulate_null(archive, replications=replications, seed=seed, **test)
    found = classification.table(items, null)
    counted = classification.class_counts(items).set_index(["edge", "benchmark"])
    cells = pd.MultiIndex.from_frame(found[["edge", "benchmark"]])
    found[["improved", "regressed"]] = counted.loc[cells, ["improved", "regressed"]].to_numpy()
    found["null95"] = np.rint(found["null95"].fillna(0) * found["items"] / 100.0).astype(int)
    manifest = archive.manifest
    edges = {edge_id(edge): manifest.edge_label(edge) for edge in manifest.edges}
    labels = {"edge": found["edge"].map(edges), "benchmark": found["benchmark"].map(manifest.label)}
    return found.assign(**labels)[COLUMNS]
