"""Whatever a model returns ends as a category, soon, and nothing is run or lost."""

from __future__ import annotations

from itertools import product
from time import perf_counter

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reliable_change.archive.schema import CATEGORIES
from reliable_change.scoring.answer_line import _labelled, boxes, cues, last_labelled, tidy
from reliable_change.scoring.mathematics.compare import same
from reliable_change.scoring.mathematics.final_answer import find
from reliable_change.scoring.mathematics.means import Exactly
from reliable_change.scoring.mathematics.plain import plain
from reliable_change.scoring.mathematics.scorer import Mathematics
from reliable_change.scoring.mathematics.shape import shape
from reliable_change.scoring.multiple_choice import Options, _stated_at, parse
from reliable_change.scoring.tasks import score
from reliable_change.scoring.verdict import Item, Response

MEGABYTE = 1_000_000
ITEMS = (
    Item("omni", "1", "math", "\\sqrt{2}"),
    Item("quiz", "1", "multiple_choice", "C", {"n_options": 10}),
)

# Pieces that parsers look for, so that random texts get past the first test.
PIECES = [
    *"ABCIJabci0123,;:.!?()[]{}|$*_`^/+-=<>~%#&\\\"' \n\r\t",
    "Answer: ", "answer is ", "choice", " is correct", "Final answer:", "答案：", "option ",
    "would be", "\\boxed{", "\\text{", "\\frac",
    "\\sqrt", "\\{", "\\}", "\\left(", "\\pm ", "\\cup ", "\\in ", "\\le ", "\\sum_{", "\\infty",
    "\\begin{pmatrix}", "\\end{pmatrix}", "\\\\", "^{", "_", " and ", " or ", "because",
    "\u200b", "\u202e", "\x00", "\ud835", "½", "²", "√", "−", "≤", "1,000", "2 2/3",
    "10^9", "!!", "sin ", "I'm sorry",
]  # fmt: skip
TEXTS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.text(st.characters(codec=None), max_size=60),
)
MANY = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))


@MANY
@given(TEXTS)
def test_any_text_is_read_as_one_option_or_none(text):
    for count in (2, 10):
        letters = "ABCDEFGHIJ"[:count]
        assert parse(text, Options(letters, {})) in {*letters, None}


@MANY
@given(TEXTS)
def test_an_answer_line_at_the_end_is_read_whatever_stands_above(text):
    assert parse(f"{text}\n\nAnswer: B", Options("ABCD", {})) == "B"
    assert find(f"{text}\n\nAnswer: $\\frac12$") == "$\\frac12$" or "box" in text


@MANY
@given(TEXTS)
def test_parts_of_a_text_are_parts_of_it(text):
    text = tidy(text)
    line = last_labelled(text)
    assert line is None or line.content in text[line.start : line.end]
    for box in boxes(text):
        assert box.content in text[box.start : box.end]


WORDS = ["answer", "Option", "CHOICE", "best choice", "答案", "an\u017fwer", "x", "opt\u0130on"]
NEXT = [
    "",
    " is",
    " would be",
    " must be",
    "是",
    ":",
    "\uff1a",
    "=",
    " -",
    " \u2013",
    " \u2014",
    "**",
    " $",
]
LAST = ["", " C", ": C", "\nC", " \n C", "**: C", "`C` is", "(C) is the best", "C is correct", " x"]


def test_looking_only_at_cues_misses_nothing():
    """Every line and every place is tried here; the parsers try those that cues point at."""
    options, found = Options("ABCDEFGHIJ", {}), 0
    for words in product(WORDS, NEXT, LAST):
        for text in ("".join(words), f"a\n{''.join(words)}\nbecause it is"):
            ends = [place for place, sign in enumerate(text) if sign == "\n"] + [len(text)]
            lines = [_labelled(text, text.rfind("\n", 0, end) + 1, end) for end in ends]
            labelled = [line for line in lines if line is not None]
            assert last_labelled(text) == (labelled[-1] if labelled else None)
            everywhere = [n for n in range(len(text)) if _stated_at(text, n, options)]
            assert everywhere == [n for n in cues(text) if _stated_at(text, n, options)], text
            found += len(labelled) + len(everywhere)
    assert found > 500


@MANY
@given(TEXTS)
@example("A=A=B")
def test_any_text_has_a_shape_equal_to_itself(text):
    once = plain(text)
    assert same(shape(once), shape(once), Exactly()) in (True, None)


@MANY
@given(TEXTS, TEXTS)
def test_comparison_does_not_depend_on_the_side(one, other):
    one, other = shape(plain(one)), shape(plain(other))
    assert same(one, other, Exactly()) == same(other, one, Exactly())


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=TEXTS)
def test_any_reply_ends_as_a_category(text, scorers):
    for item in ITEMS:
        assert score(item, Response(text, "stop"), scorers).category in CATEGORIES


@pytest.mark.parametrize("item", ITEMS, ids=["math", "quiz"])
@pytest.mark.parametrize(
    "text",
    [
        "",
        None,
        "\x00",
        "x \ud835 y",
        "\u202eB :rewsnA",
        "\u05d4\u05ea\u05e9\u05d5\u05d1\u05d4 \u05d4\u05d9\u05d0 5",
        "Answer: __import__('os').system('touch PWNED')",
        "Answer: ${jndi:ldap://x}",
        "{" * 10_000 + "}" * 10_000,
        "\\boxed{" * 10_000 + "}" * 10_000,
        "\\frac{" * 10_000,
        "Answer: " + "(" * 10_000 + "1" + ")" * 10_000,
        "Answer: " + "9" * 5000,
        "Answer: 9" + "!" * 200,
    ],
)
def test_odd_replies_end_as_a_category(text, item, scorers, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = score(item, Response(text, "stop"), scorers)
    assert found.category in ("wrong", "format_failure")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "unit",
    [
        " ",
        "\n",
        "\r",
        "{",
        "}",
        "(",
        "\\",
        "$",
        "*",
        "a",
        "A",
        "0",
        ",",
        "=",
        "\x00",
        "\ud835",
        "\u200b",
        "\u05d0",
        "\\boxed{1}",
        "Answer: ",
    ],
)
def test_a_megabyte_of_one_thing(unit, scorers):
    """Twice per item, plain and on the answer line; time and memory stay in proportion."""
    text = unit * (MEGABYTE // len(unit))
    start = perf_counter()
    for item, before in product(ITEMS, ("", "Answer: ")):
        assert score(item, Response(before + text, "stop"), scorers).category in CATEGORIES
    assert perf_counter() - start < 20


def test_remembered_answers_stay_small():
    """A reply of a megabyte leaves nothing of its size behind."""
    scorer = Mathematics()
    for number in range(20):
        scorer.read(ITEMS[0], f"Answer: {number}" + "x" * MEGABYTE)
    assert scorer._compare.cache_info().currsize == 0
