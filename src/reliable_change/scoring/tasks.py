"""Which scorer reads which task, and the one function that scores a response.

A scorer of one's own is an object with the five attributes of `Scorer`, given to `score` under
the task's name::

    class ExactText:
        name, version, has_loose = "exact text", "1", False

        def check(self, item):
            if not item.reference:
                raise item.error("has no reference")

        def read(self, item, text):
            answer = text.strip()
            return Reading(answered=True, correct=answer == item.reference, extracted=answer)

    scorers = {**default_scorers(), "short_answer": ExactText()}
    score(item, response, scorers)
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Mapping
from typing import Protocol

from reliable_change.scoring.categories import by_signal, categorise
from reliable_change.scoring.instructions.scorer import Instructions
from reliable_change.scoring.mathematics.scorer import Mathematics
from reliable_change.scoring.multiple_choice import MultipleChoice
from reliable_change.scoring.verdict import Item, NotScorable, Reading, Response, Score


class Scorer(Protocol):
    """What a scorer is: a name, a version that changes with its verdicts, and two methods.

    `has_loose` tells whether it also reads loosely. `check` raises ItemError for an item that
    nobody can score (no reference, say), and NotScorable, with the reason, for one of which no
    reply can be scored here. `read` returns what it found in a reply's text, which is never
    blank, or raises NotScorable for this one. Both depend on their arguments alone.
    """

    name: str
    version: str
    has_loose: bool

    def check(self, item: Item) -> None: ...

    def read(self, item: Item, text: str) -> Reading: ...


# Made anew for every caller, since a scorer may hold a process.
SCORERS: dict[str, Callable[[], Scorer]] = {
    "multiple_choice": MultipleChoice,
    "math": Mathematics,
    "instruction": Instructions,
}


def default_scorers() -> dict[str, Scorer]:
    """Return a scorer for each task of `SCORERS`, by the task's name."""
    return {task: make() for task, make in SCORERS.items()}


def score(item: Item, response: Response, scorers: Mapping[str, Scorer]) -> Score:
    """Score one response by the scorer of the item's task.

    A reply that cannot be scored here gets no category but a reason. Where that holds for all
    replies to the item, truncated and blank ones are no exception, or those alone would count; an
    API error is one all the same.

    Raises
    ------
    ItemError
        If the item has no scorer, or its scorer cannot use it; the message names the item.

    Examples
    --------
    >>> item = Item("quiz", "1", "multiple_choice", "C", {"options": ["1 J", "2 J", "3 J"]})
    >>> score(item, Response("Answer: **C**", "stop"), default_scorers()).category
    'correct'
    """
    scorer = scorers.get(item.task)
    if scorer is None:
        raise item.error(f"has {no_scorer(item.task, scorers)}")
    names = {"scorer": scorer.name, "scorer_version": scorer.version}
    try:
        _check(scorer, item, response)
        category, found = categorise(
            response, lambda text: scorer.read(item, text), has_loose=scorer.has_loose
        )
    except NotScorable as error:
        return Score(None, None, None, None, unscored_reason=str(error), **names)
    is_api_error = category == "api_error"
    return Score(
        category=category,
        correct=None if is_api_error else found.correct,
        correct_loose=None if is_api_error else found.correct_loose,
        extracted=found.extracted,
        score=found.score,
        note=found.note,
        **names,
    )


def no_scorer(task: str | None, known: Collection[str]) -> str:
    """Say that a task has no scorer, which tasks have one, and which of them is nearest.

    >>> no_scorer("maths", SCORERS)
    "task 'maths', for which there is no scorer (known: instruction, math, multiple_choice; did \
you mean math?)"
    """
    near = difflib.get_close_matches(str(task), known, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"task {task!r}, for which there is no scorer (known: {', '.join(sorted(known))}{hint})"


def _check(scorer: Scorer, item: Item, response: Response) -> None:
    """Check the item; an API error needs nothing of a scorer that cannot work here."""
    try:
        scorer.check(item)
    except NotScorable:
        if by_signal(response) != "api_error":
            raise
