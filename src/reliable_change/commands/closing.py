"""What the terminal says after a run on another archive: what changed, and where to look."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from reliable_change.commands.common import short

if TYPE_CHECKING:  # pandas takes seconds to import, and help should answer at once
    import pandas as pd

FINDINGS, REACH, ITEMS = "findings.csv", "reach.csv", "changed_items.csv"
FIRST = "04_classification.ipynb"


def say_what_changed(output: Path) -> None:
    """Print what a run wrote of its cells, how little it may mean, and which file to open."""
    import pandas as pd

    tables, notebook = output / "tables", output / "notebooks" / FIRST
    if (tables / FINDINGS).is_file():
        print("what changed (items that changed reliably; delta in points):")
        print(cell_lines(pd.read_csv(tables / FINDINGS)))
    if (tables / REACH).is_file():
        from reliable_change.analysis.reach import what_they_could_show

        for sentence in what_they_could_show(pd.read_csv(tables / REACH)):
            print(sentence)
    if notebook.is_file():
        print(f"open first: {short(notebook)}")
    if (tables / ITEMS).is_file():
        print(f"every changed item: {short(tables / ITEMS)}")


def cell_lines(found: pd.DataFrame) -> str:
    """A line for each cell, from the table of `analysis.findings.findings`.

    >>> import pandas as pd
    >>> cell = {"edge": "old→new", "benchmark": "quiz", "items": 30, "delta": -1.25}
    >>> print(cell_lines(pd.DataFrame([cell | {"improved": 2, "regressed": 3, "null95": 0}])))
      old→new  quiz  delta −1.2  improved 2  regressed 3  of 30
    """
    if found.empty:
        return "  no item has a scored trial of both models"
    from reliable_change.published.numbers import format_number, is_missing

    rows = [
        (
            str(cell.edge),
            str(cell.benchmark),
            "delta " + ("–" if is_missing(cell.delta) else format_number(cell.delta, 1, sign=True)),
            f"improved {cell.improved}",
            f"regressed {cell.regressed}",
            f"of {cell.items}",
        )
        for cell in found.itertuples()
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(text.ljust(w) for text, w in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(f"  {line.rstrip()}" for line in lines)


def one_line(summary: pd.DataFrame, output: Path) -> str:
    """The total of a ledger's summary in words.

    >>> import pandas as pd
    >>> total = {"place": "Total", "claims": 3, "reproduced": 1, "differs": 2}
    >>> one_line(pd.DataFrame([total | {"compatible": 0}]), Path("build/mine"))
    'against the paper, whose data it is not: 1 reproduced, 2 differs, 0 compatible of 3 claims \
(reliable-change ledger --output build/mine)'
    """
    total = summary.iloc[-1]
    counts = [f"{total[name]} {name}" for name in summary.columns[2:]]
    return (
        f"against the paper, whose data it is not: {', '.join(counts)} of {total['claims']} claims "
        f"(reliable-change ledger --output {short(output)})"
    )
