"""How two expressions are compared: what every means must offer, and the exact one."""

from __future__ import annotations

from typing import Protocol

from reliable_change.scoring.mathematics.exact import TooLarge, rational
from reliable_change.scoring.mathematics.reader import Node

# True, False, or None where it cannot be decided (by these means).
Verdict = bool | None

_UNREAD = ""  # stands for the symbols of a formula that is not read yet


class Means(Protocol):
    """How two expressions are compared. Neither method may guess."""

    def equal(self, left: Node, right: Node) -> Verdict:
        """Tell whether two expressions are equal."""

    def multiple(self, left: Node, right: Node) -> int | None:
        """Return the sign of the constant c in left = c · right, 0 if there is none."""


class Exactly:
    """Comparison as fractions; undecided unless both sides are seen to be rational.

    Different sets of free symbols also decide: such expressions are not equal. `bits` bounds
    the numbers.
    """

    def __init__(self, bits: int = 20_000) -> None:
        self.bits = bits

    def equal(self, left: Node, right: Node) -> Verdict:
        """Tell whether two expressions are equal, None if they are not both rational."""
        if left == right:
            return True
        if _differ_in_symbols(left, right):
            return False
        try:
            values = rational(left, self.bits), rational(right, self.bits)
        except TooLarge:
            return None
        return None if None in values else values[0] == values[1]

    def multiple(self, left: Node, right: Node) -> int | None:
        """Return 1 for the same expression, 0 for different symbols, else None."""
        if left == right:
            return 1
        return 0 if _differ_in_symbols(left, right) else None


def _differ_in_symbols(left: Node, right: Node) -> bool:
    symbols = _symbols(left), _symbols(right)
    return symbols[0] != symbols[1] and not any(_UNREAD in some for some in symbols)


def _symbols(node: Node) -> frozenset[str]:
    if node[0] == "symbol":
        return frozenset({node[1]})
    if node[0] == "latex":
        return frozenset({_UNREAD})
    return frozenset().union(*(_symbols(part) for part in node[1:] if isinstance(part, tuple)))
