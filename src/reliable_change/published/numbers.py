"""Printed numbers: reading them, and writing a recomputed number in the same form."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real

import pandas as pd

MINUS = "\u2212"
WORDS = (
    "zero", "one", "two", "three", "four", "five", "six",
    "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_PRINTED = re.compile(r"(?P<sign>[+\u2212-]?)(?P<digits>\d[\d,]*)(?P<point>\.\d+)?(?P<percent>%?)")
_SCIENTIFIC = re.compile(r"\d(?P<point>\.\d+)?e[+-]\d{2,}")
# Nine decimals are far finer than anything printed and far coarser than float noise, so
# 84.24999999999999 counts as the 84.25 it stands for.
_NOISE = Decimal("1e-9")
MOST_MORE = 6  # more decimals than are printed, where the ends of a range would look the same


@dataclass(frozen=True)
class Range:
    """The values, both ends included, that inputs known only in rounded form allow."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise ValueError(f"a range runs from low to high, got {self.low} to {self.high}")


def is_missing(value: object) -> bool:
    """Whether there is no value at all: None or a NaN (or pandas' NA).

    >>> is_missing(None), is_missing(float("nan")), is_missing(0), is_missing("")
    (True, True, False, False)
    """
    return bool(pd.isna(value))


def parse(printed: str) -> Decimal | None:
    """The number that a printed text states, or None where it states none.

    >>> parse("−3,948.0"), parse("5%"), parse("nine"), parse("Selected")
    (Decimal('-3948.0'), Decimal('5'), Decimal('9'), None)
    >>> parse("1.69e-05")
    Decimal('0.0000169')
    """
    if _SCIENTIFIC.fullmatch(printed):
        return Decimal(printed)
    if printed.lower() in WORDS:
        return Decimal(WORDS.index(printed.lower()))
    match = _PRINTED.fullmatch(printed)
    if match is None:
        return None
    size = Decimal(match["digits"].replace(",", "") + (match["point"] or ""))
    return size if match["sign"] in ("", "+") else -size


def exact(value: object) -> Decimal:
    """A number as a decimal, freed of float noise beyond the ninth decimal.

    >>> exact(84.24999999999999), exact(-1e-15)
    (Decimal('84.250000000'), Decimal('0E-9'))
    """
    if isinstance(value, Decimal):
        number = value
    elif isinstance(value, Integral):
        number = Decimal(int(value))
    elif isinstance(value, Rational):
        fraction = Fraction(value)
        number = Decimal(fraction.numerator) / Decimal(fraction.denominator)
    else:
        number = Decimal(repr(float(value)))
    number = number.quantize(_NOISE, ROUND_HALF_EVEN)
    return abs(number) if number.is_zero() else number


def format_number(
    value: object, decimals: int, *, sign: bool = False, thousands: bool = False
) -> str:
    """Write a number as the paper does: the one place where numbers are rounded for print.

    Parameters
    ----------
    value
        A finite number (shares in percent, changes in points).
    decimals
        How many decimals; a half rounds to even.
    sign
        Whether a positive number gets a plus; a negative one always has its minus (U+2212).
    thousands
        Whether commas part the thousands.

    Returns
    -------
    str
        An exact zero has no sign; a value that only rounds to zero keeps its own.

    Raises
    ------
    ValueError
        If the value is missing or infinite.

    Examples
    --------
    >>> format_number(84.25, 1), format_number(25000, 0), format_number(2.34, 1, sign=True)
    ('84.2', '25000', '+2.3')
    >>> format_number(-0.04, 1, sign=True), format_number(0.0, 1, sign=True)
    ('−0.0', '0.0')
    """
    if is_missing(value):
        raise ValueError("there is no value to print")
    if isinstance(value, Real | Decimal) and not math.isfinite(value):
        raise ValueError(f"cannot print {value}")
    number = exact(value)
    size = abs(number).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_EVEN)
    mark = MINUS if number < 0 else "+" if sign and number > 0 else ""
    return f"{mark}{size:{',' if thousands else ''}f}"


