"""What must hold in an archive's files beyond their schema; every breach is one error."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from reliable_change.archive.files import read_batches
from reliable_change.archive.keys import CellNumbers
from reliable_change.archive.manifest import Manifest
from reliable_change.archive.problems import problem, quoted, require_none
from reliable_change.archive.schema import (
    CATEGORIES,
    ITEM_KEY,
    ITEMS_FILE,
    KEY,
    SCORES,
    schema_of,
)

# A cell number and a trial number share one int64: the trial has the lower 31 bits.
TRIAL_BITS = 31
API_ERROR = CATEGORIES.index("api_error")


@dataclasses.dataclass(frozen=True)
class Found:
    """What a file holds of each cell: the number of trials and the highest trial (or -1)."""

    trials: np.ndarray
    last: np.ndarray

    def expected(self, trials_per_item: int | None) -> np.ndarray:
        """Return how many trials each cell should have.

        Without a trials_per_item, a cell should have trials 0 up to its own highest, at least
        one.
        """
        if trials_per_item is not None:
            return np.full(len(self.trials), trials_per_item)
        return np.maximum(self.last + 1, 1)


def check_items(items: pa.Table, manifest: Manifest) -> None:
    """Check items: key whole and unique, benchmarks and strata known, extra is JSON.

    Raises
    ------
    ArchiveError
        Naming the column and the first rows.
    """
    columns = {name: items[name].to_pylist() for name in items.column_names}
    for name in ITEM_KEY:
        missing = np.array([value is None for value in columns[name]], bool)
        require_none(missing, 0, ITEMS_FILE, name, "is missing", "give every item its key")
    _check_unique(list(zip(columns["benchmark"], columns["item_id"], strict=True)))
    _check_levels(columns["benchmark"], columns["benchmark"], "benchmark", manifest.benchmarks)
    for benchmark in manifest.benchmarks:
        if benchmark not in columns["benchmark"]:
            raise problem(
                ITEMS_FILE, "benchmark", f"no item of {quoted(benchmark)}", "add its items"
            )
    for benchmark, strata in manifest.strata.items():
        for name, levels in strata.items():
            if name not in items.column_names:
                raise problem(ITEMS_FILE, name, "is a stratum but no column", "mend the manifest")
            here = [
                value if owner == benchmark else None
                for owner, value in zip(columns["benchmark"], columns[name], strict=True)
            ]
            _check_levels(here, columns["benchmark"], name, levels)
    bad = np.array([not _is_json_object(text) for text in columns["extra"]], bool)
    require_none(bad, 0, ITEMS_FILE, "extra", "is no JSON object", "write it as JSON text")


def _check_unique(keys: list[tuple[str, str]]) -> None:
    places = sorted(range(len(keys)), key=keys.__getitem__)
    for one, other in zip(places, places[1:], strict=False):
        if keys[one] == keys[other]:
            name = " ".join(map(quoted, keys[one]))
            raise problem(
                ITEMS_FILE, "item_id", f"{name} stands twice", "keep one of the two", [one, other]
            )


def _check_levels(
    values: list[str | None], benchmarks: list[str], name: str, levels: tuple[str, ...]
) -> None:
    allowed = {None, *levels}
    bad = [row for row, value in enumerate(values) if value not in allowed]
    if bad:
        value = f"{quoted(values[bad[0]])} of {quoted(benchmarks[bad[0]])}"
        raise problem(
            ITEMS_FILE, name, f"{value} is not in manifest.json", "add it there or mend it", bad
        )


def _is_json_object(text: str | None) -> bool:
    try:
        return text is None or isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def check_rows(path: Path, cells: CellNumbers) -> Found:
    """Check a file of trials row by row, in one pass, and count what it holds.

    Keys must be whole, known and strictly rising; in scores, categories, verdicts and reasons
    must agree.

    Raises
    ------
    ArchiveError
        Naming the column and the first rows.
    """
    is_scores = schema_of(path.name) == SCORES
    columns = (*KEY, "category", "correct", "unscored_reason") if is_scores else KEY
    found = Found(np.zeros(len(cells), np.int64), np.full(len(cells), -1))
    first_row, before = 0, -1
    for batch in read_batches(path, columns):
        cell = cells.of(batch, first_row, path.name)
        trial = _trials(batch.column("trial"), first_row, path.name)
        key = (cell << TRIAL_BITS) | trial
        if not (np.diff(key, prepend=before) > 0).all():
            raise _disorder(path, cells)
        if is_scores:
            _check_verdicts(batch, first_row, path.name)
        _count(found, cell, trial)
        first_row, before = first_row + len(key), key[-1] if len(key) else before
    return found


def count_rows(path: Path, cells: CellNumbers) -> Found:
    """Count what a file of trials holds of each cell without checking more than the keys."""
    found = Found(np.zeros(len(cells), np.int64), np.full(len(cells), -1))
    first_row = 0
    for batch in read_batches(path, KEY):
        cell = cells.of(batch, first_row, path.name)
        _count(found, cell, _trials(batch.column("trial"), first_row, path.name))
        first_row += len(cell)
    return found


def _count(found: Found, cell: np.ndarray, trial: np.ndarray) -> None:
    if not cell.size:
        return
    ends = np.append(np.flatnonzero(cell[1:] != cell[:-1]), cell.size - 1)
    lengths = np.diff(ends, prepend=-1)
    np.add.at(found.trials, cell[ends], lengths)
    np.maximum.at(found.last, cell[ends], trial[ends])


def _trials(column: pa.Array, first_row: int, file: str) -> np.ndarray:
    if column.null_count:
        missing = pc.is_null(column).to_numpy(zero_copy_only=False)
        require_none(missing, first_row, file, "trial", "is missing", "number the trials from 0")
    trial = column.to_numpy()
    bad = (trial < 0) | (trial >= 2**TRIAL_BITS)
    require_none(
        bad, first_row, file, "trial", "is below 0 or above 2147483647", "number trials from 0"
    )
    return trial


def _disorder(path: Path, cells: CellNumbers) -> Exception:
    """Say why keys do not rise: one stands twice, or the rows are not sorted."""
    keys, first_row = [], 0
    for batch in read_batches(path, KEY):
        cell = cells.of(batch, first_row, path.name)
        keys.append((cell << TRIAL_BITS) | _trials(batch.column("trial"), first_row, path.name))
        first_row += len(cell)
    key = np.concatenate(keys)
    order = np.argsort(key, kind="stable")
    twice = np.flatnonzero(np.diff(key[order]) == 0)
    if twice.size:
        one, other = order[twice[0]], order[twice[0] + 1]
        cell, trial = divmod(int(key[one]), 2**TRIAL_BITS)
        name = f"trial {trial} of {cells.describe(cell)} stands twice"
        count = f", as do {twice.size - 1} others" if twice.size > 1 else ""
        return problem(
            path.name, "trial", name + count, "keep one row for each key", sorted([one, other])
        )
    falls = np.flatnonzero(np.diff(key) < 0) + 1
    what = "rows are not sorted by benchmark, item_id, model and trial"
    return problem(path.name, None, what, "sort them, as write_archive does", falls)


def _check_verdicts(batch: pa.RecordBatch, first_row: int, file: str) -> None:
    category = batch.column("category")
    code = category_codes(category, first_row, file)
    unscored = code < 0
    silent = unscored & _is_null(batch.column("unscored_reason"))
    require_none(
        silent,
        first_row,
        file,
        "unscored_reason",
        "is missing where category is missing",
        "give a category, or say why there is none",
    )
    verdict = batch.column("correct")
    missing = _is_null(verdict)
    is_true = pc.fill_null(verdict, False).to_numpy(zero_copy_only=False)
    # A trial that met an API error has no answer to judge: false and missing are both fine.
    bad = (is_true != (code == 0)) | (missing != unscored) & (code != API_ERROR)
    require_none(
        bad,
        first_row,
        file,
        "correct",
        "does not agree with category",
        "let it be true exactly where category is 'correct' and missing where that is missing",
    )


def category_codes(category: pa.DictionaryArray, first_row: int, file: str) -> np.ndarray:
    """Return each row's position in CATEGORIES, -1 where it is missing.

    Raises
    ------
    ArchiveError
        If a category is not among the six.
    """
    known = pc.fill_null(pc.index_in(category.dictionary, pa.array(CATEGORIES)), len(CATEGORIES))
    lookup = np.append(known.to_numpy().astype(np.int64), -1)
    code = lookup[pc.fill_null(category.indices, len(lookup) - 1).to_numpy()]
    bad = code == len(CATEGORIES)
    if bad.any():
        value = quoted(category[int(np.flatnonzero(bad)[0])].as_py())
        require_none(
            bad,
            first_row,
            file,
            "category",
            f"{value} is not a category",
            f"use one of {', '.join(CATEGORIES)}",
        )
    return code


def _is_null(column: pa.Array) -> np.ndarray:
    return pc.is_null(column).to_numpy(zero_copy_only=False)


def check_complete(file: str, found: Found, cells: CellNumbers, manifest: Manifest) -> None:
    """Check a file of an archive that claims to be complete.

    Raises
    ------
    ArchiveError
        If an item lacks a trial for a model, or has one too many.
    """
    expected = found.expected(manifest.trials_per_item)
    bad = np.flatnonzero((found.trials != expected) | (found.last != expected - 1))
    if bad.size:
        cell = bad[0]
        what = (
            f"manifest.json says complete, but {cells.describe(cell)} has "
            f"{found.trials[cell]} trials of {expected[cell]}"
        )
        what += f" ({bad.size - 1} more such)" if bad.size > 1 else ""
        do = "add or drop trials (0 up to one below trials_per_item), or set complete to false"
        raise problem(file, "trial", what, do)


def missing_trials(found: Found, cells: CellNumbers, trials_per_item: int | None) -> pd.DataFrame:
    """Return the cells with fewer trials than expected, in key order.

    Columns benchmark, item_id, model, expected and found (numbers of trials).
    """
    expected = found.expected(trials_per_item)
    frame = cells.frame().assign(expected=expected, found=found.trials)
    return frame[found.trials < expected].reset_index(drop=True)
