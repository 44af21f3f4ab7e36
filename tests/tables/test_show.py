from __future__ import annotations

import pytest

from reliable_change.tables.layout import TableError
from reliable_change.tables.layouts import LAYOUTS
from reliable_change.tables.show import show


def test_a_notebook_shows_the_html_with_its_caption(paper_frame, labels):
    shown = show("table_d7", paper_frame("table_d7"), labels, source="mine", synthetic=True)
    html = shown._repr_html_()
    assert "<caption><b>Table D.7</b>. " in html
    assert "Data: mine, a synthetic reconstruction.</caption>" in html
    assert "<td>−3948.0</td>" in html


def test_elsewhere_the_text_is_aligned_and_always_the_same(paper_frame, labels):
    shown = show(LAYOUTS["table_b4"], paper_frame("table_b4"), labels)
    assert repr(shown).splitlines()[:3] == [
        "K=50 classification     I→C  C→I  Unchanged  Total",
        "Reliably improved       120    8        127    255",
        "Reliably regressed       10   87        105    202",
    ]
    assert repr(shown) == repr(show("table_b4", paper_frame("table_b4"), labels))


def test_without_a_source_the_caption_names_none(paper_frame, labels):
    assert "Data:" not in show("table_d7", paper_frame("table_d7"), labels)._repr_html_()


def test_an_unknown_layout_is_named(paper_frame, labels):
    with pytest.raises(TableError, match="no layout for 'table_2'"):
        show("table_2", paper_frame("table_1"), labels)
