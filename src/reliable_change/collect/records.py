"""What the parts of a collection hand each other: small frozen records, and no more."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from reliable_change.collect.address import host_of
from reliable_change.errors import CollectError

APIS = ("responses", "chat")
# Hex digits of a fingerprint: short enough for a file name, too many to meet by chance.
FINGERPRINT_DIGITS = 12


class Key(NamedTuple):
    """One trial: its item, the model that is asked, and the trial's number from 0."""

    benchmark: str
    item_id: str
    model: str
    trial: int


@dataclasses.dataclass(frozen=True)
class Settings:
    """What every request carries besides model and prompt: the same for all models.

    Parameters
    ----------
    api : "responses" or "chat" (Chat Completions).
    reasoning_effort : None leaves it to the server, like the next two.
    temperature, max_output_tokens : sampling temperature; cap on output tokens, reasoning
        included.
    extra : further request fields, sent verbatim; must be JSON.
    base_url : address of the API; None is the vendor's own.

    Raises
    ------
    CollectError
        If the API is unknown, a value is no JSON, or base_url no address.

    Examples
    --------
    >>> Settings().fingerprint == Settings(temperature=None).fingerprint
    True
    >>> Settings(temperature=1).fingerprint == Settings(temperature=0.7).fingerprint
    False
    """

    api: str = "responses"
    reasoning_effort: str | None = "medium"
    temperature: float | None = None
    max_output_tokens: int | None = None
    extra: Mapping[str, object] = dataclasses.field(default_factory=dict, hash=False)
    base_url: str | None = dataclasses.field(default=None, repr=False)  # may hold a password

    def __post_init__(self) -> None:
        if self.api not in APIS:
            raise CollectError(f"settings: api {self.api!r} is none of {', '.join(APIS)}")
        if self.temperature is not None:
            object.__setattr__(self, "temperature", float(self.temperature))
        object.__setattr__(self, "extra", dict(self.extra))
        if self.base_url is not None:
            host_of(self.base_url)
        try:
            self.to_json()
        except (TypeError, ValueError) as error:
            raise CollectError(f"settings: a value is no JSON ({error})") from None

    def to_json(self) -> str:
        """Return everything that can change an answer as canonical JSON, in ASCII.

        Of the address only scheme, host, port and path: never a name, password or query.
        """
        content = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        content["base_url"] = public_url(self.base_url)
        return json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)

    @property
    def fingerprint(self) -> str:
        """12 hex digits that differ where `to_json` does; they name the journal."""
        return hashlib.sha256(self.to_json().encode("ascii")).hexdigest()[:FINGERPRINT_DIGITS]


def public_url(url: str | None) -> str | None:
    """Return an address without user info, query, fragment and closing slash.

    >>> public_url("http://me:secret@Host:8000/v1/?token=secret")
    'http://host:8000/v1'
    """
    if url is None:
        return None
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2].lower()
    return f"{parts.scheme}://{host}{parts.path.rstrip('/')}"


@dataclasses.dataclass(frozen=True)
class Reply:
    """What a model answered; None where the server did not say. An empty text is a text."""

    text: str
    refusal: str | None = None
    finish_reason: str | None = None
    returned_model: str | None = None
    request_id: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None


@dataclasses.dataclass(frozen=True)
class Attempt:
    """One try that failed: which (from 1), how, whether another try may help, and when."""

    key: Key
    number: int
    kind: str
    transient: bool
    message: str
    status: int | None
    created_utc: str


@dataclasses.dataclass(frozen=True)
class Usage:
    """What a number of stored replies used, as the server counted it.

    replies are all of them, counted those that came with both token counts; the sums are over
    the counted ones. output_squares is the sum of squared output tokens, for their spread.
    Reasoning tokens are part of the output tokens.
    """

    replies: int = 0
    counted: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    output_squares: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        """Put two together.

        >>> Usage(1, 1, 10, 5) + Usage(2, 1, 30, 7)
        Usage(replies=3, counted=2, input_tokens=40, output_tokens=12, reasoning_tokens=0, \
output_squares=0.0)
        """
        mine, others = dataclasses.astuple(self), dataclasses.astuple(other)
        return Usage(*map(sum, zip(mine, others, strict=True)))


def now_utc() -> str:
    """Return the present time as archives write it, such as 2026-01-31T12:00:00.123+00:00."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
