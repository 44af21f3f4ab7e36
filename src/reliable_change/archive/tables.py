"""Turning what callers hold (frames, tables) into tables of the archive's schema."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa

from reliable_change.archive.problems import one_line, problem, quoted
from reliable_change.archive.schema import KEY, accepts, kind_word, schema_of
from reliable_change.archive.text import escape_surrogates

# Above this, a float has lost the last digit of an integer.
EXACT_FLOAT = 2**53


def to_table(rows: pd.DataFrame | pa.Table, file: str) -> pa.Table:
    """Return rows as a table with the columns and types of a file's schema.

    Columns that may be missing are filled in where they are left out. A missing value is None,
    NaN or pandas' NA; "" and "nan" and "None" are texts. Lone surrogates outside the key are
    escaped (see `text.escape_surrogates`). Whole floats pass as integers, as pandas makes
    floats of integers with gaps.

    Raises
    ------
    ArchiveError
        If a column is unknown, a column of the key is left out, or a value is of a wrong type.
    """
    schema = schema_of(file)
    names = list(rows.column_names if isinstance(rows, pa.Table) else rows.columns)
    for name in names:
        if name not in schema.names:
            do = f"leave it out (columns are {', '.join(schema.names)})"
            raise problem(file, str(name), "is not in the schema", do)
        if names.count(name) > 1:
            raise problem(file, name, "stands twice", "keep one of the two")
    arrays = []
    for field in schema:
        if field.name in names:
            column = rows[field.name]
            arrays.append(_column(column, field, file))
        elif field.name in KEY:
            raise problem(file, field.name, "is missing", f"give {kind_word(field)}")
        else:
            arrays.append(pa.nulls(len(rows), field.type))
    # Nullability is checked with row numbers later, so it must not fail here.
    return pa.table(arrays, schema=pa.schema([field.with_nullable(True) for field in schema]))


def sort_by_key(table: pa.Table) -> pa.Table:
    """Sort rows by the key: plain code-point order of the texts, then the trial number."""
    return table.sort_by([(name, "ascending") for name in KEY if name in table.column_names])


def _column(column: pd.Series | pa.ChunkedArray, field: pa.Field, file: str) -> pa.ChunkedArray:
    wrong = f"give {kind_word(field)}"
    try:
        array = _array(column, field)
        if not accepts(field.with_nullable(True), array.type):
            raise problem(file, field.name, f"is of type {array.type}", wrong)
        return array.cast(field.type)
    except UnicodeEncodeError as error:
        what = f"holds half a surrogate pair in {quoted(ascii(error.object))}"
        raise problem(file, field.name, what, "give ids that UTF-8 can hold") from None
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        what = f"holds something else than {kind_word(field)} ({one_line(error)})"
        raise problem(file, field.name, what, wrong) from None


def _array(column: pd.Series | pa.ChunkedArray, field: pa.Field) -> pa.Array | pa.ChunkedArray:
    if isinstance(column, pa.ChunkedArray):
        return column
    try:
        array = pa.array(column, from_pandas=True)
    except UnicodeEncodeError:
        if field.name in KEY or field.type != pa.string():
            raise
        array = pa.array(column.map(_escaped), pa.string(), from_pandas=True)
    if field.type == pa.int64() and pa.types.is_floating(array.type):
        return _whole(array)
    return array


def _escaped(value: object) -> object:
    return escape_surrogates(value) if isinstance(value, str) else value


def _whole(array: pa.Array) -> pa.Array:
    """Turn floats into integers where all of them are whole and exact; else leave them."""
    values = array.drop_null().to_numpy(zero_copy_only=False)
    if np.all(np.isfinite(values) & (np.trunc(values) == values) & (abs(values) <= EXACT_FLOAT)):
        return array.cast(pa.int64())
    return array
