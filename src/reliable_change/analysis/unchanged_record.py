"""Whether the first and the last half of one model's trials agree as identical runs do (003)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from reliable_change.analysis.trial_pairs import add_at, whole_items
from reliable_change.archive.read import Archive
from reliable_change.errors import NotInArchive
from reliable_change.stats.halves import halves_agree


def halves(archive: Archive) -> pd.DataFrame:
    """Correct trials in the first and in the last half of each item's scored trials.

    Of an odd number the middle one is left out.

    Returns
    -------
    DataFrame
        benchmark, item_id, model, n_half, k_first, k_second: one row for every item and model.
    """
    size = len(archive.cells)
    n_half, k_first, k_second = (np.zeros(size, np.int64) for _ in range(3))
    for trials in whole_items(archive):
        cells, start, n = np.unique(trials.cell, return_index=True, return_counts=True)
        n_half[cells] = n // 2
        position = np.arange(len(trials.cell)) - np.repeat(start, n)
        half, n = np.repeat(n // 2, n), np.repeat(n, n)
        add_at(k_first, trials.cell[trials.correct & (position < half)])
        add_at(k_second, trials.cell[trials.correct & (position >= n - half)])
    frame = archive.cells.frame()
    return frame.assign(n_half=n_half, k_first=k_first, k_second=k_second)


def table(archive: Archive, halves: pd.DataFrame) -> pd.DataFrame:
    """Whether the first and last half of each model's trials agree as identical runs should.

    Parameters
    ----------
    halves : DataFrame
        From `halves`.

    Returns
    -------
    DataFrame
        benchmark, model, items (with a trial in each half), differ (verdicts that do), expected,
        p_disagreement, first_only, last_only (right in that half only), p_drift.

    Raises
    ------
    NotInArchive
        When no item has two scored trials of one model.
    """
    if not halves["n_half"].any():
        raise NotInArchive(
            f"{archive.path.name} has one trial an item: run the unchanged record twice to check it"
        )
    groups = dict(tuple(halves.groupby(["benchmark", "model"], observed=True)))
    rows = []
    for benchmark in archive.manifest.benchmarks:
        for model in archive.manifest.models:
            part = groups.get((benchmark, model))
            if part is None or not part["n_half"].any():
                continue
            found = halves_agree(*(part[name] for name in ("k_first", "k_second", "n_half")))
            differ = found.lost + found.gained
            ps = {"p_disagreement": found.p_disagreement, "p_drift": found.p_drift}
            sides = {"first_only": found.lost, "last_only": found.gained}
            start = {"benchmark": benchmark, "model": model, "items": found.items}
            rows.append({**start, "differ": differ, "expected": found.expected, **sides, **ps})
    columns = ["benchmark", "model", "items", "differ", "expected", "p_disagreement"]
    return pd.DataFrame(rows)[[*columns, "first_only", "last_only", "p_drift"]]
