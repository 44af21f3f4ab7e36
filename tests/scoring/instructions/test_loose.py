"""The eight texts of the loose reading."""

from __future__ import annotations

import pytest

from reliable_change.scoring.instructions.loose import Readings


def test_first_line_last_line_both_and_asterisks():
    assert list(Readings(" Sure! \n *a* \n  b\n*Bye* ")) == [
        " Sure! \n *a* \n  b\n*Bye* ",
        " Sure! \n a \n  b\nBye ",
        "*a* \n  b\n*Bye*",
        "Sure! \n *a* \n  b",
        "*a* \n  b",
        "a \n  b\nBye",
        "Sure! \n a \n  b",
        "a \n  b",
    ]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t\u2003\r"])
def test_a_blank_reply_has_no_reading(text):
    assert list(Readings(text)) == []


def test_one_line_has_nothing_to_cut_and_asterisks_leave_nothing():
    assert list(Readings("one line")) == ["one line"]
    assert list(Readings("***")) == ["***"]


def test_only_line_feeds_end_a_line():
    assert list(Readings("a\rb\u2028c")) == ["a\rb\u2028c"]
