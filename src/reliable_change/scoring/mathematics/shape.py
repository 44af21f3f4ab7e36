r"""The outer shape of an answer: lists, tuples, sets, intervals, relations, scalars, words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reliable_change.scoring.mathematics.plain import words
from reliable_change.scoring.mathematics.reader import BEYOND, Node, read
from reliable_change.scoring.mathematics.tokens import MAX_TOKENS, Unreadable
from reliable_change.scoring.mathematics.units import split_unit

MAX_DEPTH = 8
MAX_MEMBERS = 40


@dataclass(frozen=True)
class Words:
    """Text that is no mathematics, in the form in which words are compared."""

    text: str


@dataclass(frozen=True)
class Scalar:
    """One expression, with its unit if it states one."""

    node: Node
    unit: str | None = None


@dataclass(frozen=True)
class Group:
    r"""Several members. `kind`: "list" (bare, commas or "and"), "set", "union", "matrix" (of
    lists), or the two brackets of a tuple or an interval: "()", "[]", "(]", "[)".
    """

    kind: str
    members: tuple[Shape, ...]


@dataclass(frozen=True)
class Relation:
    """A chain such as a < b = c; one sign fewer than members."""

    signs: tuple[str, ...]
    members: tuple[Shape, ...]


Shape = Words | Scalar | Group | Relation

_SIGNS = {
    "=": "=", "<": "<", ">": ">", r"\le": "<=", r"\ge": ">=", r"\ne": "!=", r"\in": "in",
    r"\approx": "~",
}  # fmt: skip
_SIGN = re.compile(r"=|<|>|\\(?:le|ge|ne|in|approx)(?![A-Za-z])")
_SEPARATOR = re.compile(r"[,;]|\\text\{,?\s?(?:and|or)\s?\}|(?<![A-Za-z])(?:and|or)(?![A-Za-z])")
_UNION = re.compile(r"\\cup(?![A-Za-z])")
_PLUS_MINUS = re.compile(r"\\(pm|mp)(?![A-Za-z])")
_BRACKET = re.compile(r"\\[{}]|[()\[\]{}]")
_UNORDERED = frozenset({"list", "set", "union"})
_OPENING = frozenset({"(", "[", "{", r"\{"})
_MATRIX = re.compile(r"\\begin\{([bpvBV]?matrix)\}(.*)\\end\{\1\}")
_ONLY_WORDS = re.compile(r"[A-Za-z][A-Za-z' -]+")


def shape(text: str, depth: int = 0) -> Shape:
    r"""Return the shape of a plain text (see `plain`); what cannot be read is `Words`.

    >>> shape("(1,2)").kind, len(shape("3,5,7").members), shape(r"x\ge 3").signs
    ('()', 3, ('>=',))
    >>> shape("45 miles").unit, shape(r"\text{No}")
    ('mile', Words(text='no'))
    """
    text = text.strip(" ,;")
    if depth > MAX_DEPTH:
        return Words(words(text))
    for split in (_as_list, _as_union, _as_relation, _as_pair, _as_matrix, _as_bracket):
        found = split(text, depth + 1)
        if found is not None:
            return found
    return _scalar(text)


def _as_list(text: str, depth: int) -> Shape | None:
    parts = _split(text, _SEPARATOR)[0]
    return _group("list", parts, depth) if len(parts) > 1 else None


def _as_union(text: str, depth: int) -> Shape | None:
    parts = _split(text, _UNION)[0]
    return _group("union", parts, depth) if len(parts) > 1 else None


def _as_relation(text: str, depth: int) -> Shape | None:
    parts, signs = _split(text, _SIGN)
    if len(parts) < 2:
        return None
    if not parts[0]:  # "= 5", "\approx 5"
        return shape(text[len(signs[0]) :], depth) if len(parts) == 2 else None
    if not all(parts) or len(parts) > MAX_MEMBERS:
        return Words(words(text))
    members = tuple(shape(part, depth) for part in parts)
    return Relation(tuple(_SIGNS[sign] for sign in signs), members)


def _as_pair(text: str, depth: int) -> Shape | None:
    r"""Both values of one \pm; of several, all upper signs and all lower ones."""
    if not _PLUS_MINUS.search(text) or len(_outer_bracket(text)[1]) > 0:
        return None
    both = [
        _PLUS_MINUS.sub(lambda found, up=up: "+" if (found[1] == "pm") == up else "-", text)
        for up in (True, False)
    ]
    return _group("list", both, depth)


def _as_matrix(text: str, depth: int) -> Shape | None:
    found = _MATRIX.fullmatch(text)
    if found is None:
        return None
    rows = [row for row in re.split(r"\\cr ?", found[2]) if row.strip()]
    members = tuple(_group("list", row.split("&"), depth) for row in rows[:MAX_MEMBERS])
    return Group("matrix", members) if len(rows) <= MAX_MEMBERS else Words(words(text))


def _as_bracket(text: str, depth: int) -> Shape | None:
    kind, inner = _outer_bracket(text)
    if not kind:
        return None
    if not inner.strip():
        return Group("set", ()) if kind == "set" else None
    parts = _split(inner, _SEPARATOR)[0]
    return _group(kind, parts, depth) if len(parts) > 1 or kind == "set" else None


def _outer_bracket(text: str) -> tuple[str, str]:
    r"""Kind and content of the bracket that holds all of a text; both empty without one."""
    first = _BRACKET.match(text)
    if first is None or first[0] not in _OPENING:
        return "", ""
    depth = 0
    for found in _BRACKET.finditer(text):
        depth += 1 if found[0] in _OPENING else -1
        if depth == 0:
            break
    if depth or found.end() < len(text):
        return "", ""
    inner = text[first.end() : found.start()]
    if first[0] in ("{", r"\{"):
        is_set = found[0] == "\\}" or "," in inner
        return ("set", inner) if is_set and found[0] in ("}", r"\}") else ("", "")
    return (first[0] + found[0], inner) if found[0] in ")]" else ("", "")


def _split(text: str, pattern: re.Pattern[str]) -> tuple[list[str], list[str]]:
    """Split a text at matches outside brackets; the parts, stripped, and what split them."""
    parts, signs, last = [], [], 0
    depth = _depths(text) if pattern.search(text) else []
    for found in pattern.finditer(text):
        if depth[found.start()] == 0:
            parts.append(text[last : found.start()].strip())
            signs.append(found[0])
            last = found.end()
    return [*parts, text[last:].strip()], signs


def _depths(text: str) -> list[int]:
    """How many brackets are open at each place of a text."""
    depths: list[int] = []
    level = 0
    for found in _BRACKET.finditer(text):
        depths += [level] * (found.end() - len(depths))
        level = level + 1 if found[0] in _OPENING else max(level - 1, 0)
    return depths + [level] * (len(text) + 1 - len(depths))


def _group(kind: str, parts: list[str], depth: int) -> Shape:
    parts = [part for part in parts if part.strip()]
    if len(parts) > MAX_MEMBERS:
        return Words(words(",".join(parts)))
    members: list[Shape] = []
    for part in parts:
        member = shape(part, depth)
        is_several = isinstance(member, Group) and member.kind == "list" and kind in _UNORDERED
        members += member.members if is_several else [member]
    return Group(kind, tuple(members))


def _scalar(text: str) -> Shape:
    if text == r"\emptyset":
        return Group("set", ())
    is_text = text.startswith(r"\text{") and text.find("}") == len(text) - 1
    if is_text or _ONLY_WORDS.fullmatch(text):
        return Words(words(text))
    before, unit = split_unit(text)
    try:
        return Scalar(read(before), unit)
    except Unreadable:
        is_formula = BEYOND.search(text) and len(text) <= MAX_TOKENS
        return Scalar(("latex", text)) if is_formula else Words(words(text))
