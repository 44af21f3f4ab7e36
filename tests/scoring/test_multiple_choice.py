from __future__ import annotations

from time import perf_counter

import pytest

from reliable_change.scoring.multiple_choice import MultipleChoice, Options, options_of, parse
from reliable_change.scoring.verdict import Item, ItemError

TEN = Options("ABCDEFGHIJ", {})
FOUR = Options("ABCD", {})


def item(reference: str | None = "C", **extra: object) -> Item:
    return Item("quiz", "7", "multiple_choice", reference, extra or {"n_options": 4})


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("Answer: A\nI hope this helps!", "A"),
        ("The answer is C because I computed it.", "C"),
        ("Answer: I don't know", None),
    ],
)
def test_an_english_i_is_no_option(reply, letter):
    """MCQ-01: only item sets that reach I can show it."""
    assert parse(reply, TEN) == letter


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("Answer: A\nWait, that used the wrong sign.\nAnswer: C", "C"),
        ("Answer seems to be A at first.\n\nAnswer: B", "B"),
        ("Answer: A\nAnswer:\n\nAnswer: B\nGood luck", "B"),
    ],
)
def test_the_last_answer_line_counts(reply, letter):
    """MCQ-02."""
    assert parse(reply, TEN) == letter


@pytest.mark.parametrize(
    "reply",
    [
        "Answer: $C$",
        "Answer: (C)",
        "Answer: [C]",
        "**Answer:** **C**",
        "Answer: `C`",
        "Answer: \\boxed{C}",
        "Answer: \\boxed{\\text{C}}",
        "Answer: C) 12 kJ",
        "Answer: C, since the mass halves",
        "Answer: C.\r\n",
        "Answer: C\u200b",
        "**Final Answer: C**",
        "## Answer\n\nC",
        "**Answer:**\n\n**C**",
        "Answer:\n\\[\n\\boxed{\\mathrm{C}}\n\\]",
        "✅ Final answer: C",
        "- Answer: C",
        "\\textbf{Answer:} C",
        "Answer: \\(C\\)",
        "Answer : “C”",
        "Answer: option C",
        "Answer: The correct option is (C).",
        "Answer: C is correct",
        "Answer: C; I hope this helps",
        "Answer: C: 12 kJ",
        "Answer - C",
        "Answer: \uff23",  # full width
        "Answer:\u00a0C",
        "答案：C",
        "最终答案: **C**",
        "My answer is: C",
        "ANSWER: C\u2028Bye",
    ],
)
def test_decoration_carries_no_meaning(reply):
    """MCQ-03, and others of its kind."""
    assert parse(reply, FOUR) == "C"


@pytest.mark.parametrize("key", ["A", "B", "D"])
@pytest.mark.parametrize(
    "reply",
    [
        "Answer: None of the above",
        "Answer: Don't know",
        "Answer: A and C",
        "Answer: A or B",
        "Answer: A, B",
        "Answer: A/B",
        "Answer: (A)(B)",
        "Answer: A B",
        "Answer: AB",
        "Answer: A, or possibly B",
        "Answer: \\boxed{A} or B",
        "Answer: \\boxed{A, B}",
        "Answer: \\boxed{A} and \\boxed{B}",
        "Answer: **A** & **B**",
        "Answer: A good question",
        "Answer: not A",
        "Answer: D-glucose",
        "Answer: both",
        "A: yes, B: no, D: yes",
        "I cannot decide.",
    ],
)
def test_none_or_several_is_never_right(reply, key):
    """MCQ-04: whatever the key is, and a format failure rather than wrong."""
    found = MultipleChoice().read(item(key), reply)
    assert (found.answered, found.correct, found.extracted) == (False, False, None)


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("answer: c", "C"),
        ("The answer is B because a car moves.", "B"),
        ("ANSWER: c.", "C"),
        ("answer: a car", None),
        ("The answer is a car.", None),
        ("Answer: (b)", "B"),
    ],
)
def test_case_both_ways(reply, letter):
    """MCQ-06."""
    assert parse(reply, FOUR) == letter
    assert MultipleChoice().read(item(letter or "A"), reply).correct == (letter is not None)


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("So the answer is **C**.\nThank you.", "C"),
        ("It is not B, so the answer is C.", "C"),
        ("Option C is correct.", "C"),
        ("Option A is incorrect. Option (C) is the correct one.", "C"),
        ("Hence \\boxed{C}", "C"),
        ("We compare.\n\n**C**", "C"),
        ("C", "C"),
        ("C) 12 kJ", "C"),
        ("正确答案是 D。", "D"),
        ("The correct choice must be (D).", "D"),
        ("The answer is not C.", None),
        ("If x is 3, the answer is C.", None),
        ("The answer could be C.", None),
        ("The answer is A. Wait, the answer is C.", None),
        ("So \\boxed{A}, no \\boxed{B}", None),
        ("The answer is C or D.", None),
        ("A body at rest", None),
        ("C. elegans is a worm", None),
        ("I think so", None),
        ("Option C is wrong.", None),
        ("First we look at A, then at B and finally at C", None),
    ],
)
def test_stage_two_takes_plain_statements_only(reply, letter):
    assert parse(reply, FOUR) == letter


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("Answer: A\nWait. The answer is C.", None),
        ("Answer: A\nSo the answer is A.", "A"),
        ("Answer: A\nB would be too small.", "A"),
        ("The answer is C.\nAnswer: A", "A"),
    ],
)
def test_a_contradiction_below_the_answer_line_is_ambiguous(reply, letter):
    assert parse(reply, FOUR) == letter


