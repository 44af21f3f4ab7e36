"""Where a reply states its final answer: the labelled line, and boxes.

Everything here is one pass over the text, whatever the text is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

# Decoration before a label: marks, emoji, a list number; no letters, so no word is skipped.
_BEFORE = r"[\W_]{0,24}(?:\d{1,2}[.)][\W_]{0,8})?(?:\\(?:text|math)(?:bf|rm|it)?\{[\W_]{0,4})?"
_ENGLISH = (
    r"(?:(?:so|thus|hence|therefore),? )?(?:(?:the|my|our) )?"
    r"(?:(?:final|correct|best|right) ){0,2}(?:answer|option|choice)(?: is)?"
)
_CHINESE = r"(?:最终|正确|最后)?的?(?:答案|选项)[是为]?"
_COLON = "[*_`~\\s}]{0,8}(?:[:\uff1a=]|[ ][-\u2013\u2014](?=\\s))[ \\t]*"
_LABEL = re.compile(rf"{_BEFORE}(?:{_ENGLISH}|{_CHINESE}){_COLON}", re.IGNORECASE)
# Words that end a label or open a statement, in lower case, with what must then follow. Each of
# these expressions begins with plain letters, so that it is searched for fast.
_FOLLOWS = (
    r"(?:(?: is)?[*_`~\s}]{0,8}(?:[:\uff1a=]| [-\u2013\u2014]\s)| (?:is|would be|must be)(?!\w)"
    r"|[ *_`$(\[]{1,4}[a-j][ *_`$)\]]{1,4}is )"
)
_CUES = {word: re.compile(word + _FOLLOWS) for word in ("answer", "option", "choice")}
_CUES |= {word: re.compile(word) for word in ("答案", "选项")}
_SOMETHING = re.compile(r"[^\W_]|[∅∞√]")

# Zero-width characters, marks of direction, soft hyphen, variation selector, byte order mark.
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060"
_INVISIBLE += "\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufe0f\ufeff"
_LINE_ENDS = "\r\u2028\u2029\x85"

# Before a statement: what its sentence supposes, or its clause denies, is not stated.
# They are sought in lower case, which is five times as fast as in either case.
_SENTENCE_END = re.compile(r"[.!?\n;。！？；]|\b(?:so|thus|hence|therefore)\b")
_SUPPOSED = re.compile(r"\b(?:if|whether|suppose|assum\w+|unless|why)\b")
_DENIED = re.compile(r"\b(?:not|never|could|might|may)\b|n['’]t\b")
_DOUBTED = re.compile(r"if|whether|suppose|assum|unless|why|not|never|could|might|may|n['’]t")

_BOX = re.compile(r"\\f?box(?:ed)?\s{0,4}\{")
_BRACE = re.compile(r"(?<!\\)[{}]")


@dataclass(frozen=True)
class Statement:
    """Text in which an answer is stated, and where in the reply it starts and ends."""

    content: str
    start: int
    end: int


def tidy(text: str) -> str:
    r"""Remove characters that show nothing, and let every line end in ``\n``.

    >>> tidy("Answer: C\u200b\r\nBye")
    'Answer: C\nBye'
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    for end in _LINE_ENDS:
        if end in text:
            text = text.replace(end, "\n")
    if not text.isascii():
        for character in _INVISIBLE:
            if character in text:
                text = text.replace(character, "")
    return text


def last_labelled(text: str, places: Sequence[int] | None = None) -> Statement | None:
    r"""Return what follows the last answer label ("Answer:", "Final answer:", "答案：").

    A label opens its line, apart from decoration, and ends in a colon. Its content is the rest
    of the line; if that says nothing, the next line that does. A label without any content does
    not count. None if there is no label. The text must be `tidy`; `places` are its `cues`, for
    whoever has them.

    >>> last_labelled("Answer: A\nWait.\n**Answer:** **C**\nBye").content
    '** **C**'
    """
    if places is None:
        # Nearly every reply has its answer in the last line.
        line = labelled_at_end(text)
        if line is not None:
            return line
        places = cues(text)
    line, start = None, len(text)
    for place in reversed(places):
        if place < start:
            start, end = _line_around(text, place)
            line = _labelled(text, start, end)
        if line is not None:
            break
    return line


def labelled_at_end(text: str) -> Statement | None:
    """Return what `last_labelled` would, if the last line has a label, otherwise None."""
    return _labelled(text, *_line_around(text, len(text.rstrip()) - 1))


def cues(text: str) -> list[int]:
    """Return where a label or a statement of an answer may stand, in order.

    These are the places of words such as "answer" that something follows which could belong to
    it, and nearly all that is read of a text without either.

    >>> cues("The answer is 4, and no option (B), but an answer: none."), cues("No answer.")
    ([4, 43], [])
    """
    lowered = _lower(text)
    return sorted(
        cue.start()
        for word, one in _CUES.items()
        if word in lowered
        for cue in one.finditer(lowered)
    )


def is_asserted(text: str, place: int) -> bool:
    """Tell whether what is stated at a place is neither supposed nor denied just before.

    >>> is_asserted("So the answer is C.", 7), is_asserted("If the answer is C, then", 7)
    (True, False)
    """
    before = _lower(text[max(0, place - 80) : place])
    if not _DOUBTED.search(before):
        return True
    sentence = _SENTENCE_END.split(before)[-1]
    clause = sentence.rpartition(",")[2]
    return not _SUPPOSED.search(sentence) and not _DENIED.search(clause)


def _labelled(text: str, start: int, end: int) -> Statement | None:
    """What follows the label of a line, if it has one."""
    label = _LABEL.match(text, start, end)
    if label is None:
        return None
    something = _SOMETHING.search(text, label.end())
    if something is None:
        return None
    if something.start() < end:
        return Statement(text[label.end() : end], start, end)
    first, last = _line_around(text, something.start())
    return Statement(text[first:last], start, last)


def _line_around(text: str, place: int) -> tuple[int, int]:
    place = max(place, 0)
    end = text.find("\n", place)
    return text.rfind("\n", 0, place) + 1, len(text) if end < 0 else end


def _lower(text: str) -> str:
    """The text in lower case, as long as before: only one character grows when lowered.

    Letters that expressions take for i and s where case does not matter are these here, too.
    """
    if not text.isascii():
        text = text.replace("\u0130", "i").replace("\u0131", "i").replace("\u017f", "s")
    return text.lower()


def last_line(text: str) -> str:
    r"""Return the last line that is not blank, or an empty text.

    >>> last_line("So it is\n\n**C**\n ")
    '**C**'
    """
    text = text.rstrip()
    return text[text.rfind("\n") + 1 :]


def boxes(text: str) -> list[Statement]:
    r"""Return the content of every whole ``\boxed{...}``, outermost only, in order.

    Braces nest to any depth; a box that never closes is none.

    >>> [box.content for box in boxes(r"\boxed{1} or \boxed{\text{C}}")]
    ['1', '\\text{C}']
    """
    if "box" not in text:
        return []
    openers = {box.end() - 1: box.start() for box in _BOX.finditer(text)}
    found: list[tuple[int, int, int]] = []
    open_braces: list[int] = []
    for brace in _BRACE.finditer(text, min(openers, default=len(text))):
        place = brace.start()
        if text[place] == "{":
            open_braces.append(place)
        elif open_braces and (opened := open_braces.pop()) in openers:
            start = openers[opened]
            while found and found[-1][0] > start:
                found.pop()
            found.append((start, opened + 1, place))
    return [Statement(text[inner:end], start, end + 1) for start, inner, end in found]
