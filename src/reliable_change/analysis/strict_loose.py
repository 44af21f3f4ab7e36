"""What strict and loose reading decide, instruction by instruction, on an archive's real texts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pandas as pd

from reliable_change.archive.read import Archive
from reliable_change.archive.schema import KEY
from reliable_change.errors import NotInArchive
from reliable_change.scoring.categories import by_signal
from reliable_change.scoring.inputs import read_items
from reliable_change.scoring.instructions.judge import Verdict
from reliable_change.scoring.instructions.scorer import Instructions
from reliable_change.scoring.texts import restored
from reliable_change.scoring.verdict import Item, ItemError, NotScorable, Response

MOST = 3_000  # texts that are judged: a few seconds
SHOWN = 2  # examples of an instruction
LINE = 70  # characters of a line that are shown

Key = tuple[str, str, str, int]
Items = Mapping[tuple[str, str], Item]


class Judged(NamedTuple):
    """Replies by key, each with the verdicts on its instructions; `trials` as in `judge_texts`."""

    replies: dict[Key, tuple[str, tuple[Verdict, ...]]]
    trials: int


def judge_texts(archive: Archive, most: int = MOST) -> Judged:
    """Judge whole replies to instruction items, each instruction by itself.

    Cut, refused and blank replies are left out, since no verifier decides about them. About
    `most` texts are read: the same number (`trials`) of first trials of each item and model.

    Raises
    ------
    NotInArchive
        If the archive has no instruction items of IFBench's or IFEval's kind, or no texts.
    """
    with contextlib.closing(Instructions()) as scorer:
        items = _usable(archive, scorer)
        trials = max(1, most // (len(items) * len(archive.manifest.models)))
        replies = {
            key: (text, scorer.judge(items[key[:2]], text))
            for key, text in _whole_replies(archive, items, trials)
        }
    if not replies:
        raise NotInArchive(f"{archive.path.name} has no texts of replies to its instruction items")
    return Judged(replies, trials)


def by_instruction(judged: Judged) -> pd.DataFrame:
    """Count what each reading decides, for instructions on which the two differ.

    Returns
    -------
    DataFrame
        instruction, replies (judged), strict, loose (how many follow it), only_loose, unscored
        (how many could not be judged here) and the reason; most of only_loose first. The last row
        is for all instructions, also those that are not shown, and tells of how many first trials.
    """
    frame = pd.DataFrame(
        [
            (v.instruction, v.strict is not None, bool(v.strict), bool(v.loose), v.unscored_reason)
            for _, verdicts in judged.replies.values()
            for v in verdicts
        ],
        columns=["instruction", "replies", "strict", "loose", "reason"],
    )
    frame["only_loose"] = frame["loose"] & ~frame["strict"]
    frame["unscored"] = ~frame["replies"]
    counts = ["replies", "strict", "loose", "only_loose", "unscored"]
    groups = frame.groupby("instruction")
    found = groups[counts].sum().join(groups["reason"].first()).reset_index()
    is_part = max(trial for *_, trial in judged.replies) + 1 >= judged.trials
    every = {"instruction": "all", **found[counts].sum()}
    if is_part:
        every["instruction"] = f"all, first {judged.trials} trials"
    found = found[(found["only_loose"] > 0) | (found["unscored"] > 0)]
    found = found.sort_values(["only_loose", "instruction"], ascending=[False, True])
    found = pd.concat([found, pd.DataFrame([every])], ignore_index=True)
    return found[["instruction", *counts, "reason"]]


def only_loosely(judged: Judged) -> pd.DataFrame:
    """Show the first two replies that follow an instruction only loosely, for each instruction.

    Returns
    -------
    DataFrame
        instruction, item_id, model, trial, first_line, last_line (their beginnings) and asterisks
        (how many): what the loose reading may leave out.
    """
    columns = ["instruction", "item_id", "model", "trial", "first_line", "last_line", "asterisks"]
    found = []
    for (_, item_id, model, trial), (text, verdicts) in judged.replies.items():
        lines = text.strip().split("\n")
        ends = (_short(lines[0]), _short(lines[-1]), text.count("*"))
        found += [
            (verdict.instruction, item_id, model, trial, *ends)
            for verdict in verdicts
            if verdict.loose and not verdict.strict
        ]
    frame = pd.DataFrame(found, columns=columns).groupby("instruction").head(SHOWN)
    return frame.sort_values("instruction", kind="stable", ignore_index=True)


def agreement(archive: Archive, judged: Judged) -> pd.DataFrame:
    """Compare these verdicts with those of the archive's own scores, as far as it has any.

    Returns
    -------
    DataFrame
        reading, trials (that have both verdicts), agree.

    Raises
    ------
    NotInArchive
        If the archive's scores have no verdict on any of these replies.
    """
    counts = {"strict": [0, 0], "loose": [0, 0]}
    columns = [*KEY, "category", "correct", "correct_loose"]
    for batch in archive.score_batches(columns):
        lists = (batch.column(name).to_pylist() for name in columns)
        for *key, category, correct, correct_loose in zip(*lists, strict=True):
            _, verdicts = judged.replies.get(tuple(key), (None, ()))
            if category is None or not verdicts or any(v.strict is None for v in verdicts):
                continue
            for reading, recorded in (("strict", correct), ("loose", correct_loose)):
                if recorded is not None:
                    here = all(getattr(verdict, reading) for verdict in verdicts)
                    counts[reading][0] += 1
                    counts[reading][1] += here == recorded
    rows = [(reading, *count) for reading, count in counts.items() if count[0]]
    if not rows:
        raise NotInArchive(f"{archive.path.name} has no scores of these replies")
    return pd.DataFrame(rows, columns=["reading", "trials", "agree"])


def _usable(archive: Archive, scorer: Instructions) -> Items:
    """The instruction items that the scorer can judge, at least in part."""
    items = {}
    for key, item in read_items(archive, None).items():
        if item.task != "instruction":
            continue
        with contextlib.suppress(ItemError):
            with contextlib.suppress(NotScorable):
                scorer.check(item)
            items[key] = item
    if not items:
        raise NotInArchive(f"{archive.path.name} has no item that lists its instructions")
    return items


def _whole_replies(archive: Archive, items: Items, trials: int) -> Iterator[tuple[Key, str]]:
    columns = [*KEY, "response_text", "finish_reason", "refusal"]
    for batch in archive.response_batches(columns):
        frame = batch.to_pandas().astype(object)
        frame = frame[frame["trial"] < trials]
        frame = frame.where(frame.notna(), None)
        for *key, text, finish, refusal in frame.itertuples(index=False, name=None):
            is_whole = text and text.strip() and by_signal(Response(text, finish, refusal)) is None
            if is_whole and tuple(key[:2]) in items:
                yield tuple(key), restored(text)


def _short(line: str) -> str:
    line = " ".join(line.split())
    return line if len(line) <= LINE else f"{line[:LINE]}…"
