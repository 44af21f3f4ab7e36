from __future__ import annotations

import pandas as pd
import pytest

from reliable_change.scoring.categories import by_signal
from reliable_change.scoring.verdict import Item, Response


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, pd.NaT])
def test_missing_is_missing_in_every_guise(missing):
    """ARC-01: pandas' NaN is not None and is true."""
    response = Response(missing, missing, missing)
    assert (response.text, response.finish_reason, response.refusal) == (None, None, None)
    assert by_signal(response) == "api_error"


@pytest.mark.parametrize("text", ["", "nan", "None", "NA", "a\rb"])
def test_words_for_missing_are_texts(text):
    """ARC-01 and ARC-03."""
    assert Response(text, "stop").text == text


def test_a_missing_value_from_a_frame():
    frame = pd.DataFrame({"text": ["a", None, "", "nan", "None"]})
    assert [Response(text).text for text in frame["text"]] == ["a", None, "", "nan", "None"]


@pytest.mark.parametrize("value", [5, 2.5, b"a", ["a"], True])
def test_what_is_no_text_is_refused(value):
    with pytest.raises(TypeError, match="text must be text or missing"):
        Response(value)


def test_an_error_names_its_item():
    assert str(Item("quiz", "007", "math").error("is odd")) == "item '007' of 'quiz' is odd"
