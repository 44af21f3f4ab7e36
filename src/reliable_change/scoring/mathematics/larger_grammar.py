r"""Sums, products, integrals and limits, read by latex2sympy2_extended behind a guard.

The library reads a large grammar and guesses where it is in doubt: it takes ``2 3`` and ``2(3)``
for mixed numbers, ``k(k+1)`` for a function of the name k, decimals for floats, and drops the base
of ``101_2``. What it would guess at is spelled out or refused here. It runs in the bounded process
only, and gets no text that holds words.
"""

from __future__ import annotations

import re

import sympy
from latex2sympy2_extended import latex2sympy
from latex2sympy2_extended.latex2sympy2 import ConversionConfig

from reliable_change.scoring.mathematics.tokens import Unreadable

_GUESSED = re.compile(r"\d\s+\d|\d\s*_|\d\s*\\frac|\\gamma|\\text")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_WORD = re.compile(r"[A-Za-z]{3,}")
_FACTOR = re.compile(r"(?<![\\A-Za-z])([A-Za-z]|\d+|\))(?=\()")
_DECIMAL = re.compile(r"\d*\.\d+")


def read(text: str) -> sympy.Expr:
    r"""Return the value of a plain text with sums, integrals and the like.

    Raises
    ------
    Unreadable
        If the library cannot read it, or could only guess.

    >>> read(r"\sum_{k=1}^{4}k(k+1)")
    40
    """
    if _GUESSED.search(text):
        raise Unreadable("ambiguous")
    if _WORD.search(_COMMAND.sub(" ", text)):
        raise Unreadable("words")
    text = _FACTOR.sub(r"\1\\cdot ", _DECIMAL.sub(_as_fraction, text))
    settings = ConversionConfig(lowercase_symbols=False)
    try:
        found = latex2sympy(
            text, is_real=True, normalization_config=None, conversion_config=settings
        )
    except Exception as error:  # it raises bare Exception for a text outside its grammar
        raise Unreadable(str(error)[:80]) from None
    value = found.doit() if isinstance(found, sympy.Expr) else None
    if value is None or value.has(sympy.Float):
        raise Unreadable("no exact expression")
    return value


def _as_fraction(decimal: re.Match[str]) -> str:
    whole, _, part = decimal[0].partition(".")
    return rf"\frac{{{int(whole + part)}}}{{{10 ** len(part)}}}"
