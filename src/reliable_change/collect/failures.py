"""What went wrong with a try: its kind, whether another try may help, and when.

Only what is named here as transient is ever tried again. Anything else, above all what nobody
thought of, stops the phase. Messages are one short line and hold no key.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping

from reliable_change.collect.retry import retry_after

TRANSIENT = frozenset({"rate_limit", "server_error", "timeout", "connection", "malformed"})
# What each permanent kind asks of the user.
WAY_OUT = {
    "quota": "the account's quota or budget is used up: raise it, then start again",
    "bad_key": "the key is not accepted: set a valid one in the environment, then start again",
    "unknown_model": "the server knows no such model or address: check the model's name, base_url"
    " and api in the plan",
    "bad_request": "the server will never accept this request: mend the item or the settings, or"
    " take the item out of the plan",
    "bad_address": "no such request can be sent: check base_url in the plan",
    "unexpected": "this is not a known failure of a server: mend the cause, then start again",
}

QUOTA = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
BAD_KEY = frozenset({"invalid_api_key", "invalid_authentication", "account_deactivated"})
UNKNOWN_MODEL = frozenset({"model_not_found", "invalid_model", "unknown_model"})
BAD_REQUEST = frozenset(
    {"invalid_prompt", "context_length_exceeded", "content_policy_violation", "content_filter"}
)
BY_STATUS = {
    401: "bad_key",
    402: "quota",
    403: "bad_key",
    404: "unknown_model",
    408: "timeout",
    409: "server_error",
    425: "server_error",
    429: "rate_limit",
    501: "bad_request",
    505: "bad_request",
}
MESSAGE_LENGTH = 300
SCANNED_LENGTH = 10_000  # of a message that may be a whole web page

_SECRETS = (
    # Words in front of a key; a key by its form; a key masked by the server; a password in a URL.
    (re.compile(r"(?i)\b(bearer|basic)\s+[^\s\"',;]+"), r"\1 [key]"),
    (re.compile(r"(?i)\b(api[-_]?key|key|token|secret|password)=[^\s\"'&]+"), r"\1=[key]"),
    (re.compile(r"(?i)\b\w{0,4}sk[-_][\w*.\-]{4,}"), "[key]"),
    (re.compile(r"[\w\-]*\*{3,}[\w*\-]*"), "[key]"),
    (re.compile(r"//[^/@\s]+@"), "//"),
)


class Secrets(tuple):
    """Keys and passwords, for `scrub`; shows none, in whatever a debugger or traceback prints.

    >>> Secrets(["sk-abc"])
    Secrets(hidden)
    """

    def __repr__(self) -> str:
        return "Secrets(hidden)"


NO_SECRETS = Secrets()


class Failure(Exception):
    """A try that brought no reply.

    Parameters
    ----------
    kind : one of `TRANSIENT`, or of the keys of `WAY_OUT`.
    transient : True if another try may succeed.
    message : one line without a key.
    status : of HTTP, if there was one.
    retry_after : seconds from now before which the server wants no other try; None if it did
        not say, or nothing usable.
    """

    def __init__(
        self,
        kind: str,
        transient: bool,
        message: str,
        status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.transient = transient
        self.message = message
        self.status = status
        self.retry_after = retry_after


def failure(
    kind: str,
    message: str,
    *,
    status: int | None = None,
    retry_after: float | None = None,
    secrets: Secrets = NO_SECRETS,
) -> Failure:
    """Make a failure of a kind, with its message scrubbed.

    >>> failure("timeout", "no reply in 60 s").transient, failure("quota", "used up").transient
    (True, False)
    """
    return Failure(kind, kind in TRANSIENT, scrub(message, secrets), status, retry_after)


def failure_of_status(
    status: int, headers: Mapping[str, str], body: object, secrets: Secrets = NO_SECRETS
) -> Failure:
    """Return what an HTTP status outside 200–299 means.

    What the body's error says (code or type) goes before the status: 429 is a rate limit, which
    passes, or a used-up quota, which does not. 408, 409, 425 and every status from 500 on,
    apart from 501 and 505, are transient; others are permanent.

    >>> failure_of_status(429, {}, {"error": {"code": "insufficient_quota"}}).kind
    'quota'
    >>> failure_of_status(529, {"retry-after": "2"}, "<html>overloaded</html>").retry_after
    2.0
    """
    kind = _kind_of_status(status, _error_words(body))
    said = _error_message(body)
    return failure(
        kind,
        f"HTTP {status}: {said}" if said else f"HTTP {status}",
        status=status,
        retry_after=retry_after(headers, time.time()),
        secrets=secrets,
    )


def failure_of_body(body: object, secrets: Secrets = NO_SECRETS) -> Failure:
    """Return what an error in the body of a reply with status 200 means.

    It is permanent if it clearly says so, by a code or by the status that it gives as its code;
    otherwise the reply is malformed and may be whole next time.

    >>> failure_of_body({"error": {"code": 429, "message": "slow down"}}).kind
    'malformed'
    >>> failure_of_body({"error": {"code": "insufficient_quota"}}).kind
    'quota'
    """
    words = _error_words(body)
    stated = next((int(word) for word in words if re.fullmatch(r"[45]\d\d", word)), 500)
    kind = _kind_of_status(stated, words)
    said = f"an error in place of a reply: {_error_message(body) or 'it does not say which'}"
    return failure("malformed" if kind in TRANSIENT else kind, said, status=200, secrets=secrets)


def scrub(message: str, secrets: Secrets = NO_SECRETS) -> str:
    """Return a message as one short line without keys.

    Takes out every given secret, what looks like a key, also one that the server has masked,
    what follows the word Bearer, and passwords in addresses.

    >>> scrub("Incorrect key: sk-proj-abcd1234.\\nSent: Bearer x1y2", Secrets(["x1y2"]))
    'Incorrect key: [key] Sent: Bearer [key]'
    """
    for secret in sorted((s for s in secrets if s), key=len, reverse=True):
        message = message.replace(secret, "[key]")
    message = message[:SCANNED_LENGTH]
    for pattern, instead in _SECRETS:
        message = pattern.sub(instead, message)
    line = " ".join("".join(c if c.isprintable() else " " for c in message).split())
    return line if len(line) <= MESSAGE_LENGTH else line[: MESSAGE_LENGTH - 1] + "…"


def _kind_of_status(status: int, words: set[str]) -> str:
    for kind, codes in (
        ("quota", QUOTA),
        ("unknown_model", UNKNOWN_MODEL),
        ("bad_key", BAD_KEY),
    ):
        if words & codes:
            return kind
    if words & BAD_REQUEST:
        return "bad_request"
    if status in BY_STATUS:
        return BY_STATUS[status]
    return "server_error" if status >= 500 else "bad_request"


def _error_words(body: object) -> set[str]:
    """Return the code and type of an error, in lower case; a code may be a number."""
    error = _error_of(body)
    if not isinstance(error, dict):
        return set()
    values = (error.get("code"), error.get("type"))
    return {str(value).lower() for value in values if isinstance(value, str | int)}


def _error_message(body: object) -> str:
    error = _error_of(body)
    if isinstance(error, dict):
        said = error.get("message") or error.get("code") or error.get("type")
        return said if isinstance(said, str) else json.dumps(error)[:SCANNED_LENGTH]
    return error if isinstance(error, str) else ""


def _error_of(body: object) -> object:
    """Return the error that a body holds; some servers send it bare, or as a text."""
    if isinstance(body, list) and body:
        body = body[0]
    return body.get("error") or body if isinstance(body, dict) else body
