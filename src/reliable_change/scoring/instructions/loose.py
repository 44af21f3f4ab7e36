"""The texts that the loose reading tries: a reply without its frame or its asterisks."""

from __future__ import annotations

from collections.abc import Iterator


class Readings:
    r"""The texts to check, the reply itself first; blank and repeated ones are left out.

    The official loose reading accepts an instruction if any of eight texts follows it: the
    reply, or the reply without its first line, its last line or both (each stripped), and
    these four without asterisks. A blank text follows nothing, so a blank reply gives no text.
    Seven of them are made when they are first asked for, and once for all instructions.

    Source: allenai/IFBench and google-research IFEval, evaluation_lib.py.

    >>> list(Readings("Sure:\n*no commas*"))
    ['Sure:\n*no commas*', 'Sure:\nno commas', '*no commas*', 'Sure:', 'no commas']
    >>> list(Readings(" \n"))
    []
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._others: list[str] | None = None

    def __iter__(self) -> Iterator[str]:
        if not self._text or self._text.isspace():
            return
        yield self._text
        if self._others is None:
            self._others = _others(self._text)
        yield from self._others


def _others(text: str) -> list[str]:
    variants = shorter = _shorter(text)
    if "*" in text:
        bare = text.replace("*", "")
        variants = [bare, *shorter, *map(_without_asterisks, shorter, _shorter(bare))]
    found = [text]
    for variant in variants:
        # Few are of one length, so this costs less than hashing every text.
        if variant and variant not in found and not variant.isspace():
            found.append(variant)
    return found[1:]


def _shorter(text: str) -> list[str]:
    """A text without its first line, its last line, and both, each stripped."""
    first, last = text.find("\n"), text.rfind("\n")
    if first < 0:
        return []
    inner = text[first + 1 : last].strip() if first < last else ""
    return [text[first + 1 :].strip(), text[:last].strip(), inner]


def _without_asterisks(part: str, shorter: str) -> str:
    """Remove a part's asterisks; `shorter` is made of a text that has none, at half the cost.

    The two differ only where an asterisk kept white space beside it from being stripped.
    """
    return part.replace("*", "") if part[:1] == "*" or part[-1:] == "*" else shorter
