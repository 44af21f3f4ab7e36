"""What is sent is what the settings say, the same for every model, and no more."""

from __future__ import annotations

import pytest

from reliable_change.collect.records import Settings
from reliable_change.collect.requests import OURS, check_extra, request_fields
from reliable_change.errors import CollectError

SAID = [{"role": "user", "content": "2 + 2?"}]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (
            Settings(),
            {"input": SAID, "store": False, "reasoning": {"effort": "medium"}},
        ),
        (
            Settings(reasoning_effort=None, temperature=0.0, max_output_tokens=9),
            {"input": SAID, "store": False, "temperature": 0.0, "max_output_tokens": 9},
        ),
        (Settings("chat"), {"messages": SAID, "reasoning_effort": "medium"}),
        (
            Settings("chat", "high", 1.0, 9, {"seed": 3, "max_tokens": 9}),
            {
                "messages": SAID,
                "reasoning_effort": "high",
                "temperature": 1.0,
                "max_completion_tokens": 9,
                "seed": 3,
                "max_tokens": 9,
            },
        ),
    ],
)
def test_fields_are_those_of_the_api(settings, expected):
    assert request_fields(settings, "m", "2 + 2?") == {"model": "m"} | expected


def test_extra_wins_over_a_setting():
    settings = Settings(extra={"store": True, "reasoning": {"effort": "low"}})
    fields = request_fields(settings, "m", "?")
    assert (fields["store"], fields["reasoning"]) == (True, {"effort": "low"})


def test_models_differ_in_nothing_but_their_name():
    old, new = (request_fields(Settings(), model, "?") for model in ("old", "new"))
    assert old | {"model": "new"} == new


def test_extra_is_a_copy():
    settings = Settings("chat", extra={"seed": 1})
    request_fields(settings, "m", "?")["seed"] = 2
    assert settings.extra["seed"] == 1


@pytest.mark.parametrize("name", sorted(OURS))
def test_extra_may_not_replace_what_the_collector_sends(name):
    with pytest.raises(CollectError, match=name):
        check_extra(Settings("chat", extra={name: 1}))


def test_other_extra_fields_are_the_users_own():
    check_extra(Settings("chat", extra={"seed": 1, "store": True, "max_tokens": 5}))
