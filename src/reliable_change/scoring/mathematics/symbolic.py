"""Comparison of two answers by sympy: what runs in the bounded process, and nowhere else.

Sympy is given trees built by `reader`, never text: no text of a reply reaches sympify, parse_expr
or eval.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from fractions import Fraction

import sympy
from sympy.core.random import seed

from reliable_change.scoring.mathematics import larger_grammar
from reliable_change.scoring.mathematics.compare import same
from reliable_change.scoring.mathematics.exact import TooLarge, rational
from reliable_change.scoring.mathematics.means import Exactly, Verdict
from reliable_change.scoring.mathematics.reader import Node
from reliable_change.scoring.mathematics.shape import shape
from reliable_change.scoring.mathematics.tokens import Unreadable

BITS = 2_000_000  # of a number that is worth computing
DIGITS = 30
_CLOSE = sympy.Float(10) ** (-DIGITS // 2)
_TINY = sympy.Float(10) ** (-2 * DIGITS)
# Where two expressions are compared numerically first: positive and negative, not round.
_POINTS = (
    (Fraction(27, 11), Fraction(17, 5)),
    (Fraction(5, 13), Fraction(19, 7)),
    (Fraction(-9, 7), Fraction(8, 3)),
    (Fraction(-23, 9), Fraction(-4, 11)),
)


def compare(reference: str, answer: str) -> tuple[Verdict, str | None]:
    """Compare two plain texts; None where equality is neither proved nor refuted, with why."""
    warnings.simplefilter("ignore")
    means = Symbolically()
    verdict = same(shape(reference), shape(answer), means)
    return verdict, means.obstacle if verdict is None else None


class Symbolically:
    """Exact rational comparison first, then sympy. Equal means proved, different means shown."""

    def __init__(self) -> None:
        self.exactly = Exactly(BITS)
        self.obstacle = "neither proved nor refuted"

    def equal(self, left: Node, right: Node) -> Verdict:
        """Tell whether two expressions are equal, for all real values of their symbols."""
        verdict = self.exactly.equal(left, right)
        if verdict is not None:
            return verdict
        built = self._built(left, right)
        return None if built is None else _equal(*built)

    def multiple(self, left: Node, right: Node) -> int | None:
        """Return the sign of the constant c in left = c · right, 0 if there is none."""
        built = self._built(left, right)
        if built is None:
            return None
        ratio = sympy.simplify(built[0] / built[1])
        if ratio.free_symbols:
            return 0
        is_real = ratio.is_real and ratio.is_finite and ratio.is_nonzero
        return (1 if ratio.is_positive else -1) if is_real else None

    def _built(self, *nodes: Node) -> list[sympy.Expr] | None:
        try:
            return [build(node) for node in nodes]
        except TooLarge:
            self.obstacle = "too large to compute"
        except Unreadable:
            self.obstacle = "not read"
        return None


def _equal(left: sympy.Expr, right: sympy.Expr) -> Verdict:
    if left == right:
        return True
    if left.has(sympy.oo) or right.has(sympy.oo):
        return False
    if _differ_somewhere(left, right):
        return False
    # Roots and logarithms are proved for positive values; the points above include others.
    positive = {
        symbol: sympy.Symbol(symbol.name, positive=True)
        for symbol in left.free_symbols | right.free_symbols
    }
    difference = (left - right).subs(positive)
    for simplified in _PROOFS:
        if simplified(difference) == 0:
            return True
    if not difference.free_symbols:
        return _by_number(difference)
    return None


def _differ_somewhere(left: sympy.Expr, right: sympy.Expr) -> bool:
    """Tell whether two expressions differ numerically, beyond doubt, at one of the points."""
    symbols = sorted(left.free_symbols | right.free_symbols, key=lambda symbol: symbol.name)
    is_real = bool(symbols) and not left.has(sympy.I) and not right.has(sympy.I)
    for first, step in _POINTS if symbols else _POINTS[:1]:
        point = {symbol: _as_sympy(first + step * n) for n, symbol in enumerate(symbols)}
        a, b = _value(left, point, is_real), _value(right, point, is_real)
        if a is None or b is None:
            continue  # outside the domain of one of them
        size = max(abs(a), abs(b))
        # What is nearly 0 may be 0 whose terms cancel; its digits then mean nothing.
        if size > _TINY and abs(a - b) > size * _CLOSE:
            return True
    return False


def _value(
    expression: sympy.Expr, point: dict[sympy.Symbol, sympy.Rational], is_real: bool
) -> sympy.Expr | None:
    if is_real and not _is_in_domain(expression, point):
        return None
    value = expression.subs(point).evalf(DIGITS)
    is_usable = value.is_number and value.is_finite and (value.is_Number or not is_real)
    return value if is_usable else None


def _is_in_domain(expression: sympy.Expr, point: dict[sympy.Symbol, sympy.Rational]) -> bool:
    """Tell whether no root and no logarithm in an expression is of a negative number."""
    roots = {power.base for power in expression.atoms(sympy.Pow) if not power.exp.is_integer}
    logarithms = {logarithm.args[0] for logarithm in expression.atoms(sympy.log)}
    return not any(part.subs(point).is_negative for part in roots | logarithms)


def _by_number(difference: sympy.Expr) -> Verdict:
    """Decide whether a number is zero: shown different by digits, or zero by algebra."""
    seed(0)  # sympy draws points at random
    if difference.has(sympy.atan, sympy.asin, sympy.acos) and abs(difference.evalf(DIGITS)) < 1:
        return True if sympy.simplify(sympy.expand_trig(sympy.sin(difference))) == 0 else None
    verdict = difference.equals(0)
    if verdict is None and difference.is_algebraic:
        symbol = sympy.Symbol("x")
        return sympy.minimal_polynomial(difference, symbol) == symbol
    return verdict


_PROOFS: tuple[Callable[[sympy.Expr], sympy.Expr], ...] = (
    lambda difference: difference,
    sympy.expand,
    lambda difference: sympy.cancel(sympy.together(difference)),
    lambda difference: sympy.expand_log(sympy.expand(difference), force=True),
    lambda difference: sympy.radsimp(difference),
    sympy.simplify,
    lambda difference: sympy.simplify(sympy.expand_trig(difference.rewrite(sympy.exp))),
    lambda difference: sympy.combsimp(difference),
)


def build(node: Node) -> sympy.Expr:
    """Return a tree of `reader` as a sympy expression, exact throughout.

    Raises
    ------
    TooLarge
        If a power or a factorial of numbers would have more than `BITS` bits.
    """
    kind, rest = node[0], node[1:]
    if kind == "number":
        return _as_sympy(rest[0])
    if kind == "symbol":
        return sympy.Symbol(rest[0], real=True)
    if kind == "constant":
        return _CONSTANTS[rest[0]]
    if kind == "latex":
        return larger_grammar.read(rest[0])
    value = rational(node, BITS)
    if value is not None:
        return _as_sympy(value)
    if kind == "call":
        arguments = [build(part) for part in rest[1:]]
        if rest[0].startswith("f:"):
            return sympy.Function(rest[0][2:])(*arguments)
        return _CALLS[rest[0]](*arguments)
    return _OPERATIONS[kind](*(build(part) for part in rest))


def _as_sympy(value: Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)


def _power(base: sympy.Expr, exponent: sympy.Expr) -> sympy.Expr:
    if base.is_number and exponent.is_Rational and abs(exponent) > 10_000:
        raise TooLarge
    return base**exponent


_CONSTANTS = {"pi": sympy.pi, "e": sympy.E, "i": sympy.I, "oo": sympy.oo}
_OPERATIONS: dict[str, Callable[..., sympy.Expr]] = {
    "add": lambda left, right: left + right,
    "mul": lambda left, right: left * right,
    "neg": lambda value: -value,
    "div": lambda top, bottom: top / bottom,
    "pow": _power,
    "root": lambda value, degree: (
        sympy.real_root(value, degree)
        if degree.is_Integer and degree % 2 and value.is_number and value.is_negative
        else value ** (1 / degree)
    ),
}
_CALLS: dict[str, Callable[..., sympy.Expr]] = {
    "sin": sympy.sin,
    "cos": sympy.cos,
    "tan": sympy.tan,
    "cot": sympy.cot,
    "sec": sympy.sec,
    "csc": sympy.csc,
    "arcsin": sympy.asin,
    "arccos": sympy.acos,
    "arctan": sympy.atan,
    "sinh": sympy.sinh,
    "cosh": sympy.cosh,
    "tanh": sympy.tanh,
    "ln": sympy.log,
    "log": lambda value, base=None: sympy.log(value, base) if base else _bare_log(value),
    "lg": lambda value: sympy.log(value, 10),
    "exp": sympy.exp,
    "abs": sympy.Abs,
    "floor": sympy.floor,
    "ceiling": sympy.ceiling,
    "factorial": sympy.factorial,
    "factorial2": sympy.factorial2,
    "binomial": sympy.binomial,
}


def _bare_log(value: sympy.Expr) -> sympy.Expr:
    r"""A ``\log`` without a base: some base other than 1, which both sides share."""
    return sympy.log(value) / sympy.log(sympy.Symbol("log base", positive=True))
