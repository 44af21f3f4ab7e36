"""Verifiers with exactly the item's parameters, or an error that names what is wrong."""

from __future__ import annotations

import random

import pytest

from reliable_change.scoring.instructions.checklist import Instruction
from reliable_change.scoring.instructions.prepare import CannotPrepare, prepare
from reliable_change.scoring.instructions.verifiers import load
from tests.scoring.instructions.every_kind import EVERY_KIND


def prepared(name, parameters, prompt=None):
    return prepare(Instruction(name, parameters), prompt, load())


def test_every_kind_there_is_can_be_prepared():
    assert load().kinds.keys() >= EVERY_KIND.keys()
    for name, parameters in EVERY_KIND.items():
        found = prepared(name, parameters).get_instruction_args() or {}
        assert found.items() >= parameters.items(), name


@pytest.mark.parametrize(
    ("name", "parameter"),
    [(name, parameter) for name, rule in EVERY_KIND.items() for parameter in rule],
)
def test_no_parameter_can_be_left_out(name, parameter):
    """Most verifiers draw at random what is missing, some fail later."""
    rest = {key: value for key, value in EVERY_KIND[name].items() if key != parameter}
    before = random.getstate()
    with pytest.raises(CannotPrepare, match=f"{name}.*{parameter}"):
        prepared(name, rest)
    assert random.getstate() == before


@pytest.mark.parametrize(
    ("name", "parameters", "problem"),
    [
        ("count:nonsense", {}, "nobody knows.*mend its id"),
        ("count:numbers", {"N": 3, "M": 4}, "kwargs do not fit.*'M'"),
        ("count:numbers", {"N": -1}, r"\{'N': -1\}, of which .* one at random"),
        ("count:numbers", {"N": "three"}, "kwargs do not fit"),
        ("keywords:existence", {"keywords": []}, "one at random"),
        ("keywords:existence", {"keywords": ["fine", "*a*"]}, "'.a.' is no regular expression"),
        ("keywords:forbidden_words", {"forbidden_words": ["(a"]}, "is no regular expression"),
        (
            "keywords:letter_frequency",
            {"letter": "ab", "let_frequency": 1, "let_relation": "at least"},
            "one at random",
        ),
        (
            "keywords:frequency",
            {"keyword": "a", "frequency": 1, "relation": "about"},
            "kwargs do not fit.*about",
        ),
        ("language:response_language", {"language": "xx"}, "kwargs do not fit.*'xx'"),
    ],
)
def test_what_a_verifier_cannot_use_is_an_error(name, parameters, problem):
    with pytest.raises(CannotPrepare, match=problem):
        prepared(name, parameters)


def test_a_span_may_start_at_word_0():
    """The verifier takes 0 for unset; one item of IFBench has it."""
    rule = {"prompt_to_repeat": "one two three four", "n_start": 0, "n_end": 2}
    for _ in range(20):
        verifier = prepared("repeat:repeat_span", rule)
        assert verifier.check_following("one two")
        assert not verifier.check_following("two")


def test_a_verifier_that_wants_the_prompt_gets_it():
    class Wants:
        prompt = ""

        def __init__(self, _):
            pass

        def build_description(self, prompt="?"):
            self.prompt = prompt

        def get_instruction_args(self):
            return {"prompt": self.prompt}

    verifiers = load()
    other = type(verifiers)({"a:a": Wants}, [], "", "")
    assert prepare(Instruction("a:a", {}), "Do it", other).prompt == "Do it"
    assert prepare(Instruction("a:a", {}), None, other).prompt == "?"
