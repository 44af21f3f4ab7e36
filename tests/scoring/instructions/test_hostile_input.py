"""Whatever a model returns gets a verdict, or none with a reason, soon."""

from __future__ import annotations

from time import perf_counter, process_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reliable_change.archive.schema import CATEGORIES
from reliable_change.scoring.instructions.scorer import LONG, Instructions
from reliable_change.scoring.tasks import score
from reliable_change.scoring.verdict import Response
from tests.scoring.instructions.every_kind import EVERY_KIND, WITHOUT_DATA, item

MEGABYTE = 1_000_000
PIECES = [
    *"aAiIcz019 .,;:!?'\"“”()[]{}<>*-#_/\\\t\r\n", "\n\n", "***", "******", "* ", "- ", "cat ",
    "dog ", "Cat", "CAT ", "P.S.", "P.P.S", "Section 1", "<<a>>", "<i>", "</i>", "!?!?", "[x]",
    "Question 1", "A) x\n", "bald eagle", "Zimbabwe", "yes", "```json", "My Answer:", "level ",
    "StudentID\tSubject\tGrade\tSemester\tScore\n", "1812-06-24", "1,2,3", "日本", "\U0001f642",
    "\ud835", "\x00", "\u202e", "\u200b", "\u05d0", "é",
]  # fmt: skip
TEXTS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.text(st.characters(codec=None), max_size=60),
)
FEW = item(
    {
        "count:numbers": {"N": 1},
        "detectable_content:number_placeholders": {"num_placeholders": 1},
        "detectable_format:json_format": {},
    },
    item_id="few",
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=TEXTS)
def test_any_text_gets_every_verdict_and_strict_implies_loose(text, instructions):
    for verdict in instructions.judge(item(WITHOUT_DATA, "all"), text):
        assert verdict.strict in (True, False)
        assert verdict.loose in (True, False)
        assert verdict.loose >= verdict.strict, verdict
        assert verdict.unscored_reason is None


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=TEXTS)
def test_tokenisers_take_any_text(text, instructions, nltk_data_dir):
    kinds = {name: rule for name, rule in EVERY_KIND.items() if name not in WITHOUT_DATA}
    del kinds["words:start_verb"]
    for verdict in instructions.judge(item(kinds, "tokens"), text):
        assert verdict.loose >= verdict.strict, verdict


@pytest.mark.parametrize(
    "text",
    [
        "",
        None,
        "\x00",
        "x \ud835 y",
        "\u202eB :rewsnA",
        "__import__('os').system('touch PWNED')",
        "{" * 10_000 + "}" * 10_000,
        '{"a":' * 9_000,
        "(" * 9_000,
    ],
)
def test_odd_replies_end_as_a_category(text, instructions, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = score(FEW, Response(text, "stop"), {"instruction": instructions})
    assert found.category in ("wrong", "format_failure")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def hasty():
    scorer = Instructions(seconds=1)
    yield scorer
    scorer.close()


@pytest.mark.parametrize("unit", ["a", "x\n", "[", "\x00", "\ud835", "\u05d0", "* "])
def test_a_megabyte_of_one_thing(unit, hasty):
    start = perf_counter()
    text = unit * (MEGABYTE // len(unit))
    found = score(FEW, Response(text, "stop"), {"instruction": hasty})
    assert found.category in (*CATEGORIES, None)
    assert (found.category is None) == (found.unscored_reason is not None)
    assert perf_counter() - start < 60


# The slowest found by trying many repeated pieces on every verifier.
@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("detectable_content:number_placeholders", "["),
        ("detectable_content:postscript", " "),
        ("detectable_format:number_bullet_lists", "\n"),
        ("detectable_format:title", "<"),
        ("format:no_bullets_bullets", "a\n"),
    ],
)
def test_a_text_that_is_read_directly_takes_no_verifier_long(name, unit, instructions):
    text = ("x\n" + unit * LONG)[: LONG - 1] + "x"
    start = process_time()
    instructions.judge(item({name: EVERY_KIND[name]}, name), text)
    assert process_time() - start < 10
    assert len(text) == LONG


def test_an_items_own_pattern_cannot_run_for_ever(hasty):
    """Each further "a" doubles the time; the other instruction and later texts are judged."""
    kinds = {"keywords:existence": {"keywords": ["(a+)+$"]}, "punctuation:no_comma": {}}
    one = item(kinds, "pattern")
    slow, other = hasty.judge(one, "a" * 60 + "b")
    assert (slow.strict, slow.loose) == (None, None)
    assert "took more than 1 s" in slow.unscored_reason
    assert other.strict is True
    assert [verdict.strict for verdict in hasty.judge(one, "b, aa")] == [True, False]


def test_a_text_out_of_bounds_is_not_scorable(hasty):
    """A verifier that needs the square of a megabyte would take an hour."""
    kinds = {"detectable_format:number_bullet_lists": {"num_bullets": 2}}
    text = "x" + "\n" * MEGABYTE + "x"
    found = score(item(kinds), Response(text, "stop"), {"instruction": hasty})
    assert (found.category, found.correct) == (None, None)
    assert "took more than 1 s" in found.unscored_reason
