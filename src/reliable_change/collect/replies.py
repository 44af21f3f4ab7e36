"""What came back with status 200: a reply, or something that only looks like one.

Nothing is taken on trust: any JSON may come, and what is no completion is a failure, never an
empty answer. A reply that was cut or withheld is a reply, and its finish reason says so.
"""

from __future__ import annotations

from collections.abc import Mapping

from reliable_change.collect.failures import NO_SECRETS, Secrets, failure, failure_of_body
from reliable_change.collect.records import Reply

# Why a response of the Responses API is incomplete, in the words of Chat Completions.
INCOMPLETE = {"max_output_tokens": "length", "content_filter": "content_filter"}
MOST_TOKENS = 2**53  # a count beyond is none


def read_reply(
    api: str, body: object, request_id: str | None = None, secrets: Secrets = NO_SECRETS
) -> Reply:
    """Read the body of a reply, already decoded from JSON.

    Parameters
    ----------
    api : "responses" or "chat".
    body : any JSON value.
    request_id : from the header; the body's own id stands in for it.
    secrets : to be kept out of what a failure says.

    Raises
    ------
    Failure
        Of kind malformed if it is no completion; of a permanent kind if the body holds an error
        that says so.

    Examples
    --------
    >>> read_reply("chat", {"choices": [{"message": {"content": "4"}, "finish_reason": "stop"}]})
    Reply(text='4', refusal=None, finish_reason='stop', ...)
    >>> read_reply("chat", {"choices": []})
    Traceback (most recent call last):
    reliable_change.collect.failures.Failure: no choice in the reply
    """
    if not isinstance(body, dict):
        raise _malformed(f"{_word_for(body)} in place of a reply")
    if body.get("error"):
        raise failure_of_body(body, secrets)
    text, refusal, finish = (_read_response if api == "responses" else _read_chat)(body, secrets)
    if not text and not refusal and not finish:
        raise _malformed("no text and no finish reason in the reply")
    return Reply(text, refusal, finish, *_read_about(body, request_id))


def _read_chat(body: dict, secrets: Secrets) -> tuple[str, str | None, str | None]:
    choice = _first(body.get("choices"))
    if choice is None:
        raise _malformed("no choice in the reply")
    if choice.get("error"):
        raise failure_of_body(choice, secrets)
    message = choice.get("message")
    if not isinstance(message, dict):
        raise _malformed("no message in the reply")
    finish = _text_or_none(choice.get("finish_reason"))
    if finish == "error":
        raise _malformed("finish reason 'error'")
    text, withheld = _read_content(message.get("content"))
    return text, _text_or_none(message.get("refusal")) or withheld, finish


def _read_response(body: dict, secrets: Secrets) -> tuple[str, str | None, str | None]:
    status = body.get("status")
    output = body.get("output")
    if status not in ("completed", "incomplete", None):
        raise _malformed(f"a response that is {status if isinstance(status, str) else 'unknown'}")
    if not isinstance(output, list):
        raise _malformed("no output in the reply")
    items = [item for item in output if isinstance(item, dict)]
    if status == "completed" and not items:
        raise _malformed("an empty output in the reply")
    read = [_read_content(item.get("content")) for item in items if item.get("type") == "message"]
    text = "".join(part for part, _ in read)
    refusal = "".join(withheld or "" for _, withheld in read) or None
    return text, refusal, _finish_of(status, body.get("incomplete_details"))


def _finish_of(status: str | None, details: object) -> str | None:
    if status == "incomplete":
        reason = details.get("reason") if isinstance(details, dict) else None
        return INCOMPLETE.get(reason, "incomplete") if isinstance(reason, str) else "incomplete"
    return "stop" if status == "completed" else None


def _read_content(content: object) -> tuple[str, str | None]:
    """Return the text of a message's content and what it says in refusal: both may be parts."""
    if content is None or isinstance(content, str):
        return content or "", None
    if not isinstance(content, list):
        raise _malformed(f"{_word_for(content)} in place of a text")
    parts = [part for part in content if isinstance(part, dict)]
    text = "".join(_text_or_none(part.get("text")) or "" for part in parts)
    refusal = "".join(_text_or_none(part.get("refusal")) or "" for part in parts)
    return text, refusal or None


def _read_about(body: dict, request_id: str | None) -> tuple:
    usage = _mapping(body.get("usage"))
    details = usage.get("output_tokens_details") or usage.get("completion_tokens_details")
    return (
        _text_or_none(body.get("model")),
        request_id or _text_or_none(body.get("id")),
        _count(usage, "input_tokens", "prompt_tokens"),
        _count(usage, "output_tokens", "completion_tokens"),
        _count(_mapping(details), "reasoning_tokens"),
    )


def _count(usage: Mapping, *names: str) -> int | None:
    """Return the first of the named counts that is one."""
    for name in names:
        value = usage.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST_TOKENS:
            return value
    return None


def _first(values: object) -> dict | None:
    if isinstance(values, list) and values and isinstance(values[0], dict):
        return values[0]
    return None


def _mapping(value: object) -> Mapping:
    return value if isinstance(value, dict) else {}


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _word_for(value: object) -> str:
    words = {str: "a text", list: "a list", dict: "an object", bool: "true or false"}
    return "nothing" if value is None else words.get(type(value), "a number")


def _malformed(message: str) -> Exception:
    return failure("malformed", message, status=200)
