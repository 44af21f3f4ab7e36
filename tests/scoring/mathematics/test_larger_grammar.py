from __future__ import annotations

import pytest
import sympy

from reliable_change.scoring.mathematics.larger_grammar import read
from reliable_change.scoring.mathematics.plain import plain
from reliable_change.scoring.mathematics.tokens import Unreadable


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\\sum_{k=1}^{4} k(k+1)", "40"),
        ("\\sum_{k=1}^{4} 2(k)", "20"),
        ("\\sum_{k=1}^{2} 0.5 k", "3/2"),
        ("\\prod_{k=1}^{4} k", "24"),
        ("\\int_0^1 x^2\\,dx", "1/3"),
        ("\\lim_{x \\to 0} \\frac{\\sin x}{x}", "1"),
        ("\\gcd(12, 18)", "6"),
        ("\\max(2, 3)", "3"),
    ],
)
def test_values_are_exact(text, expected):
    assert read(plain(text)) == sympy.Rational(expected)


@pytest.mark.parametrize(
    "text",
    [
        "\\sum_{k=1}^{4} 2 3",
        "\\sum_{k=1}^{4} 2\\frac{1}{k}",
        "\\sum_{k=1}^{4} 101_2",
        "\\sum_{k=1}^{4} \\gamma",
        "\\sum_{k=1}^{4} \\text{million}",
        "\\max(__import__)",
        "\\sum_{",
        "\\max(1",
        "\\max",
    ],
)
def test_what_the_library_would_guess_at_is_refused(text):
    with pytest.raises(Unreadable):
        read(plain(text))
