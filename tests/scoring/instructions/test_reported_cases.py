"""Small inputs that broke other tools, each with its right verdict."""

from __future__ import annotations

import copy
import random
from itertools import permutations

import pytest

from reliable_change.paths import ROOT
from reliable_change.scoring.instructions.scorer import Instructions
from reliable_change.scoring.tasks import score
from reliable_change.scoring.verdict import Item, ItemError, Response
from tests.scoring.instructions.every_kind import (
    EVERY_KIND,
    WITHOUT_DATA,
    in_a_fresh_process,
    item,
)

# What every row of IFBench has: each parameter of each instruction, nearly all of them null.
NULLS = dict.fromkeys(sorted({key for rule in EVERY_KIND.values() for key in rule}))


def only(scorer, name, kwargs, text):
    """Strict and loose on one instruction."""
    (verdict,) = scorer.judge(item({name: kwargs}), text)
    return verdict.strict, verdict.loose


class TestLanguageChangesFromCallToCall:
    """IFB-01"""

    RULE = ("language:response_language", {"language": "en"})

    def test_sixty_times_in_one_process(self, monkeypatch):
        """Each time anew: nothing is remembered."""
        monkeypatch.setattr("reliable_change.scoring.instructions.scorer._REMEMBERED", 0)
        scorer = Instructions()
        for _ in range(60):
            assert only(scorer, *self.RULE, "Hello world") == (True, True)
            assert only(scorer, *self.RULE, "Bonjour le monde") == (False, False)
        assert scorer._judge_remembered.cache_info().hits == 0

    def test_in_two_processes_and_orders(self):
        program = """
from reliable_change.scoring.instructions.scorer import Instructions
from tests.scoring.instructions.every_kind import item
one = item({{"language:response_language": {{"language": "en"}}}})
texts = {texts!r}
scorer = Instructions()
found = {{text: scorer.judge(one, text)[0].strict for text in texts}}
print(sorted(found.items()))
"""
        texts = ["Hello world", "12345", "Hallo welt", "no", "Name: Anna", "Ok la"]
        runs = [
            in_a_fresh_process(program.format(texts=order), path=ROOT, PYTHONHASHSEED=seed)
            for order, seed in ((texts, "1"), (texts[::-1], "2"))
        ]
        assert runs[0] == runs[1]
        assert "('12345', True), ('Hallo welt', False), ('Hello world', True)" in runs[0]

    def test_digits_have_no_language_and_do_not_stop_it(self, instructions):
        """The official rule: where no language can be told, the instruction counts as followed."""
        assert only(instructions, *self.RULE, "12345") == (True, True)


class TestLooseBelowStrict:
    """IFB-02"""

    def test_a_missing_parameter_is_an_error_that_names_the_item(self, instructions):
        one = item({"count:word_count_range": {}}, item_id="42")
        state = random.getstate()
        for _ in range(3):
            with pytest.raises(ItemError, match="'42' of 'IFBench'.*max_words, min_words"):
                instructions.check(one)
        assert random.getstate() == state

    @pytest.mark.parametrize(("needed", "follows"), [(4, True), (5, False)])
    def test_a_letter_that_is_none_is_counted_as_it_is(self, needed, follows):
        rule = {"letter": "#", "let_frequency": needed, "let_relation": "at least"}
        for _ in range(5):
            found = only(Instructions(), "keywords:letter_frequency", rule, "# # # # ok")
            assert found == (follows, follows)

    def test_strict_implies_loose(self, instructions):
        texts = ["# # # # ok", "*Yes*", "Sure:\n- a\n- b", "yes", "Cat cat, dog.\n\nP.S. *bye*"]
        for text in texts:
            for verdict in instructions.judge(item(WITHOUT_DATA), text):
                assert verdict.loose >= verdict.strict, verdict


class TestLooseAlone:
    """IFB-03"""

    KINDS = {
        "count:keywords_multiple": NULLS | {f"keyword{n}": f"word{n}" for n in range(1, 6)},
        "count:numbers": NULLS | {"N": 2.0},
        "format:list": NULLS | {"sep": "*"},
    }
    TEXT = "*** 1 2\nword1"

    def test_null_means_not_set_and_the_row_stays_as_it_is(self, instructions):
        one = item(self.KINDS)
        before = copy.deepcopy(one.extra)
        found = instructions.judge(one, self.TEXT)
        assert [(v.strict, v.loose) for v in found] == [
            (False, False),
            (False, True),
            (True, True),
        ]
        assert one.extra == before

    def test_no_order_of_calls_matters(self):
        ones = [item({name: kwargs}, item_id=name) for name, kwargs in self.KINDS.items()]
        results = set()
        for order in permutations(ones):
            scorer = Instructions()
            found = {one.item_id: scorer.judge(one, self.TEXT) for one in order}
            results.add(tuple(sorted(found.items())))
        assert len(results) == 1


class TestRepliesWithoutWords:
    """IFB-04"""

    @pytest.mark.parametrize(
        ("name", "kwargs", "text"),
        [
            ("ratio:stop_words", {"percentage": 50}, "..."),
            ("ratio:stop_words", {"percentage": 50}, "\U0001f642"),
            ("ratio:overlap", {"percentage": 50, "reference_text": "abcd"}, "a"),
            ("format:quote_unquote", {}, "..."),
            ("words:words_position", {"keyword": "Hi"}, "Hi."),
            ("punctuation:no_comma", {}, ""),
            ("punctuation:no_comma", {}, " \n\t"),
        ],
    )
    def test_each_gives_a_bool_and_the_others_keep_theirs(
        self, name, kwargs, text, instructions, nltk_data_dir
    ):
        kinds = {"count:numbers": {"N": 0}, name: kwargs, "startend:quotation": None}
        before, found, after = instructions.judge(item(kinds), text)
        follows = bool(text.strip())
        assert (before.strict, before.loose) == (follows, follows)
        assert found.strict in (True, False)
        assert found.loose in (True, False)
        assert found.unscored_reason is None
        assert (after.strict, after.loose) == (False, False)

    def test_an_empty_reply_follows_nothing(self, instructions):
        one = item(WITHOUT_DATA)
        assert {(v.strict, v.loose) for v in instructions.judge(one, "")} == {(False, False)}
        found = score(one, Response("", "stop"), {"instruction": instructions})
        assert (found.category, found.correct, found.correct_loose) == (
            "format_failure",
            False,
            False,
        )


def test_repeats_of_one_prompt_are_scored_one_by_one(instructions):
    """IFB-05"""
    one = Item(
        "IFEval",
        "1",
        "instruction",
        prompt="No commas.",
        extra={"instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]},
    )
    replies = ["fine"] * 20 + ["no, not fine"] * 30
    found = [score(one, Response(text, "stop"), {"instruction": instructions}) for text in replies]
    assert [one.correct for one in found] == [True] * 20 + [False] * 30
