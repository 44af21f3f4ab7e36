"""Short texts that hold a symbol or two, each written in its own way by every output format."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Form = Literal["plain", "latex", "html"]
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


@dataclass(frozen=True)
class Symbol:
    """A symbol as ready-made plain text, LaTeX and HTML; never made from data."""

    plain: str
    latex: str
    html: str


Phrase = str | Symbol | tuple[str | Symbol, ...]
"""A text, a symbol, or several of them in a row; texts are escaped, symbols are not."""

DELTA = Symbol("Δ", r"$\Delta$", "Δ")
EPSILON = Symbol("ε", r"$\varepsilon$", "<i>ε</i>")
P_IMPROVED = Symbol("P+", "$P^{+}$", "<i>P</i><sup>+</sup>")
P_REGRESSED = Symbol("P−", "$P^{-}$", "<i>P</i><sup>−</sup>")
P_CHANGED = Symbol("Pchg", r"$P_{\mathrm{chg}}$", "<i>P</i><sub>chg</sub>")
NULL95 = Symbol("Null95", r"Null$_{95}$", "Null<sub>95</sub>")


def join(*phrases: Phrase) -> tuple[str | Symbol, ...]:
    """Put phrases one after the other.

    >>> join("the share ", (P_IMPROVED, "."))[-1]
    '.'
    """
    return tuple(part for p in phrases for part in (p if isinstance(p, tuple) else (p,)))


def write(phrase: Phrase, form: Form, escape: Callable[[str], str] = str) -> str:
    """Write a phrase in one output format.

    Parameters
    ----------
    phrase
        What to write.
    form
        Which form of its symbols to take.
    escape
        Makes any text safe in that format.

    Examples
    --------
    >>> write((P_IMPROVED, " in percent"), "latex")
    '$P^{+}$ in percent'
    """
    return "".join(
        escape(part) if isinstance(part, str) else getattr(part, form) for part in join(phrase)
    )


def printable(text: object) -> str:
    """A text whose control characters have become spaces, and which UTF-8 can hold."""
    return _CONTROL.sub(" ", str(text)).encode("utf-8", "replace").decode("utf-8")


def one_line(text: object) -> str:
    """A name as one line of printable text, with single spaces.

    >>> one_line(" a\\n\\x00b ")
    'a b'
    """
    return " ".join(printable(text).split())
