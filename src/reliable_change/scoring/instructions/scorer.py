"""The scorer of instruction following: all instructions of an item, strict and loose."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from reliable_change.scoring.bounded import BoundedWorker, CallFailed, OutOfBounds
from reliable_change.scoring.instructions.checklist import Instruction, instructions_of
from reliable_change.scoring.instructions.judge import Verdict, judge
from reliable_change.scoring.instructions.loose import Readings
from reliable_change.scoring.instructions.needs import what_is_missing
from reliable_change.scoring.instructions.prepare import CannotPrepare, prepare
from reliable_change.scoring.instructions.surroundings import undisturbed
from reliable_change.scoring.instructions.verifiers import Verifier, Verifiers, load
from reliable_change.scoring.verdict import Item, NotScorable, Reading

# Some verifiers take time in proportion to the square of a text's length, so a longer text is
# read in a process that can be stopped; so is any text if an item's own pattern repeats.
LONG = 10_000  # characters
_CANNOT_RUN_FOR_EVER = re.compile(r"[^*+{]*")
_REMEMBERED = 256  # the last texts: a model that repeats itself is read once
_NO_VERIFIERS = "no verifiers of IFBench and IFEval are installed: pip install {}".format(
    "'reliable-change[score]'"
)


@dataclass(frozen=True)
class _Step:
    """One instruction with its verifier, or with the reason why that cannot run here."""

    instruction: Instruction
    verifier: Verifier | None
    missing: str | None
    may_run_for_ever: bool


@dataclass(frozen=True, eq=False)
class _Checklist:
    """An item's steps, what they were made from, and what they all lack here."""

    extra: Mapping[str, object]
    prompt: str | None
    steps: list[_Step]
    missing: str | None
    may_run_for_ever: bool


