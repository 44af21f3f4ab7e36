"""The JSON of a reply in the shape of both APIs, and of an error."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from reliable_change.collect.practice.replay import Stored

API_OF = {"/v1/chat/completions": "chat", "/v1/responses": "responses"}
# What Responses calls the finish reasons that are not a plain stop.
INCOMPLETE = {"length": "max_output_tokens", "content_filter": "content_filter"}


def prompt_of(api: str, request: Mapping[str, Any]) -> str | None:
    """The text of the last message that a request holds; None where there is none.

    >>> prompt_of("responses", {"input": "2 + 2?"})
    '2 + 2?'
    >>> prompt_of("chat", {"messages": [{"role": "user", "content": "2 + 2?"}]})
    '2 + 2?'
    """
    given = request.get("input" if api == "responses" else "messages")
    if isinstance(given, list) and given and isinstance(given[-1], dict):
        given = given[-1].get("content")
        if isinstance(given, list):
            given = "".join(str(part.get("text", "")) for part in given if isinstance(part, dict))
    return given if isinstance(given, str) else None


def reply(api: str, stored: Stored, request: Mapping[str, Any]) -> dict[str, Any]:
    """A stored trial as the body of a successful answer.

    The finish reason, usage and reasoning tokens are the archive's; what it does not know is
    null, as it is from servers that do not say.
    """
    return (_chat if api == "chat" else _response)(stored, request)


def error(message: str, kind: str, code: str | None, param: str | None = None) -> dict[str, Any]:
    """The body of an error.

    >>> error("Slow down.", "requests", "rate_limit_exceeded")["error"]["code"]
    'rate_limit_exceeded'
    """
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def _chat(stored: Stored, request: Mapping[str, Any]) -> dict[str, Any]:
    message = {"role": "assistant", "content": stored.text, "refusal": stored.refusal}
    choice = {"index": 0, "message": message, "logprobs": None}
    return {
        "id": f"chatcmpl-{stored.id}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": request["model"],
        "choices": [choice | {"finish_reason": stored.finish_reason}],
        "usage": _usage(stored, "prompt_tokens", "completion_tokens"),
        "service_tier": "default",
        "system_fingerprint": None,
    }


def _response(stored: Stored, request: Mapping[str, Any]) -> dict[str, Any]:
    reason = INCOMPLETE.get(stored.finish_reason)
    status = "incomplete" if reason else "completed"
    parts: list[dict[str, Any]] = []
    if stored.text is not None:
        parts.append({"type": "output_text", "text": stored.text, "annotations": []})
    if stored.refusal is not None:
        parts.append({"type": "refusal", "refusal": stored.refusal})
    output: list[dict[str, Any]] = [{"type": "reasoning", "id": f"rs_{stored.id}", "summary": []}]
    if parts:
        message = {"type": "message", "id": f"msg_{stored.id}", "role": "assistant"}
        output.append(message | {"status": status, "content": parts})
    return {
        "id": f"resp_{stored.id}",
        "object": "response",
        "created_at": int(time.time()),
        "status": status,
        "error": None,
        "incomplete_details": {"reason": reason} if reason else None,
        "instructions": None,
        "max_output_tokens": request.get("max_output_tokens"),
        "metadata": {},
        "model": request["model"],
        "output": output,
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "reasoning": request.get("reasoning") or {"effort": None, "summary": None},
        "temperature": request.get("temperature"),
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "top_p": None,
        "truncation": "disabled",
        "usage": _usage(stored, "input_tokens", "output_tokens"),
    }


def _usage(stored: Stored, of_input: str, of_output: str) -> dict[str, Any] | None:
    taken, made = stored.input_tokens, stored.output_tokens
    if taken is None or made is None:
        return None
    usage = {of_input: taken, of_output: made, "total_tokens": taken + made}
    if stored.reasoning_tokens is not None:
        usage[f"{of_input}_details"] = {"cached_tokens": 0}
        usage[f"{of_output}_details"] = {"reasoning_tokens": stored.reasoning_tokens}
    return usage
