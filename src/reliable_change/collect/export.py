"""From a journal to an archive: items and responses, and what is missing in sentences."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from heapq import merge
from itertools import islice
from operator import itemgetter
from pathlib import Path

import pyarrow as pa
from tqdm import tqdm

from reliable_change.archive.schema import RESPONSES, RESPONSES_FILE
from reliable_change.archive.tables import to_table
from reliable_change.archive.write import write_archive
from reliable_change.collect.journal import Journal
from reliable_change.collect.journal_tables import Stored
from reliable_change.collect.plan import Plan
from reliable_change.errors import CollectError

BATCH_ROWS = 2**13


def export(
    source: Journal | Path | str,
    plan: Plan,
    archive: Path | str,
    *,
    replace: bool = False,
    error_after: int | None = None,
) -> Path:
    """Write what a journal holds of a plan as an archive without scores.

    Missing replies make it incomplete, which its manifest says in sentences; nothing else of it
    changes when they are collected and it is exported again. Replies that the plan does not ask
    for (a model that was dropped, a lowered K) stay in the journal only. ``created_utc`` of the
    manifest is the time of the last reply. Score it afterwards.

    Parameters
    ----------
    source : an open journal, or the folder of the collection; it may be collected into
        meanwhile.
    plan : as it was collected.
    archive : where the archive shall lie.
    replace : put it in place of an archive that lies there, scores included.
    error_after : trials that failed so often in all and have no reply count as collected, in
        category `api_error`: without a text, with finish reason "error". None leaves them missing.

    Raises
    ------
    CollectError
        If there is no journal or it holds none of the plan's trials.
    ArchiveError
        If the archive's folder exists (without `replace`).
    """
    if not isinstance(source, Journal):
        with Journal.open(source, plan, write=False) as journal:
            return export(journal, plan, archive, replace=replace, error_after=error_after)
    with source.snapshot():
        found = _survey(source, plan, error_after)
        if found.cells.total() == found.errors:
            raise CollectError(f"journal '{source.path}': holds no reply of this plan yet")
        manifest = _manifest(plan, found, source.sessions(), source.failures())
        total = found.cells.total()
        responses = _shown(_tables(source, plan, error_after), total)
        return write_archive(archive, manifest, plan.items, responses, None, replace=replace)


@dataclass
class _Found:
    """What a journal holds of a plan."""

    cells: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    returned: dict[str, Counter[str]] = field(default_factory=dict)
    last: str = ""
    errors: int = 0


def _wanted(
    journal: Journal, plan: Plan, error_after: int | None, *, texts: bool
) -> Iterator[Stored]:
    models = frozenset(plan.models)
    rows = journal.replies(texts=texts)
    if error_after is not None:
        rows = merge(rows, journal.in_vain(error_after), key=itemgetter(0, 1, 2, 3))
    for row in rows:
        asked = row.model in models and (row.benchmark, row.item_id) in plan.prompts
        if asked and row.trial < plan.trials:
            yield row


def _survey(journal: Journal, plan: Plan, error_after: int | None) -> _Found:
    found = _Found()
    for row in _wanted(journal, plan, error_after, texts=False):
        found.cells[row[:3]] += 1
        if row.seconds is None:
            found.errors += 1
            continue
        returned = found.returned.setdefault(row.model, Counter())
        returned[row.returned_model or "not stated"] += 1
        found.last = max(found.last, row.created_utc, key=_moment)
    return found


def _moment(text: str) -> float:
    return datetime.fromisoformat(text).timestamp() if text else float("-inf")


def _tables(journal: Journal, plan: Plan, error_after: int | None) -> Iterator[pa.Table]:
    rows = _wanted(journal, plan, error_after, texts=True)
    places = [Stored._fields.index(name) for name in RESPONSES.names]
    schema = pa.schema([column.with_nullable(True) for column in RESPONSES])
    while batch := list(islice(rows, BATCH_ROWS)):
        arrays = [
            pa.array([row[place] for row in batch], column.type)
            for place, column in zip(places, schema, strict=True)
        ]
        yield to_table(pa.table(arrays, schema=schema), RESPONSES_FILE)


def _shown(tables: Iterator[pa.Table], total: int) -> Iterator[pa.Table]:
    """Pass tables on under a bar, on a terminal and if it takes more than a moment."""
    with tqdm(desc="export", total=total, unit="trial", disable=None, delay=1.0) as bar:
        for table in tables:
            yield table
            bar.update(len(table))


def _manifest(plan: Plan, found: _Found, sessions: list[dict], failures: dict[str, int]) -> dict:
    incomplete = _incomplete(plan, found)
    settings = plan.settings
    code = dict.fromkeys(f"reliable-change {run['reliable_change']}" for run in sessions)
    return {
        "name": plan.name,
        "kind": "collected",
        "description": plan.description,
        "models": plan.models,
        "edges": plan.edges,
        "benchmarks": plan.benchmarks,
        "labels": dict(plan.labels),
        "short_labels": dict(plan.short_labels),
        "strata": {name: dict(columns) for name, columns in plan.strata.items()},
        "slots": dict(plan.slots),
        "trials_per_item": plan.trials,
        "complete": not incomplete,
        "incomplete": incomplete,
        "request": {
            **json.loads(settings.to_json()),
            "concurrency": plan.concurrency,
            "seed": plan.seed,
            "returned_models": {model: dict(names) for model, names in found.returned.items()},
            "failed_tries": failures,
            "api_errors": found.errors,
            "sessions": sessions,
        },
        "prompt_version": plan.prompt_version,
        "code_version": ", ".join(code),
        "created_utc": found.last,
        "licence": plan.licence,
    }


def _incomplete(plan: Plan, found: _Found) -> list[str]:
    """Say for each model and benchmark how many trials are missing."""
    sentences = []
    for model in plan.models:
        for benchmark in plan.benchmarks:
            items = [item for owner, item in plan.prompts if owner == benchmark]
            counts = [found.cells[benchmark, item, model] for item in items]
            total = len(items) * plan.trials
            missing, without = total - sum(counts), counts.count(0)
            if missing:
                note = f"; {without} of {len(items)} items have none" if without else ""
                sentences.append(
                    f"{missing:,} of {total:,} trials of {model} on {benchmark} are not "
                    f"collected{note}."
                )
    return sentences
