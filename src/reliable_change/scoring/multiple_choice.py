"""Multiple choice: which one option, from A to J, a reply gives as its final answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from reliable_change.scoring.answer_line import (
    boxes,
    cues,
    is_asserted,
    labelled_at_end,
    last_labelled,
    last_line,
    tidy,
)
from reliable_change.scoring.option_letter import (
    AMBIGUOUS,
    DECORATION,
    LETTERS,
    LOOK,
    Options,
    named_option,
    names_another,
)
from reliable_change.scoring.verdict import Item, Reading

_STATED = re.compile(
    r"(?:(?P<answer>answer)|option|choice)(?: is| would be| must be|:)(?!\w)"
    r"|(?P<chinese>答案|选项)[是为选]?[:：]?",
    re.IGNORECASE,
)
_CORRECT = re.compile(r"\b(?:correct|right|best) $", re.IGNORECASE)
_DECLARED = re.compile(
    r"(?i:answer|option|choice)[ *_`$(\[]{1,4}([A-J])[ *_`$)\]]{1,4}"
    r"is (?:\w+ )?(?:the )?(?:correct|right|best)\b"
)
_CAPITAL = re.compile(r"(?<!\w)(?:[B-HJ]|A(?!\s+[a-z]))(?![^\W_]|['’])")
_BINOMIAL = re.compile(r"\s*[A-J]\. [a-z]")


class MultipleChoice:
    """Scorer of the task `multiple_choice`; see `parse` for how a reply is read.

    The item's reference is a letter; its extra holds the options, as a list of texts, a mapping
    from letter to text, or their number, under "options" or "choices" ("n_options": number).
    """

    name = "multiple_choice"
    version = "1"
    has_loose = False

    def check(self, item: Item) -> None:
        """Raise ItemError unless the item has two to ten options and a key among them."""
        _prepared(item)

    def read(self, item: Item, text: str) -> Reading:
        """Return which option the reply names, and whether it is the item's key."""
        options, key = _prepared(item)
        letter = parse(text, options)
        return Reading(answered=letter is not None, correct=letter == key, extracted=letter)


def options_of(item: Item) -> Options:
    """Return an item's options.

    Raises
    ------
    ItemError
        If the item does not say how many options it has, or has fewer than two or more than ten.
    """
    given = next((item.extra[k] for k in ("options", "choices", "n_options") if k in item.extra), 0)
    texts: dict[str, str] = {}
    if isinstance(given, Mapping):
        texts = {str(letter).upper(): str(text) for letter, text in given.items()}
        if "".join(sorted(texts)) != LETTERS[: len(texts)]:
            raise item.error("has options that are not lettered from A on without a gap")
    elif isinstance(given, Sequence) and not isinstance(given, str):
        texts = dict(zip(LETTERS, map(str, given), strict=False))
    count = len(given) if texts else given
    if not isinstance(count, int) or not 2 <= count <= len(LETTERS):
        raise item.error(
            f"needs two to {len(LETTERS)} options in its extra, as "
            '{"options": ["text of A", "text of B", ...]} or {"n_options": 4}'
        )
    return Options(LETTERS[:count], texts)


@lru_cache(10_000)
def _prepared(item: Item) -> tuple[Options, str]:
    """An item's options and key."""
    options = options_of(item)
    key = (item.reference or "").strip().strip("()[].").upper()
    if len(key) != 1 or key not in options.letters:
        raise item.error(
            f"has reference {item.reference!r}, which is no letter from A to {options.letters[-1]}"
        )
    return options, key


def parse(text: str, options: Options) -> str | None:
    r"""Return the one option that a reply gives as its final answer, or None.

    Stage one: the last line with an answer label ("Answer:", "Final answer:", "答案：") and
    something after it. Its content must open with one option's letter, in any decoration and
    either case; naming two, or another one anywhere below, is ambiguous. Stage two, only without
    such a line: "the answer is C", "option C is correct", ``\boxed{C}``, a last line that is
    only a letter, or a reply of one line that opens with one; all of them must agree.
    Ambiguity, a letter beyond the options and an English "I" or "a" give None; there is no
    fallback. Time grows linearly with the text.

    >>> ten = Options("ABCDEFGHIJ", {})
    >>> parse("Answer: A\nWait, the sign is wrong.\nAnswer: $\\boxed{C}$", ten)
    'C'
    >>> parse("Answer: A or B", ten), parse("Answer: I don't know", ten), parse("I see", ten)
    (None, None, None)
    """
    text = tidy(text)
    line = labelled_at_end(text)
    if line is None:
        places = cues(text)
        line = last_labelled(text, places)
    if line is None:
        named = set(_statements(text, places, options))
        if not named and "\n" not in text.strip() and not _BINOMIAL.match(text):
            letter = _content_option(text, options)
            named = {letter, *_CAPITAL.findall(text[:LOOK])}
        return _single(named, options)
    letter = _content_option(line.content, options)
    if letter is None or line.end >= len(text):
        return _single({letter}, options)
    below = text[line.end :]
    return _single({letter, *_statements(below, cues(below), options)}, options)


def _single(named: set[str | None], options: Options) -> str | None:
    """The only member, if it is an option of the item."""
    letter = next(iter(named)) if len(named) == 1 else None
    return letter if letter is not None and letter in options.letters else None


def _content_option(content: str, options: Options) -> str | None:
    """The option in the content of an answer line: that in its boxes, if it has any."""
    found = boxes(content) if "box" in content else []
    if not found:
        return named_option(content, options)
    named = {named_option(box.content, options) for box in found}
    letter = named.pop()
    rest = DECORATION.sub("", content[found[-1].end :][:LOOK])
    is_more = letter is not None and names_another(rest, letter, is_closed=True)
    return AMBIGUOUS if named or is_more else letter


def _statements(text: str, places: Iterable[int], options: Options) -> Iterator[str]:
    """Every option that a text states as the answer, at one of its cues, in a box or alone."""
    for place in places:
        letter = _stated_at(text, place, options)
        if letter and is_asserted(text, place):
            yield letter
    for box in boxes(text):
        letter = named_option(box.content, options)
        if letter:
            yield letter
    last = DECORATION.sub("", last_line(text)[:LOOK]).strip(" \t.()[]。")
    if len(last) == 1 and last in LETTERS:
        yield last


def _stated_at(text: str, place: int, options: Options) -> str | None:
    """The option of a statement that opens at a place: "answer is C", "option C is correct"."""
    declared = _DECLARED.match(text, place)
    if declared:
        return declared[1]
    stated = _STATED.match(text, place)
    if stated is None:
        return None
    if stated.lastgroup is None and not _CORRECT.search(text[max(0, place - 9) : place]):
        return None  # "option is": which of them would be correct is not said
    content = text[stated.end() : stated.end() + LOOK].partition("\n")[0]
    letter = _content_option(content, options)
    return letter if letter and _is_capital(content, letter) else None


def _is_capital(content: str, letter: str) -> bool:
    """Tell whether a letter in prose is an option's capital, not an article or a pronoun."""
    return letter == AMBIGUOUS or letter in DECORATION.sub("", content)
