"""What passes is told from what does not, waits are read as they are meant, keys never get out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reliable_change.collect.failures import (
    MESSAGE_LENGTH,
    TRANSIENT,
    WAY_OUT,
    Secrets,
    failure,
    failure_of_body,
    failure_of_status,
    scrub,
)


def error(**fields) -> dict:
    return {"error": fields}


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (429, error(code="rate_limit_exceeded", type="tokens", message="slow down"), "rate_limit"),
        (429, "", "rate_limit"),
        (429, error(code="insufficient_quota", type="insufficient_quota"), "quota"),
        (429, error(code=None, type="insufficient_quota"), "quota"),
        (429, {"code": "insufficient_quota"}, "quota"),
        (429, [error(code="insufficient_quota")], "quota"),
        (429, error(code="billing_hard_limit_reached"), "quota"),
        (400, error(code="billing_hard_limit_reached"), "quota"),
        (403, error(code="insufficient_quota"), "quota"),
        (402, error(message="pay"), "quota"),
        (401, error(code="invalid_api_key"), "bad_key"),
        (400, error(code="invalid_api_key"), "bad_key"),
        (403, error(message="no"), "bad_key"),
        (403, error(code="model_not_found"), "unknown_model"),
        (404, error(code="model_not_found"), "unknown_model"),
        (400, error(code="model_not_found"), "unknown_model"),
        (404, {"detail": "Not Found"}, "unknown_model"),
        (400, error(code="context_length_exceeded"), "bad_request"),
        (400, error(code="content_filter"), "bad_request"),
        (400, error(type="invalid_request_error"), "bad_request"),
        (500, error(code="context_length_exceeded"), "bad_request"),
        (405, "", "bad_request"),
        (413, "<html>", "bad_request"),
        (418, None, "bad_request"),
        (422, error(), "bad_request"),
        (302, "", "bad_request"),
        (501, "", "bad_request"),
        (408, "", "timeout"),
        (409, "", "server_error"),
        (425, "", "server_error"),
        (500, error(type="server_error"), "server_error"),
        (502, "<html>bad gateway</html>", "server_error"),
        (503, None, "server_error"),
        (504, 7, "server_error"),
        (520, True, "server_error"),
        (529, [], "server_error"),
    ],
)
def test_a_status_and_its_body_name_the_kind(status, body, kind):
    found = failure_of_status(status, {}, body)
    assert (found.kind, found.status) == (kind, status)
    assert found.transient == (kind in TRANSIENT)
    assert found.transient != (kind in WAY_OUT)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (error(code=429, message="x"), "malformed"),
        (error(code=502, message="upstream"), "malformed"),
        (error(code="server_error"), "malformed"),
        (error(code="rate_limit_exceeded"), "malformed"),
        ({"error": "overloaded"}, "malformed"),
        ({"error": True}, "malformed"),
        ({"error": [1]}, "malformed"),
        (error(code="insufficient_quota"), "quota"),
        (error(code=401), "bad_key"),
        (error(code="404"), "unknown_model"),
        (error(code="invalid_prompt"), "bad_request"),
    ],
)
def test_an_error_in_a_reply_passes_unless_it_says_otherwise(body, kind):
    found = failure_of_body(body)
    assert (found.kind, found.status) == (kind, 200)
    assert found.transient == (kind == "malformed")


def test_what_nobody_thought_of_is_permanent():
    assert not failure("something_new", "x").transient


def test_a_status_carries_the_wait():
    assert failure_of_status(429, {"retry-after": "130"}, "").retry_after == 130.0
    assert failure_of_status(503, {"retry-after-ms": "20"}, "").retry_after == 0.02


KEYS = [
    "sk-abcdefghijklmnop",
    "sk-proj-AbC_123-xyz",
    "sk-ab***********yz",
    "gsk_0123456789",
    "my-ke**********1234",
]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("words", ["Incorrect API key provided: {}.", '{{"k": "{}"}}', "({})"])
def test_what_looks_like_a_key_is_taken_out(key, words):
    found = scrub(words.format(key))
    assert not any(part in found for part in key.split("*") if part)
    assert "[key]" in found


@pytest.mark.parametrize(
    "message",
    [
        "Authorization: Bearer SECRET",
        "authorization: basic SECRET",
        "GET http://host/v1?api_key=SECRET&x=1",
        "GET http://host/v1?api-key=SECRET",
        "http://me:SECRET@host/v1",
        "token=SECRET",
    ],
)
def test_what_stands_where_a_key_does_is_taken_out(message):
    assert "SECRET" not in scrub(message)


def test_the_key_itself_is_taken_out_whatever_its_form():
    said = scrub(
        "you sent correct horse battery and horse", Secrets(["horse", "correct horse battery", ""])
    )
    assert said == "you sent [key] and [key]"


def test_a_key_is_not_cut_in_two_by_the_length():
    padding = "x" * (MESSAGE_LENGTH - 5)
    assert "plain" not in scrub(f"{padding} plainplainplain", Secrets(["plainplainplain"]))


@given(st.text())
def test_a_message_is_one_bounded_printable_line(message):
    found = scrub(message)
    assert len(found) <= MESSAGE_LENGTH
    assert found == "" or found.isprintable()
    json.dumps(found).encode("ascii")


def test_a_page_in_place_of_a_message_takes_no_time():
    assert len(scrub("<p>" + "sk-" * 3_000_000)) <= MESSAGE_LENGTH
