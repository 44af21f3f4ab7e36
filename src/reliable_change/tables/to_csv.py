"""A table as CSV: the numbers as printed, every row with all of its names."""

from __future__ import annotations

import csv
import io

from reliable_change.tables.grid import Grid, Head
from reliable_change.tables.phrase import write


def to_csv(grid: Grid) -> str:
    """Write a filled layout as comma-separated text with one line of headings.

    A heading shared by several columns stands before each of theirs ("Total tokens: P5"), and
    group names are repeated, so that any row can be read alone.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([plain_heading(head) for head in grid.heads])
    writer.writerows(row.cells for row in grid.rows)
    return out.getvalue()


def plain_heading(head: Head) -> str:
    """A column's heading as plain text, its spanner first."""
    heading = write(head.heading, "plain")
    return f"{write(head.spanner, 'plain')}: {heading}" if head.spanner else heading
