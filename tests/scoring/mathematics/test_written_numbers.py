"""Numbers written in many ways are equal exactly when they are the same number."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from reliable_change.scoring.mathematics.compare import same
from reliable_change.scoring.mathematics.means import Exactly
from reliable_change.scoring.mathematics.plain import plain
from reliable_change.scoring.mathematics.shape import shape

RATIONALS = st.fractions(-5000, 5000, max_denominator=60)


def mixed(value: Fraction) -> str:
    whole, rest = divmod(abs(value), 1)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole} {rest}" if whole and rest else str(value)


def mixed_latex(value: Fraction) -> str:
    whole, rest = divmod(abs(value), 1)
    sign = "-" if value < 0 else ""
    part = f"\\frac{{{rest.numerator}}}{{{rest.denominator}}}"
    return f"{sign}{whole}{part}" if whole and rest else latex(value)


def latex(value: Fraction) -> str:
    sign = "-" if value < 0 else ""
    return f"${sign}\\dfrac{{{abs(value.numerator)}}}{{{value.denominator}}}$"


def decimal(value: Fraction) -> str:
    is_finite = (10**12 * value).denominator == 1
    return f"{float(value):.12f}".rstrip("0") + "0" if is_finite else str(value)


WRITTEN: list[Callable[[Fraction], str]] = [
    str,
    latex,
    mixed,
    mixed_latex,
    decimal,
    lambda value: f"\\({value}\\)",
    lambda value: f"x = {value}",
    lambda value: f"{value} miles",
    lambda value: f"\\sqrt[3]{{{value**3}}}" if value > 0 else str(value),
    lambda value: f"\\frac{{{value.numerator * 3}}}{{3 \\cdot {value.denominator}}}",
    lambda value: f"{value.numerator:,}" if value.denominator == 1 else str(value),
    lambda value: f"({value}+1)-1",
]
FORMS = st.sampled_from(WRITTEN)


@settings(max_examples=200, deadline=None)
@given(RATIONALS, FORMS, RATIONALS, FORMS)
def test_equal_exactly_when_the_same(one, write_one, other, write_other):
    for left, right in ((one, other), (one, one)):
        texts = plain(write_one(left)), plain(write_other(right))
        verdict = same(*map(shape, texts), Exactly())
        assert verdict is (left == right), texts
