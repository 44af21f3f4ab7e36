"""The scorer of mathematics: exact match, then exact fractions, then sympy within bounds."""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from reliable_change.errors import ReliableChangeError
from reliable_change.scoring.answer_line import boxes
from reliable_change.scoring.bounded import BoundedWorker, CallFailed, OutOfBounds
from reliable_change.scoring.mathematics.compare import same
from reliable_change.scoring.mathematics.final_answer import MAX_ANSWER, find, is_prose
from reliable_change.scoring.mathematics.means import Exactly
from reliable_change.scoring.mathematics.plain import plain, words
from reliable_change.scoring.mathematics.shape import shape
from reliable_change.scoring.verdict import Item, Reading

_LIBRARIES = ("sympy", "latex2sympy2_extended")
_REMEMBERED = 100_000  # pairs of reference and answer


class Comparison(NamedTuple):
    """Whether an answer equals the reference, and why not if that could not be decided."""

    equal: bool
    note: str | None = None


class Mathematics:
    """Scorer of the task `math`; see `final_answer.find` for how a reply is read.

    A reference is one answer, bare or in LaTeX delimiters. Each distinct pair of reference and
    answer is compared once. Most need no sympy: equal text, or fractions on both sides. The rest
    are compared in a process with a hard bound on time and memory. An answer that is whole but
    not proved equal, in time or at all, is wrong, and its note says so.

    Parameters
    ----------
    seconds, megabytes : bound on one comparison: seconds of processor time, and twice as many of
        the clock (`bounded.PATIENCE`).
    """

    name = "math"
    has_loose = False

    def __init__(self, *, seconds: float = 5.0, megabytes: int = 2048) -> None:
        self.version = f"1 ({', '.join(map(_library, _LIBRARIES))})"
        self._worker = BoundedWorker(
            "reliable_change.scoring.mathematics.symbolic:compare",
            seconds=seconds,
            megabytes=megabytes,
        )
        self._compare = lru_cache(_REMEMBERED)(self._compare_anew)

    def close(self) -> None:
        """End the process that compares; it starts again when needed."""
        self._worker.close()

    def check(self, item: Item) -> None:
        """Raise ItemError unless the item has a reference that can be compared with."""
        problem = _problem(item.reference)
        if problem is not None:
            raise item.error(problem)

    def read(self, item: Item, text: str) -> Reading:
        """Return the final answer that the reply states, and whether it equals the reference."""
        answer = find(text)
        if answer is None:
            return Reading(answered=False, correct=False)
        comparison = self.compare(item.reference, answer)
        if not comparison.equal and is_prose(answer) and not is_prose(item.reference):
            return Reading(answered=False, correct=False)  # a sentence where none was asked for
        return Reading(True, comparison.equal, extracted=answer, note=comparison.note)

    def compare(self, reference: str, answer: str) -> Comparison:
        """Compare an answer with a reference.

        >>> scorer = Mathematics()
        >>> scorer.compare("5/4", "1 1/4").equal, scorer.compare("2^{1994}", "$2$").equal
        (True, False)
        """
        return self._compare(_reference(reference), plain(answer))

    def _compare_anew(self, reference: str, answer: str) -> Comparison:
        if reference == answer or words(reference) == words(answer):
            return Comparison(True)
        equal = same(shape(reference), shape(answer), Exactly())
        if equal is not None:
            return Comparison(equal)
        try:
            equal, obstacle = self._worker.call(reference, answer)
        except OutOfBounds as error:
            return Comparison(False, f"comparison stopped: it {error}")
        except CallFailed as error:
            return Comparison(False, f"comparison failed: {error}")
        return Comparison(bool(equal), obstacle and f"comparison undecided: {obstacle}")


@lru_cache(10_000)
def _reference(reference: str) -> str:
    boxed = boxes(reference)
    return plain(boxed[-1].content if boxed else reference)


@lru_cache(10_000)
def _problem(reference: str | None) -> str | None:
    """What keeps a reference from being compared with, in words that follow the item's name."""
    if reference is None or not _reference(reference):
        return "has no reference; give it the right answer"
    if len(reference) > MAX_ANSWER:
        return f"has a reference of more than {MAX_ANSWER} characters; give only the answer"
    level = 0
    for character in reference.replace(r"\{", "").replace(r"\}", ""):
        level += (character == "{") - (character == "}")
        if level < 0:
            break
    if level:
        return f"has a reference whose braces do not match: {reference[:80]!r}"
    return None


def _library(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        raise ReliableChangeError(
            f"scoring mathematics needs {name}: pip install 'reliable-change[score]'"
        ) from None
