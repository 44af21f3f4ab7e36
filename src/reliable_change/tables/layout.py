"""What a table looks like, said once for every output format, and how it is filled in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import pandas as pd

from reliable_change.errors import ReliableChangeError
from reliable_change.published.numbers import format_number, is_missing
from reliable_change.published.tables import KEYS
from reliable_change.tables.grid import Grid, Head, Row
from reliable_change.tables.phrase import Phrase, one_line

ARROW = "→"
MISSING = "–"
Record = dict[str, Any]


class TableError(ReliableChangeError):
    """A frame that does not fit the layout it is to be set in."""


class Labels(Protocol):
    """Display names; an archive's manifest is one.

    ``label`` is asked for models and benchmarks, and gives back an id it has no label for.
    An attribute ``trials_per_item``, where there is one, names K in headings.
    """

    def label(self, model: str) -> str: ...

    def short_label(self, model: str) -> str: ...

    def edge_label(self, edge: tuple[str, str]) -> str: ...


Format = Callable[[Any, Labels], str]


@dataclass(frozen=True)
class Column:
    """One column of a layout.

    Attributes
    ----------
    name
        The frame's column.
    heading
        What stands above it, or a function of the labels that gives it.
    write
        Writes one value; missing values never reach it.
    spanner
        A heading shared with its neighbours of the same spanner.
    key
        Whether it names the row: set left, and repeated where a wide table is split.
    merge
        Whether a name is shown only where it changes.
    left
        Whether values are set left; keys always are.
    optional
        Left out unless the frame has it with a value other than zero.
    note
        A sentence for the caption, added if an optional column is shown.
    value
        Takes the value from a row where that is more than the frame's column.
    """

    name: str
    heading: Phrase | Callable[[Labels], Phrase]
    write: Format
    spanner: Phrase = ""
    key: bool = False
    merge: bool = False
    left: bool = False
    optional: bool = False
    note: Phrase = ""
    value: Callable[[Record], Any] | None = None


ColumnsOf = Callable[[pd.DataFrame, Labels], list[Column]]


@dataclass(frozen=True)
class Layout:
    """One of the paper's tables, for any benchmarks, models and edges.

    Attributes
    ----------
    name
        As in data/published: ``"table_c5"``.
    caption
        Without the table's number and without the archive.
    columns
        In order; a function stands for the columns that depend on the frame.
    rule_at, space_at
        A row for which this changes starts with a rule, or with a little space, above it.
    """

    name: str
    caption: Phrase
    columns: tuple[Column | ColumnsOf, ...]
    rule_at: Callable[[Record], object] = lambda record: None
    space_at: Callable[[Record], object] = lambda record: None


def number(decimals: int, *, sign: bool = False) -> Format:
    """A format for numbers as the paper prints them.

    >>> number(1, sign=True)(2.34, None)
    '+2.3'
    """
    return lambda value, labels: format_number(value, decimals, sign=sign)


def edge_ends(edge: str) -> tuple[str, str]:
    """Source and target of an edge's id.

    >>> edge_ends("gpt-5.4→gpt-5.5")
    ('gpt-5.4', 'gpt-5.5')
    """
    source, _, target = edge.partition(ARROW)
    return source, target


def fill(layout: Layout, frame: pd.DataFrame, labels: Labels) -> Grid:
    """Set a frame in a layout: every cell a text, no output format yet.

    Parameters
    ----------
    layout
        One of the paper's tables.
    frame
        The layout's columns, numbers unrounded, rows in the order wanted. Further columns are
        left out; a missing value becomes an en dash.
    labels
        Display names of models and edges.

    Raises
    ------
    TableError
        If a column is missing, or a value is not a finite number where one is printed.
    """
    for name in KEYS.get(layout.name, ()):
        _require(layout, name, frame)
    columns = [c for c in _columns(layout, frame, labels) if _shown(layout, c, frame)]
    heads = tuple(
        Head(_heading(c, labels), c.spanner, left=c.left or c.key, key=c.key, merge=c.merge)
        for c in columns
    )
    rows, before = [], None
    for record in frame.to_dict("records"):
        cells = tuple(_cell(layout, c, record, labels) for c in columns)
        rows.append(_row(layout, columns, cells, record, before))
        before = record
    notes = tuple(c.note for c in columns if c.note)
    return Grid(heads, tuple(rows), notes)


def _columns(layout: Layout, frame: pd.DataFrame, labels: Labels) -> Iterator[Column]:
    for column in layout.columns:
        if isinstance(column, Column):
            yield column
        else:
            yield from column(frame, labels)


def _shown(layout: Layout, column: Column, frame: pd.DataFrame) -> bool:
    if not column.optional:
        _require(layout, column.name, frame)
        return True
    values = frame[column.name] if column.name in frame.columns else ()
    return any(not is_missing(value) and value != 0 for value in values)


def _require(layout: Layout, name: str, frame: pd.DataFrame) -> None:
    if name not in frame.columns:
        raise TableError(
            f"{layout.name}: the frame has no column {name!r}; "
            f"it has {', '.join(map(str, frame.columns))}"
        )


def _heading(column: Column, labels: Labels) -> Phrase:
    return column.heading(labels) if callable(column.heading) else column.heading


def _cell(layout: Layout, column: Column, record: Record, labels: Labels) -> str:
    value = column.value(record) if column.value else record[column.name]
    if is_missing(value):
        return MISSING
    try:
        return one_line(column.write(value, labels))
    except (TypeError, ValueError) as error:
        row = " | ".join(str(v) for v in list(record.values())[:3])
        raise TableError(
            f"{layout.name}: column {column.name!r} cannot print {value!r} in row {row}; "
            "give a finite number, or a missing value"
        ) from error


def _row(
    layout: Layout,
    columns: list[Column],
    cells: tuple[str, ...],
    record: Record,
    before: Record | None,
) -> Row:
    if before is None:
        return Row(cells, (False,) * len(cells))
    # Ids are compared, not labels: two models may share a label.
    rule = layout.rule_at(record) != layout.rule_at(before)
    space = layout.space_at(record) != layout.space_at(before)
    same, repeats = not rule, []
    for column in columns:
        if column.merge:
            same = same and record[column.name] == before[column.name]
        repeats.append(column.merge and same)
    return Row(cells, tuple(repeats), rule=rule, space=space and not rule)