def test_a_letter_beyond_the_options_is_no_answer():
    assert parse("Answer: E", FOUR) is None
    assert parse("Answer: E", TEN) == "E"
    assert parse("The answer is I.", TEN) == "I"
    assert parse("The answer is I.", FOUR) is None


def test_words_of_another_option_beside_the_letter_are_ambiguous():
    texts = {"A": "B. subtilis", "B": "E. coli", "C": "12 kJ", "D": "9 kJ"}
    options = Options("ABCDEFGHIJ"[:5], texts | {"E": "none"})
    assert parse("Answer: E. coli", options) is None
    assert parse("Answer: C) 9 kJ", options) is None
    assert parse("Answer: C) 12 kJ", options) == "C"
    assert parse("Answer: B. E. coli", options) == "B"
    assert parse("Answer: C. twelve", options) == "C"


@pytest.mark.parametrize(
    "extra",
    [
        {"options": ["1", "2", "3", "4"]},
        {"choices": ["1", "2", "3", "4"]},
        {"options": {"A": "1", "B": "2", "C": "3", "D": "4"}},
        {"options": 4},
        {"n_options": 4},
    ],
)
def test_options_come_from_extra(extra):
    assert options_of(item(**extra)).letters == "ABCD"


@pytest.mark.parametrize(
    ("reference", "extra", "problem"),
    [
        ("C", {"subject": "x"}, "needs two to 10 options"),
        ("C", {"options": ["only one"]}, "needs two to 10 options"),
        ("C", {"options": [str(n) for n in range(11)]}, "needs two to 10 options"),
        ("C", {"options": {"A": "1", "C": "2"}}, "lettered from A"),
        ("C", {"options": "ABCD"}, "needs two to 10 options"),
        ("E", {"n_options": 4}, "no letter from A to D"),
        ("12 kJ", {"n_options": 4}, "no letter from A to D"),
        (None, {"n_options": 4}, "no letter from A to D"),
        ("", {"n_options": 4}, "no letter from A to D"),
    ],
)
def test_an_item_that_cannot_be_scored_is_one_clear_error(reference, extra, problem):
    with pytest.raises(ItemError, match=f"^item '7' of 'quiz' .*{problem}"):
        MultipleChoice().check(item(reference, **extra))


@pytest.mark.parametrize(
    "unit", [*' \n\r(*$\\{}Aa:"_-,0\u200b', "Answer: ", "Answer:\n", "\\boxed{"]
)
def test_a_megabyte_takes_no_longer_than_it_must(unit):
    text = unit * (1_000_000 // len(unit))
    start = perf_counter()
    assert parse(text, TEN) is None
    assert parse(text + "\nAnswer: C", TEN) == "C"
    assert perf_counter() - start < 10
