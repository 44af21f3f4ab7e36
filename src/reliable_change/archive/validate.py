"""What must hold in an archive's files beyond their schema; every breach is one error."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from reliable_change.archive.coverage import Found
from reliable_change.archive.keys import CellNumbers, key_rows
from reliable_change.archive.manifest import Manifest
from reliable_change.archive.problems import problem, quoted, require_none
from reliable_change.archive.schema import (
    CATEGORIES,
    ITEM_KEY,
    ITEMS_FILE,
    SCORES,
    schema_of,
)
from reliable_change.errors import ArchiveError

# What of a score must agree with its key's category.
VERDICT = ("category", "correct", "unscored_reason")
API_ERROR = CATEGORIES.index("api_error")


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
    found, before = Found.none(cells), -1
    for rows in key_rows(path, cells, VERDICT if is_scores else ()):
        if not (np.diff(rows.key, prepend=before) > 0).all():
            raise _disorder(path, cells)
        if is_scores:
            _check_verdicts(rows.batch, rows.first, path.name)
        found.add(rows)
        before = rows.key[-1] if rows.key.size else before
    return found


def _disorder(path: Path, cells: CellNumbers) -> ArchiveError:
    """Say why keys do not rise: one stands twice, or the rows are not sorted."""
    key = np.concatenate([rows.key for rows in key_rows(path, cells)])
    order = np.argsort(key, kind="stable")
    twice = np.flatnonzero(np.diff(key[order]) == 0)
    if twice.size:
        pair = sorted(order[twice[0] : twice[0] + 2])
        what = f"{cells.describe_key(key[pair[0]])} stands twice"
        what += f", as do {twice.size - 1} others" if twice.size > 1 else ""
        return problem(path.name, "trial", what, "keep one row for each key", pair)
    falls = np.flatnonzero(np.diff(key) < 0) + 1
    what = "rows are not sorted by benchmark, item_id, model and trial"
    return problem(path.name, "trial", what, "sort them, as write_archive does", falls)


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
