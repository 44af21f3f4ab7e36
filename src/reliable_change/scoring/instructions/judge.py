"""What a verifier says of a text, strictly and loosely, whatever the text does to it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from reliable_change.scoring.instructions.needs import advice
from reliable_change.scoring.instructions.verifiers import Verifier


class Verdict(NamedTuple):
    """Whether a reply follows one instruction, strictly and loosely.

    Both are None when the verifier cannot run here, and `unscored_reason` says why. note: what
    a reader should know, such as an error that the text caused.
    """

    instruction: str
    strict: bool | None
    loose: bool | None
    unscored_reason: str | None = None
    note: str | None = None


class CannotRun(Exception):
    """A verifier cannot run here, on this text or at all; the message says why."""


def judge(instruction_id: str, verifier: Verifier, readings: Iterable[str]) -> Verdict:
    """Check one instruction on a reply.

    `readings` are the texts to try, the reply itself first (`loose.Readings`); without any, the
    reply is blank and follows nothing. One verifier with one set of parameters reads them all,
    so what passes strictly passes loosely.

    A verifier that stops with an error has not found its instruction followed; the other
    readings are still tried. One that lacks something here gives no verdict.
    """
    errors: list[str] = []
    loose, is_first = False, True
    try:
        for text in readings:
            try:
                loose = bool(verifier.check_following(text))
            except Exception as error:
                errors.append(_name_unless_lacking(error))
            if loose:
                break
            is_first = False
    except CannotRun as problem:
        return Verdict(instruction_id, None, None, unscored_reason=f"{instruction_id} {problem}")
    note = f"{instruction_id} stopped with {errors[0]}" if errors else None
    return Verdict(instruction_id, loose and is_first, loose, note=note)


def _name_unless_lacking(error: Exception) -> str:
    """Return the name of an error that a text caused; raise CannotRun if something is missing."""
    if isinstance(error, ImportError | OSError | MemoryError):
        raise CannotRun(f"cannot run here: {type(error).__name__} {error}"[:300]) from None
    if type(error) is LookupError:  # how NLTK says that data is missing; IndexError is not
        raise CannotRun(f"cannot run here: {_lacking(str(error))}") from None
    return type(error).__name__


def _lacking(message: str) -> str:
    names = re.findall(r"nltk\.download\('(\w+)'\)", message)
    return advice("it", names) if names else message.strip()[:200]
