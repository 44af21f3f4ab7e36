"""Lone surrogates: escaped so that UTF-8 holds them, and given back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reliable_change.archive.text import escape_surrogates, restore_surrogates

# Texts made of what could confuse the escape with itself.
PIECES = st.sampled_from(["\ud835", "\udfff", "�", "{", "}", "d835", "fffd", "�{d835}", "x", "😀"])
TRICKY = st.lists(PIECES, max_size=12).map("".join)


def has_surrogate(text: str) -> bool:
    return any("\ud800" <= sign <= "\udfff" for sign in text)


@given(TRICKY)
def test_every_escaped_text_comes_back(text):
    escaped = escape_surrogates(text)
    escaped.encode("utf-8")
    if has_surrogate(text):
        assert restore_surrogates(escaped) == text
    else:
        assert escaped == text


@given(TRICKY)
def test_storing_again_is_storing_the_same(text):
    once = escape_surrogates(text)
    assert escape_surrogates(once) == once


@given(st.lists(TRICKY.filter(has_surrogate), unique=True, max_size=8))
def test_different_texts_stay_different(texts):
    assert len({escape_surrogates(text) for text in texts}) == len(texts)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("x \ud835 y", "x �{d835} y"),
        ("\udc00\ud800", "�{dc00}�{d800}"),
        ("�\ud835", "��{d835}"),
        ("�{d835}\ud835", "�{fffd}{d835}�{d835}"),
        ("whole pair 𝐱", "whole pair 𝐱"),
    ],
)
def test_the_form_on_disk(text, escaped):
    assert escape_surrogates(text) == escaped
