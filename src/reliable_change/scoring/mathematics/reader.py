r"""Reading one mathematical expression in LaTeX or plain text into a tree.

A small grammar, read strictly: what it does not know is not read, never dropped or guessed.
Nodes are tuples: ("number", Fraction), ("symbol", name), ("constant", "pi" | "e" | "i" | "oo"),
("add" | "mul", left, right), ("div", top, bottom), ("neg", x), ("pow", base, exponent),
("root", x, degree), ("call", name, argument, ...), and ("latex", text) for what only a larger
grammar can read.
"""

from __future__ import annotations

import re
from fractions import Fraction

from reliable_change.scoring.mathematics.tokens import Cursor, Unreadable, tokens_of

Node = tuple

_FUNCTION_NAMES = "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh ln log exp lg"
FUNCTIONS = frozenset(_FUNCTION_NAMES.split())
_GREEK_NAMES = """
alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau upsilon
phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell
"""
_GREEK = frozenset(_GREEK_NAMES.split())
_CONSTANTS = {"pi": "pi", "infty": "oo"}
_APPLIED = frozenset("fgh")  # before a bracket, these letters are functions; others are factors

# Sums, integrals and the like: mathematics outside this grammar.
BEYOND = re.compile(r"\\(?:sum|prod|int|lim|gcd|lcm|max|min|det|bmod)(?![A-Za-z])")


def read(text: str) -> Node:
    r"""Read a plain text (see `plain`) as one expression.

    Exact throughout: a decimal is the fraction it writes. A whole number before a proper
    fraction is a mixed number; before an improper one, or before another number, it is nothing.
    ``a/bc`` is (a/b)c and ``a^b^c`` is a^(b^c). An unbraced exponent or root takes the whole
    number, ``\frac12`` one digit each.

    Raises
    ------
    Unreadable
        If the text is not wholly an expression, is too long, or is nested too deep.

    Examples
    --------
    >>> read("1 1/4")
    ('number', Fraction(5, 4))
    >>> read("2(x+1)")
    ('mul', ('number', Fraction(2, 1)), ('add', ('symbol', 'x'), ('number', Fraction(1, 1))))
    """
    return _Reader(tokens_of(text)).whole()