def format_like(value: object, printed: str, *, signed: bool = False) -> str:
    """Write a recomputed value in the form of a printed one.

    The printed text gives the form only: the number of decimals, whether a sign is always
    shown, whether thousands have commas, whether a percent sign, a number word or an exponent is
    used, and whether a minus is a hyphen, as in files.
    Halves round to even (84.25 prints as 84.2, as in the paper). An exact zero has no sign;
    a negative value that rounds to zero prints as "−0.0", as in Table F.9.

    Parameters
    ----------
    value
        A number (shares in percent, changes in points) or a text, which is returned as it is.
    printed
        The text whose form is wanted.
    signed
        Whether positive numbers of this column are printed with a plus, which a printed zero
        cannot show.

    Returns
    -------
    str
        The value; one that the form cannot hold, such as 8.5 for "nine" or a number where a
        text is printed, is written out in full.

    Raises
    ------
    ValueError
        If the value is missing or infinite.

    Examples
    --------
    >>> format_like(2.34, "+7.3"), format_like(-0.04, "+1.0"), format_like(0, "−1.0")
    ('+2.3', '−0.0', '0.0')
    >>> format_like(0.04, "0.0"), format_like(0.04, "0.0", signed=True)
    ('0.0', '+0.0')
    >>> format_like(135000, "1,000"), format_like(9, "six"), format_like(5.0, "7%")
    ('135,000', 'nine', '5%')
    >>> format_like(1.6886e-5, "4.80e-15"), format_like(-10.40429, "-0.5000")
    ('1.69e-05', '-10.4043')
    """
    if is_missing(value):
        raise ValueError("there is no value to print")
    if isinstance(value, str):
        return value
    if isinstance(value, Real | Decimal) and not math.isfinite(value):
        raise ValueError(f"cannot print {value}")
    scientific = _SCIENTIFIC.fullmatch(printed)
    if scientific:
        return f"{float(value):.{len(scientific['point'] or '.') - 1}e}"
    number = exact(value)
    if printed.lower() in WORDS:
        return _word(number, capital=printed[0].isupper())
    match = _PRINTED.fullmatch(printed)
    if match is None:
        return _plain(number)
    places = len(match["point"]) - 1 if match["point"] else 0
    signed, grouped = signed or match["sign"] in ("+", MINUS), "," in match["digits"]
    text = format_number(number, places, sign=signed, thousands=grouped) + match["percent"]
    return text.replace(MINUS, "-") if match["sign"] == "-" else text


def rounded_from(printed: str) -> Range:
    """The numbers that a printed one may have been rounded from; a half may have gone either way.

    >>> rounded_from("0.79%"), rounded_from("1,216")
    (Range(low=0.785, high=0.795), Range(low=1215.5, high=1216.5))
    """
    number = parse(printed)
    if number is None:
        raise ValueError(f"{printed!r} states no number")
    half = Decimal(5).scaleb(number.as_tuple().exponent - 1)
    return Range(float(number - half), float(number + half))


def could_print(values: Range, printed: str) -> bool:
    """Whether some value of a range is written as `printed`.

    >>> could_print(Range(5.84, 5.86), "5.9"), could_print(Range(5.70, 5.74), "5.9")
    (True, False)
    """
    number = parse(printed)
    if number is None:
        return False
    low, high = (parse(format_like(end, printed)) for end in (values.low, values.high))
    # Rounding keeps order, so what lies between the rounded ends is reached.
    return low is not None and high is not None and low <= number <= high


def ends_like(values: Range, printed: str) -> tuple[str, str]:
    """Both ends of a range in the form of a printed number, with decimals enough to differ.

    >>> ends_like(Range(54.1, 54.6), "54.3"), ends_like(Range(0.787, 0.791), "0.78%")
    (('54.1', '54.6'), ('0.787%', '0.791%'))
    """
    form = printed
    for _ in range(MOST_MORE):
        low, high = format_like(values.low, form), format_like(values.high, form)
        match = _PRINTED.fullmatch(form)
        if low != high or match is None:
            break
        form = f"{match['sign']}{match['digits']}{match['point'] or '.'}0{match['percent']}"
    return low, high


def _word(number: Decimal, *, capital: bool) -> str:
    if number != number.to_integral_value() or not 0 <= number < len(WORDS):
        return _plain(number)
    word = WORDS[int(number)]
    return word.capitalize() if capital else word


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}".replace("-", MINUS)
