from __future__ import annotations

import pytest

from reliable_change.scoring.tasks import SCORERS, default_scorers, score
from reliable_change.scoring.verdict import Item, ItemError, NotScorable, Reading, Response

MATH = Item("omni", "1", "math", "\\frac{1}{2}")
QUIZ = Item("quiz", "1", "multiple_choice", "B", {"n_options": 4})


class ShortAnswer:
    """A scorer of one's own."""

    name, version, has_loose = "short answer", "3", True

    def check(self, item):
        if not item.reference:
            raise item.error("has no reference")

    def read(self, item, text):
        if text == "?":
            raise NotScorable("needs a tagger; install it")
        strict, loose = text == item.reference, text.lower() == item.reference.lower()
        return Reading(True, strict, loose, extracted=text, score=0.5, note="read")


def test_the_tasks_of_the_design_have_scorers():
    assert {"multiple_choice", "math"} <= SCORERS.keys()
    assert {task: scorer.name for task, scorer in default_scorers().items()} == {
        task: task for task in SCORERS
    }


def test_a_score_says_everything(scorers):
    found = score(MATH, Response("Answer: $0.5$", "stop"), scorers)
    assert (found.category, found.correct, found.correct_loose) == ("correct", True, None)
    assert (found.extracted, found.scorer, found.unscored_reason) == ("$0.5$", "math", None)
    assert found.scorer_version.startswith("1 (sympy 1.")
    found = score(QUIZ, Response("Answer: D", "stop"), scorers)
    assert (found.category, found.correct, found.extracted) == ("wrong", False, "D")


@pytest.mark.parametrize(
    ("response", "category", "correct"),
    [
        (Response(None), "api_error", None),
        (Response("Answer: B", "length"), "truncation", False),
        (Response("Answer: B", "stop", "no"), "refusal", False),
        (Response("Hm", "stop"), "format_failure", False),
        (Response("", "stop"), "format_failure", False),
        (Response("Answer: A", "stop"), "wrong", False),
        (Response("Answer: B", "stop"), "correct", True),
    ],
)
def test_each_category_and_its_verdict(response, category, correct, scorers):
    found = score(QUIZ, response, scorers)
    assert (found.category, found.correct) == (category, correct)


@pytest.mark.parametrize("text", [None, float("nan")])
def test_a_missing_letter_is_a_format_failure_not_wrong(text, scorers):
    """ARC-01: a missing answer compared with a key must not pass as a wrong one."""
    found = score(QUIZ, Response(text, "stop"), scorers)
    assert (found.category, found.extracted) == ("format_failure", None)


def test_a_scorer_of_ones_own(scorers):
    scorers = {**scorers, "short": ShortAnswer()}
    item = Item("own", "1", "short", "Paris")
    found = score(item, Response("paris", "stop"), scorers)
    assert (found.category, found.correct, found.correct_loose) == ("format_failure", False, True)
    assert (found.score, found.note, found.scorer, found.scorer_version) == (
        0.5,
        "read",
        "short answer",
        "3",
    )
    assert score(item, Response("x", "length"), scorers).correct_loose is False


def test_what_cannot_be_scored_here_has_a_reason_and_no_verdict(scorers):
    found = score(Item("own", "1", "short", "a"), Response("?"), {"short": ShortAnswer()})
    assert found.unscored_reason == "needs a tagger; install it"
    assert (found.category, found.correct, found.correct_loose) == (None, None, None)


class Lacking(ShortAnswer):
    """One that misses something for every item."""

    def check(self, item):
        raise NotScorable("needs a tagger; install it")


@pytest.mark.parametrize(
    ("response", "category"),
    [
        (Response("a", "stop"), None),
        (Response("a", "length"), None),
        (Response(None, "length"), None),
        (Response(" ", "stop"), None),
        (Response("a", "stop", "I must decline."), None),
        (Response(None), "api_error"),
        (Response("a", "error"), "api_error"),
    ],
)
def test_no_reply_to_an_item_that_cannot_be_scored_here_counts(response, category):
    """Or its truncated and blank replies alone would, as failures of the model."""
    found = score(Item("own", "1", "short", "a"), response, {"short": Lacking()})
    assert (found.category, found.correct, found.correct_loose) == (category, None, None)
    assert found.unscored_reason == (None if category else "needs a tagger; install it")


def test_an_unknown_task_is_one_clear_error(scorers):
    with pytest.raises(ItemError, match="item '9' of 'odd' has task 'poetry'.*known: math, multi"):
        score(Item("odd", "9", "poetry"), Response("x"), scorers)


def test_a_bad_item_is_an_error_whatever_the_response(scorers):
    for response in (Response("Answer: 5"), Response(None), Response("", "length")):
        with pytest.raises(ItemError, match="item '2' of 'omni' has no reference"):
            score(Item("omni", "2", "math", None), response, scorers)
