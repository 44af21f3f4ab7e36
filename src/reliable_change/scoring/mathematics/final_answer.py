"""The final answer in a reply to a mathematics item: found, cleaned of markup, not yet read."""

from __future__ import annotations

import re

from reliable_change.scoring.answer_line import (
    Statement,
    boxes,
    cues,
    is_asserted,
    last_labelled,
    tidy,
)
from reliable_change.scoring.mathematics.plain import plain
from reliable_change.scoring.mathematics.reader import FUNCTIONS

MAX_ANSWER = 2000
_MAX_BARE = 300
_MAX_LINES = 12
_PROSE = 3  # plain words that make a sentence

_BOLD = re.compile(r"(?<![\w)}])\*\*(?=\S)([^*\n]+)(?<=\S)\*\*(?![\w({])")
_STATED = re.compile(r"answer(?: is|:)(?!\w| not\b)[ \t]*", re.IGNORECASE)
_STATED_END = re.compile(
    r"[.!?](?:\s|$)|\n|[,;] (?:which|where|so|with)\b|[,;]? (?:because|since|as)\b",
    re.IGNORECASE,
)
_BETWEEN_BOXES = re.compile(r"[\s$,;]*(?:and|or)?[\s$,;]*")
_IN_TEXT = re.compile(r"\\(?:text\w*|mathrm|mbox)\s?\{[^{}]*\}")
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")


def find(text: str) -> str | None:
    r"""Return the final answer that a reply states, or None.

    In this order: the last line with an answer label ("Answer:") and something after it, or the
    boxes in it, or a box further below; the last ``\boxed{...}``, with others beside it; the one
    thing that "the answer is ..." is said of; the whole reply, if it is one short line. There
    is no fallback to the last number. An answer longer than 2,000 characters is none.
    Time grows linearly with the text.

    >>> find("Answer: 3\nI mean:\n**Answer:** $x = \\frac{1}{2}$.")
    '$x = \\frac{1}{2}$'
    >>> find("So \\boxed{1} and \\boxed{2}."), find("The answer is 5."), find("We get 7.\nDone.")
    ('1, 2', '5', None)
    """
    text = tidy(text)
    line = last_labelled(text)
    boxed = boxes(text)
    if line is not None and not (boxed and boxed[-1].end > line.start):
        answer = clean(_whole(text, line)) if len(line.content) <= 2 * MAX_ANSWER else None
    elif boxed:
        answer = _joined(text, boxed)
    else:
        answer = _stated(text) or _bare(text)
    return answer if answer and len(answer) <= MAX_ANSWER else None


def is_prose(answer: str) -> bool:
    r"""Tell whether an answer is a sentence rather than mathematics: three words or more.

    >>> is_prose("They need 20 cups"), is_prose("20 cups"), is_prose(r"\text{no such number}")
    (True, False, False)
    """
    words = [word for word in _WORD.findall(_IN_TEXT.sub("", answer)) if word not in FUNCTIONS]
    return len(words) >= _PROSE


def clean(answer: str) -> str:
    """Strip emphasis, a leading "is" or "=", and a closing full stop.

    >>> clean("** **20 cups**. ")
    '20 cups'
    """
    answer = _BOLD.sub(r"\1", answer.strip().removeprefix("**"))
    answer = answer.strip(" \t*_`#>").removeprefix("is ").lstrip(" :=")
    return answer.rstrip(" \t.*_`。")


def _whole(text: str, line: Statement) -> str:
    """The content of an answer line, and the lines after it that a brace or \\begin reaches to."""
    content = line.content
    rest = text[line.end : line.end + 2 * MAX_ANSWER].split("\n")[1 : _MAX_LINES + 1]
    for number in range(len(rest) + 1):
        longer = "\n".join([content, *rest[:number]])
        opened = longer.count(r"\begin{") + longer.count("{") - longer.count(r"\{")
        if opened <= longer.count(r"\end{") + longer.count("}") - longer.count(r"\}"):
            return longer
    return content


def _joined(text: str, boxed: list[Statement]) -> str:
    """The last box, with those before it that only a comma, "and" or "or" stands between."""
    contents = [boxed[-1].content]
    for before, after in zip(boxed[-2::-1], boxed[:0:-1], strict=False):
        between = text[before.end : after.start]
        if len(between) > 20 or not between.strip(" \n") or not _BETWEEN_BOXES.fullmatch(between):
            break
        contents.append(before.content)
    return ", ".join(content.strip() for content in reversed(contents))


def _stated(text: str) -> str | None:
    """What "the answer is ..." is said of, if it is always the same and no sentence."""
    found: set[str] = set()
    for place in cues(text):
        stated = _STATED.match(text, place)
        if stated and is_asserted(text, place):
            rest = text[stated.end() : stated.end() + _MAX_BARE]
            found.add(clean(_STATED_END.split(rest, maxsplit=1)[0]))
    found.discard("")
    if len({plain(answer) for answer in found}) != 1:
        return None
    answer = min(found)
    return None if is_prose(answer) else answer


def _bare(text: str) -> str | None:
    """The whole reply, if it is one short line that does not announce more."""
    text = text.strip()
    return None if "\n" in text or len(text) > _MAX_BARE or text.endswith(":") else clean(text)
