"""What verifiers lack here, told before any text is read, with the command that gets it."""

from __future__ import annotations

import nltk

from reliable_change.paths import ROOT
from reliable_change.scoring.instructions.needs import what_is_missing
from reliable_change.scoring.instructions.scorer import Instructions
from reliable_change.scoring.tasks import score
from reliable_change.scoring.verdict import Response
from tests.scoring.instructions.every_kind import (
    EVERY_KIND,
    NEED_DATA,
    in_a_fresh_process,
    item,
)

# Prints the instructions whose verifier stops for want of data, whatever the table says.
PROGRAM = """
import nltk
nltk.data.path[:] = {places!r}
from reliable_change.scoring.instructions.checklist import Instruction
from reliable_change.scoring.instructions.judge import judge
from reliable_change.scoring.instructions.prepare import prepare
from reliable_change.scoring.instructions.surroundings import undisturbed
from reliable_change.scoring.instructions.verifiers import load
from tests.scoring.instructions.every_kind import EVERY_KIND
found = load()
for name, parameters in EVERY_KIND.items():
    verifier = prepare(Instruction(name, parameters), None, found)
    with undisturbed(found.modules):
        verdict = judge(name, verifier, ["Run, cat. " * 40])
    if verdict.unscored_reason:
        print(verdict.unscored_reason)
"""


def stopped(places):
    lines = in_a_fresh_process(PROGRAM.format(places=places), path=ROOT).splitlines()
    assert all(" .venv/bin/python -m nltk.downloader" in line for line in lines)
    return {line.split()[0] for line in lines}


def test_the_table_of_needs_is_that_of_the_package(monkeypatch):
    assert stopped([]) == NEED_DATA
    monkeypatch.setattr(nltk.data, "path", [])
    assert {name for name in EVERY_KIND if what_is_missing(name)} == NEED_DATA


def test_with_the_data_they_run(nltk_data_dir):
    assert stopped([str(nltk_data_dir)]) <= {"words:start_verb"}


def test_nothing_of_an_item_is_scored_while_one_verifier_cannot_run(monkeypatch):
    """Not even what fails anyway: an item would be scored on its failures alone."""
    monkeypatch.setattr(nltk.data, "path", [])
    one = item({"words:start_verb": {}, "punctuation:no_comma": None})
    scorer = Instructions()
    for text, finish in (("Run", "stop"), ("a, b", "stop"), ("Run", "length"), ("", "stop")):
        found = score(one, Response(text, finish), {"instruction": scorer})
        assert (found.category, found.correct, found.correct_loose) == (None, None, None)
        assert found.unscored_reason == (
            "words:start_verb needs NLTK's punkt_tab averaged_perceptron_tagger_eng: "
            ".venv/bin/python -m nltk.downloader punkt_tab averaged_perceptron_tagger_eng"
        )
        assert found.scorer_version == scorer.version


def test_the_other_instructions_keep_their_verdicts(monkeypatch):
    monkeypatch.setattr(nltk.data, "path", [])
    kinds = {"ratio:stop_words": {"percentage": 10}, "punctuation:no_comma": None}
    lacking, other = Instructions().judge(item(kinds), "a, b\nc")
    assert (lacking.strict, lacking.loose) == (None, None)
    assert (other.strict, other.loose, other.unscored_reason) == (False, True, None)
