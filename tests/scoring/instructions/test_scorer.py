"""All instructions of an item as one verdict on a reply."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from reliable_change.scoring.instructions.scorer import LONG, Instructions
from reliable_change.scoring.tasks import SCORERS, score
from reliable_change.scoring.verdict import Item, ItemError, NotScorable, Response
from tests.scoring.instructions.every_kind import WITHOUT_DATA, item

TWO = item({"punctuation:no_comma": None, "startend:quotation": {}})


@pytest.mark.parametrize(
    ("text", "category", "correct", "loose", "share"),
    [
        ('"all of it"', "correct", True, True, 1),
        ('*"all of it"*', "format_failure", False, True, 0.5),
        ('Sure!\n"all of it"', "format_failure", False, True, 0.5),
        ("Sure, no", "wrong", False, False, 0),
        ('"Sure, no"', "wrong", False, False, 0.5),
        ("I'm sorry, but I can't help with that.", "refusal", False, False, 0),
        ('"I cannot help with that."', "correct", True, True, 1),
    ],
)
def test_strict_loose_category_and_share(text, category, correct, loose, share, instructions):
    found = score(TWO, Response(text, "stop"), {"instruction": instructions})
    assert (found.category, found.correct, found.correct_loose) == (category, correct, loose)
    assert (found.score, found.extracted, found.note) == (share, None, None)
    assert (found.scorer, found.scorer_version) == ("instruction", instructions.version)


def test_loosely_all_must_pass_but_each_in_a_reading_of_its_own(instructions):
    kinds = {"startend:quotation": {}, "format:no_whitespace": {}, "punctuation:no_comma": {}}
    text = 'Sure:\n"it"\n,'
    assert [(v.strict, v.loose) for v in instructions.judge(item(kinds), text)] == [
        (False, True),
        (False, True),
        (False, True),
    ]
    assert instructions.read(item(kinds), text).correct_loose is True


def test_an_error_of_a_verifier_is_noted(instructions):
    found = instructions.read(item({"detectable_format:json_format": {}}), "[" * 5000)
    assert (found.correct, found.correct_loose) == (False, False)
    assert found.note == "detectable_format:json_format stopped with RecursionError"


def test_an_unknown_instruction_is_one_clear_error(instructions):
    one = item({"punctuation:no_comma": None, "count:nonsense": None}, item_id="9")
    for use in (instructions.check, lambda x: instructions.read(x, "text")):
        with pytest.raises(ItemError, match=r"item '9' of 'IFBench'.*'count:nonsense'.*mend") as e:
            use(one)
        assert "\n" not in str(e.value)


def test_an_item_that_changes_is_read_anew(instructions):
    def judged(kinds, prompt=None):
        one = Item("IFBench", "1", "instruction", extra=item(kinds).extra, prompt=prompt)
        return [verdict.strict for verdict in instructions.judge(one, "1 2")]

    assert judged({"count:numbers": {"N": 2}}) == [True]
    assert judged({"count:numbers": {"N": 3}}) == [False]
    extra = {"instruction_id_list": ["count:numbers"], "kwargs": [{"N": 2}]}
    one = Item("IFBench", "1", "instruction", extra=extra)
    assert instructions.judge(one, "1 2")[0].strict is True
    extra["kwargs"][0]["N"] = 3  # the same object, changed in place
    assert instructions.judge(one, "1 2")[0].strict is False


def test_a_repeated_text_is_judged_once(monkeypatch):
    scorer, calls = Instructions(), []
    monkeypatch.setattr(
        "reliable_change.scoring.instructions.scorer.Readings",
        lambda text: calls.append(text) or [],
    )
    for _ in range(50):
        assert scorer.judge(TWO, "same")[0].strict is False
    assert calls == ["same"]


def test_remembered_texts_stay_few_and_short(instructions):
    for number in range(1000):
        instructions.judge(TWO, f"text {number}")
    kept = instructions._judge_remembered.cache_info()
    assert kept.currsize <= 256
    before = kept.currsize + kept.misses
    instructions.judge(item({"count:numbers": {"N": 1}}), "1" * (LONG + 1))
    after = instructions._judge_remembered.cache_info()
    assert after.currsize + after.misses == before


def test_long_texts_get_the_same_verdicts(instructions):
    """They are read in a process of its own; pad with spaces, which these do not mind."""
    kinds = {
        "punctuation:no_comma": {},
        "count:numbers": {"N": 2},
        "count:pronouns": {"N": 2},
        "language:response_language": {"language": "en"},
        "startend:quotation": {},
        "detectable_format:json_format": {},
    }
    for text in (
        "Sure:\n*We saw it, 1 2*\n",
        '"They went there; 3"',
        "Où est-il ? \ud835 \x00 1 2",
    ):
        padding = " " * LONG
        short, long = (
            [(v.strict, v.loose, v.note) for v in instructions.judge(item(kinds), one)]
            for one in (text, text + padding)
        )
        assert short == long
    assert instructions._worker._process is not None


def test_a_long_text_finds_the_same_data(instructions, nltk_data_dir):
    for text, follows in (("A Title ", True), ("a title ", False)):
        (found,) = instructions.judge(item({"format:title_case": {}}), text * LONG)
        assert (found.strict, found.unscored_reason) == (follows, None)


def test_threads_get_the_same_verdicts(instructions):
    texts = [f"Hello world {n}, it is\n*mine* {n}" for n in range(40)]
    one = item({**WITHOUT_DATA}, item_id="threads")
    fresh = Instructions()
    alone = [fresh.judge(one, text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda text: instructions.judge(one, text), texts)) == alone


def test_a_batch_can_make_it_in_its_processes():
    assert pickle.loads(pickle.dumps(SCORERS["instruction"])) is Instructions


def test_reasons_are_told_once_each(monkeypatch, instructions):
    monkeypatch.setattr(
        "reliable_change.scoring.instructions.scorer.what_is_missing",
        lambda name: "a tagger" if "no_comma" in name else "a word list",
    )
    kinds = {"punctuation:no_comma": None, "startend:quotation": None}
    with pytest.raises(NotScorable, match="^a tagger; a word list$"):
        instructions.read(item(kinds, item_id="lacking"), "text")
