"""From an instruction to a verifier that is ready to run, with the item's parameters exactly."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from reliable_change.scoring.instructions.checklist import Instruction
from reliable_change.scoring.instructions.surroundings import Drawn, undisturbed
from reliable_change.scoring.instructions.verifiers import Verifier, Verifiers


class _Literal(NamedTuple):
    """A parameter that a verifier would draw afresh although an item sets it."""

    name: str
    applies: Callable[[object], bool]
    accepted: object  # what the verifier takes while it is being made


# Real items hold both: a span that starts at word 0, and "#" as the letter to count.
_LITERAL = {
    "repeat:repeat_span": _Literal("n_start", lambda value: value == 0, 1),
    "keywords:letter_frequency": _Literal(
        "letter", lambda x: isinstance(x, str) and len(x) == 1 and not "a" <= x.lower() <= "z", "a"
    ),
}


class CannotPrepare(Exception):
    """The item's instruction makes no verifier; the message says why, after the item's name."""


def prepare(instruction: Instruction, prompt: str | None, verifiers: Verifiers) -> Verifier:
    """Return the verifier of an instruction.

    Raises
    ------
    CannotPrepare
        If there is no such instruction, a parameter is missing or is of no use to the verifier,
        or would be replaced by a random one.
    """
    kind = verifiers.kinds.get(instruction.id)
    if kind is None:
        raise _failure(instruction, f"that nobody knows ({verifiers.packages}); mend its id")
    for pattern in instruction.patterns():
        try:
            re.compile(pattern)
        except re.error as fault:
            problem = f"whose {pattern!r} is no regular expression, which it must be: {fault}"
            raise _failure(instruction, problem) from None
    verifier = kind(instruction.id)
    parameters = dict(instruction.parameters)
    literal = _LITERAL.get(instruction.id)
    if literal is None or not literal.applies(parameters.get(literal.name)):
        literal = None
    else:
        parameters[literal.name] = literal.accepted
    with undisturbed(verifiers.modules, chance=False):
        _set_parameters(verifier, instruction, parameters)
        if "prompt" in (verifier.get_instruction_args() or {}) and prompt is not None:
            _set_parameters(verifier, instruction, {"prompt": prompt})
    if literal is not None:
        _set_literally(verifier, instruction, literal.name)
    _check_none_missing(instruction, verifier.get_instruction_args() or {})
    return verifier


def _set_parameters(verifier: Verifier, instruction: Instruction, parameters: dict) -> None:
    try:
        verifier.build_description(**parameters)
    except Drawn:
        keys = verifier.get_instruction_args_keys()
        _check_none_missing(instruction, {key: parameters.get(key) for key in keys})
        given = {key: parameters[key] for key in keys}
        problem = f"with {given!r:.200}, of which its verifier would replace one at random"
        raise _failure(instruction, problem) from None
    except Exception as fault:
        raise _failure(instruction, f"whose kwargs do not fit: {fault}") from None


def _set_literally(verifier: Verifier, instruction: Instruction, name: str) -> None:
    value = instruction.parameters[name]
    setattr(verifier, f"_{name}", value)
    if (verifier.get_instruction_args() or {}).get(name) != value:
        raise _failure(instruction, f"whose {name} {value!r} its verifier cannot use")


def _check_none_missing(instruction: Instruction, parameters: dict) -> None:
    missing = sorted(name for name, value in parameters.items() if value is None)
    if missing:
        raise _failure(instruction, f"without {', '.join(missing)}: give it in its kwargs")


def _failure(instruction: Instruction, problem: str) -> CannotPrepare:
    return CannotPrepare(f"has an instruction {instruction.id!r} {problem}")
