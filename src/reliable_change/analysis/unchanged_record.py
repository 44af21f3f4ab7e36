"""Whether the first and the last half of one model's trials agree as identical runs do (003)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from reliable_change.analysis.trial_pairs import Trials, add_at, whole_items
from reliable_change.archive.keys import TRIAL_BITS
from reliable_change.archive.read import Archive
from reliable_change.archive.schema import KEY, RESPONSES_FILE
from reliable_change.errors import NotInArchive
from reliable_change.stats.halves import halves_agree


class Moments(NamedTuple):
    """When each response came: its key (cell and trial in one number), rising, and its time."""

    key: np.ndarray
    time: np.ndarray


def moments(archive: Archive) -> Moments | None:
    """Time of every response; None where an archive has no responses, or one without a time.

    A collection that asks for its trials in a shuffled order numbers them without regard to time.
    Memory is in proportion to the trials.
    """
    if not _has_responses(archive):
        return None
    keys, times, first_row = [np.empty(0, np.int64)], [np.empty(0, "datetime64[us]")], 0
    for batch in archive.response_batches([*KEY, "created_utc"]):
        cell = archive.cells.of(batch, first_row, RESPONSES_FILE)
        first_row += len(cell)
        texts = batch.column("created_utc").to_pandas()
        time = pd.to_datetime(texts, utc=True, format="ISO8601", errors="coerce")
        if time.isna().any():
            return None
        keys.append((cell << TRIAL_BITS) | batch.column("trial").to_numpy())
        times.append(time.dt.tz_localize(None).to_numpy("datetime64[us]"))
    return Moments(np.concatenate(keys), np.concatenate(times))


def order_of_halves(archive: Archive, when: Moments | None) -> str:
    """In words, by what order `halves` takes first and last, and why if it is not by time.

    Parameters
    ----------
    when : Moments or None
        From `moments` of this archive.
    """
    if when is not None:
        return "Halves by time."
    reason = (
        "not every response has a time"
        if _has_responses(archive)
        else "the archive has no responses, so no times"
    )
    return f"Halves by number of the trial: {reason}."


def _has_responses(archive: Archive) -> bool:
    return RESPONSES_FILE in archive.manifest.files


def _in_time(trials: Trials, when: Moments) -> Trials:
    """The trials of each item and model in order of time; those without a response come last."""
    key = (trials.cell << TRIAL_BITS) | trials.trial
    place = np.minimum(np.searchsorted(when.key, key), max(len(when.key) - 1, 0))
    known = when.key[place] == key if len(when.key) else np.zeros(len(key), dtype=bool)
    time = np.full(len(key), np.iinfo(np.int64).max)
    time[known] = when.time[place[known]].astype(np.int64)
    return trials[np.lexsort((trials.trial, time, trials.cell))]


def halves(archive: Archive, when: Moments | None = None) -> pd.DataFrame:
    """Correct trials in the first and in the last half of each item's scored trials.

    Of an odd number the middle one is left out.

    Parameters
    ----------
    when : Moments or None
        From `moments`: first and last in time. None: by the number of the trial, which says
        something of time only where trials were asked for one after the other.

    Returns
    -------
    DataFrame
        benchmark, item_id, model, n_half, k_first, k_second: one row for every item and model.
    """
    size = len(archive.cells)
    n_half, k_first, k_second = (np.zeros(size, np.int64) for _ in range(3))
    for trials in whole_items(archive):
        trials = trials if when is None else _in_time(trials, when)
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
