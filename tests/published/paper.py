"""Where the numerals of the paper's prose stand, in the plain text of its PDF."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

VARIABLE = "RELIABLE_CHANGE_PAPER"
# Number words too, but for "one", which is nearly always an article or a pronoun.
WORDS = "zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
NUMERAL = re.compile(rf"[+−]?\d[\d,]*\d(?:\.\d+)?%?|[+−]?\d(?:\.\d+)?%?|\b(?i:{WORDS})\b")
LEFT_OUT = ""

# Every piece of the text in order: its section, its first words, and the words after it. What
# lies between two pieces is the body of a table, whose cells are claims of their own.
PIECES = [
    ("Abstract", "Abstract Context:", "∗ Corresponding"),
    (LEFT_OUT, "∗ Corresponding", "substantial bidirectional"),
    ("Abstract", "substantial bidirectional", "Keywords:"),
    (LEFT_OUT, "Keywords:", "1. Introduction"),
    ("1", "1. Introduction", "2. Related Work"),
    (LEFT_OUT, "2. Related Work", "3. Method"),
    ("3.1", "3. Method", "3.2. Study"),
    ("3.2", "3.2. Study", "3.3. Benchmarks"),
    ("3.3", "3.3. Benchmarks", "3.4. Data"),
    ("3.4", "3.4. Data", "3.5. Scoring"),
    ("3.5", "3.5. Scoring", "3.6. Analysis"),
    ("3.6", "3.6. Analysis", "\nEdge\n"),
    ("3.6", "between the loose", "4. Results"),
    ("4.1", "4. Results", "4.2. Permutation"),
    ("4.2", "4.2. Permutation", "4.3. Strict"),
    ("4.3", "4.3. Strict", "4.4. Supplementary"),
    ("4.4", "4.4. Supplementary", "5. Discussion"),
    ("5", "5. Discussion", "6. Threats"),
    ("6", "6. Threats", "7. Conclusion"),
    ("7", "7. Conclusion", "Data Availability"),
    (LEFT_OUT, "Data Availability", "Appendix A."),
    ("Appendix A", "Appendix A.", "\nSlot\n"),
    ("Appendix B", "Appendix B.", "\nEdge\n"),
    ("Appendix B", "Table B.4:", "\nK=50 classification\n"),
    ("Appendix C", "Appendix C.", "Appendix D."),
    ("Appendix D", "Appendix D.", "Appendix E."),
    ("Appendix E", "Appendix E.", "Appendix F."),
    ("Appendix F", "Appendix F.", "\n21\n"),
    ("Appendix C", "Table C.5:", " Edge\n"),
    ("Appendix D", "Table D.6:", "\nMean "),
    ("Appendix D", "Table D.7:", "\nEdge\n"),
    ("Appendix E", "Table E.8:", "\nBenchmark\n"),
    ("Appendix F", "Table F.9:", "\nBenchmark\n"),
    (LEFT_OUT, "Related documents", "Retrieved via"),
]


def read_paper(folder: str | None) -> str:
    """The text of the paper from the folder that the variable names: skip if it is unset."""
    if not folder:
        pytest.skip(f"{VARIABLE} is unset")
    found = sorted(Path(folder).glob("001*.txt"))
    if len(found) != 1:
        pytest.fail(f"{VARIABLE} names {folder}, which has {len(found)} files 001*.txt, not one")
    return found[0].read_text(encoding="utf-8")


def paper_from_environment() -> str:
    return read_paper(os.environ.get(VARIABLE))


def spans(text: str) -> list[tuple[str, int, int]]:
    """Section, start and end of every piece; a piece that is not where it belongs is an error."""
    found, at = [], 0
    for section, first, following in PIECES:
        start = text.find(first, at)
        at = text.find(following, start + 1)
        if start < 0 or at < 0:
            raise ValueError(f"the text has no piece from {first!r} to {following!r}")
        found.append((section, start, at))
    return found


def prose(text: str) -> list[tuple[str, str]]:
    """Section and text of every piece that is the paper's prose, in order."""
    return [(section, text[start:end]) for section, start, end in spans(text) if section]


def between_pieces(text: str) -> list[str]:
    """The lines that belong to no piece: cells and headings of tables, page numbers."""
    places = spans(text)
    gaps = zip(places, places[1:], strict=False)
    return [line for (*_, end), (_, start, _) in gaps for line in text[end:start].split("\n")]


def numerals(text: str) -> list[tuple[str, str, str, str]]:
    """Section, numeral, and up to three words before and after, for every numeral in order."""
    return [
        (
            section,
            match.group(),
            " ".join(piece[: match.start()].split()[-3:]),
            " ".join(piece[match.end() :].split()[:3]),
        )
        for section, piece in prose(text)
        for match in NUMERAL.finditer(piece)
    ]
