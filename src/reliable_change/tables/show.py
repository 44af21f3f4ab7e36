"""A table for a notebook: HTML where HTML is shown, aligned text everywhere else."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from reliable_change.tables.caption import Origin
from reliable_change.tables.grid import Grid
from reliable_change.tables.layout import Labels, Layout, TableError, fill
from reliable_change.tables.layouts import LAYOUTS
from reliable_change.tables.to_csv import plain_heading
from reliable_change.tables.to_html import to_html


@dataclass(frozen=True, repr=False)
class Shown:
    """A filled table that a notebook displays by itself."""

    layout: Layout
    grid: Grid
    origin: Origin

    def _repr_html_(self) -> str:
        return to_html(self.layout, self.grid, self.origin)

    def __repr__(self) -> str:
        lines = [
            tuple(plain_heading(head) for head in self.grid.heads),
            *(row.cells for row in self.grid.rows),
        ]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(
                cell.ljust(width) if head.left else cell.rjust(width)
                for cell, width, head in zip(line, widths, self.grid.heads, strict=True)
            ).rstrip()
            for line in lines
        )


def show(
    layout: Layout | str,
    frame: pd.DataFrame,
    labels: Labels,
    *,
    source: str = "",
    synthetic: bool = False,
    note: str = "",
) -> Shown:
    """Show a tidy frame in the paper's layout.

    Parameters
    ----------
    layout
        One of `layouts.LAYOUTS`, or its name: ``"table_1"``.
    frame, labels
        As `layout.fill` takes them.
    source, synthetic, note
        What the caption says about the data; see `caption.Origin`.

    Raises
    ------
    TableError
        If there is no such layout, or the frame does not fit it.
    """
    if isinstance(layout, str):
        if layout not in LAYOUTS:
            raise TableError(f"no layout for {layout!r}; there are {', '.join(LAYOUTS)}")
        layout = LAYOUTS[layout]
    return Shown(layout, fill(layout, frame, labels), Origin(source, synthetic, note))
