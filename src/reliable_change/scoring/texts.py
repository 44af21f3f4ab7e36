"""One distinct text after another: from an archive's response to a row of its scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from reliable_change.archive.text import escape_surrogates, restore_surrogates
from reliable_change.errors import ReliableChangeError
from reliable_change.scoring.tasks import Scorer, score
from reliable_change.scoring.verdict import Item, Response

Factories = Mapping[str, Callable[[], Scorer]]


class ScoringError(ReliableChangeError):
    """Texts cannot be scored as asked; the message says what to do."""


class Text(NamedTuple):
    """What is scored: an item and one distinct response to it, as stored."""

    item: Item
    text: str | None
    finish_reason: str | None
    refusal: str | None


class Row(NamedTuple):
    """A verdict: the columns of scores.parquet after the key, in their order."""

    category: str | None
    correct: bool | None
    correct_loose: bool | None
    extracted: str | None
    score: float | None
    scorer: str
    scorer_version: str
    unscored_reason: str | None
    note: str | None


@dataclass(frozen=True)
class Slice:
    """Some texts of a part, from the position `start` in it; `tries` counts failed attempts."""

    part: int
    start: int
    texts: list[Text]
    tries: int = 0


def make_scorers(factories: Factories) -> dict[str, Scorer]:
    """Make the scorer of each task."""
    return {task: make() for task, make in factories.items()}


def close_scorers(scorers: Mapping[str, Scorer]) -> None:
    """End what scorers hold, such as a process, where they can be closed."""
    for scorer in scorers.values():
        getattr(scorer, "close", lambda: None)()


def score_text(text: Text, scorers: Mapping[str, Scorer]) -> Row:
    """Score one text; an error of the scorer's is a reason for no score, and no more."""
    response = Response(restored(text.text), text.finish_reason, restored(text.refusal))
    try:
        found = score(text.item, response, scorers)
    except Exception as error:
        why = f"the scorer failed with {type(error).__name__}: {' '.join(str(error).split())}"
        return unscored(scorers[text.item.task], why[:300])
    return Row(
        found.category,
        found.correct,
        found.correct_loose,
        _escaped(found.extracted),
        found.score,
        found.scorer,
        found.scorer_version,
        _escaped(found.unscored_reason),
        _escaped(found.note),
    )


def unscored(scorer: Scorer, why: str) -> Row:
    """Return the row of a text that could not be scored."""
    nothing = (None,) * 5
    return Row(*nothing, scorer.name, scorer.version, escape_surrogates(why), None)


def score_here(slices: Iterable[Slice], factories: Factories) -> Iterator[tuple[Slice, list[Row]]]:
    """Score slices in this process: nothing bounds what a scorer does."""
    scorers = make_scorers(factories)
    try:
        for piece in slices:
            yield piece, [score_text(text, scorers) for text in piece.texts]
    finally:
        close_scorers(scorers)


def restored(text: str | None) -> str | None:
    """Return a text as it came in, from how the archive stores it."""
    # The sign that every escape begins with is rare, and looked for fast.
    return text if text is None or "\ufffd" not in text else restore_surrogates(text)


def _escaped(text: str | None) -> str | None:
    return None if text is None else escape_surrogates(text)
