"""Instructions as an item's extra gives them."""

from __future__ import annotations

import copy
import math

import pytest

from reliable_change.scoring.instructions.checklist import instructions_of
from reliable_change.scoring.verdict import Item, ItemError


def of(**extra):
    return instructions_of(Item("IFBench", "17", "instruction", extra=extra))


def test_null_is_not_set_and_whole_numbers_are_whole():
    kwargs = [{"N": 7.0, "percentage": 2.5, "letter": None, "word": math.nan, "first": 0}, None]
    before = copy.deepcopy(kwargs)
    first, second = of(instruction_id_list=["a:a", "b:b"], kwargs=kwargs)
    assert first.parameters == {"N": 7, "percentage": 2.5, "first": 0}
    assert isinstance(first.parameters["N"], int)
    assert second.parameters == {}
    assert str(kwargs) == str(before)  # nan is not equal to itself


def test_nothing_is_shared_with_the_item():
    kwargs = [{"keywords": ["a", "b"]}]
    (found,) = of(instruction_id_list=["a:a"], kwargs=kwargs)
    kwargs[0]["keywords"].append("c")
    assert found.parameters == {"keywords": ["a", "b"]}


def test_without_kwargs_nothing_is_set():
    assert [one.parameters for one in of(instruction_id_list=("a:a", "b:b"))] == [{}, {}]


@pytest.mark.parametrize(
    ("extra", "problem"),
    [
        ({}, "no instruction_id_list"),
        ({"instruction_id_list": []}, "no instruction_id_list"),
        ({"instruction_id_list": "a:a"}, "no instruction_id_list"),
        ({"instruction_id_list": ["a:a", None]}, "no instruction_id_list"),
        ({"instruction_id_list": ["a:a", "b:b"], "kwargs": [{}]}, "each of its 2 instructions"),
        ({"instruction_id_list": ["a:a"], "kwargs": {}}, "each of its 1 instructions"),
        ({"instruction_id_list": ["a:a"], "kwargs": ["N"]}, "kwargs for 'a:a'.*not an object"),
        ({"instruction_id_list": ["a:a"], "kwargs": [{"N": {1}}]}, "kwargs for 'a:a'.*not JSON"),
    ],
)
def test_what_does_not_fit_names_the_item(extra, problem):
    with pytest.raises(ItemError, match=f"item '17' of 'IFBench'.*{problem}"):
        of(**extra)
