"""Beside math-verify, on the same pairs: agreement, and where and why it is not followed."""

from __future__ import annotations

import logging

import pytest
from math_verify import parse, verify

from reliable_change.scoring.mathematics.scorer import Mathematics

logging.getLogger("math_verify").setLevel(logging.ERROR)


def theirs(reference: str, answer: str) -> bool:
    """What math-verify says of two texts in dollar signs."""
    parsed = [parse(f"${text}$", parsing_timeout=None) for text in (reference, answer)]
    return verify(*parsed, timeout_seconds=None)


@pytest.mark.parametrize(
    ("reference", "answer", "equal"),
    [
        ("18", "18", True),
        ("18", "19", False),
        ("\\frac{1}{2}", "0.5", True),
        ("\\frac{1}{2}", "\\dfrac{2}{4}", True),
        ("\\sqrt{8}", "2\\sqrt{2}", True),
        ("\\sqrt{2}", "\\sqrt{3}", False),
        ("3, 5, 7", "7, 5, 3", True),
        ("3, 5, 7", "3, 5", False),
        ("(1,2)", "(1,2)", True),
        ("(1,2)", "(2,1)", False),
        ("x^2-1", "(x-1)(x+1)", True),
        ("\\frac{n^2+n}{2}", "\\frac{n(n+1)}{2}", True),
        ("\\ln 8", "3\\ln 2", True),
        ("x = 5", "5", True),
        ("[-3,8]", "[-3,8)", False),
        ("1-\\frac{1}{e}", "1", False),
        ("2^{1994}", "2", False),
        ("115,000", "115000", True),
        ("\\cos\\frac{\\pi}{5}", "\\frac{1+\\sqrt{5}}{4}", True),
    ],
)
def test_both_agree(reference, answer, equal, mathematics: Mathematics):
    assert mathematics.compare(reference, answer).equal is equal
    assert theirs(reference, answer) is equal


@pytest.mark.parametrize(
    ("reference", "answer", "equal", "why"),
    [
        ("\\frac{1}{2^{99}}", "\\frac{1}{2^{98}}", False, "compares fifteen digits, not values"),
        ("10^{-20}", "10^{-30}", False, "compares fifteen digits, not values"),
        ("101_2", "101", False, "drops the base"),
        ("0.333333", "\\frac{1}{3}", False, "rounds to six decimals"),
        ("2(\\frac{1}{2})", "1", True, "reads a factor as a mixed number"),
    ],
)
def test_where_math_verify_is_not_followed(reference, answer, equal, why, mathematics):
    assert mathematics.compare(reference, answer).equal is equal
    assert theirs(reference, answer) is not equal, f"no longer {why}: drop this line"
