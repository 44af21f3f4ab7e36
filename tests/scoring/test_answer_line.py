from __future__ import annotations

import pytest

from reliable_change.scoring.answer_line import boxes, is_asserted, last_labelled, tidy


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Answer: 5", "5"),
        ("Answer: 5\nBye", "5"),
        ("1. Answer: 5", "5"),
        ("So, the final answer is: 5", "5"),
        ("Answer:\n\n$$\n5\n$$", "5"),
        ("Answer:\nFinal answer:\n5", "5"),
        ("Answer: 5\nAnswer:", "5"),
        ("ANSWER = 5", "5"),
        ("\\text{Answer: } 5", "5"),
    ],
)
def test_the_content_of_the_last_label(text, content):
    assert last_labelled(text).content.strip(" }") == content


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "Answer",
        "Answer:",
        "Answer: \n\n**",
        "The answer is 5",
        "An answer: 5",
        "Answers: 5",
        "Answer choices: 5",
        "Explanation of the answer: 5",
    ],
)
def test_no_label_or_nothing_after_it(text):
    assert last_labelled(text) is None


def test_the_places_are_those_of_the_statement():
    text = "Hm.\nAnswer: 5\nBye"
    line = last_labelled(text)
    assert text[line.start : line.end] == "Answer: 5"
    text = "Hm.\nAnswer:\n\n5\nBye"
    line = last_labelled(text)
    assert text[line.start : line.end] == "Answer:\n\n5"


def test_lowering_keeps_places():
    """A capital I with a dot grows when lowered, which would shift what follows."""
    assert last_labelled("\u0130\u0130\u0130 hm\nx\nAnswer: 5\ny").content == "5"


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("", []),
        ("\\boxed{1}", ["1"]),
        ("\\boxed {1} \\fbox{2}", ["1", "2"]),
        ("\\boxed{\\frac{1}{2}}", ["\\frac{1}{2}"]),
        ("\\boxed{\\boxed{1}}", ["\\boxed{1}"]),
        ("\\boxed{\\{1\\}}", ["\\{1\\}"]),
        ("\\boxed{ and \\boxed{2}", ["2"]),
        ("} \\boxed{1}}", ["1"]),
        ("\\boxed{1", []),
        ("\\boxed", []),
        ("box", []),
    ],
)
def test_boxes_close_and_are_outermost(text, contents):
    assert [box.content for box in boxes(text)] == contents


def test_braces_ten_thousand_deep():
    deep = "{" * 10_000 + "1" + "}" * 10_000
    assert [box.content for box in boxes(f"\\boxed{deep}")] == [deep[1:-1]]
    assert boxes("\\boxed{" * 10_000) == []
    assert len(boxes("\\boxed{" * 10_000 + "}" * 10_000)) == 1


def test_tidy_lines_and_hidden_characters():
    assert tidy("a\r\nb\rc\u2028d\u200be\ufefff") == "a\nb\nc\ndef"
    assert tidy("a \u05d0 b") == "a \u05d0 b"


@pytest.mark.parametrize(
    ("before", "asserted"),
    [
        ("So the ", True),
        ("I did not see it, but the ", True),
        ("If so, the ", True),
        ("If x is 1, the ", False),
        ("It is not that the ", False),
        ("We ask whether the ", False),
        ("It isn't. The ", True),
    ],
)
def test_what_is_supposed_or_denied_is_not_asserted(before, asserted):
    assert is_asserted(f"{before}answer is C", len(before)) is asserted
