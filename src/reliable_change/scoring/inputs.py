"""What of an archive is to be scored, and by which scorers; all of it checked at once."""

from __future__ import annotations

import json
import shlex
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import pandas as pd

from reliable_change.archive.read import Archive
from reliable_change.archive.schema import RESPONSES_FILE
from reliable_change.errors import NotInArchive
from reliable_change.scoring.parts import Items
from reliable_change.scoring.tasks import SCORERS, Scorer, no_scorer
from reliable_change.scoring.texts import Factories, ScoringError, restored
from reliable_change.scoring.verdict import Item, ItemError, NotScorable

SHOWN = 3


def check_items(items: Iterable[Item], scorers: Mapping[str, Scorer]) -> None:
    """Check that every item has a scorer that can score it, if not here.

    Raises
    ------
    ScoringError
        Naming the first three items that have none, and how many there are.
    """
    items = list(items)
    found = look_at(items, scorers)
    bad = [*found.unknown, *found.refused]
    if not bad:  # the trials of what cannot be scored here will say why
        return
    known = SCORERS.keys() | scorers.keys()
    problems = [item.error(f"has {no_scorer(item.task, known)}") for item in found.unknown]
    problems += found.refused.values()
    cures = ["mend the items"]
    if found.unknown:
        tasks = sorted({repr(item.task) for item in found.unknown})
        cures.append(
            f"give score_archive(…, scorers={{{', '.join(f'{task}: …' for task in tasks)}}}) a "
            "scorer for the task from Python, as reliable_change.scoring.batch shows"
        )
    others = {item.benchmark for item in items} - {item.benchmark for item in bad}
    if others:
        chosen = " ".join(f"--benchmark {shlex.quote(name)}" for name in sorted(others))
        cures.append(f"score the others only: .venv/bin/reliable-change score ARCHIVE {chosen}")
    raise ScoringError(
        f"{len(bad)} of {len(items)} items cannot be scored: {few(problems)}; {', or '.join(cures)}"
    )


class Found(NamedTuple):
    """Items that their scorers would not take: of no known task, refused with the error, or not
    to be scored here, with the reason.
    """

    unknown: list[Item]
    refused: dict[Item, ItemError]
    not_here: dict[Item, NotScorable]


def look_at(items: Iterable[Item], scorers: Mapping[str, Scorer]) -> Found:
    """Return which items have no scorer that can score them here, and why.

    >>> from reliable_change.scoring.tasks import default_scorers
    >>> found = look_at([Item("quiz", "1", "math"), Item("quiz", "2", "maths")], default_scorers())
    >>> [item.item_id for item in found.unknown], *map(str, found.refused.values())
    (['2'], "item '1' of 'quiz' has no reference; give it the right answer")
    """
    found = Found([], {}, {})
    for item in items:
        scorer = scorers.get(item.task)
        if scorer is None:
            found.unknown.append(item)
            continue
        try:
            scorer.check(item)
        except NotScorable as error:
            found.not_here[item] = error
        except ItemError as error:
            found.refused[item] = error
    return found


def few(problems: Iterable[object]) -> str:
    """Put the first three of some problems in words, and how many more there are."""
    problems = list(problems)
    more = f"; and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
    return "; ".join(map(str, problems[:SHOWN])) + more


def chosen_benchmarks(
    archive: Archive, benchmarks: Collection[str] | None
) -> frozenset[str] | None:
    """Return the chosen benchmarks, None if all are."""
    known = archive.manifest.benchmarks
    if benchmarks is None:
        return None
    chosen = frozenset([benchmarks] if isinstance(benchmarks, str) else benchmarks)
    unknown = sorted(chosen.difference(known))
    if unknown or not chosen:
        what = f"no benchmark {unknown[0]!r}" if unknown else "no benchmark is chosen"
        raise ScoringError(f"archive '{archive.path}': {what}; there are {', '.join(known)}")
    return None if chosen.issuperset(known) else chosen


def require_texts(archive: Archive) -> None:
    """Raise NotInArchive unless some response has a text."""
    if RESPONSES_FILE not in archive.manifest.files:
        raise NotInArchive(f"archive '{archive.path}' has no {RESPONSES_FILE}: nothing to score")
    batches = archive.response_batches(["response_text"])
    if not any(batch.column(0).null_count < len(batch) for batch in batches):
        raise NotInArchive(
            f"archive '{archive.path}' has no text in {RESPONSES_FILE}: nothing to score"
        )


def read_items(archive: Archive, benchmarks: Collection[str] | None) -> Items:
    """Return the items of some benchmarks (None: of all) by their key, as scorers want them."""
    chosen = archive.items
    if benchmarks is not None:
        chosen = chosen[chosen["benchmark"].isin(benchmarks)]
    return {(item.benchmark, item.item_id): item for item in items_of(chosen)}


def items_of(table: pd.DataFrame) -> list[Item]:
    """Return the items of a table with the archive's columns, as scorers want them."""
    columns = ["benchmark", "item_id", "task", "reference", "extra", "prompt"]
    frame = table[columns].astype(object)
    rows = frame.where(frame.notna(), None).itertuples(index=False, name=None)
    return [
        Item(
            benchmark,
            item_id,
            task,
            restored(reference),
            json.loads(extra) if extra else {},
            restored(prompt),
        )
        for benchmark, item_id, task, reference, extra, prompt in rows
    ]


def choose_factories(items: Iterable[Item], own: Factories) -> Factories:
    """Return what makes the scorers of the tasks that occur: no other has to be installed."""
    for task, make in own.items():
        if not callable(make):
            raise ScoringError(
                f"scorers[{task!r}] is a {type(make).__name__}; give what makes a scorer, such as "
                "its class"
            )
    known = {**SCORERS, **own}
    return {
        task: known[task] for task in sorted({str(item.task) for item in items}) if task in known
    }