class _Reader(Cursor):
    """Recursive descent over tokens; every level of recursion is counted."""

    def whole(self) -> Node:
        node = self.sum()
        if self.kind != "end":
            raise Unreadable(f"{self.text!r} was not expected")
        return node

    def inside(self, closing: str) -> Node:
        node = self.deeper(self.sum)
        self.expect(closing)
        return node

    def sum(self) -> Node:
        node = self.product()
        while self.sees("+-"):
            is_minus = self.next() == "-"
            right = self.product()
            node = ("add", node, ("neg", right) if is_minus else right)
        return node

    def product(self) -> Node:
        node = self.signed()
        while True:
            if self.sees("*") or self.sees_command("cdot", "times"):
                self.next()
                node = ("mul", node, self.signed())
            elif self.take("/"):
                node = ("div", node, self.signed())
            elif self.starts_factor():
                if self.kind == "number":
                    raise Unreadable("two numbers side by side")
                node = ("mul", node, self.power())
            else:
                return node

    def signed(self) -> Node:
        if self.take("-"):
            return ("neg", self.power())
        self.take("+")
        return self.power()

    def starts_factor(self) -> bool:
        if self.kind == "command":
            return self.text not in ("cdot", "times", "rfloor", "rceil")
        is_opening = self.sees("([{") or (self.sees("|") and not self.in_bars)
        return is_opening or self.kind in ("number", "word")

    def power(self) -> Node:
        base = self.postfix()
        if not self.take("^"):
            return base
        if self.sees_command("circ"):
            self.next()
            return ("div", ("mul", base, ("constant", "pi")), _number(180))
        return ("pow", base, self.deeper(self.signed, bars=self.in_bars, exponent=True))

    def postfix(self) -> Node:
        node = self.deeper(self.atom, bars=self.in_bars, exponent=self.in_exponent)
        if not self.take("!"):
            return node
        name = "factorial2" if self.take("!") else "factorial"
        if self.sees("!"):
            raise Unreadable("too many factorial signs")
        return ("call", name, node)

    def atom(self) -> Node:
        if self.kind == "number":
            return self.number()
        if self.kind == "word":
            return self.letter()
        if self.kind == "command":
            return self.command()
        for opening, closing in ("()", "[]", "{}"):
            if self.take(opening):
                return self.inside(closing)
        if self.take("|"):
            node = self.deeper(self.sum, bars=True)
            self.expect("|")
            return ("call", "abs", node)
        raise Unreadable(f"{self.text!r} was not expected")

    def number(self) -> Node:
        whole = Fraction(self.next())
        if self.sees("_"):
            raise Unreadable("a number in another base")
        if self.in_exponent:
            return ("number", whole)
        if self.kind == "number":
            return self.mixed(whole, _integer(self.digits()), self.take("/"), self.digits())
        if not self.sees_command("frac"):
            return ("number", whole)
        place = self.place
        self.next()
        top, bottom = _integer(self.argument()), _integer(self.argument())
        if top is not None and bottom is not None:
            return self.mixed(whole, top, True, _number(bottom))
        self.place = place  # a factor, such as \frac{x}{2}
        return ("number", whole)

    def digits(self) -> Node:
        return _number(Fraction(self.next())) if self.kind == "number" else ("nothing",)

    def mixed(self, whole: Fraction, top: int | None, has_bar: bool, bottom: Node) -> Node:
        below = _integer(bottom)
        is_proper = has_bar and top is not None and below is not None and 0 < top < below
        if not is_proper or whole.denominator != 1 or self.sees("/^!"):
            raise Unreadable("no proper mixed number")
        return ("number", whole + Fraction(top, below))

    def letter(self) -> Node:
        word = self.text
        if word == "sqrt" or word in FUNCTIONS:
            return self.command()
        if word == "pi":
            self.next()
            return ("constant", "pi")
        if len(word) > 3 or (len(word) == 3 and word[:2] in FUNCTIONS):
            raise Unreadable("a word")
        name = self.one_character()
        if name in _APPLIED and len(word) == 1 and self.take("("):
            return ("call", "f:" + name, self.inside(")"))
        return self.symbol(name)

    def symbol(self, name: str) -> Node:
        if not self.take("_"):
            return _symbol(name)
        parts = []
        if self.take("{"):
            while self.kind in ("number", "word") or self.sees("+-"):
                parts.append(self.next())
            self.expect("}")
        elif self.kind in ("number", "word"):
            parts.append(self.one_character())
        if not parts:
            raise Unreadable("an unknown subscript")
        return ("symbol", f"{name}_{''.join(parts)}")

    def argument(self) -> Node:
        for opening, closing in ("{}", "()"):
            if self.take(opening):
                return self.inside(closing)
        if self.kind == "number" and self.text.isdigit():
            return _number(int(self.one_character()))
        if self.kind == "word":
            return _symbol(self.one_character())
        if self.kind == "command":
            return self.deeper(self.command)
        raise Unreadable("an argument is missing")

    def command(self) -> Node:
        name = self.next()
        if name == "frac":
            return ("div", self.argument(), self.argument())
        if name == "binom":
            return ("call", "binomial", self.argument(), self.argument())
        if name == "sqrt":
            degree = self.inside("]") if self.take("[") else _number(2)
            is_bare = self.kind == "number"
            radicand = _number(Fraction(self.next())) if is_bare else self.argument()
            return ("root", radicand, degree)
        if name in ("lfloor", "lceil"):
            node = self.deeper(self.sum)
            if not self.sees_command(name.replace("l", "r", 1)):
                raise Unreadable("floor or ceiling does not close")
            self.next()
            return ("call", "floor" if name == "lfloor" else "ceiling", node)
        if name in FUNCTIONS:
            return self.function(name)
        if name in _CONSTANTS:
            return ("constant", _CONSTANTS[name])
        if name in _GREEK:
            return self.symbol(name)
        if name == "text" and self.take("{") and self.text in ("e", "i"):
            letter = self.next()
            self.expect("}")
            return _symbol(letter)
        raise Unreadable(f"\\{name} is not known")

    def function(self, name: str) -> Node:
        base = (self.argument(),) if name == "log" and self.take("_") else ()
        power = self.argument() if self.take("^") else None
        if power is not None and _integer(power) == -1:
            raise Unreadable("an inverse or a reciprocal")
        bracket = next((pair for pair in ("()", "{}") if self.take(pair[0])), None)
        argument = self.inside(bracket[1]) if bracket else self.bare_argument()
        node = ("call", name, argument, *base)
        return node if power is None else ("pow", node, power)

    def bare_argument(self) -> Node:
        """Read a function's argument without brackets: factors side by side, as in sin 2x."""
        node = self.power()
        while self.kind == "word" or self.sees_command("frac", "sqrt", *_GREEK, *_CONSTANTS):
            if self.text in FUNCTIONS:
                break
            node = ("mul", node, self.power())
        return node


def _number(value: int | Fraction) -> Node:
    return ("number", Fraction(value))


def _symbol(name: str) -> Node:
    return ("constant", name) if name in ("e", "i") else ("symbol", name)


def _integer(node: Node) -> int | None:
    """The whole number that a node is, possibly negated; None for any other node."""
    if node[0] == "neg":
        value = _integer(node[1])
        return None if value is None else -value
    is_whole = node[0] == "number" and node[1].denominator == 1
    return int(node[1]) if is_whole else None
