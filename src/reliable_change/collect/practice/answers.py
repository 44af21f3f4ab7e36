"""What goes over the wire for each kind of fault."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reliable_change.collect.practice.bodies import error, reply
from reliable_change.collect.practice.replay import Stored

JSON_TYPE, HTML_TYPE = "application/json", "text/html; charset=utf-8"
HTML = b"<html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>"
# How an answer ends: whole, never begun, reset before it, or closed after half of the body.
WHOLE, HANG, RESET, CUT_OFF = "whole", "hang", "reset", "cut off"
UNUSABLE_WAITS = ("nan", "0", "-5", "soon", "Wed, 21 Oct 2015 07:28:00 GMT")
REFUSAL = "I'm sorry, but I can't help with that."
# Half a surrogate pair: JSON can carry it as an escape, UTF-8 cannot.
HALF_PAIR = " \ud835"


@dataclass(frozen=True)
class Answer:
    """Status, headers and body of one answer, and how it ends."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    content_type: str = JSON_TYPE
    ending: str = WHOLE


def whole(api: str, stored: Stored, request: Mapping[str, Any]) -> Answer:
    """A trial as it lies in the archive."""
    headers = (("x-request-id", f"req_{stored.id}"),)
    return Answer(body=_json(reply(api, stored, request)), headers=headers)


def refused(status: int, message: str, code: str | None, kind: str = "invalid_request_error"):
    """An answer that is an error, in the vendor's shape.

    >>> refused(404, "No such model.", "model_not_found").status
    404
    """
    return Answer(status, _json(error(message, kind, code)))


def distorted(kind: str, stored: Stored) -> Stored:
    """A trial made into one of the `faults.ODD_REPLIES`."""
    if kind == "truncated":
        return dataclasses.replace(
            stored, text=None, refusal=None, finish_reason="length", input_tokens=None
        )
    if kind == "refusal":
        return dataclasses.replace(stored, text=None, refusal=REFUSAL, finish_reason="stop")
    return dataclasses.replace(stored, text=(stored.text or "") + HALF_PAIR)


def faulty(kind: str, form: int, api: str, request: Mapping[str, Any], wait: float) -> Answer:
    """An answer that hands out nothing.

    Parameters
    ----------
    kind : str
        A transient or permanent kind of `faults`.
    form : int
        Which of the forms of this kind; any whole number from 0.
    wait : float
        Seconds that a usable Retry-After asks for.
    """
    match kind:
        case "timeout":
            return Answer(ending=HANG)
        case "reset":
            return Answer(ending=RESET)
        case "cut_off":
            return Answer(body=_nobody(api, request), ending=CUT_OFF)
        case "empty_body":
            return Answer()
        case "cut_json":
            body = _nobody(api, request)
            return Answer(body=body[: 1 + form % (len(body) - 1)])
        case "html":
            return Answer(body=HTML, content_type=HTML_TYPE)
        case "no_answer":
            return Answer(body=_json(_without_answer(api, request, form)))
        case "rate_limit":
            answer = refused(
                429, "Rate limit reached; slow down.", "rate_limit_exceeded", "requests"
            )
            return dataclasses.replace(answer, headers=_retry_after(form, wait))
        case "server_error":
            status, message = (
                (500, "The server had an error.") if form % 2 else (503, "Overloaded.")
            )
            return refused(status, message, None, "server_error")
        case "quota":
            message = "You exceeded your current quota, check your plan and billing details."
            return refused(429, message, "insufficient_quota", "insufficient_quota")
        case "bad_key":
            return refused(401, "Incorrect API key provided.", "invalid_api_key")
        case "unknown_model":
            message = f"The model {request['model']!r} does not exist."
            return refused(404, message, "model_not_found")
        case _:
            return refused(400, "The request is not acceptable.", None)


def _retry_after(form: int, wait: float) -> tuple[tuple[str, str], ...]:
    """Seconds, milliseconds, something unusable, or nothing: a quarter of the time each."""
    if form % 4 == 0:
        return (("retry-after", f"{wait:g}"),)
    if form % 4 == 1:
        return (("retry-after-ms", f"{1000 * wait:g}"),)
    if form % 4 == 2:
        return (("retry-after", UNUSABLE_WAITS[form // 4 % len(UNUSABLE_WAITS)]),)
    return ()


def _without_answer(api: str, request: Mapping[str, Any], form: int) -> dict[str, Any]:
    if form % 3 == 0:
        return error("The server had an error.", "server_error", "server_error")
    body = json.loads(_nobody(api, request))
    body["choices" if api == "chat" else "output"] = None if form % 3 == 1 else []
    return body


def _nobody(api: str, request: Mapping[str, Any]) -> bytes:
    """A reply that is nobody's, to be spoilt: no trial of the archive is in it."""
    cell = ("", "", str(request["model"]))
    text = "This text never arrives whole."
    return _json(reply(api, Stored(cell, "0" * 24, text, None, "stop", 9, 9, 0), request))


def _json(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content).encode("ascii")
