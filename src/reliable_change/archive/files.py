"""Parquet files of an archive: opened with a clear error, read in batches, hashed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from reliable_change.archive.problems import one_line, problem, quoted
from reliable_change.archive.schema import CODED, OPTIONAL, accepts, kind_word, schema_of
from reliable_change.errors import ArchiveError

# Rows a batch: enough to keep numpy busy, few enough for long response texts.
BATCH_ROWS = {"scores": 2**18, "responses": 2**13}


def sha256(path: Path) -> str:
    """Return a file's SHA-256 as 64 hex digits, reading it in pieces."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def check_schema(path: Path) -> None:
    """Check that a parquet file can be opened and has its schema's columns, no more, no less.

    The `OPTIONAL` ones may be left out.

    Raises
    ------
    ArchiveError
        If it is no parquet file, or a column is missing, unknown, doubled or of a wrong type.
    """
    schema = schema_of(path.name)
    stored = _open(path).schema_arrow
    for field in schema:
        found = stored.get_all_field_indices(field.name)
        if not found and field.name in OPTIONAL:
            continue
        needed = f"store {kind_word(field)} under this name"
        if len(found) != 1:
            what = "is missing" if not found else f"stands {len(found)} times"
            raise problem(path.name, field.name, what, needed)
        kind = stored.field(found[0]).type
        if not accepts(field, kind):
            raise problem(path.name, field.name, f"is of type {kind}", needed)
    for name in stored.names:
        if name not in schema.names:
            raise problem(path.name, name, "is not in the schema", _unknown(path.name))


def _known(file: str, columns: Iterable[str] | None) -> list[str]:
    names = schema_of(file).names
    wanted = names if columns is None else list(columns)
    for name in wanted:
        if name not in names:
            raise problem(file, name, "is not in the schema", _unknown(file))
    return wanted


def _unknown(file: str) -> str:
    where = ", or keep it as JSON in 'extra'" if file == "items.parquet" else ""
    return f"leave it out{where} (columns are {', '.join(schema_of(file).names)})"


def read_batches(path: Path, columns: Iterable[str] | None = None) -> Iterator[pa.RecordBatch]:
    """Read some columns (all by default) of a parquet file, batch after batch.

    Columns come in the order asked for and in the types of the schema, but texts of `CODED`
    columns come as dictionary codes. Memory is in proportion to a batch.

    Raises
    ------
    ArchiveError
        If a column is none of the schema's, or the file is damaged.
    """
    schema = schema_of(path.name)
    names = _known(path.name, columns)
    wanted = pa.schema([_as_read(schema.field(name)) for name in names])
    coded = [name for name in names if name in CODED]
    rows = BATCH_ROWS["responses" if "response_text" in names else "scores"]
    try:
        with _open(path, coded) as file:
            there = [name for name in names if name in file.schema_arrow.names]
            for batch in file.iter_batches(batch_size=rows, columns=there):
                arrays = [
                    _converted(batch.column(field.name), field, path)
                    if field.name in there
                    else pa.nulls(len(batch), field.type)
                    for field in wanted
                ]
                yield pa.record_batch(arrays, schema=wanted)
    except (pa.ArrowInvalid, OSError) as error:
        raise _damaged(path, error) from None


def read_table(path: Path, columns: Iterable[str] | None = None) -> pa.Table:
    """Read some columns (all by default) of a parquet file whole, in the schema's types."""
    schema = schema_of(path.name)
    names = _known(path.name, columns)
    wanted = pa.schema([schema.field(name).with_nullable(True) for name in names])
    tables = [pa.Table.from_batches([batch]).cast(wanted) for batch in read_batches(path, names)]
    return pa.concat_tables(tables) if tables else wanted.empty_table()


def _converted(array: pa.Array, field: pa.Field, path: Path) -> pa.Array:
    try:
        # Parquet may hold bytes that are no UTF-8; say so here rather than in pandas.
        array.validate(full=True)
        return array.cast(field.type)
    except pa.ArrowInvalid as error:
        what = f"cannot be read as {field.type} ({quoted(one_line(error))[1:-1]})"
        raise problem(path.name, field.name, what, "write the column again") from None


def _as_read(field: pa.Field) -> pa.Field:
    kind = pa.dictionary(pa.int32(), pa.string()) if field.name in CODED else field.type
    return pa.field(field.name, kind)


def _open(path: Path, coded: Iterable[str] = ()) -> pq.ParquetFile:
    try:
        file = pq.ParquetFile(path)
        stored = {field.name: field.type for field in file.schema_arrow}
        texts = {name for name in coded if not pa.types.is_null(stored.get(name, pa.null()))}
        return pq.ParquetFile(path, read_dictionary=sorted(texts)) if texts else file
    except (pa.ArrowInvalid, OSError) as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, error: Exception) -> ArchiveError:
    what = f"cannot be read as parquet ({quoted(one_line(error))[1:-1]})"
    return problem(path.name, None, what, "it is cut short or damaged, fetch or write it again")
