"""Which trials an archive holds: counted, compared with what it claims, and what is missing."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from reliable_change.archive.keys import CellNumbers, KeyRows, key_rows
from reliable_change.archive.manifest import Manifest
from reliable_change.archive.problems import problem


@dataclasses.dataclass(frozen=True)
class Found:
    """What a file holds of each cell: the number of trials and the highest trial (or -1)."""

    trials: np.ndarray
    last: np.ndarray

    @classmethod
    def none(cls, cells: CellNumbers) -> Found:
        """Start with nothing found."""
        return cls(np.zeros(len(cells), np.int64), np.full(len(cells), -1))

    def add(self, rows: KeyRows) -> None:
        """Add a batch of rows, trials rising within each cell."""
        cell, trial = rows.cell, rows.trial
        if not cell.size:
            return
        ends = np.append(np.flatnonzero(cell[1:] != cell[:-1]), cell.size - 1)
        np.add.at(self.trials, cell[ends], np.diff(ends, prepend=-1))
        np.maximum.at(self.last, cell[ends], trial[ends])

    def expected(self, trials_per_item: int | None) -> np.ndarray:
        """Return how many trials each cell should have.

        Without a trials_per_item, a cell should have the trials 0 up to its own highest, and
        at least one.
        """
        if trials_per_item is not None:
            return np.full(len(self.trials), trials_per_item)
        return np.maximum(self.last + 1, 1)


def count_rows(path: Path, cells: CellNumbers) -> Found:
    """Count what a file of trials holds of each cell, checking no more than the keys."""
    found = Found.none(cells)
    for rows in key_rows(path, cells):
        found.add(rows)
    return found


def missing_trials(found: Found, cells: CellNumbers, trials_per_item: int | None) -> pd.DataFrame:
    """Return the cells with fewer trials than expected, in key order.

    Columns benchmark, item_id, model, expected and found (numbers of trials).
    """
    expected = found.expected(trials_per_item)
    frame = cells.frame().assign(expected=expected, found=found.trials)
    return frame[found.trials < expected].reset_index(drop=True)


def check_complete(file: str, found: Found, cells: CellNumbers, manifest: Manifest) -> None:
    """Check a file of an archive that claims to be complete.

    Raises
    ------
    ArchiveError
        If an item lacks a trial for a model, or has one too many.
    """
    expected = found.expected(manifest.trials_per_item)
    bad = np.flatnonzero((found.trials != expected) | (found.last != expected - 1))
    if not bad.size:
        return
    cell = bad[0]
    what = (
        f"manifest.json says complete, but {cells.describe(cell)} has {found.trials[cell]} of "
        f"{expected[cell]} trials, the highest being {found.last[cell]}"
    )
    if found.last[cell] < 0:
        what = what.removesuffix(", the highest being -1")
    what += f" ({bad.size - 1} more such)" if bad.size > 1 else ""
    last = "its own highest" if manifest.trials_per_item is None else manifest.trials_per_item - 1
    do = f"give each item trials 0 to {last} for each model, or set complete to false"
    raise problem(file, "trial", what, do)


def check_answered(scores: Path, responses: Path, cells: CellNumbers) -> None:
    """Check that every scored trial has a response, merging two sorted files.

    Raises
    ------
    ArchiveError
        Naming the first scores without a response.
    """
    answered = key_rows(responses, cells)
    held = np.empty(0, np.int64)
    for rows in key_rows(scores, cells):
        if not rows.key.size:
            continue
        held = _read_up_to(rows.key[-1], held, answered)
        place = np.searchsorted(held, rows.key)
        orphans = np.append(held, -1)[place] != rows.key
        if orphans.any():
            bad = np.flatnonzero(orphans)
            what = f"{cells.describe_key(rows.key[bad[0]])} has no row in {responses.name}"
            do = "score only what was answered"
            raise problem(scores.name, "trial", what, do, bad + rows.first)
        held = held[place[-1] :]


def _read_up_to(key: int, held: np.ndarray, answered: Iterator[KeyRows]) -> np.ndarray:
    pieces = [held]
    while not (pieces[-1].size and pieces[-1][-1] >= key):
        rows = next(answered, None)
        if rows is None:
            break
        pieces.append(rows.key)
    return np.concatenate(pieces)
