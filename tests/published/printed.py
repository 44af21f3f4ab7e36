"""The printed tables as lookups, and the whole numbers that can stand behind a printed share."""

from __future__ import annotations

from functools import cache
from math import ceil, floor

from reliable_change.published.claims import TEXT, text_claims
from reliable_change.published.numbers import format_number, parse
from reliable_change.published.tables import KEYS, read_table

MODELS = ("gpt-5.4", "gpt-5.5", "gpt-5.6-sol")
EDGES = tuple(f"{s}→{t}" for s, t in (MODELS[:2], MODELS[1:], MODELS[::2]))
FIRST, SECOND, DIRECT = EDGES
TRIALS = 50

Row = dict[str, str]


@cache
def rows(table: str) -> dict[tuple[str, ...] | str, Row]:
    """The rows of a printed table by key; a table with one key column by its bare value."""
    frame = read_table(table)
    keys = list(frame[list(KEYS[table])].itertuples(index=False, name=None))
    assert len(set(keys)) == len(keys), f"{table} has two rows of one key"
    names = [key if len(key) > 1 else key[0] for key in keys]
    return dict(zip(names, frame.to_dict("records"), strict=True))


def stated(quantity: str) -> str:
    """What the text prints for a quantity of its own, without plus and percent signs.

    Wherever it does so it must state the same number; figures are preferred to number words.
    """
    claims = text_claims()
    chosen = (claims["table"] == TEXT) & (claims["row"] == quantity)
    texts = claims.loc[chosen, "printed"].tolist()
    numbers = {parse(text) for text in texts}
    assert len(numbers) == 1, f"the text prints {texts or 'nothing'} for {quantity}"
    return min(texts, key=str.isalpha).strip("+%")


def number(printed: str) -> int:
    """A printed whole number."""
    value = parse(printed)
    assert value is not None, printed
    assert value == int(value), printed
    return int(value)


def tenths(printed: str) -> int:
    """A number printed with one decimal, in tenths."""
    value = parse(printed)
    assert value is not None, printed
    assert printed[-2] == ".", printed
    return int(value * 10)


def wholes(printed: str, total: int, *, sign: bool = False) -> list[int]:
    """Every whole number whose share of `total`, in percent, prints so (one decimal)."""
    value = parse(printed)
    assert value is not None, printed
    lowest, highest = (float(value) * total / 100 + side * total / 1000 for side in (-1, 1))
    candidates = range(floor(lowest), ceil(highest) + 1)
    return [k for k in candidates if format_number(percent(k, total), 1, sign=sign) == printed]


def whole(printed: str, total: int) -> int:
    """The one whole number of items whose share of `total` prints so."""
    found = wholes(printed, total)
    assert len(found) == 1, f"{printed} % of {total} items can be {found or 'no whole number'}"
    return found[0]


def percent(part: int, total: int) -> float:
    return 100 * part / total
