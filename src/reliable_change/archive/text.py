"""Text that UTF-8 cannot hold: half a surrogate pair, kept as a marked escape."""

from __future__ import annotations

import re

# U+FFFD, the replacement character, followed by the code unit in braces.
_ESCAPE = "�{%04x}"
_LONE = re.compile("[\ud800-\udfff]")
_AMBIGUOUS = re.compile("[\ud800-\udfff]|�(?=\\{(?:d[89a-f][0-9a-f]{2}|fffd)\\})")
_ESCAPED = re.compile("�\\{(d[89a-f][0-9a-f]{2}|fffd)\\}")


def escape_surrogates(text: str) -> str:
    """Replace every lone surrogate by a marked escape; leave any other text as it is.

    A lone surrogate U+D835 becomes U+FFFD and ``{d835}``. A text that holds one also has its
    look-alikes of the escape escaped, so `restore_surrogates` gives back exactly what came in.
    A text without a lone surrogate is never changed: storing it again is storing the same.

    >>> escape_surrogates("x \\ud835 y")
    'x �{d835} y'
    >>> escape_surrogates("x �{d835} y")
    'x �{d835} y'
    """
    if not _LONE.search(text):
        return text
    return _AMBIGUOUS.sub(lambda found: _ESCAPE % ord(found[0]), text)


def restore_surrogates(text: str) -> str:
    """Undo `escape_surrogates` on a text that it changed.

    >>> restore_surrogates(escape_surrogates("x \\ud835 y")) == "x \\ud835 y"
    True
    """
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
