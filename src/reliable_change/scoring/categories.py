"""The rule that puts every response into one of the six categories, in a fixed order."""

from __future__ import annotations

import re
from collections.abc import Callable

from reliable_change.scoring.verdict import Reading, Response

# Finish reasons of the common APIs and log formats, in lower case.
FAILED = frozenset({"error"})
CUT = frozenset({"length", "max_tokens", "max_output_tokens", "model_length", "incomplete"})
WITHHELD = frozenset({"content_filter", "refusal", "safety"})

# A refusal opens the reply, in the first person, and refuses to do what was asked.
_SORRY = r"(?:(?:i['’]?m|i am)(?: very| really| so)? sorry|sorry|apologies|i apologi[sz]e)"
_CANNOT = r"i(?: can ?not| can['’]?t| won['’]?t| will not| must decline|['’]?m unable| am unable"
_CANNOT += r"|['’]?m not able| am not able)"
_TASK = r"(?:help|assist|comply|fulfil|provide|answer|create|write|generate|produce|discuss|share"
_TASK += r"|engage|support|continue|do (?:that|this)|with (?:that|this))"
_REFUSAL = re.compile(
    rf"[\W_]{{0,8}}(?:{_SORRY}[,.;:!]{{0,2}} (?:but )?)?{_CANNOT}(?: to)?(?: \w+)? {_TASK}\b",
    re.IGNORECASE,
)


def by_signal(response: Response) -> str | None:
    """Return the category that the API's signals decide, without reading the text.

    In this order: `api_error` when the finish reason says so, or when nothing came back (no
    text, no finish reason, no refusal); `truncation` when the finish reason says that the reply
    was cut, whatever it holds; `refusal` when the finish reason says that it was withheld, or
    the refusal field holds text. None when the text must be read.

    >>> by_signal(Response("", finish_reason="length")), by_signal(Response("42", "stop"))
    ('truncation', None)
    """
    finish = (response.finish_reason or "").strip().lower()
    refused = response.refusal is not None and response.refusal.strip() != ""
    if finish in FAILED or (response.text is None and not finish and not refused):
        return "api_error"
    if finish in CUT:
        return "truncation"
    return "refusal" if finish in WITHHELD or refused else None


def by_reading(text: str, reading: Reading) -> str:
    """Return the category of a whole reply, from its text and what the scorer found in it.

    In this order: `correct` when the strict reading is; `refusal` when no answer was extracted
    and the text opens by declining the task; `format_failure` when no answer could be read, or
    when only the loose reading is correct; otherwise `wrong`.

    >>> by_reading("I'm sorry, but I can't help with that.", Reading(False, False))
    'refusal'
    >>> by_reading("I don't know.", Reading(False, False))
    'format_failure'
    """
    if reading.correct:
        return "correct"
    if reading.extracted is None and reads_as_refusal(text):
        return "refusal"
    if not reading.answered or reading.correct_loose:
        return "format_failure"
    return "wrong"


def reads_as_refusal(text: str) -> bool:
    """Tell whether a text opens with a plain refusal in the first person (in English).

    >>> reads_as_refusal("I cannot help with this."), reads_as_refusal("I cannot find a root.")
    (True, False)
    """
    return _REFUSAL.match(text.lstrip()[:300]) is not None


def categorise(
    response: Response, read: Callable[[str], Reading], *, has_loose: bool = False
) -> tuple[str, Reading]:
    """Return a response's category, and what was found in it (nothing, if it was not read).

    Signals decide first. Then a blank text, or none at all with a finish reason: it answers
    nothing and is a format failure. `read` is called only for other texts. Where a task has a
    loose reading (`has_loose`), a reply that is not read fails that one too.
    """
    category = by_signal(response)
    if category is None and response.text is not None and response.text.strip():
        found = read(response.text)
        return by_reading(response.text, found), found
    nothing = Reading(answered=False, correct=False, correct_loose=False if has_loose else None)
    return category or "format_failure", nothing
