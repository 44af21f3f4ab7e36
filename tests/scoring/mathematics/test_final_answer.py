from __future__ import annotations

import pytest

from reliable_change.scoring.mathematics.final_answer import MAX_ANSWER, find, is_prose


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Answer: 5", "5"),
        ("Work.\nAnswer: $\\frac{1}{2}$\nBye", "$\\frac{1}{2}$"),
        ("Answer: 3\nNo.\nAnswer: 4", "4"),
        ("**Answer:** **20 cups**.", "20 cups"),
        ("ANSWER: $\\boxed{540}$", "540"),
        ("So \\boxed{3}.\nAnswer: 4", "4"),
        ("Answer: see below\n\\boxed{5}", "5"),
        ("Answer:\n$$\n42\n$$", "42"),
        (
            "Answer: $\\begin{pmatrix}\n1\\\\\n2\n\\end{pmatrix}$",
            "$\\begin{pmatrix}\n1\\\\\n2\n\\end{pmatrix}$",
        ),
        ("First \\boxed{1}, later\n\\boxed{2}", "2"),
        ("So \\boxed{1} and \\boxed{2}.", "1, 2"),
        ("So \\boxed{1}, \\boxed{2}, \\boxed{3}.", "1, 2, 3"),
        ("\\boxed{\\boxed{5}}", "\\boxed{5}"),
        ("The answer is 5.", "5"),
        ("The answer is 2.5, which is large.", "2.5"),
        ("The answer is 3, and 5.", "3, and 5"),
        ("The answer is $x=5$ because it must.", "$x=5$"),
        ("The answer is 5. Yes, the answer is 5!", "5"),
        ("42", "42"),
        ("2 2/3\n", "2 2/3"),
        ("$2$", "$2$"),
        ("答案：42", "42"),
        ("Answer: is 5", "5"),
        ("Answer: 2**3", "2**3"),
    ],
)
def test_where_the_answer_is(reply, answer):
    assert find(reply) == answer


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Let us see.\nIt has 5 members, then 7.",
        "9 + 1:",
        "The answer is 5.\nNo, the answer is 6.",
        "If so, the answer is\nx",
        "If x is odd the answer is 5.\nElse not.",
        "The answer is not 5.\nHm.",
        "The answer is 8, but in this context it is 10.\nHm.",
        "Answer: \n\n",
        "Answer: " + "9" * (MAX_ANSWER + 1),
        "\\boxed{" + "9" * (MAX_ANSWER + 1) + "}",
        "\\boxed{5\nand so on",
    ],
)
def test_no_answer_and_no_fallback_to_a_number(reply):
    assert find(reply) is None


def test_prose():
    assert is_prose("There are twenty cups")
    assert not is_prose("\\sin x + \\cos x + \\sqrt{y}")
    assert not is_prose("sin x + cos x + tan x")
