"""How the archive's errors are worded: one line with file, column, rows and what to do."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from reliable_change.errors import ArchiveError

SHOWN = 3


def rows_text(rows: Sequence[int]) -> str:
    """Name the first few rows, counted from 0.

    >>> rows_text([7]), rows_text([1, 2, 3, 4])
    ('row 7', 'rows 1, 2, 3 …')
    """
    shown = ", ".join(str(int(row)) for row in rows[:SHOWN])
    return f"row{'s' * (len(rows) > 1)} {shown}{' …' * (len(rows) > SHOWN)}"


def quoted(value: object) -> str:
    """Quote a value so that it stays on one line and short."""
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "…" + text[-1]


def one_line(error: Exception) -> str:
    """Put another library's message on one line."""
    return " ".join(str(error).split())


def problem(
    file: str, column: str | None, what: str, do: str, rows: Sequence[int] | None = None
) -> ArchiveError:
    """Word an error; rows (any sequence of row numbers, from 0) may be left out.

    >>> print(problem("scores.parquet", "trial", "is missing", "number the trials", [4]))
    scores.parquet: column 'trial': is missing (row 4, counted from 0); number the trials
    """
    place = file if column is None else f"{file}: column '{column}'"
    where = "" if rows is None or not len(rows) else f" ({rows_text(rows)}, counted from 0)"
    return ArchiveError(f"{place}: {what}{where}; {do}")


def require_none(
    bad: np.ndarray, first_row: int, file: str, column: str, what: str, do: str
) -> None:
    """Raise for the rows marked in a boolean array whose first element is row first_row."""
    if bad.any():
        raise problem(file, column, what, do, np.flatnonzero(bad) + first_row)
