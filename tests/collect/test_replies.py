"""Only a completion is a reply, whatever JSON comes; what was cut or withheld says so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reliable_change.collect.failures import Failure
from reliable_change.collect.records import Reply
from reliable_change.collect.replies import read_reply
from reliable_change.scoring.categories import by_signal
from reliable_change.scoring.verdict import Response

CHAT_USAGE = {
    "prompt_tokens": 11,
    "completion_tokens": 120,
    "total_tokens": 131,
    "completion_tokens_details": {"reasoning_tokens": 100},
}
RESPONSES_USAGE = {
    "input_tokens": 11,
    "output_tokens": 120,
    "total_tokens": 131,
    "output_tokens_details": {"reasoning_tokens": 100},
}
REASONING = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "!"}]}


def chat(content="4", finish="stop", usage=CHAT_USAGE, **message) -> dict:
    message = {"role": "assistant", "content": content, **message}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return {"id": "c1", "model": "m-2026", "choices": [choice], "usage": usage}


def said(*texts) -> dict:
    parts = [{"type": "output_text", "text": text, "annotations": []} for text in texts]
    return {"type": "message", "role": "assistant", "status": "completed", "content": parts}


def responses(*output, status="completed", reason=None, usage=RESPONSES_USAGE) -> dict:
    details = None if reason is None else {"reason": reason}
    return {
        "id": "resp_1",
        "model": "m-2026",
        "status": status,
        "error": None,
        "incomplete_details": details,
        "output": list(output),
        "usage": usage,
    }


def category(reply: Reply) -> str | None:
    return by_signal(Response(reply.text, reply.finish_reason, reply.refusal))


WHOLE = Reply("4", None, "stop", "m-2026", "req_9", 11, 120, 100)


def test_a_whole_reply_of_either_api():
    assert read_reply("chat", chat(), "req_9") == WHOLE
    assert read_reply("responses", responses(REASONING, said("4")), "req_9") == WHOLE


def test_the_bodys_id_stands_in_for_the_requests():
    assert read_reply("chat", chat()).request_id == "c1"
    assert read_reply("responses", responses(said("4"))).request_id == "resp_1"


@pytest.mark.parametrize("usage", [CHAT_USAGE, None])
def test_a_budget_spent_on_reasoning_is_a_truncation_in_chat(usage):
    reply = read_reply("chat", chat(None, "length", usage))
    assert (reply.text, reply.refusal, category(reply)) == ("", None, "truncation")
    counts = (reply.input_tokens, reply.output_tokens, reply.reasoning_tokens)
    assert counts == ((11, 120, 100) if usage else (None, None, None))


@pytest.mark.parametrize("output", [(REASONING,), ()])
def test_a_budget_spent_on_reasoning_is_a_truncation_in_responses(output):
    body = responses(*output, status="incomplete", reason="max_output_tokens")
    reply = read_reply("responses", body)
    assert (reply.text, reply.finish_reason, category(reply)) == ("", "length", "truncation")
    assert reply.reasoning_tokens == 100


@pytest.mark.parametrize(
    ("reason", "finish", "expected"),
    [
        ("content_filter", "content_filter", "refusal"),
        ("something_new", "incomplete", "truncation"),
        (None, "incomplete", "truncation"),
    ],
)
def test_why_a_response_is_incomplete(reason, finish, expected):
    reply = read_reply("responses", responses(said("ha"), status="incomplete", reason=reason))
    assert (reply.text, reply.finish_reason, category(reply)) == ("ha", finish, expected)


def test_a_refusal_is_a_reply():
    for body in (chat(None, refusal="No."), chat([{"type": "refusal", "refusal": "No."}])):
        reply = read_reply("chat", body)
        assert (reply.text, reply.refusal, category(reply)) == ("", "No.", "refusal")
    refused = {"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}
    reply = read_reply("responses", responses(REASONING, refused))
    assert (reply.text, reply.refusal, reply.finish_reason) == ("", "No.", "stop")
    assert category(read_reply("chat", chat(None, "content_filter"))) == "refusal"


def test_a_blank_reply_that_ended_is_a_reply():
    assert read_reply("chat", chat("")).text == ""
    assert read_reply("chat", chat(None)).text == ""
    assert read_reply("responses", responses(REASONING)).text == ""


def test_content_may_be_in_parts():
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}, {"type": "image"}, 7]
    assert read_reply("chat", chat(parts)).text == "ab"
    assert read_reply("responses", responses(said("a", "b"), said("c"))).text == "abc"


def test_a_server_need_not_say_why_it_ended():
    assert read_reply("chat", chat("4", None)).finish_reason is None
    assert read_reply("responses", responses(said("4"), status=None)).text == "4"


def test_text_that_is_not_unicode_comes_through():
    assert read_reply("chat", chat("x \ud835 y")).text == "x \ud835 y"


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        ("much", (None, None, None)),
        ([], (None, None, None)),
        ({}, (None, None, None)),
        ({"prompt_tokens": 3, "completion_tokens_details": None}, (3, None, None)),
        ({"prompt_tokens": "3", "completion_tokens": True}, (None, None, None)),
        ({"prompt_tokens": -1, "completion_tokens": 2.0}, (None, None, None)),
        ({"prompt_tokens": 10**30, "completion_tokens": 0}, (None, 0, None)),
        ({"completion_tokens_details": {"reasoning_tokens": None}}, (None, None, None)),
        ({"input_tokens": 3, "output_tokens": 4, "output_tokens_details": 5}, (3, 4, None)),
    ],
)
def test_usage_is_read_as_far_as_it_goes(usage, counts):
    reply = read_reply("chat", chat(usage=usage))
    assert (reply.input_tokens, reply.output_tokens, reply.reasoning_tokens) == counts


ERROR = {"code": 429, "message": "x"}
NO_CHAT = [
    {"choices": None, "error": ERROR},
    {"choices": [{"message": {"content": "4"}, "finish_reason": "stop"}], "error": ERROR},
    {"choices": [{"error": ERROR, "message": {"content": ""}, "finish_reason": "error"}]},
    {"choices": [{"message": {"content": "half"}, "finish_reason": "error"}]},
    {"choices": []},
    {"choices": None},
    {"choices": {"0": 1}},
    {"choices": [None]},
    {"choices": [{}]},
    {"choices": [{"message": None, "finish_reason": "stop"}]},
    {"choices": [{"message": "4", "finish_reason": "stop"}]},
    {"choices": [{"message": {}, "finish_reason": None}]},
    {"choices": [{"message": {"content": ""}, "finish_reason": None}]},
    {"choices": [{"message": {"content": {"a": 1}}, "finish_reason": "stop"}]},
    {"choices": [{"message": {"content": 4}, "finish_reason": "stop"}]},
    {},
    "<html>gateway</html>",
    "",
    None,
    [],
    4,
    True,
]
NO_RESPONSE = [
    {"error": ERROR},
    {"error": ERROR, "status": "completed", "output": [said("4")]},
    {"status": "failed", "error": {"code": "server_error", "message": "x"}, "output": []},
    {"status": "failed", "error": None, "output": []},
    {"status": "in_progress", "output": [said("4")]},
    {"status": "cancelled", "output": []},
    {"status": ["completed"], "output": [said("4")]},
    {"status": "completed", "output": []},
    {"status": "completed", "output": None},
    {"status": "completed", "output": ["4"]},
    {"status": "completed", "output": [{"type": "message", "content": 4}]},
    {"output": []},
    {},
    chat(),
    "<html>gateway</html>",
    None,
]


@pytest.mark.parametrize(
    ("api", "body"), [("chat", x) for x in NO_CHAT] + [("responses", x) for x in NO_RESPONSE]
)
def test_what_is_no_completion_is_tried_again(api, body):
    with pytest.raises(Failure) as caught:
        read_reply(api, body)
    assert (caught.value.kind, caught.value.transient) == ("malformed", True)


def test_an_error_that_no_wait_cures_is_not():
    with pytest.raises(Failure) as caught:
        read_reply("responses", {"status": "failed", "error": {"code": "invalid_prompt"}})
    assert (caught.value.kind, caught.value.transient) == ("bad_request", False)


NAMES = "choices message content refusal finish_reason usage output status error type text"
NAMES += " model id incomplete_details reason prompt_tokens output_tokens_details"
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(NAMES.split()), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(
    st.sampled_from(["chat", "responses"]),
    VALUES
    | VALUES.map(lambda value: {"choices": [{"message": value, "finish_reason": value}]})
    | VALUES.map(lambda value: chat(value, value, value))
    | VALUES.map(lambda value: responses(value, status="completed", usage=value))
    | VALUES.map(lambda value: responses(said(value), {"type": "message", "content": value})),
)
def test_any_json_is_a_reply_of_the_right_types_or_a_failure(api, body):
    try:
        reply = read_reply(api, body)
    except Failure:
        return
    assert isinstance(reply.text, str)
    for value in (reply.refusal, reply.finish_reason, reply.returned_model, reply.request_id):
        assert value is None or isinstance(value, str)
    for count in (reply.input_tokens, reply.output_tokens, reply.reasoning_tokens):
        assert count is None or (type(count) is int and 0 <= count <= 2**53)
    assert category(reply) != "api_error"
