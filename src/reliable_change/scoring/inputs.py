"""What of an archive is to be scored, and by which scorers; all of it checked at once."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping

from reliable_change.archive.read import Archive
from reliable_change.archive.schema import RESPONSES_FILE
from reliable_change.errors import NotInArchive
from reliable_change.scoring.parts import Items
from reliable_change.scoring.tasks import SCORERS, Scorer
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
    problems, total, tasks = [], 0, set()
    for item in items:
        total += 1
        scorer = scorers.get(item.task)
        try:
            if scorer is None:
                tasks.add(item.task)
                raise item.error(f"has task {item.task!r}, for which there is no scorer")
            scorer.check(item)
        except NotScorable:
            continue  # each of its trials will say why
        except ItemError as error:
            problems.append(str(error))
    if not problems:
        return
    shown = "; ".join(problems[:SHOWN])
    more = f"; and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
    cure = "mend the items, or score the other benchmarks only"
    if tasks:
        entries = ", ".join(f"{task!r}: …" for task in sorted(tasks, key=str))
        cure = (
            f"from Python, give score_archive(…, scorers={{{entries}}}) a scorer for the task, "
            "as reliable_change.scoring.batch shows, or score the other benchmarks only"
        )
    raise ScoringError(f"{len(problems)} of {total} items cannot be scored: {shown}{more}; {cure}")


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
    columns = ["benchmark", "item_id", "task", "reference", "extra", "prompt"]
    frame = archive.items[columns].astype(object)
    rows = frame.where(frame.notna(), None).itertuples(index=False, name=None)
    return {
        (benchmark, item_id): Item(
            benchmark,
            item_id,
            task,
            restored(reference),
            json.loads(extra) if extra else {},
            restored(prompt),
        )
        for benchmark, item_id, task, reference, extra, prompt in rows
        if benchmarks is None or benchmark in benchmarks
    }


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
