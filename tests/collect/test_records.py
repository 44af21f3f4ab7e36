"""The fingerprint tells apart what can change an answer, and shows no secret."""

from __future__ import annotations

import dataclasses
from datetime import datetime, timedelta

import pytest

from reliable_change.collect.records import Settings, now_utc, public_url
from reliable_change.errors import CollectError


def test_what_is_the_same_has_the_same_fingerprint():
    one = Settings(temperature=1, extra={"a": 1, "b": [2]})
    other = Settings(temperature=1.0, extra={"b": [2], "a": 1})
    assert one.fingerprint == other.fingerprint
    assert len(one.fingerprint) == 12
    assert Settings().fingerprint == "ca11d0184d1d"  # journals of this version are found again


@pytest.mark.parametrize(
    "change",
    [
        {"api": "chat"},
        {"reasoning_effort": None},
        {"temperature": 0.0},
        {"max_output_tokens": 1},
        {"extra": {"top_p": 0.5}},
        {"base_url": "http://127.0.0.1/v1"},
    ],
)
def test_what_differs_has_another(change):
    assert dataclasses.replace(Settings(), **change).fingerprint != Settings().fingerprint


def test_an_address_is_kept_without_what_is_secret():
    url = "https://me:secret@Example.org:80/v1/?key=secret#secret"
    assert public_url(url) == "https://example.org:80/v1"
    settings = Settings(base_url=url)
    assert "secret" not in repr(settings) + settings.to_json()
    assert settings.fingerprint == Settings(base_url="https://example.org:80/v1").fingerprint


@pytest.mark.parametrize(
    "wrong", [{"api": "completions"}, {"extra": {"a": {1}}}, {"temperature": float("nan")}]
)
def test_settings_that_cannot_be_sent_are_refused(wrong):
    with pytest.raises(CollectError, match="^settings: "):
        Settings(**wrong)


def test_the_time_is_in_utc():
    assert datetime.fromisoformat(now_utc()).utcoffset() == timedelta(0)
