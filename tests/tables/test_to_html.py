from __future__ import annotations

from html.parser import HTMLParser

import pytest

from reliable_change.published.tables import KEYS
from reliable_change.tables.caption import Origin
from reliable_change.tables.layout import fill
from reliable_change.tables.layouts import LAYOUTS
from reliable_change.tables.to_csv import to_csv
from reliable_change.tables.to_html import to_document, to_html

ORIGIN = Origin("an <archive>", synthetic=True)


class Page(HTMLParser):
    """Tables of a page: sections of rows of (tag, attributes, text); checks nesting."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open, self.tables, self.caption, self.tags = [], [], "", set()
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag == "meta":
            return
        self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag in ("thead", "tbody"):
            self.tables[-1].append([])
        elif tag == "tr":
            self.tables[-1][-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1][-1].append([tag, dict(attrs), ""])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "caption" in self.open:
            self.caption += data
        elif "td" in self.open or "th" in self.open:
            self.tables[-1][-1][-1][-1][2] += data


def filled(section):
    """A section as the browser lays it out: a full rectangle of texts, or the test fails."""
    cells = {}
    for number, row in enumerate(section):
        column = 0
        for _, attributes, text in row:
            while (number, column) in cells:
                column += 1
            for down in range(int(attributes.get("rowspan", 1))):
                for right in range(int(attributes.get("colspan", 1))):
                    assert (number + down, column + right) not in cells
                    cells[number + down, column + right] = text
    width = 1 + max(column for _, column in cells)
    assert len(cells) == len(section) * width
    return [[cells[r, c] for c in range(width)] for r in range(len(section))]


def html(name, frame, labels):
    return to_html(LAYOUTS[name], fill(LAYOUTS[name], frame, labels), ORIGIN)


@pytest.mark.parametrize("name", list(KEYS))
def test_every_cell_stands_where_the_csv_has_it(name, paper_frame, labels):
    (sections,) = Page(html(name, paper_frame(name), labels)).tables
    shown = [row for section in sections[1:] for row in filled(section)]
    grid = fill(LAYOUTS[name], paper_frame(name), labels)
    assert shown == [list(row.cells) for row in grid.rows]
    assert len(filled(sections[0])[-1]) == len(grid.heads)
    assert len(to_csv(grid).splitlines()) == 1 + len(shown)


@pytest.mark.parametrize("name", list(KEYS))
def test_every_heading_says_what_it_heads(name, paper_frame, labels):
    (sections,) = Page(html(name, paper_frame(name), labels)).tables
    for number, section in enumerate(sections):
        allowed = {"col", "colgroup"} if number == 0 else {"row", "rowgroup"}
        headings = [cell for row in section for cell in row if cell[0] == "th"]
        assert headings
        assert {attributes["scope"] for _, attributes, _ in headings} <= allowed


def test_groups_are_bodies_and_their_name_spans_them(paper_frame, labels):
    (sections,) = Page(html("table_c5", paper_frame("table_c5"), labels)).tables
    assert [len(section) for section in sections] == [1, 12, 12, 12]
    edge, benchmark = sections[1][0][:2]
    assert edge[1]["scope"] == "rowgroup"
    assert edge[1]["rowspan"] == "12"
    assert benchmark[1]["scope"] == "row"
    assert benchmark[1]["rowspan"] == "4"


def test_spanning_headings(paper_frame, labels):
    (sections,) = Page(html("table_d6", paper_frame("table_d6"), labels)).tables
    top = [(text, a["scope"], a.get("colspan"), a.get("rowspan")) for _, a, text in sections[0][0]]
    assert top == [
        ("Benchmark", "col", None, "2"),
        ("Model", "col", None, "2"),
        ("Mean", "colgroup", "2", None),
        ("Total tokens", "colgroup", "4", None),
    ]


def test_the_caption_numbers_the_table_and_says_whose_data_it_is(paper_frame, labels):
    caption = Page(html("table_d6", paper_frame("table_d6"), labels)).caption
    assert caption.startswith("Table D.6. Tokens per request")
    assert caption.endswith("Data: an <archive>, a synthetic reconstruction.")


def test_hostile_names_stay_text(hostile_frame, hostile_names, labels):
    page = Page(html("table_d7", hostile_frame, labels))
    assert "script" not in page.tags
    (sections,) = page.tables
    shown = [row[1] for section in sections[1:] for row in filled(section)]
    assert shown == [" ".join(name.split()) for name in hostile_names]
    assert all(
        set(attributes) <= {"scope", "class", "rowspan"}
        for section in sections[1:]
        for row in section
        for _, attributes, _ in row
    )


def test_a_wide_table_becomes_several(wide_frame, labels):
    tables = Page(html("table_f9", wide_frame, labels)).tables
    assert len(tables) == 3
    widths = [len(filled(sections[0])[-1]) for sections in tables]
    assert sum(widths) == 3 * 2 + 1 + 12 + 11
    assert min(widths) > 4


def test_no_rows(paper_frame, labels):
    (sections,) = Page(html("table_1", paper_frame("table_1")[:0], labels)).tables
    assert len(sections) == 1


def test_a_document_says_how_it_is_encoded(paper_frame, labels):
    grid = fill(LAYOUTS["table_1"], paper_frame("table_1"), labels)
    text = to_document(LAYOUTS["table_1"], grid, ORIGIN)
    assert text.index('<meta charset="utf-8">') < text.index("−")
    assert len(Page(text).tables) == 1


def test_every_part_of_a_split_table_has_its_caption(wide_frame, labels):
    caption = Page(html("table_f9", wide_frame, labels)).caption
    assert caption.startswith("Table F.9. Part 1 of 3. Mean strict accuracy")
    assert caption.endswith("Table F.9. Part 2 of 3.Table F.9. Part 3 of 3.")


@pytest.mark.parametrize("rows", [1, 2])
def test_small_groups(rows, paper_frame, labels):
    (sections,) = Page(html("table_1", paper_frame("table_1")[:rows], labels)).tables
    assert [row[0] for row in filled(sections[1])] == ["5.4→5.5"] * rows
    assert sections[1][0][0][1]["scope"] == ("rowgroup" if rows > 1 else "row")
