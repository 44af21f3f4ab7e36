"""Which option a statement names with its first letter, and whether it names only that one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

LETTERS = "ABCDEFGHIJ"
AMBIGUOUS = "?"
LOOK = 300  # characters of a statement in which its option must be named

DECORATION = re.compile(
    r"\\(?:f?box(?:ed)?|text\w{0,4}|math\w{0,4}|operatorname)\s*|\\[()\[\],;:! ]|[*_`$~#{}\\]"
)
_LETTER = re.compile(
    r"""[\s"'“‘:=]*+
    (?:(?:it\ is|it's|is)\ )?
    (?:(?:the\ )?(?:(?:final|correct|best|right)\ ){0,2}(?:answer|option|choice|letter)
       (?:\ is)?[\s:=]*+)?
    [(\[<"'“‘]*+\s*+(?P<letter>[A-J])(?![^\W_]|['’])
    \s*+(?P<close>[)\]>"'”’]*)""",
    re.VERBOSE | re.IGNORECASE,
)
# What may follow a bare letter: nothing, punctuation, or words that give the reason.
_CLEAR_END = re.compile(r"\s*+(?:$|[.:;!?。：；！？–—]|-\s|\n)|\s++[(（]")
_REASON = re.compile(
    r"\s*+(?:[,，]|(?:because|since|as|due to|given)\b|is (?:the )?(?:correct|right|best)\b)"
)
_JOINER = re.compile(
    r"""\s*+
    (?P<mark>[,;]\s*+(?:and|or)\b|[,，;/&+|、–—-]|(?:and/or|and|or|nor|plus|versus|vs\.?)\b|[和或与])?
    \s*+(?:(?:maybe|possibly|perhaps|also|both|even|else|option|choice)\s++){0,3}
    (?P<open>[(\["'“‘]*+)(?P<letter>[A-Ja-j])(?![^\W_]|['’])(?P<word>\s+[a-z])?""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Options:
    """An item's options: their letters, and their texts where the item gives them."""

    letters: str
    texts: Mapping[str, str]


def named_option(content: str, options: Options) -> str | None:
    """Return the letter that a statement opens with, AMBIGUOUS for several, None for none.

    >>> four = Options("ABCD", {"A": "9 kJ", "B": "12 kJ"})
    >>> [named_option(text, four) for text in ("C) 12 J", "A and C", "A good one", "C) 12 kJ")]
    ['C', '?', None, '?']
    """
    content = content[:LOOK]
    if not content.isascii():
        content = unicodedata.normalize("NFKC", content)
    content = DECORATION.sub("", content)
    found = _LETTER.match(content)
    if found is None:
        return None
    raw, rest = found["letter"], content[found.end() :]
    is_closed = bool(found["close"])
    stripped = rest.strip(" \t\n.。")
    if not stripped:
        return raw.upper()
    if names_another(rest, raw, is_closed):
        return AMBIGUOUS
    if not _may_follow(rest, raw, is_closed):
        return None
    return AMBIGUOUS if _is_text_of_another(content, rest, raw.upper(), options) else raw.upper()


def names_another(rest: str, raw: str, is_closed: bool) -> bool:
    """Tell whether a second letter is joined to the first: "A and C", "A/C", "(A)(C)", "A C"."""
    second = _JOINER.match(rest)
    if second is None:
        return False
    letter, mark = second["letter"], second["mark"]
    if letter.islower() and (raw.isupper() or mark is None):
        return False
    if letter in "AIai" and second["word"] and not second["open"]:
        return False  # "C, I think", "C - A body at rest": English words
    return mark is not None or bool(second["open"]) or not is_closed


def _may_follow(rest: str, raw: str, is_closed: bool) -> bool:
    """Tell whether what follows lets the letter stand as an option rather than as a word."""
    if is_closed or _CLEAR_END.match(rest):
        return True
    if raw in "Ii" and rest.lstrip()[:1] in (",", "，"):
        return False  # "I, too, ..."
    return _REASON.match(rest) is not None


def _is_text_of_another(content: str, rest: str, letter: str, options: Options) -> bool:
    """Tell whether the words beside the letter are another option's ("E. coli" as text of B)."""
    if not options.texts:
        return False
    said = {_bare(rest), _bare(content)}
    own = _bare(options.texts.get(letter, ""))
    return own not in said and any(
        _bare(text) in said for other, text in options.texts.items() if other != letter
    )


def _bare(text: str) -> str:
    return " ".join(text.casefold().strip(" \t\n.,:;!?()[]-–—").split())
