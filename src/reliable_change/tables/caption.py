"""A table's caption: what it shows, what an unusual column means, and whose data it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reliable_change.published.tables import label
from reliable_change.tables.layout import Layout
from reliable_change.tables.phrase import Phrase, join, one_line

SYNTHETIC = "a synthetic reconstruction"


@dataclass(frozen=True)
class Origin:
    """Where a table's numbers come from.

    Attributes
    ----------
    source
        The archive's name; empty if there is nothing to name.
    synthetic
        Whether that archive is a reconstruction, whose trials no model ever produced.
    note
        A further sentence for the caption, such as the settings used.
    """

    source: str = ""
    synthetic: bool = False
    note: str = ""

    def sentence(self) -> str:
        """Name the data in a sentence.

        >>> Origin("default", synthetic=True).sentence()
        'Data: default, a synthetic reconstruction.'
        """
        named = [one_line(self.source)] if self.source else []
        named += [SYNTHETIC] if self.synthetic else []
        return f"Data: {', '.join(named)}." if named else ""


def table_name(layout: Layout) -> str:
    """The name under which the paper prints the table: "Table C.5"."""
    return label(layout.name)


def caption(layout: Layout, notes: Sequence[Phrase], origin: Origin) -> Phrase:
    """The caption without the table's number."""
    ends = [*notes, one_line(origin.note), origin.sentence()]
    return join(layout.caption, *(join(" ", end) for end in ends if end))


def part_name(number: int, parts: int) -> str:
    """How the caption names one part of a split table; empty if there is only one.

    >>> part_name(2, 3), part_name(1, 1)
    ('Part 2 of 3.', '')
    """
    return f"Part {number} of {parts}." if parts > 1 else ""
