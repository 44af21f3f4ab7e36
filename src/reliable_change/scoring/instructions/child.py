"""What the bounded process runs for a text that might keep a verifier busy for ever."""

from __future__ import annotations

import nltk

from reliable_change.scoring.instructions.checklist import Instruction
from reliable_change.scoring.instructions.judge import judge
from reliable_change.scoring.instructions.loose import Readings
from reliable_change.scoring.instructions.prepare import prepare
from reliable_change.scoring.instructions.surroundings import undisturbed
from reliable_change.scoring.instructions.verifiers import load

_VERIFIERS = load()  # while the process starts, outside the bound on a call


def check(
    places: list[str], instruction_id: str, parameters: dict, prompt: str | None, text: str
) -> list:
    """Judge one instruction on one text; `places` are where NLTK's data lies.

    Returns strict, loose, the reason if it cannot be scored, and the note: JSON, as the process
    answers in.
    """
    nltk.data.path[:] = places
    verifier = prepare(Instruction(instruction_id, parameters), prompt, _VERIFIERS)
    with undisturbed(_VERIFIERS.modules):
        verdict = judge(instruction_id, verifier, Readings(text))
    return [verdict.strict, verdict.loose, verdict.unscored_reason, verdict.note]
