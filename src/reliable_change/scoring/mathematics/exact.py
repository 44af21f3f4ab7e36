"""The exact rational value of an expression, when it has one and it is not too large."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from reliable_change.scoring.mathematics.reader import Node


class TooLarge(ArithmeticError):
    """A number with more bits than allowed; found before it is computed."""


def rational(node: Node, bits: int) -> Fraction | None:
    r"""Return the value of an expression as a fraction, or None if it is not seen to be rational.

    Roots of perfect powers are taken exactly; every other irrational part gives None, even where
    it would cancel. `bits` bounds numerators and denominators.

    Raises
    ------
    TooLarge
        If a value would have more than `bits` bits, before any work is done on it.

    Examples
    --------
    >>> from reliable_change.scoring.mathematics.reader import read
    >>> rational(read(r"\frac{1}{2^{3}}+0.5"), 100)
    Fraction(5, 8)
    """
    kind = node[0]
    if kind == "number":
        return _within(node[1], bits)
    if kind in ("symbol", "constant", "latex"):
        return None
    operands = node[2:] if kind == "call" else node[1:]
    values = []
    for operand in operands:
        value = rational(operand, bits)
        if value is None:
            return None
        values.append(value)
    operation = _CALLS.get(node[1]) if kind == "call" else _OPERATIONS[kind]
    if operation is None:
        return None
    result = operation(*values, bits)
    return None if result is None else _within(result, bits)


def _within(value: Fraction, bits: int) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > bits:
        raise TooLarge
    return value


def _divide(top: Fraction, bottom: Fraction, _bits: int) -> Fraction | None:
    return top / bottom if bottom else None


def _power(base: Fraction, exponent: Fraction, bits: int) -> Fraction | None:
    if exponent.denominator != 1:
        root = _root(base, Fraction(exponent.denominator), bits)
        return None if root is None else _power(root, Fraction(exponent.numerator), bits)
    if base in (0, 1, -1):
        if base == 0 and exponent <= 0:
            return None
        return base ** int(exponent % 2 or 2)
    size = max(base.numerator.bit_length(), base.denominator.bit_length()) - 1
    # abs(base) is not 1, so one of its parts is at least 2 and grows with the exponent.
    if abs(exponent) * max(size, 1) > bits:
        raise TooLarge
    return base ** int(exponent)


def _root(value: Fraction, degree: Fraction, _bits: int) -> Fraction | None:
    if degree.denominator != 1 or not 2 <= degree <= 64 or value < 0:
        return None
    parts = [_whole_root(part, int(degree)) for part in (value.numerator, value.denominator)]
    return None if None in parts else Fraction(*parts)


def _whole_root(value: int, degree: int) -> int | None:
    """The whole root of a whole number, by bisection; None if there is none."""
    low, high = 0, 1 << (value.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= value else (low, middle - 1)
    return low if low**degree == value else None


def _factorial(value: Fraction, bits: int) -> Fraction | None:
    if value.denominator != 1 or value < 0:
        return None
    if value > bits or value * max(int(value).bit_length() - 2, 0) > bits:
        raise TooLarge
    return Fraction(math.factorial(int(value)))


def _double_factorial(value: Fraction, bits: int) -> Fraction | None:
    if value.denominator != 1 or value < 0:
        return None
    if value > bits or value * max(int(value).bit_length() - 2, 0) > 2 * bits:
        raise TooLarge
    return Fraction(math.prod(range(int(value), 0, -2)))


def _binomial(top: Fraction, bottom: Fraction, bits: int) -> Fraction | None:
    if top.denominator != 1 or bottom.denominator != 1 or top < 0:
        return None
    if not 0 <= bottom <= top:
        return Fraction(0)
    fewer = min(bottom, top - bottom)
    if fewer * int(top).bit_length() > bits * 2:
        raise TooLarge
    return Fraction(math.comb(int(top), int(fewer)))


_OPERATIONS: dict[str, Callable[..., Fraction | None]] = {
    "add": lambda left, right, _: left + right,
    "mul": lambda left, right, _: left * right,
    "neg": lambda value, _: -value,
    "div": _divide,
    "pow": _power,
    "root": _root,
}
_CALLS: dict[str, Callable[..., Fraction | None]] = {
    "abs": lambda value, _: abs(value),
    "floor": lambda value, _: Fraction(math.floor(value)),
    "ceiling": lambda value, _: Fraction(math.ceil(value)),
    "factorial": _factorial,
    "factorial2": _double_factorial,
    "binomial": _binomial,
}
