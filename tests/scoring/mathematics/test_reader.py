from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from time import perf_counter

import pytest

from reliable_change.scoring.mathematics.exact import TooLarge, rational
from reliable_change.scoring.mathematics.plain import plain
from reliable_change.scoring.mathematics.reader import read
from reliable_change.scoring.mathematics.tokens import Unreadable


def value(text: str) -> Fraction | None:
    return rational(read(plain(text)), 20_000)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5", 5),
        ("-5", -5),
        ("+5", 5),
        (".5", "1/2"),
        ("2 2/3", "8/3"),
        ("1 1/4", "5/4"),
        ("-2 2/3", "-8/3"),
        ("2\\frac{1}{2}", "5/2"),
        ("2\\frac12", "5/2"),
        ("2 \\cdot \\frac12", 1),
        ("2(1/2)", 1),
        ("2^3\\frac12", 4),
        ("-3^2", -9),
        ("2^3^2", 512),
        ("2^{-1}", "1/2"),
        ("2^-1", "1/2"),
        ("2^10", 1024),
        ("6/2(3)", 9),
        ("6/3/2", 1),
        ("2-3-4", -5),
        ("\\frac1{2}", "1/2"),
        ("\\frac{1}2", "1/2"),
        ("\\sqrt{16}", 4),
        ("\\sqrt[3]{27}", 3),
        ("\\sqrt{\\frac{4}{9}}", "2/3"),
        ("4^{1/2}", 2),
        ("8^{-2/3}", "1/4"),
        ("5!", 120),
        ("3!!", 3),
        ("(3!)!", 720),
        ("\\binom{5}{2}", 10),
        ("\\binom{5}{7}", 0),
        ("\\lfloor -7/2 \\rfloor", -4),
        ("\\lceil 7/2 \\rceil", 4),
        ("|2-5|", 3),
        ("||2-5|-1|", 2),
        ("[2(3+1)]", 8),
        ("{5}", 5),
        ("0^5", 0),
        ("(-1)^{1000001}", -1),
        ("1^{10^{9}}", 1),
    ],
)
def test_exact_values(text, expected):
    assert value(text) == Fraction(expected)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "+",
        "2^",
        "2 3",
        "4 10/3",
        "2 3/3",
        "2 2/3/4",
        "2.5 1/3",
        "4\\frac{10}{3}",
        "101_2",
        "1e5",
        "1.2.3",
        "5!!!",
        "(1,2)",
        "1=1",
        "\\text{No}",
        "yes please",
        "none",
        "lnx",
        "\\unknown{2}",
        "\\sin^{-1} x",
        "(1",
        "1)",
        "|1",
        "\\lfloor 1",
        "x_",
        "import os",
        "__import__('os')",
        "\u05d0",
        "\ud835",
        "\x00",
    ],
)
def test_what_is_not_wholly_an_expression_is_not_read(text):
    with pytest.raises(Unreadable):
        read(plain(text))


@pytest.mark.parametrize("text", ["x", "\\pi", "e", "i", "\\sqrt2", "\\ln 2", "x/x", "(-8)^{1/3}"])
def test_no_rational_value_is_seen(text):
    assert value(text) is None


@pytest.mark.parametrize("text", ["1/0", "0^0", "0^{-1}", "(-1)!", "\\binom{-1}{2}"])
def test_no_value_at_all(text):
    assert value(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "5^{5^{5^{5^{5}}}}",
        "2^{30^5}",
        "2^{-10^{9}}",
        "(10^{9})!",
        "(10^{9})!!",
        "\\binom{10^{9}}{10^{8}}",
        "2^{20000}\\cdot 2^{20000}",
        "((((99!)!)!)!)!",
    ],
)
def test_what_is_too_large_is_found_before_it_is_computed(text):
    start = perf_counter()
    with pytest.raises(TooLarge):
        value(text)
    assert perf_counter() - start < 1


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2x", "2*x"),
        ("2(x+1)", "2\\cdot(x+1)"),
        ("xy", "x y"),
        ("n(n+1)", "n*(n+1)"),
        ("\\sin 2x", "\\sin(2x)"),
        ("\\sqrt10", "\\sqrt{10}"),
        ("a/bc", "(a/b)c"),
        ("\\frac{a}{b}", "a/b"),
        ("x_1", "x_{1}"),
        ("\\sin x+1", "(\\sin x)+1"),
    ],
)
def test_one_reading(text, same):
    assert read(plain(text)) == read(plain(same))


@pytest.mark.parametrize(
    "unit",
    ["\\frac", "\\sqrt", "\\sin ", "(", "{", "2^", "!", "-", "|", "\\text{", "\\lfloor ", "9"],
)
@pytest.mark.parametrize("count", [120, 10_000])
def test_depth_and_length_are_bounded(unit, count):
    start = perf_counter()
    for text in (unit * count, unit * count + "1" + "}" * count, unit * count + "1" + ")" * count):
        with suppress(Unreadable):
            read(text)
    assert perf_counter() - start < 2
