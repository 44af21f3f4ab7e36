"""A table as HTML: a fragment that brings its own style, for notebooks, pages and print."""

from __future__ import annotations

from html import escape as escape_html
from itertools import pairwise, takewhile

from reliable_change.tables.caption import Origin, caption, part_name, table_name
from reliable_change.tables.grid import Grid, Head, Row, spans, split
from reliable_change.tables.layout import Layout
from reliable_change.tables.phrase import Phrase, write

# The doubled class outweighs what notebooks say about tables. Colours are inherited, so the
# table can be read on a light and on a dark page, and in print.
STYLE = """\
<style>
.rc-scroll { overflow-x: auto; margin: 1em 0; }
table.rc-table.rc-table { border-collapse: collapse; margin: 0; font-size: 0.92em;
  color: inherit; border-top: 2px solid; border-bottom: 2px solid; line-height: 1.3;
  font-variant-numeric: tabular-nums lining-nums; }
table.rc-table.rc-table caption { caption-side: top; text-align: left; padding: 0 0 0.6em;
  color: inherit; font-size: 1em; max-width: 48em; min-width: 24em; }
table.rc-table.rc-table tr:nth-child(n) { background: none; }
table.rc-table.rc-table th, table.rc-table.rc-table td { border: 0; padding: 0.2em 0.65em;
  text-align: right; vertical-align: baseline; font-weight: normal; white-space: nowrap;
  background: none; }
table.rc-table.rc-table thead th { font-weight: 600; vertical-align: bottom;
  padding-bottom: 0.4em; }
table.rc-table.rc-table th.rc-left, table.rc-table.rc-table td.rc-left { text-align: left; }
table.rc-table.rc-table th.rc-spanner { text-align: center; padding-bottom: 0; }
table.rc-table.rc-table th.rc-spanner span { display: block; border-bottom: 1px solid; }
table.rc-table.rc-table tbody, table.rc-table.rc-table thead { border-bottom: 1px solid; }
table.rc-table.rc-table tbody:last-child { border-bottom: 0; }
table.rc-table.rc-table tr.rc-space > * { padding-top: 0.8em; }
table.rc-table.rc-table sup, table.rc-table.rc-table sub { line-height: 0; }
@media print {
  .rc-scroll { overflow: visible; }
  table.rc-table.rc-table { font-size: 8.5pt; }
  table.rc-table.rc-table caption { break-after: avoid; }
  table.rc-table.rc-table thead { display: table-header-group; break-after: avoid; }
  table.rc-table.rc-table tr { break-inside: avoid; }
}
</style>"""


def escape(text: str) -> str:
    """A text that HTML shows as it stands, in an element or an attribute.

    >>> escape("a_b & <c>%")
    'a_b &amp; &lt;c&gt;%'
    """
    return escape_html(text, quote=True)


def to_html(layout: Layout, grid: Grid, origin: Origin) -> str:
    """Write a filled layout as an HTML fragment.

    Headings carry a scope, groups of rows are bodies of their own, and a group's name spans
    its rows. A table with very many columns becomes several, one below the other.
    """
    parts = split(grid)
    tables = []
    for number, part in enumerate(parts, start=1):
        name, which = f"<b>{table_name(layout)}</b>.", part_name(number, len(parts))
        text = write(caption(layout, grid.notes, origin), "html", escape) if number == 1 else ""
        tables.append(_table(part, " ".join(filter(None, (name, which, text)))))
    return "\n".join([STYLE, *tables]) + "\n"


def to_document(layout: Layout, grid: Grid, origin: Origin) -> str:
    """The same as a whole page, which says how it is encoded and so reads right anywhere."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{table_name(layout)}</title>\n</head>\n"
        f'<body style="font-family: system-ui, sans-serif">\n'
        f"{to_html(layout, grid, origin)}</body>\n</html>\n"
    )


def _table(grid: Grid, caption_html: str) -> str:
    lines = [
        '<div class="rc-scroll">',
        '<table class="rc-table">',
        f"<caption>{caption_html}</caption>",
        "<thead>",
        *_head(grid.heads),
        "</thead>",
    ]
    starts = [number for number, row in enumerate(grid.rows) if number == 0 or row.rule]
    for start, stop in pairwise([*starts, len(grid.rows)]):
        lines += ["<tbody>", *_body(grid.heads, grid.rows[start:stop]), "</tbody>"]
    return "\n".join([*lines, "</table>", "</div>"])


def _head(heads: tuple[Head, ...]) -> list[str]:
    runs = spans(heads)
    if not any(spanner for spanner, _, _ in runs):
        return ["<tr>", *(_column_head(head) for head in heads), "</tr>"]
    top, bottom = [], []
    for spanner, first, width in runs:
        run = heads[first : first + width]
        if spanner:
            top.append(
                f'<th scope="colgroup" colspan="{width}" class="rc-spanner">'
                f"<span>{_phrase(spanner)}</span></th>"
            )
            bottom += [_column_head(head) for head in run]
        else:
            top += [_column_head(head, ' rowspan="2"') for head in run]
    return ["<tr>", *top, "</tr>", "<tr>", *bottom, "</tr>"]


def _column_head(head: Head, more: str = "") -> str:
    return f'<th scope="col"{more}{_left(head)}>{_phrase(head.heading)}</th>'


def _body(heads: tuple[Head, ...], rows: tuple[Row, ...]) -> list[str]:
    lines = []
    for number, row in enumerate(rows):
        cells = []
        for column, head in enumerate(heads):
            if row.repeats[column]:
                continue
            height = _height(rows[number:], column)
            cells.append(_cell(head, row.cells[column], height, whole=height == len(rows) > 1))
        space = ' class="rc-space"' if row.space else ""
        lines.append(f"<tr{space}>{''.join(cells)}</tr>")
    return lines


def _height(rows: tuple[Row, ...], column: int) -> int:
    """Over how many rows the name in the first of them holds."""
    return 1 + sum(1 for _ in takewhile(lambda row: row.repeats[column], rows[1:]))


def _cell(head: Head, text: str, height: int, *, whole: bool) -> str:
    if not head.key:
        return f"<td{_left(head)}>{escape(text)}</td>"
    scope = "rowgroup" if head.merge and whole else "row"
    span = f' rowspan="{height}"' if height > 1 else ""
    return f'<th scope="{scope}"{span}{_left(head)}>{escape(text)}</th>'


def _left(head: Head) -> str:
    return ' class="rc-left"' if head.left else ""


def _phrase(phrase: Phrase) -> str:
    return write(phrase, "html", escape)
