"""A table as texts in rows and columns, and how one too large for a page is split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from reliable_change.tables.phrase import Phrase


@dataclass(frozen=True)
class Head:
    """A column's heading, the heading it shares with its neighbours, and how it is set."""

    heading: Phrase
    spanner: Phrase = ""
    left: bool = False
    key: bool = False
    merge: bool = False


@dataclass(frozen=True)
class Row:
    """A row of texts.

    Attributes
    ----------
    cells
        One text for each column.
    repeats
        Whether a cell only repeats the name above it, so that print leaves it blank.
    rule, space
        Whether a rule, or a little space, stands above the row.
    """

    cells: tuple[str, ...]
    repeats: tuple[bool, ...]
    rule: bool = False
    space: bool = False


@dataclass(frozen=True)
class Grid:
    """Headings, rows, and sentences that the caption owes to optional columns."""

    heads: tuple[Head, ...]
    rows: tuple[Row, ...]
    notes: tuple[Phrase, ...] = ()


def spans(heads: Sequence[Head]) -> list[tuple[Phrase, int, int]]:
    """Runs of neighbouring columns with the same spanner: (spanner, first column, width).

    >>> spans([Head("a"), Head("b", "both"), Head("c", "both")])
    [('', 0, 1), ('both', 1, 2)]
    """
    found, first = [], 0
    for spanner, run in groupby(heads, key=lambda head: head.spanner):
        width = len(list(run))
        found.append((spanner, first, width))
        first += width
    return found


def split(grid: Grid, *, rows: int | None, columns: int) -> list[Grid]:
    """Split a grid that is too long or too wide; the key columns go with every part.

    Parameters
    ----------
    grid
        What to split.
    rows
        At most so many rows a part, parted between groups where that is possible; None for
        any number.
    columns
        At most so many columns a part besides the keys, shared out evenly.

    Returns
    -------
    list of Grid
        In reading order: all columns of the first rows, then of the next.
    """
    keys = [i for i, head in enumerate(grid.heads) if head.key]
    values = [i for i, head in enumerate(grid.heads) if not head.key]
    parts = max(1, -(-len(values) // columns))
    bounds = [len(values) * part // parts for part in range(parts + 1)]
    choices = [keys + values[bounds[part] : bounds[part + 1]] for part in range(parts)]
    return [
        _take(replace(grid, rows=block), choice)
        for block in _blocks(grid.rows, rows or max(1, len(grid.rows)))
        for choice in choices
    ]


def _blocks(rows: tuple[Row, ...], limit: int) -> list[tuple[Row, ...]]:
    blocks, start = [], 0
    while len(rows) - start > limit:
        starts = range(start + 1, start + limit + 1)
        stop = max((i for i in starts if rows[i].rule or rows[i].space), default=start + limit)
        blocks.append(_opened(rows[start:stop]))
        start = stop
    return [*blocks, _opened(rows[start:])]


def _opened(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The same rows, the first of them naming everything and with nothing above it."""
    if not rows:
        return rows
    first = replace(rows[0], repeats=(False,) * len(rows[0].cells), rule=False, space=False)
    return (first, *rows[1:])


def _take(grid: Grid, columns: list[int]) -> Grid:
    return replace(
        grid,
        heads=tuple(grid.heads[i] for i in columns),
        rows=tuple(
            replace(
                row,
                cells=tuple(row.cells[i] for i in columns),
                repeats=tuple(row.repeats[i] for i in columns),
            )
            for row in grid.rows
        ),
    )
