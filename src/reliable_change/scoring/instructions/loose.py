"""The texts that the loose reading tries: a reply without its frame or its asterisks."""

from __future__ import annotations


def readings(text: str) -> list[str]:
    """Return the texts to check, the reply itself first; blank and repeated ones are left out.

    The official loose reading accepts an instruction if any of eight texts follows it: the
    reply, or the reply without its first line, its last line or both (each stripped), and
    these four without asterisks. A blank text follows nothing, so a blank reply gives no text.

    Source: allenai/IFBench and google-research IFEval, evaluation_lib.py.

    >>> readings("Sure:\\n*no commas*")
    ['Sure:\\n*no commas*', 'Sure:\\nno commas', '*no commas*', 'Sure:', 'no commas']
    >>> readings(" \\n")
    []
    """
    lines = text.split("\n")
    shorter = ["\n".join(part).strip() for part in (lines[1:], lines[:-1], lines[1:-1])]
    found = [text, text.replace("*", ""), *shorter, *(part.replace("*", "") for part in shorter)]
    return [reading for reading in dict.fromkeys(found) if reading and not reading.isspace()]