class Instructions:
    """Scorer of the task `instruction`, by the official verifiers of IFBench and IFEval.

    An item's extra holds `instruction_id_list` and `kwargs`, as in IFBench and IFEval. A reply
    is correct if it follows every instruction. Strict reads the reply as it is; loose accepts an
    instruction that any of the official variants follows (`loose.readings`). `score` is the
    share of the item's instructions that are strictly followed.

    Verdicts depend on item, text and versions alone: what verifiers leave to chance is seeded,
    a parameter is never drawn, and nothing is downloaded. If one of an item's verifiers cannot
    run here, no trial of the item can be scored; `judge` still gives the other verdicts.

    Parameters
    ----------
    seconds, megabytes : bound on one instruction of a text that is long, or of an item whose own
        pattern repeats; beyond it, the reply is not scorable. Other texts are read directly,
        since no verifier takes long over them. Megabytes are of address space, of which the
        libraries alone take two to seven thousand, by the number of cores.
    """

    name = "instruction"
    has_loose = True

    def __init__(self, *, seconds: float = 5.0, megabytes: int = 8192) -> None:
        self._worker = BoundedWorker(
            "reliable_change.scoring.instructions.child:check", seconds=seconds, megabytes=megabytes
        )
        self._checklists: dict[tuple[str, str], _Checklist] = {}
        self._judge_remembered = lru_cache(_REMEMBERED)(self._judge_anew)

    @cached_property
    def version(self) -> str:
        """Our own version, then those of the verifiers' packages and of what these use."""
        libraries = f", {self._verifiers.libraries}" if self._verifiers.libraries else ""
        return f"2 ({self._verifiers.packages}{libraries})"

    def close(self) -> None:
        """End the process for long texts; it starts again when needed."""
        self._worker.close()

    def check(self, item: Item) -> None:
        """Check that all instructions of an item can be judged here.

        Raises
        ------
        ItemError
            If one is not known or lacks a parameter.
        NotScorable
            If a verifier cannot run here; the message has the command that mends it.
        """
        missing = self._checklist(item).missing
        if missing is not None:
            raise NotScorable(missing)

    def read(self, item: Item, text: str) -> Reading:
        """Return whether a reply follows all instructions, strictly and loosely.

        Raises
        ------
        NotScorable
            If a verifier gives no verdict on it here; the message says why.
        """
        verdicts = self.judge(item, text)
        reasons = dict.fromkeys(v.unscored_reason for v in verdicts if v.unscored_reason)
        if reasons:
            raise NotScorable("; ".join(reasons))
        notes = dict.fromkeys(verdict.note for verdict in verdicts if verdict.note)
        return Reading(
            answered=True,
            correct=all(verdict.strict for verdict in verdicts),
            correct_loose=all(verdict.loose for verdict in verdicts),
            score=sum(verdict.strict for verdict in verdicts) / len(verdicts),
            note="; ".join(notes) or None,
        )

    def judge(self, item: Item, text: str) -> tuple[Verdict, ...]:
        """Return the verdict on each instruction of an item, in its order.

        >>> rules = ["punctuation:no_comma", "startend:quotation"]
        >>> item = Item("IFEval", "1", "instruction", extra={"instruction_id_list": rules})
        >>> [(v.strict, v.loose) for v in Instructions().judge(item, '*"No comma"*')]
        [(True, True), (False, True)]
        """
        checklist = self._checklist(item)
        if len(text) > LONG:
            return self._judge_anew(checklist, text)
        return self._judge_remembered(checklist, text)

    @cached_property
    def _verifiers(self) -> Verifiers:
        return load()

    @cached_property
    def _undisturbed(self) -> undisturbed:
        return undisturbed(self._verifiers.modules)

    def _checklist(self, item: Item) -> _Checklist:
        key = (item.benchmark, item.item_id)
        known = self._checklists.get(key)
        if known is None or known.extra != item.extra or known.prompt != item.prompt:
            steps = [self._step(item, instruction) for instruction in instructions_of(item)]
            lacking = dict.fromkeys(step.missing for step in steps if step.missing)
            extra = copy.deepcopy(dict(item.extra))
            known = _Checklist(
                extra,
                item.prompt,
                steps,
                missing="; ".join(lacking) or None,
                may_run_for_ever=any(step.may_run_for_ever for step in steps),
            )
            self._checklists[key] = known
        return known

    def _step(self, item: Item, instruction: Instruction) -> _Step:
        if not self._verifiers.kinds:
            return _Step(instruction, None, _NO_VERIFIERS, False)
        try:
            verifier = prepare(instruction, item.prompt, self._verifiers)
        except CannotPrepare as problem:
            raise item.error(str(problem)) from None
        bounded = not all(map(_CANNOT_RUN_FOR_EVER.fullmatch, instruction.patterns()))
        return _Step(instruction, verifier, what_is_missing(instruction.id), bounded)

    def _judge_anew(self, checklist: _Checklist, text: str) -> tuple[Verdict, ...]:
        is_bounded = len(text) > LONG or checklist.may_run_for_ever
        outside = self._outside(checklist, text) if is_bounded else {}
        texts = Readings(text)
        with self._undisturbed:
            return tuple(
                [
                    outside.get(number) or _verdict(step, texts)
                    for number, step in enumerate(checklist.steps)
                ]
            )

    def _outside(self, checklist: _Checklist, text: str) -> dict[int, Verdict]:
        """The verdicts that are found in another process, by the number of the step."""
        is_long = len(text) > LONG
        return {
            number: self._verdict_within_bounds(step.instruction, checklist.prompt, text)
            for number, step in enumerate(checklist.steps)
            if text.strip() and step.missing is None and (is_long or step.may_run_for_ever)
        }

    def _verdict_within_bounds(
        self, instruction: Instruction, prompt: str | None, text: str
    ) -> Verdict:
        import nltk

        name = instruction.id
        try:
            strict, loose, reason, note = self._worker.call(
                list(nltk.data.path), name, instruction.parameters, prompt, text
            )
        except (OutOfBounds, CallFailed) as error:
            return Verdict(
                name, None, None, unscored_reason=f"{name} gives no verdict here ({error})"
            )
        return Verdict(name, strict, loose, reason, note)


def _verdict(step: _Step, texts: list[str]) -> Verdict:
    name = step.instruction.id
    if step.missing is not None:
        return Verdict(name, None, None, unscored_reason=step.missing)
    return judge(name, step.verifier, texts)
