from __future__ import annotations

import threading
from time import perf_counter

import pytest

from reliable_change.scoring.mathematics.scorer import Mathematics
from reliable_change.scoring.tasks import score
from reliable_change.scoring.verdict import Item, ItemError, Response


def item(reference: str | None) -> Item:
    return Item("omni", "7", "math", reference)


@pytest.mark.parametrize(
    ("reference", "reply"),
    [
        ("$\\frac{1}{2^{99}}$", "$\\frac{1}{2^{98}}$"),
        ("$10^{-20}$", "$10^{-30}$"),
        ("$\\frac{1}{2004!}$", "$\\frac{1}{2006!}$"),
        ("$\\frac{2^{2005}+1}{3\\cdot 2^{2006}}$", "$\\frac{1}{3\\cdot 2^{2006}}$"),
    ],
)
def test_small_numbers_are_not_equal_for_being_small(reference, reply, mathematics):
    """MATH-01."""
    assert not mathematics.read(item(reference), reply).correct
    assert not mathematics.read(item(reply), reference).correct
    assert mathematics.read(item(reference), reference).correct


@pytest.mark.parametrize(
    ("reference", "reply"),
    [("2^{1994}", "$2$"), ("3, 5, 7", "$7$"), ("n \\geq 3", "$3$"), ("1-\\frac{1}{e}", "$1$")],
)
def test_a_bare_reference_is_not_its_last_number(reference, reply, mathematics):
    """MATH-02."""
    assert not mathematics.read(item(reference), reply).correct


@pytest.mark.parametrize(
    "reference",
    [
        "2^{1994}",
        "3, 5, 7",
        "n \\geq 3",
        "1-\\frac{1}{e}",
        "\\dfrac{9}{7}",
        "\\sqrt{2}",
        "(1,2)",
        "x \\in [-3,8]",
        "5, 7, 15, 16",
        "\\text{No}",
        "No such $n$ exists.",
        "(-\\infty, -1) \\cup (3, \\infty)",
        "\\frac{n!}{k!}",
        "101_2",
        "f(x) = cx \\text{ for some } c",
        "5^{5^{5^{5^5}}}",
        "\\sum_{k=1}^{n} \\frac{1}{k}",
        "\\left\\lfloor \\frac{n}{2} \\right\\rfloor",
        "2 \\frac{2}{3}",
        "100,200",
        "100, 200",
        "3:4",
        "(1,2]",
        "\\{\\pm 1\\}",
        "$12\\%$",
        "\\$5",
    ],
)
@pytest.mark.parametrize("form", ["{}", "Answer: {}", "Answer: ${}$", "So\n\\boxed{{{}}}."])
def test_every_reference_equals_itself(reference, form, mathematics):
    """MATH-02, and the gate over a data set that it asks for."""
    if reference.count("$") == 2 and "$" in form:
        reference = reference.replace("$", "")
    found = mathematics.read(item(reference), form.format(reference))
    assert found.correct
    assert found.note is None


@pytest.mark.parametrize(
    ("reference", "reply", "correct"),
    [("2", "2 2/3", False), ("10", "4 10/3", False), ("5/4", "1 1/4", True)],
)
def test_mixed_numbers(reference, reply, correct, mathematics):
    """MATH-03."""
    assert mathematics.read(item(reference), reply).correct is correct


@pytest.mark.parametrize(
    ("reference", "reply", "correct"),
    [
        ("115000", "115,000", True),
        ("1000", "1{,}000", True),
        ("357", "3,5,7", False),
        ("1234", "12,34", False),
        ("1", "0,1", False),
        ("3, 5, 7", "3,5,7", True),
    ],
)
def test_thousands_and_lists(reference, reply, correct, mathematics):
    """MATH-04."""
    assert mathematics.read(item(reference), reply).correct is correct


@pytest.mark.parametrize(
    ("reference", "reply"),
    [("3", "\\boxed{\\frac{5^{5^{5^{5^{5}}}}-5}{16}}"), ("5", "$2^{30^5}$")],
)
def test_a_tower_of_powers_is_wrong_soon_and_says_why(reference, reply, scorers):
    """MATH-05."""
    start = perf_counter()
    found = score(item(reference), Response(reply, "stop"), scorers)
    assert perf_counter() - start < 30
    assert (found.category, found.correct) == ("wrong", False)
    assert found.note == "comparison undecided: too large to compute"
    assert score(item(reference), Response(reference), scorers).category == "correct"


