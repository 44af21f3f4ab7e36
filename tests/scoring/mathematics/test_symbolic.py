"""Sympy's part, called here without the process it otherwise runs in."""

from __future__ import annotations

import pytest

from reliable_change.scoring.mathematics.plain import plain
from reliable_change.scoring.mathematics.symbolic import compare


def verdict(reference: str, answer: str) -> bool | None:
    found = compare(plain(reference), plain(answer))[0]
    assert compare(plain(answer), plain(reference))[0] == found, "the order matters"
    return found


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("\\sqrt{8}", "2\\sqrt{2}"),
        ("\\frac{1}{\\sqrt2}", "\\frac{\\sqrt2}{2}"),
        ("\\sqrt{2+\\sqrt3}", "\\frac{\\sqrt6+\\sqrt2}{2}"),
        ("\\sqrt2+\\sqrt3", "\\sqrt{5+2\\sqrt6}"),
        ("1+\\sqrt[3]{2}+\\sqrt[3]{4}", "\\frac{1}{\\sqrt[3]{2}-1}"),
        ("\\sqrt[3]{-8}", "-2"),
        ("\\ln 8", "3\\ln 2"),
        ("2\\ln(1+\\sqrt2)", "\\ln(3+2\\sqrt2)"),
        ("\\log_2 3\\cdot\\log_3 4", "2"),
        ("\\log_{10} 50", "1+\\log_{10} 5"),
        ("e^{\\ln 5}", "5"),
        ("e^{i\\pi}", "-1"),
        ("4\\arctan 1", "\\pi"),
        ("\\arctan\\frac12+\\arctan\\frac13", "\\frac{\\pi}{4}"),
        ("\\cos\\frac{\\pi}{5}", "\\frac{1+\\sqrt5}{4}"),
        ("\\tan 15^\\circ", "2-\\sqrt3"),
        ("60^\\circ", "\\frac{\\pi}{3}"),
        ("\\frac{\\sqrt3}{2}+\\frac12 i", "\\frac{\\sqrt3+i}{2}"),
        ("\\frac{n(n+1)}{2}", "\\frac{n^2+n}{2}"),
        ("x^2-1", "(x-1)(x+1)"),
        ("\\frac{x^3-1}{x-1}", "x^2+x+1"),
        ("2^{n+1}", "2\\cdot 2^n"),
        ("\\binom{n}{2}", "\\frac{n(n-1)}{2}"),
        ("\\frac{(n+1)!}{n!}", "n+1"),
        ("\\sqrt{x^2}", "|x|"),
        ("\\sqrt{ab}", "\\sqrt a\\sqrt b"),
        ("\\lfloor x\\rfloor+1", "\\lfloor x+1\\rfloor"),
        ("f(x)=x+1", "f(x)=1+x"),
        ("2x+2y=4", "x+y=2"),
        ("y=2x+1", "2x-y+1=0"),
        ("2x<4", "x<2"),
        ("-x<2", "x>-2"),
        ("2\\pm\\sqrt3", "2-\\sqrt3, 2+\\sqrt3"),
        ("(\\sqrt8, 1]", "(2\\sqrt2, 1]"),
        ("\\sum_{k=1}^{n}k", "\\frac{n(n+1)}{2}"),
    ],
)
def test_proved_equal(reference, answer):
    assert verdict(reference, answer) is True


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("1-\\frac1e", "1"),
        ("\\sqrt2", "1.414"),
        ("\\sqrt2", "1.41421356237309504880168872420969807857"),
        ("\\sqrt2+10^{-60}", "\\sqrt2"),
        ("\\sqrt2+\\sqrt3+10^{-60}", "\\sqrt{5+2\\sqrt6}"),
        ("\\pi", "\\frac{22}{7}"),
        ("\\pi", "\\frac{355}{113}"),
        ("\\sqrt{x^2}", "x"),
        ("x^2", "x^3"),
        ("\\frac{1}{n}", "\\frac{1}{n+1}"),
        ("2x<4", "x>2"),
        ("x<3", "x>3"),
        ("x+y=2", "x+y=3"),
        ("x+y=2", "x-y=2"),
        ("\\ln 2", "\\log_{10} 2"),
        ("e^{e^{2}}", "e^{2e}"),
        ("\\frac{1}{3000!}", "\\frac{1}{3001!}"),
        ("\\sum_{k=1}^{n}k", "n"),
        ("\\infty", "-\\infty"),
    ],
)
def test_shown_different(reference, answer):
    assert verdict(reference, answer) is False


@pytest.mark.parametrize(
    ("reference", "answer", "obstacle"),
    [
        ("5^{5^{5^{5^{5}}}}", "3", "too large to compute"),
        ("2^{2^{100}}", "4^{2^{99}}", "too large to compute"),
        ("(\\sqrt2+1)^{20000}", "3", "too large to compute"),
        ("\\sum_{k=1}^{n} 2 \\frac{1}{k}", "5", "not read"),
        ("\\cos(n\\pi)", "(-1)^n", "neither proved nor refuted"),
    ],
)
def test_undecided_with_the_reason(reference, answer, obstacle):
    assert compare(plain(reference), plain(answer)) == (None, obstacle)
