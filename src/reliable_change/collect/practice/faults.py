"""How the practice server misbehaves: kinds of faults, their rates, and how one is drawn."""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from reliable_change.errors import CollectError

# Each kind, what the client meets, and the kind of failure that a collector should make of it.
TRANSIENT = {
    "rate_limit": ("429, with a Retry-After in one of several forms", "rate_limit"),
    "server_error": ("500 or 503", "server_error"),
    "timeout": ("no answer at all", "timeout"),
    "reset": ("the connection is reset before an answer", "connection"),
    "cut_off": ("the connection closes in the middle of an answer", "connection"),
    "empty_body": ("200 with an empty body", "malformed"),
    "cut_json": ("200 with JSON that stops halfway", "malformed"),
    "html": ("200 with a page of HTML", "malformed"),
    "no_answer": ("200 with choices null or [], or with an error object", "malformed"),
}
PERMANENT = {
    "quota": ("429, insufficient_quota", "quota"),
    "bad_key": ("401", "bad_key"),
    "unknown_model": ("404, model_not_found", "unknown_model"),
    "bad_request": ("400", "bad_request"),
}
# Replies all the same: a collector stores them. They use up the trial that they distort.
ODD_REPLIES = {
    "truncated": ("cut by the token limit: no text, no usage", None),
    "refusal": ("a refusal in place of the text", None),
    "surrogate": ("half a surrogate pair in the text", None),
}
KINDS = {**TRANSIENT, **PERMANENT, **ODD_REPLIES}


@dataclass(frozen=True)
class Faults:
    """What share of the requests meets which fault; the rest is answered as it should be.

    Parameters
    ----------
    rates : mapping of str to float
        Kind (a name in `KINDS`) → share of requests, in [0, 1]; at most 1 together.

    Raises
    ------
    CollectError
        An unknown kind, or a rate that is none.

    Examples
    --------
    >>> faults = Faults({"timeout": 0.25, "html": 0.25})
    >>> faults.at(0.1), faults.at(0.3), faults.at(0.9)
    ('timeout', 'html', None)
    """

    rates: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for kind, rate in self.rates.items():
            if kind not in KINDS:
                near = difflib.get_close_matches(kind, KINDS, n=1)
                hint = f"did you mean {near[0]}" if near else f"choose from {', '.join(KINDS)}"
                raise CollectError(f"fault {kind}: no such kind; {hint}")
            if not 0 <= rate <= 1:
                raise CollectError(f"fault {kind} = {rate}: a rate lies between 0 and 1")
        if math.fsum(self.rates.values()) > 1 + 1e-9:
            raise CollectError(f"rates of faults add up to {math.fsum(self.rates.values()):g} > 1")

    def at(self, share: float) -> str | None:
        """The fault that a uniform draw in [0, 1) stands for; None for none."""
        for kind, rate in self.rates.items():
            if share < rate:
                return kind
            share -= rate
        return None


def evenly(rate: float, kinds: Mapping = TRANSIENT) -> Faults:
    """Faults of several kinds, equally often, that hit a share of all requests together.

    Parameters
    ----------
    rate : float
        In [0, 1].
    kinds : iterable of str
        All transient ones by default.

    Examples
    --------
    >>> round(evenly(0.3).rates["html"], 4)
    0.0333
    """
    return Faults({kind: rate / len(kinds) for kind in kinds})


def draw(seed: int, cell: tuple[str, str, str], number: int) -> tuple[float, int]:
    """What chance decides for a request: a share in [0, 1), and a form of the fault in [0, 2³²).

    A keyed hash of whose request it is and which of them, so that the order in which requests
    for different items and models arrive does not matter: as many faults of each kind occur
    whatever the number of requests at a time.

    Parameters
    ----------
    seed : int
        Any whole number of at most 64 digits.
    cell : (benchmark, item_id, model)
        What is asked for.
    number : int
        How many requests for it came before.

    Examples
    --------
    >>> draw(1, ("quiz", "1", "old"), 0) == draw(1, ("quiz", "1", "old"), 0)
    True
    """
    message = json.dumps([*cell, number]).encode("ascii")
    digest = blake2b(message, digest_size=16, key=str(int(seed)).encode("ascii")).digest()
    return int.from_bytes(digest[:6], "big") / 2**48, int.from_bytes(digest[-4:], "big")