def test_a_comparison_that_takes_too_long_is_stopped_and_the_batch_goes_on():
    """MATH-05: what no rule foresees meets the clock, in a thread as anywhere."""
    scorer = Mathematics(seconds=1)
    found = []

    def batch():
        for reply in ("$e^{e^{e^{e^{e}}}}$", "$\\sqrt{9.0}$", "$\\frac{\\sqrt{36}}{2}$"):
            found.append(scorer.read(item("3"), reply))
        found.append(scorer.compare("\\sqrt8", "2\\sqrt2"))

    start = perf_counter()
    thread = threading.Thread(target=batch)
    thread.start()
    thread.join()
    scorer.close()
    assert perf_counter() - start < 30
    assert found[0].note == "comparison stopped: it took more than 1 s"
    assert (found[0].answered, found[0].correct) == (True, False)
    assert [reading.correct for reading in found[1:3]] == [True, True]
    assert found[3].equal


CODE = "__import__('pathlib').Path('PWNED').touch()"


@pytest.mark.parametrize(
    "form",
    [
        "{}",
        "\\boxed{{{}}}",
        "${}$",
        "Answer: {}",
        "Answer: {}+1",
        "\\sqrt{{{}}}",
        "$\\sum_{{k=1}}^2 {}$",
        "\\boxed{{\\max({})}}",
    ],
)
def test_text_is_never_run(form, scorers, tmp_path, monkeypatch):
    """MATH-06, also on the way through sympy."""
    monkeypatch.chdir(tmp_path)
    for reference in ("1", "\\sqrt2"):
        found = score(item(reference), Response(form.format(CODE), "stop"), scorers)
        assert found.category in ("wrong", "format_failure")
    assert list(tmp_path.iterdir()) == []


def test_each_pair_is_compared_once(monkeypatch):
    scorer = Mathematics()
    calls = []
    monkeypatch.setattr(scorer._worker, "call", lambda *pair: calls.append(pair) or (True, None))
    for _ in range(50):
        assert scorer.read(item("\\sqrt{8}"), "Answer: $2\\sqrt2$").correct
        assert scorer.read(item("\\sqrt{8}"), "So: \\boxed{2\\sqrt{2} }").correct
    assert len(calls) == 2


@pytest.mark.parametrize(
    ("reference", "answer"),
    [("18", "18"), ("1/2", "0.5"), ("3, 5", "5, 3"), ("2", "3"), ("x", "y"), ("No", "Yes")],
)
def test_ordinary_pairs_never_need_sympy(reference, answer, monkeypatch):
    scorer = Mathematics()
    monkeypatch.setattr(scorer._worker, "call", lambda *_: pytest.fail("sympy was asked"))
    scorer.compare(reference, answer)


@pytest.mark.parametrize(
    ("reference", "problem"),
    [
        (None, "has no reference"),
        ("", "has no reference"),
        ("  $ $ ", "has no reference"),
        ("\\frac{1}{2", "braces do not match"),
        ("1}{2", "braces do not match"),
        ("9" * 3000, "more than 2000 characters"),
    ],
)
def test_a_reference_that_cannot_be_used_is_one_clear_error(reference, problem, mathematics):
    with pytest.raises(ItemError, match=f"^item '7' of 'omni' .*{problem}"):
        mathematics.check(item(reference))


def test_a_sentence_is_no_answer_unless_the_reference_is_one(mathematics):
    found = mathematics.read(item("20"), "Answer: They will need 20 cups")
    assert (found.answered, found.correct) == (False, False)
    found = mathematics.read(item("There is no such number"), "Answer: They are all odd")
    assert (found.answered, found.correct) == (True, False)
    assert mathematics.read(
        item("There is no such number"), "Answer: there is no such number."
    ).correct


@pytest.mark.parametrize("text", ["None", "NA", "nan", "1E5", "007"])
def test_texts_that_loaders_rewrite_are_compared_as_they_are(text, mathematics):
    """ARC-03."""
    assert mathematics.read(item(text), f"Answer: {text}").correct
    assert not mathematics.read(item(text), "Answer: 3").correct


def test_a_lone_surrogate_passes_through(mathematics):
    """ARC-02."""
    found = mathematics.read(item("\\sqrt 2"), "Answer: x \ud835 y")
    assert (found.correct, found.extracted) == (False, "x \ud835 y")


@pytest.mark.parametrize(
    "reply",
    [
        "The number we are looking for is 8.",
        "The answer is 5. No, the answer is 8.",
        "It cannot be anything but 8",
        "8 is not a valid answer.",
        "9 - 1:",
    ],
)
def test_a_number_within_a_sentence_is_no_answer(reply, scorers):
    found = score(item("8"), Response(reply, "stop"), scorers)
    assert (found.category, found.extracted) == ("format_failure", None)


def test_a_refusal_in_one_line_is_a_refusal(scorers):
    reply = "I'm sorry, but I can't help with that."
    assert score(item("8"), Response(reply, "stop"), scorers).category == "refusal"
