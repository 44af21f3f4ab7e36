"""A table as texts in rows and columns, and how one too large for a page is split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from reliable_change.tables.phrase import Phrase, write


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


def split(grid: Grid, *, rows: int | None = None, width: int = 110) -> list[Grid]:
    """Split a grid that is too long or too wide; the key columns go with every part.

    Parameters
    ----------
    grid
        What to split.
    rows
        At most so many rows a part, parted between groups where that is possible; None for
        any number.
    width
        At most so many characters across, which is what a line of small print holds; only a
        part with a single column besides its keys, or with very long keys, may be wider.

    Returns
    -------
    list of Grid
        In reading order: all columns of the first rows, then of the next.
    """
    choices = _choices(grid, width)
    return [
        _take(replace(grid, rows=block), choice)
        for block in _blocks(grid.rows, rows or max(1, len(grid.rows)))
        for choice in choices
    ]


def _choices(grid: Grid, width: int) -> list[list[int]]:
    """The columns of each part."""
    widths = [_width(grid, column) for column in range(len(grid.heads))]
    keys = [column for column, head in enumerate(grid.heads) if head.key]
    # Very long names are no reason to give every column a part of its own.
    room = max(width - sum(widths[key] for key in keys), width // 3)
    values = [column for column in range(len(grid.heads)) if column not in keys]
    fewest = len(_parted(values, widths, room))
    # The narrowest that takes no more parts: it leaves no lone column for the last one.
    evenly = next(
        parted
        for narrower in range(1, room + 1)
        if len(parted := _parted(values, widths, narrower)) == fewest
    )
    return [keys + choice for choice in evenly]


def _parted(columns: list[int], widths: list[int], room: int) -> list[list[int]]:
    """Columns in order, as many together as there is room for, at least one."""
    parts: list[list[int]] = [[]]
    for column in columns:
        if parts[-1] and sum(widths[c] for c in parts[-1]) + widths[column] > room:
            parts.append([])
        parts[-1].append(column)
    return parts


def _width(grid: Grid, column: int) -> int:
    texts = [write(grid.heads[column].heading, "plain"), *(row.cells[column] for row in grid.rows)]
    return max(map(len, texts)) + 2


def _blocks(rows: tuple[Row, ...], limit: int) -> list[tuple[Row, ...]]:
    blocks, start = [], 0
    while len(rows) - start > limit:
        stop = _stop(rows, start, limit)
        blocks.append(_opened(rows[start:stop]))
        start = stop
    return [*blocks, _opened(rows[start:])]


def _stop(rows: tuple[Row, ...], start: int, limit: int) -> int:
    """Where to part: at a rule on the lower half of the page, or else at any gap, or anywhere."""
    ends = range(start + 1, start + limit + 1)
    rules = [end for end in ends if rows[end].rule and end > start + limit // 2]
    gaps = [end for end in ends if rows[end].rule or rows[end].space]
    return max(rules or gaps or ends)


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
