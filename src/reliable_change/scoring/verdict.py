"""What goes into scoring and what comes out: item, response, reading, score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reliable_change.errors import ReliableChangeError


class ItemError(ReliableChangeError):
    """An item that cannot be scored by anyone until it is mended; the message names it."""


class NotScorable(ReliableChangeError):
    """A reply that cannot be scored here, with the reason; neither right nor wrong."""


@dataclass(frozen=True, eq=False)
class Item:
    """What of an archive's item matters to its scorer; equal only to itself.

    `reference` is the right answer as text, None where there is none; `extra` is the item's
    JSON object, already read (options of a multiple choice, instructions and their arguments).
    """

    benchmark: str
    item_id: str
    task: str
    reference: str | None = None
    extra: Mapping[str, object] = field(default_factory=dict)
    prompt: str | None = None

    def error(self, problem: str) -> ItemError:
        """Return an error that names this item.

        >>> raise Item("quiz", "7", "math").error("has no reference")
        Traceback (most recent call last):
        ...
        reliable_change.scoring.verdict.ItemError: item '7' of 'quiz' has no reference
        """
        return ItemError(f"item {self.item_id!r} of {self.benchmark!r} {problem}")


@dataclass(frozen=True)
class Response:
    """What a model returned once. None is missing; an empty text is an empty reply.

    NaN and pandas' NA also count as missing, so that no scorer meets one.

    Raises
    ------
    TypeError
        If a field is neither text nor missing.
    """

    text: str | None
    finish_reason: str | None = None
    refusal: str | None = None

    def __post_init__(self) -> None:
        for name in ("text", "finish_reason", "refusal"):
            value = getattr(self, name)
            if isinstance(value, str) or value is None:
                continue
            if not _is_missing(value):
                raise TypeError(f"{name} must be text or missing, not {type(value).__name__}")
            object.__setattr__(self, name, None)


def _is_missing(value: object) -> bool:
    is_nan = isinstance(value, float) and value != value
    return is_nan or type(value).__name__ in ("NAType", "NaTType")


@dataclass(frozen=True)
class Reading:
    """What a scorer found in a reply that is whole.

    answered: the reply gives an answer in a form that can be read. correct: it is right, read
    strictly. correct_loose: right under the task's looser reading, None where it has none.
    extracted: the answer as found. score: a number where the task is not binary. note: what a
    reader of the score should know, such as a comparison that ran out of time.
    """

    answered: bool
    correct: bool
    correct_loose: bool | None = None
    extracted: str | None = None
    score: float | None = None
    note: str | None = None


@dataclass(frozen=True)
class Score:
    """One trial's verdict: the columns of scores.parquet beyond the key.

    `category` is one of the six, or None with an `unscored_reason`. `correct` is None for an
    API error and for an unscored trial; otherwise it is true exactly in category "correct".
    """

    category: str | None
    correct: bool | None
    correct_loose: bool | None
    extracted: str | None
    scorer: str
    scorer_version: str
    unscored_reason: str | None = None
    score: float | None = None
    note: str | None = None
