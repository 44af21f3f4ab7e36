"""Keys as numbers: every pair (item, model) of an archive is a cell number in key order."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from reliable_change.archive.files import read_batches
from reliable_change.archive.problems import problem, quoted, require_none
from reliable_change.archive.schema import KEY

# A cell number and a trial number share one int64: the trial has the lower 31 bits.
TRIAL_BITS = 31


class CellNumbers:
    """Numbers the pairs (item, model) of an archive from 0 in the order of the key.

    The order is plain code-point order of benchmark, item_id and model, so rows sorted by key
    have cell numbers that never fall.

    Parameters
    ----------
    items : pyarrow.Table
        Columns benchmark and item_id, sorted by them, each pair once, nothing missing.
    models : sequence of str
        Model ids in any order.
    """

    def __init__(self, items: pa.Table, models: Sequence[str]) -> None:
        self.models = sorted(models)
        self.n_items = items.num_rows
        self.benchmarks = sorted(set(items["benchmark"].to_pylist()))
        self._item_columns = items.select(["benchmark", "item_id"])
        ids = items["item_id"].combine_chunks()
        known = pc.unique(ids)
        self._known = {
            "benchmark": pa.array(self.benchmarks, pa.string()),
            "item_id": known.take(pc.sort_indices(known)),
            "model": pa.array(self.models, pa.string()),
        }
        benchmark = _index_in(items["benchmark"].combine_chunks(), self._known["benchmark"])
        # A sorted number for each pair (benchmark, item_id); its position is the item's number.
        self._pairs = benchmark * len(known) + _index_in(ids, self._known["item_id"])

    def __len__(self) -> int:
        return self.n_items * len(self.models)

    def of(self, batch: pa.RecordBatch, first_row: int, file: str) -> np.ndarray:
        """Return the cell number of each row; int64, shape (rows,).

        Raises
        ------
        ArchiveError
            If a benchmark, item or model is missing or unknown; rows count from first_row.
        """
        benchmark = self._codes(batch, "benchmark", first_row, file)
        item_id = self._codes(batch, "item_id", first_row, file)
        model = self._codes(batch, "model", first_row, file)
        return self._items(benchmark, item_id, first_row, file) * len(self.models) + model

    def describe(self, cell: int) -> str:
        """Name a cell in words for an error."""
        item, model = divmod(int(cell), len(self.models))
        names = [column[item].as_py() for column in self._item_columns.itercolumns()]
        return " ".join(quoted(name) for name in [*names, self.models[model]])

    def describe_key(self, key: int) -> str:
        """Name a trial in words for an error."""
        cell, trial = divmod(int(key), 2**TRIAL_BITS)
        return f"trial {trial} of {self.describe(cell)}"

    def frame(self) -> pd.DataFrame:
        """Return a frame of benchmark, item_id and model with a row for each cell, in order."""
        item, model = np.divmod(np.arange(len(self)), len(self.models))
        table = self._item_columns.take(pa.array(item))
        models = self._known["model"].take(pa.array(model))
        return table.append_column("model", models).to_pandas()

    def _codes(self, batch: pa.RecordBatch, name: str, first_row: int, file: str) -> np.ndarray:
        column = batch.column(name)
        if column.null_count:
            missing = pc.is_null(column).to_numpy(zero_copy_only=False)
            require_none(missing, first_row, file, name, "is missing", "give every row its key")
        lookup = _index_in(column.dictionary, self._known[name])
        codes = lookup[column.indices.to_numpy()] if len(lookup) else np.empty(0, np.int64)
        if codes.size and codes.min() < 0:
            unknown = np.flatnonzero(codes < 0)
            value = quoted(column[int(unknown[0])].as_py())
            where = "manifest.json" if name == "model" else "items.parquet"
            raise problem(
                file,
                name,
                f"{value} is not in {where}",
                "add it there or drop the rows",
                unknown + first_row,
            )
        return codes

    def _items(
        self, benchmark: np.ndarray, item_id: np.ndarray, first_row: int, file: str
    ) -> np.ndarray:
        if not benchmark.size:
            return np.empty(0, np.int64)
        # Rows of one item stand together, so look up once for each run of equal rows.
        changes = (benchmark[1:] != benchmark[:-1]) | (item_id[1:] != item_id[:-1])
        starts = np.concatenate(([0], np.flatnonzero(changes) + 1))
        pairs = benchmark[starts] * len(self._known["item_id"]) + item_id[starts]
        item = np.searchsorted(self._pairs, pairs)
        known = self._pairs[np.minimum(item, self.n_items - 1)] == pairs
        if not known.all():
            rows = starts[~known]
            value = quoted(self._known["item_id"][int(item_id[rows[0]])].as_py())
            raise problem(
                file,
                "item_id",
                f"{value} is not an item of {quoted(self.benchmarks[benchmark[rows[0]]])}",
                "add it to items.parquet or drop the rows",
                rows + first_row,
            )
        return np.repeat(item, np.diff(starts, append=benchmark.size))


@dataclasses.dataclass(frozen=True)
class KeyRows:
    """A batch of rows with their keys as numbers; first is the row number of its first row."""

    first: int
    batch: pa.RecordBatch
    cell: np.ndarray
    trial: np.ndarray

    @property
    def key(self) -> np.ndarray:
        """Cell and trial in one number, which rises exactly as the key does."""
        return (self.cell << TRIAL_BITS) | self.trial


def key_rows(path: Path, cells: CellNumbers, columns: Iterable[str] = ()) -> Iterator[KeyRows]:
    """Read the keys of a file of trials, and some more columns, batch after batch.

    Raises
    ------
    ArchiveError
        If a part of a key is missing or unknown, or a trial number is out of range.
    """
    first = 0
    for batch in read_batches(path, (*KEY, *columns)):
        cell = cells.of(batch, first, path.name)
        yield KeyRows(first, batch, cell, _trials(batch.column("trial"), first, path.name))
        first += len(cell)


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


def _index_in(values: pa.Array, known: pa.Array) -> np.ndarray:
    """Return the position of each value in known as int64, -1 where it is not there."""
    return pc.fill_null(pc.index_in(values, known), -1).to_numpy().astype(np.int64)
