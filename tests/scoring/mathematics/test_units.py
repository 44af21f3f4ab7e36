from __future__ import annotations

import pytest

from reliable_change.scoring.mathematics.plain import plain
from reliable_change.scoring.mathematics.units import split_unit


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("45 \\text{ miles}", "45", "mile"),
        ("45 miles", "45", "mile"),
        ("12\\mathrm{cm}^2", "12", "centimetre^2"),
        ("12 square centimeters", "12", "centimetre^2"),
        ("12\\text{ square cm}", "12", "centimetre^2"),
        ("5 square units", "5", "unit^2"),
        ("\\frac{3}{2}\\text{ hours}", "\\frac{3}{2}", "hour"),
        ("60\\text{ km/h}", "60", "kilometre per hour"),
        ("25\\%", "25", "%"),
        ("25 percent", "25", "%"),
        ("90^\\circ", "90", "degree"),
        ("18 dollars", "18", "dollar"),
        ("7\\text{ widgets}", "7", "widget"),
    ],
)
def test_a_unit_and_what_stands_before_it(text, value, unit):
    assert split_unit(plain(text)) == (value, unit)


@pytest.mark.parametrize(
    "text",
    [
        "5",
        "2x",
        "2\\text{ million}",
        "3 dozen",
        "7 widgets",
        "2 or 3",
        "3\\mathrm{i}",
        "3\\text{e}",
        "\\text{No}",
        "12\\text{ if n is even}",
        "5!",
        "miles",
        "2 mod 7",
        "\\sin 30^\\circ",
        "5m",
    ],
)
def test_what_would_change_the_value_is_no_unit(text):
    assert split_unit(plain(text)) == (plain(text), None)
