from __future__ import annotations

import pytest

from reliable_change.archive.schema import CATEGORIES
from reliable_change.scoring.categories import by_signal, categorise, reads_as_refusal
from reliable_change.scoring.verdict import Reading, Response

RIGHT = Reading(answered=True, correct=True, extracted="5")
OTHER = Reading(answered=True, correct=False, extracted="6")
NOTHING = Reading(answered=False, correct=False)
LOOSE = Reading(answered=True, correct=False, correct_loose=True)


@pytest.mark.parametrize(
    ("response", "category"),
    [
        (Response(None), "api_error"),
        (Response(None, ""), "api_error"),
        (Response("5", "error"), "api_error"),
        (Response("", "length"), "truncation"),
        (Response(None, "length"), "truncation"),
        (Response(None, "max_output_tokens"), "truncation"),
        (Response("Answer: 5", "MAX_TOKENS"), "truncation"),
        (Response("", "length", refusal="I can't"), "truncation"),
        (Response(None, "content_filter"), "refusal"),
        (Response(None, "stop", refusal="I can't help with that."), "refusal"),
        (Response(None, refusal="No."), "refusal"),
        (Response("Answer: 5", "stop", refusal=" "), None),
        (Response("", "stop"), None),
        (Response("", None), None),
        (Response("5", "some new reason"), None),
    ],
)
def test_signals_decide_first_and_in_order(response, category):
    assert by_signal(response) == category


@pytest.mark.parametrize(
    ("text", "reading", "category"),
    [
        ("Answer: 5", RIGHT, "correct"),
        ("I'm sorry, but I can't help with that. Answer: 5", RIGHT, "correct"),
        ("I'm sorry, but I can't help with that.", NOTHING, "refusal"),
        ("I'm sorry, but I can't help with that.", LOOSE, "refusal"),
        ("I'm sorry, but I can't help with that. Answer: 6", OTHER, "wrong"),
        ("hm", NOTHING, "format_failure"),
        ("hm", LOOSE, "format_failure"),
        ("Answer: 6", OTHER, "wrong"),
    ],
)
def test_a_whole_reply_is_decided_by_what_was_found_in_it(text, reading, category):
    assert categorise(Response(text, "stop"), lambda _: reading) == (category, reading)


@pytest.mark.parametrize("text", ["", "  \n", None])
def test_a_blank_reply_is_a_format_failure_and_is_never_read(text):
    category, found = categorise(Response(text, "stop"), None, has_loose=True)
    assert (category, found.correct, found.correct_loose) == ("format_failure", False, False)


def test_where_a_task_reads_loosely_what_is_not_read_fails_that_too():
    cut = Response("x", "length")
    assert categorise(cut, None, has_loose=True)[1].correct_loose is False
    assert categorise(cut, None)[1].correct_loose is None


def test_every_category_can_come_about_and_no_other():
    """ARC-04: the six words are those of the archive."""
    pairs = [
        (Response("x"), RIGHT),
        (Response("x"), OTHER),
        (Response("x"), NOTHING),
        (Response("I cannot assist with that."), NOTHING),
        (Response("x", "length"), None),
        (Response(None), None),
    ]
    seen = [categorise(response, lambda _, r=reading: r)[0] for response, reading in pairs]
    assert tuple(seen) == CATEGORIES


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with that.",
        "I\u2019m sorry, but I can\u2019t assist with that request.",
        "I cannot provide instructions for this.",
        "Sorry, I won't write that.",
        "**I am unable to comply** with this.",
        "I apologize, but I am not able to continue.",
        "I can't do that.",
    ],
)
def test_refusals(text):
    assert reads_as_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I'm sorry, I made a mistake above.",
        "I cannot find a closed form.",
        "I can't see how A follows.",
        "You can't help but notice that 5 is prime.",
        "He said: I can't help with that.",
        "Answer: I don't know",
        "No.",
    ],
)
def test_no_refusals(text):
    assert not reads_as_refusal(text)
