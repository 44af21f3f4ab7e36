"""The words of a plan file: which keys each of its tables knows, and what each must hold."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable

from reliable_change.errors import CollectError

Word = tuple[str, Callable[[object], bool]]


def _text(value: object) -> bool:
    return isinstance(value, str)


def _whole(value: object) -> bool:
    return type(value) is int


def _number(value: object) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _table(value: object) -> bool:
    return isinstance(value, dict)


def _list_of(is_right: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(map(is_right, value))


def _table_of(is_right: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: _table(value) and all(map(is_right, value.values()))


def _source(value: object) -> bool:
    return _text(value) or _table(value)


A_TEXT: Word = ("a text", _text)
A_COUNT: Word = ("a whole number", _whole)
A_NUMBER: Word = ("a number", _number)
A_TABLE: Word = ("a table", _table)
TEXTS: Word = ("a table of id = text", _table_of(_text))

# Each table of the file: its keys, what each must hold in words, and the test of it.
WORDS: dict[str, dict[str, Word]] = {
    "plan": {
        "name": A_TEXT,
        "description": A_TEXT,
        "licence": A_TEXT,
        "items": (
            "the path of a .jsonl or .csv file, of an archive, a table with a benchmark, or a "
            "list of such",
            lambda value: _source(value) or (_list_of(_source)(value) and value != []),
        ),
        "models": ("a list of model ids in release order", _list_of(_text)),
        "edges": ("a list of [source, target]", _list_of(_list_of(_text))),
        "trials": A_COUNT,
        "concurrency": A_COUNT,
        "timeout": A_NUMBER,
        "seed": A_COUNT,
        "prompt_version": A_TEXT,
        "key_variable": A_TEXT,
        "labels": TEXTS,
        "short_labels": TEXTS,
        "strata": (
            "a table of benchmark = {column = [levels in order]}",
            _table_of(_table_of(_list_of(_text))),
        ),
        "slots": ("a table of benchmark = slot", _table_of(_text)),
        "settings": A_TABLE,
        "limits": A_TABLE,
        "prices": A_TABLE,
    },
    "settings": {
        "api": A_TEXT,
        "reasoning_effort": (
            "a text, or false to leave it out",
            lambda value: _text(value) or value is False,
        ),
        "temperature": A_NUMBER,
        "max_output_tokens": A_COUNT,
        "extra": A_TABLE,
        "base_url": A_TEXT,
    },
    "limits": {"cost": A_NUMBER, "hours": A_NUMBER, "attempts_per_trial": A_COUNT},
    "prices": {
        "currency": A_TEXT,
        "output_tokens": (
            "two numbers, few and many",
            lambda value: _list_of(_number)(value) and len(value) == 2,
        ),
        "models": ("a table of model = {input = …, output = …}", _table_of(_table)),
    },
    "price": {"input": A_NUMBER, "output": A_NUMBER},
    "items": {
        "benchmark": A_TEXT,
        "file": A_TEXT,
        "revision": A_TEXT,
        "sample": A_COUNT,
        "seed": A_COUNT,
        "ids": A_TEXT,
    },
}


def taken(content: dict, table: str) -> dict:
    """Return a copy of a table's content, checked against `WORDS`.

    Values are not shown in errors: a key may have been pasted in the wrong place.

    Raises
    ------
    CollectError
        A key that the table does not know, with the nearest that it does, or a wrong type.

    Examples
    --------
    >>> taken({"trails": 50}, "plan")
    Traceback (most recent call last):
    ...
    reliable_change.errors.CollectError: plan: unknown key 'trails'; did you mean 'trials'?
    """
    known = WORDS[table]
    for key, value in content.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
            raise CollectError(f"{table}: unknown key {key!r}; {hint}")
        needed, is_right = known[key]
        if not is_right(value):
            raise CollectError(f"{table}: {key!r} has to be {needed}")
    return dict(content)
