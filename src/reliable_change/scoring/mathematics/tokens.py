"""An expression's text as tokens, and a cursor that walks over them and counts its depth."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

MAX_TOKENS = 400
MAX_DEPTH = 100
MAX_DIGITS = 1000

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<number>\d+\.\d+|\.\d+|\d+)
  | \\(?P<command>[A-Za-z]+)
  | (?P<word>[A-Za-z]+)
  | \\(?P<brace>[{}])
  | (?P<mark>[-+*/^_!()\[\]{}|])
    )""",
    re.VERBOSE,
)
_Read = TypeVar("_Read")


class Unreadable(ValueError):
    """A text outside the grammar."""


def tokens_of(text: str) -> list[tuple[str, str]]:
    """Return the tokens of a text: pairs of kind (number, command, word, mark) and text.

    Raises
    ------
    Unreadable
        At a character that starts no token, and beyond `MAX_TOKENS` tokens.

    >>> tokens_of("2x^3")
    [('number', '2'), ('word', 'x'), ('mark', '^'), ('number', '3')]
    """
    if len(text) > MAX_TOKENS * 10:
        raise Unreadable("too long")
    tokens, place = [], 0
    text = text.rstrip()
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None or len(tokens) >= MAX_TOKENS or found.end() - place > MAX_DIGITS:
            raise Unreadable("unknown sign, or too long")
        kind = str(found.lastgroup)
        tokens.append((kind, found[kind]))
        place = found.end()
    return tokens


class Cursor:
    """A place in a list of tokens, with what holds there."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.tokens = [*tokens, ("end", "")]
        self.place = 0
        self.depth = 0
        self.in_bars = False  # a bar would close what a bar opened
        self.in_exponent = False  # of one token: what follows does not belong to it

    @property
    def kind(self) -> str:
        return self.tokens[self.place][0]

    @property
    def text(self) -> str:
        return self.tokens[self.place][1]

    def next(self) -> str:
        self.place += 1
        return self.tokens[self.place - 1][1]

    def sees(self, marks: str) -> bool:
        return self.kind == "mark" and self.text in marks

    def sees_command(self, *names: str) -> bool:
        return self.kind == "command" and self.text in names

    def take(self, mark: str) -> bool:
        if self.kind == "mark" and self.text == mark:
            self.place += 1
            return True
        return False

    def expect(self, mark: str) -> None:
        if not self.take(mark):
            raise Unreadable(f"{mark!r} is missing")

    def deeper(
        self, read: Callable[[], _Read], *, bars: bool = False, exponent: bool = False
    ) -> _Read:
        """Read one level further down, with the state that holds there."""
        before = self.depth, self.in_bars, self.in_exponent
        self.depth, self.in_bars, self.in_exponent = self.depth + 1, bars, exponent
        if self.depth > MAX_DEPTH:
            raise Unreadable("nested too deep")
        found = read()
        self.depth, self.in_bars, self.in_exponent = before
        return found

    def one_character(self) -> str:
        """Take one character of a number or word, as TeX does for an argument without braces."""
        kind, text = self.tokens[self.place]
        if len(text) > 1:
            self.tokens[self.place : self.place + 1] = [(kind, text[0]), (kind, text[1:])]
        return self.next()
