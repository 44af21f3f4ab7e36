"""What one verifier's behaviour makes of a verdict."""

from __future__ import annotations

import csv

import pytest

from reliable_change.scoring.instructions.judge import judge


class Verifier:
    """Follows what it is told to follow, raises what it is told to raise."""

    def __init__(self, follows=(), errors=None):
        self.follows, self.errors, self.asked = follows, errors or {}, []

    def check_following(self, value):
        self.asked.append(value)
        if value in self.errors:
            raise self.errors[value]
        return "yes" if value in self.follows else None


@pytest.mark.parametrize(
    ("follows", "strict", "loose"),
    [("a", True, True), ("b", False, True), ("c", False, True), ("d", False, False)],
)
def test_strict_is_the_reply_and_loose_any_reading(follows, strict, loose):
    found = judge("x:x", Verifier(follows), ["a", "b", "c"])
    assert (found.strict, found.loose) == (strict, loose)
    assert found.strict in (True, False)  # plain bools, whatever the verifier returns
    assert found.loose in (True, False)


def test_what_passes_strictly_is_read_once():
    verifier = Verifier("a")
    judge("x:x", verifier, ["a", "b", "c"])
    assert verifier.asked == ["a"]


def test_a_blank_reply_follows_nothing():
    verifier = Verifier([""])
    found = judge("x:x", verifier, [])
    assert (found.strict, found.loose, verifier.asked) == (False, False, [])


@pytest.mark.parametrize(
    "error",
    [ZeroDivisionError(), IndexError("x"), KeyError("x"), RecursionError(), csv.Error("NUL")],
)
def test_an_error_on_a_text_is_not_following_and_other_readings_count(error):
    found = judge("x:x", Verifier("b", {"a": error}), ["a", "b"])
    assert (found.strict, found.loose, found.unscored_reason) == (False, True, None)
    assert found.note == f"x:x stopped with {type(error).__name__}"


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (LookupError("Resource wordnet. >>> nltk.download('wordnet')"), "nltk.downloader wordnet"),
        (LookupError("no such thing"), "no such thing"),
        (ModuleNotFoundError("No module named 'spacy'"), "spacy"),
        (OSError("[E050] Can't find model 'en_core_web_sm'"), "en_core_web_sm"),
        (MemoryError(), "MemoryError"),
    ],
)
@pytest.mark.parametrize("at", ["a", "b"])
def test_what_is_lacking_here_is_no_failure_of_the_reply(error, reason, at):
    found = judge("x:x", Verifier("c", {at: error}), ["a", "b", "c"])
    assert (found.strict, found.loose) == (None, None)
    assert found.unscored_reason.startswith("x:x cannot run here: ")
    assert reason in found.unscored_reason
