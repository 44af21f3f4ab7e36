r"""Items of one's own, from JSON lines or CSV, with every text kept as it is written.

Columns of both formats: `benchmark`, `item_id`, `task` and `prompt` (needed), `reference`,
`difficulty` and `discipline` (may be left out), and any others, which go into the item's `extra`
under their own names: `options` as a list of texts, say. In JSON lines, each line is an object::

    {"benchmark": "quiz", "item_id": "007", "task": "multiple_choice", "prompt": "Which …?",
     "reference": "B", "options": ["red", "blue"]}

(on one line). A number as id or reference is taken as it is written: 1E5 is the text "1E5". In CSV,
with a heading row and UTF-8, every cell is text and only an empty one is missing: "None" and
"NA" are texts. Cells of the columns `extra`, `options`, `instruction_id_list` and `kwargs` hold
JSON. Both may hold line breaks of any kind within a text.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from reliable_change.archive.schema import ITEMS
from reliable_change.archive.text import escape_surrogates
from reliable_change.errors import CollectError

COLUMNS = tuple(ITEMS.names)
NEEDED = ("benchmark", "item_id", "task", "prompt")
JSON_CELLS = frozenset({"extra", "options", "instruction_id_list", "kwargs"})


class OwnItems(NamedTuple):
    """Items with the columns of the archive's schema, and sentences on what was left out."""

    items: pd.DataFrame
    notices: tuple[str, ...]


def read_own_items(path: Path) -> OwnItems:
    """Read items from a ``.jsonl`` or ``.csv`` file, in its order.

    A last line of JSON that was cut off while it was written (no line break, not whole) is left
    out with a notice; a bad line anywhere else is an error.

    Raises
    ------
    CollectError
        Naming the file, the line, and what to mend.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "quiz.csv"
    ...     _ = path.write_text("benchmark,item_id,task,prompt,reference\\nquiz,007,math,2+2?,NA")
    ...     items, _ = read_own_items(path)
    >>> items.loc[0, ["item_id", "reference"]].tolist()
    ['007', 'NA']
    """
    readers = {".jsonl": _json_rows, ".csv": _csv_rows}
    if path.suffix not in readers:
        raise CollectError(f"{path}: items are read from {' or '.join(readers)} files")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CollectError(f"{path}: cannot be read ({error.strerror})") from None
    notices: list[str] = []
    rows, lines = [], {}
    content = content.removeprefix(b"\xef\xbb\xbf")
    for line, fields in readers[path.suffix](path.name, content, notices):
        item = _item(path.name, line, fields)
        key = item["benchmark"], item["item_id"]
        if key in lines:
            raise CollectError(
                f"{path.name}: item {key[1]!r} of {key[0]!r} stands on line {lines[key]} and on "
                f"line {line}; keep one of the two"
            )
        lines[key] = line
        rows.append(item)
    if not rows:
        raise CollectError(f"{path.name}: holds no item; write one line for each")
    return OwnItems(pd.DataFrame(rows, columns=list(COLUMNS), dtype=object), tuple(notices))


class _Float(float):
    """A JSON number that remembers how it was written."""

    written: str


def _number(written: str) -> _Float:
    number = _Float(written)
    if not math.isfinite(number):
        raise ValueError(f"{written} is too large a number")
    number.written = written
    return number


def _constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _object(pairs: list[tuple[str, object]]) -> dict:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def _parse(text: str) -> object:
    return json.loads(
        text, parse_float=_number, parse_constant=_constant, object_pairs_hook=_object
    )


def _json_rows(name: str, content: bytes, notices: list[str]) -> Iterator[tuple[int, dict]]:
    # Only a line feed ends a line: JSON writes any other break within a text as it likes.
    lines = content.split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            fields = _parse(line.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            if number == len(lines):
                notices.append(f"{name}: line {number} was cut off and is left out")
                return
            raise _wrong(name, number, f"is no JSON ({error})", "mend or remove it") from None
        if not isinstance(fields, dict):
            raise _wrong(name, number, "is no JSON object", 'write {"item_id": …}')
        yield number, fields


def _csv_rows(name: str, content: bytes, notices: list[str]) -> Iterator[tuple[int, dict]]:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise _wrong(name, line, "is no UTF-8", "save the file as UTF-8") from None
    # A bare carriage return is text here, but ends a row for the csv module: stand in for it.
    stand_in = next(sign for sign in map(chr, range(0xE000, 0xF900)) if sign not in text)
    lines = io.StringIO(re.sub("\r(?!\n)", stand_in, text), newline="")
    reader = csv.reader(lines, strict=True)
    try:
        heading = next(reader, [])
        if len(set(heading)) < len(heading):
            raise _wrong(name, 1, "names a column twice", "rename one of the two")
        for cells in reader:
            line = reader.line_num
            if cells and len(cells) != len(heading):
                what = f"has {len(cells)} cells, the heading {len(heading)}"
                raise _wrong(name, line, what, "quote cells that hold commas or line breaks")
            filled = [
                (c, cell.replace(stand_in, "\r"))
                for c, cell in zip(heading, cells, strict=False)
                if cell
            ]
            if filled:
                yield line, {column: _cell(name, line, column, cell) for column, cell in filled}
    except csv.Error as error:
        raise _wrong(name, reader.line_num, f"is no CSV ({error})", "mend its quotes") from None


def _cell(name: str, line: int, column: str, cell: str) -> object:
    if column not in JSON_CELLS:
        return cell
    try:
        return _parse(cell)
    except (ValueError, RecursionError) as error:
        raise _wrong(name, line, f"column {column!r} is no JSON ({error})", "mend it") from None


def _item(name: str, line: int, fields: dict) -> dict:
    """One row of the archive's items from what a line holds."""
    item, others = dict.fromkeys(COLUMNS), {}
    extra = fields.get("extra") or {}
    if not isinstance(extra, dict):
        raise _wrong(name, line, "column 'extra' is no JSON object", "name what it holds")
    for column, value in fields.items():
        if column in extra:
            raise _wrong(name, line, f"{column!r} stands in 'extra' too", "keep one of the two")
        if column in COLUMNS and column != "extra":
            item[column] = _text(name, line, column, value)
        elif column != "extra" and value is not None:
            others[column] = value
    for column in NEEDED:
        if not (item[column] or "").strip():
            raise _wrong(name, line, f"column {column!r} is missing or empty", "fill it in")
    item["extra"] = json.dumps(extra | others) if extra or others else None
    return item


def _text(name: str, line: int, column: str, value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, _Float):
        value = value.written
    elif isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise _wrong(name, line, f"column {column!r} is no text", "write it in quotes")
    if escape_surrogates(value) == value:
        return value
    if column in NEEDED:
        what = f"column {column!r} holds half a surrogate pair, which no request can carry"
        raise _wrong(name, line, what, "mend the text")
    return escape_surrogates(value)


def _wrong(name: str, line: int, what: str, do: str) -> CollectError:
    return CollectError(f"{name}: line {line}: {what}; {do}")
