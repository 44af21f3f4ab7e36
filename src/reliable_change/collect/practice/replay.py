"""The trials of an archive as a stock that is handed out one by one, and taken back if lost."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import pandas as pd

from reliable_change.archive.read import Archive
from reliable_change.errors import NotInArchive

Cell = tuple[str, str, str]  # benchmark, item_id, model

COLUMNS = (
    *("benchmark", "item_id", "model", "trial", "response_text", "refusal", "finish_reason"),
    *("input_tokens", "output_tokens", "reasoning_tokens"),
)


@dataclass(frozen=True, slots=True)
class Stored:
    """A trial of the archive that can be handed out, with an id that says which it is."""

    cell: Cell
    id: str
    text: str | None
    refusal: str | None
    finish_reason: str
    input_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None


class Stock:
    """The trials that are still to be handed out, by item and model, in order of trial.

    Trials without a text are left out: nothing came back of them, so nothing can be replayed.

    Raises
    ------
    NotInArchive
        No texts, or no prompts to find an item by.
    """

    def __init__(self, archive: Archive) -> None:
        name = archive.manifest.name
        self.items = _items_by_prompt(archive)
        self.models = frozenset(archive.manifest.models)
        self._waiting: dict[Cell, deque[Stored]] = {}
        self._given: dict[Cell, list[Stored]] = {}
        self._doubtful: dict[Cell, deque[Stored]] = {}
        known = frozenset(self.items.values())
        for row in archive.responses(COLUMNS).itertuples(index=False):
            cell = (row.benchmark, row.item_id, row.model)
            if cell[:2] in known and (text := _or_none(row.response_text)) is not None:
                stored = Stored(
                    cell,
                    _id_of(cell, row.trial),
                    text,
                    _or_none(row.refusal),
                    _or_none(row.finish_reason) or "stop",
                    _or_none(row.input_tokens),
                    _or_none(row.output_tokens),
                    _or_none(row.reasoning_tokens),
                )
                self._waiting.setdefault(cell, deque()).append(stored)
        if not self._waiting:
            raise NotInArchive(f"archive '{name}' has no texts of replies; there is none to replay")

    def counts(self) -> Mapping[Cell, int]:
        """How many trials are still waiting, by benchmark, item and model."""
        return {cell: len(waiting) for cell, waiting in self._waiting.items()}

    def take(self, cell: Cell) -> Stored | None:
        """Hand out the next trial; when none waits, one that may have been lost; else None."""
        for pile in (self._waiting.get(cell), self._doubtful.get(cell)):
            if pile:
                self._given.setdefault(cell, []).append(pile[0])
                return pile.popleft()
        return None

    def doubt(self, stored: Stored) -> None:
        """Take note that a trial was sent and may never have been read."""
        given = self._given.get(stored.cell, [])
        if stored in given:
            given.remove(stored)
            self._doubtful.setdefault(stored.cell, deque()).append(stored)

    def restock(self, held: Iterable[str]) -> int:
        """Take back every trial that was handed out but is not held; return how many.

        Parameters
        ----------
        held : iterable of str
            Request ids (of body or header) that the collector has stored.
        """
        kept = {id.replace("_", "-").rpartition("-")[2] for id in held}
        count = 0
        for cell, waiting in self._waiting.items():
            out = [*self._doubtful.pop(cell, ()), *self._given.pop(cell, ())]
            lost = [stored for stored in out if stored.id not in kept]
            waiting.extendleft(reversed(lost))
            count += len(lost)
        return count


def _items_by_prompt(archive: Archive) -> dict[str, tuple[str, str]]:
    items: dict[str, tuple[str, str]] = {}
    for row in archive.items.itertuples(index=False):
        if _or_none(row.prompt) is None:
            continue
        if row.prompt in items:
            one, other = items[row.prompt], (row.benchmark, row.item_id)
            raise NotInArchive(
                f"archive '{archive.manifest.name}': items {'/'.join(one)} and {'/'.join(other)} "
                "have the same prompt, so a server cannot tell which of them is asked for"
            )
        items[row.prompt] = (row.benchmark, row.item_id)
    if not items:
        raise NotInArchive(f"archive '{archive.manifest.name}' has no prompts to find items by")
    return items


def _id_of(cell: Cell, trial: int) -> str:
    return sha256(repr((*cell, int(trial))).encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _or_none(value: Any) -> Any:
    if pd.isna(value):
        return None
    return value if isinstance(value, str) else int(value)
