"""Cutting an archive's responses into parts: whole items, each distinct text once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from reliable_change.archive.read import Archive
from reliable_change.archive.schema import KEY, SCORES
from reliable_change.scoring.texts import Row, Slice, Text
from reliable_change.scoring.verdict import Item

# A part is as many whole items as give this much, a slice as many texts of it as give that much.
PART_TEXTS, PART_ROWS, PART_CHARACTERS = 1_000, 20_000, 8_000_000
SLICE_TEXTS, SLICE_CHARACTERS = 200, 1_000_000

READ = (*KEY, "response_text", "finish_reason", "refusal")

Items = Mapping[tuple[str, str], Item]


@dataclass
class Part:
    """Some items' trials in key order, and which of the distinct texts each of them gave."""

    number: int
    keys: list[tuple[str, str, str, int]] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    characters: int = 0

    @property
    def is_full(self) -> bool:
        """Whether the next item begins the next part."""
        return (
            len(self.texts) >= PART_TEXTS
            or len(self.keys) >= PART_ROWS
            or self.characters >= PART_CHARACTERS
        )

    def slices(self) -> Iterator[Slice]:
        """Cut the distinct texts into what a process is given at a time."""
        start, characters = 0, 0
        for stop, text in enumerate(self.texts):
            if stop - start >= SLICE_TEXTS or (characters >= SLICE_CHARACTERS and stop > start):
                yield Slice(self.number, start, self.texts[start:stop])
                start, characters = stop, 0
            characters += len(text.text or "")
        if start < len(self.texts):
            yield Slice(self.number, start, self.texts[start:])


@dataclass
class Verdicts:
    """A part whose texts are being scored: it forgets the texts and gathers the rows."""

    keys: list[tuple[str, str, str, int]]
    codes: list[int]
    rows: list[Row | None]
    open: int

    @classmethod
    def of(cls, part: Part) -> Verdicts:
        """Start with no rows."""
        count = len(part.texts)
        return cls(part.keys, part.codes, [None] * count, count)

    def add(self, start: int, rows: list[Row]) -> None:
        """Add the rows of a slice."""
        self.rows[start : start + len(rows)] = rows
        self.open -= len(rows)

    def table(self) -> pa.Table:
        """Return the scores of all trials of the part."""
        fields = list(SCORES)
        keys = [
            pa.array(column, kind.type)
            for column, kind in zip(zip(*self.keys, strict=True), fields, strict=False)
        ]
        codes = pa.array(self.codes)
        verdicts = [
            pa.array(column, kind.type).take(codes)
            for column, kind in zip(zip(*self.rows, strict=True), fields[len(KEY) :], strict=True)
        ]
        return pa.table([*keys, *verdicts], schema=SCORES)


def read_parts(
    archive: Archive, items: Items, benchmarks: Collection[str] | None = None
) -> Iterator[Part]:
    """Stream the responses of some benchmarks (all by default) part by part, in key order.

    Each distinct (item, text, finish reason, refusal) stands once in `Part.texts`. The division
    depends on the responses and the constants above alone. Memory is in proportion to a part.
    """
    part, here, seen = Part(0), None, {}
    for benchmark, item_id, model, trial, *response in _rows(archive, benchmarks):
        if (benchmark, item_id) != here:
            if part.is_full:
                yield part
                part = Part(part.number + 1)
            here, seen = (benchmark, item_id), {}
            item = items[here]
        text = tuple(response)
        code = seen.get(text)
        if code is None:
            code = seen[text] = len(part.texts)
            part.texts.append(Text(item, *text))
            part.characters += len(text[0] or "")
        part.keys.append((benchmark, item_id, model, trial))
        part.codes.append(code)
    if part.keys:
        yield part


def _rows(archive: Archive, benchmarks: Collection[str] | None) -> Iterator[tuple]:
    for batch in archive.response_batches(READ):
        rows = zip(*map(_values, batch.columns), strict=True)
        if benchmarks is None:
            yield from rows
        else:
            yield from (row for row in rows if row[0] in benchmarks)


def _values(column: pa.Array) -> list:
    """Return a column's values, None where missing; ten times as fast as to_pylist."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    return column.to_numpy(zero_copy_only=False).tolist()
