from __future__ import annotations

import pytest

from reliable_change.scoring.mathematics.compare import same
from reliable_change.scoring.mathematics.means import Exactly
from reliable_change.scoring.mathematics.plain import plain
from reliable_change.scoring.mathematics.shape import shape


def verdict(reference: str, answer: str) -> bool | None:
    return same(shape(plain(reference)), shape(plain(answer)), Exactly())


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("5/4", "1 1/4"),
        ("0.5", "\\frac12"),
        ("115,000", "115000"),
        ("3, 5, 7", "7, 5, 3"),
        ("3, 5, 7", "\\{3, 7, 5\\}"),
        ("3, 5", "3 and 5"),
        ("(1,2)", "1, 2"),
        ("(1,2),(3,4)", "(3,4), (1,2)"),
        ("\\{5\\}", "5"),
        ("\\pm 2", "-2, 2"),
        ("x = 5", "5"),
        ("5", "x = 5"),
        ("5", "2 + 3 = 5"),
        ("x = 5", "x = 2 + 3 = 5"),
        ("260", "Total = 260"),
        ("f(x) = 5x", "5x"),
        ("(x,y) = (1,2)", "(1,2)"),
        ("a = 1, b = 2", "b = 2, a = 1"),
        ("a = 1, b = 2", "1, 2"),
        ("x = 1, x = 2", "2, 1"),
        ("x \\in \\{1, 2\\}", "x = 2 or x = 1"),
        ("x \\in [-3, 8]", "[-3, 8]"),
        ("-3 \\le x \\le 8", "x \\in [-3, 8]"),
        ("8 \\ge x > -3", "(-3, 8]"),
        ("x \\ge 3", "[3, \\infty)"),
        ("n \\geq 3", "3 \\leq n"),
        ("x < 3", "(-\\infty, 3)"),
        ("(1,2) \\cup (3,4)", "(3,4) \\cup (1,2)"),
        ("\\frac13", "\\frac13 \\approx 0.333"),
        ("45 \\text{ miles}", "45"),
        ("45", "45 miles"),
        ("2 \\text{ km}", "2 kilometers"),
        ("25\\%", "25"),
        ("25", "25\\%"),
        ("0.25", "25\\%"),
        ("25\\%", "1/4"),
        ("60^\\circ", "60"),
        (
            "\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}",
            "\\begin{bmatrix} 1&2\\\\3&2^2 \\end{bmatrix}",
        ),
        ("\\text{No}", "no"),
    ],
)
def test_the_same(reference, answer):
    assert verdict(reference, answer) is True


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("2", "2 2/3"),
        ("10", "4 10/3"),
        ("0.333", "\\frac13"),
        ("3, 5, 7", "7"),
        ("7", "3, 5, 7"),
        ("3, 5, 7", "3, 5"),
        ("3, 5", "3, 5, 5"),
        ("1, 1, 2", "1, 2, 2"),
        ("(1,2)", "(2,1)"),
        ("(1,2)", "[1,2]"),
        ("(1,2)", "\\{1,2\\}"),
        ("[1,2)", "[1,2]"),
        ("(1,2) \\cup (3,4)", "(1,2), (3,4)"),
        ("x = 5", "y = 5"),
        ("5", "2 + 2 = 5"),
        ("x = 5", "x = 5 = 6"),
        ("a = 1, b = 2", "2, 1"),
        ("n \\geq 3", "3"),
        ("n \\geq 3", "n > 3"),
        ("x > 3", "[3, \\infty)"),
        ("x + 1", "y + 1"),
        ("0.333", "\\frac13 \\approx 0.333"),
        ("45 \\text{ km}", "45 m"),
        ("45 \\text{ km}", "45 miles"),
        ("2 hours", "2 minutes"),
        ("4\\text{ cm}^2", "4\\text{ cm}"),
        ("25\\%", "26"),
        ("25\\%", "0.25\\%"),
        ("\\text{No}", "yes"),
        ("\\text{No}", "0"),
        ("101_2", "101"),
        ("101_2", "5"),
        ("\\emptyset", "0"),
        ("2\\text{ million}", "2"),
        ("12\\text{ if }n\\text{ is even}", "12"),
    ],
)
def test_not_the_same(reference, answer):
    assert verdict(reference, answer) is False
    assert verdict(answer, reference) is False


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("\\sqrt{8}", "2\\sqrt2"),
        ("1 - \\frac1e", "1"),
        ("x^2 - 1", "(x-1)(x+1)"),
        ("2x + 2y = 4", "x + y = 2"),
        ("60^\\circ", "\\frac{\\pi}{3}"),
        ("\\sum_{k=1}^n k", "\\frac{n(n+1)}{2}"),
        ("1, \\sqrt8", "1, 2\\sqrt2"),
        ("x < 3", "x > 3"),
        ("5^{5^{5^{5^5}}}", "3"),
    ],
)
def test_what_fractions_cannot_decide_is_left_undecided(reference, answer):
    assert verdict(reference, answer) is None


def test_one_difference_decides_what_another_member_leaves_open():
    assert verdict("(\\sqrt8, 1)", "(2\\sqrt2, 2)") is False


def test_a_member_that_can_be_nobodys_partner_decides_from_either_side():
    pair = "\\sqrt8, x", "\\sqrt2, 2\\sqrt2"
    assert verdict(*pair) is verdict(*reversed(pair)) is False
