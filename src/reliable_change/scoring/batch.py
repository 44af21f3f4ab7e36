"""Scoring a whole archive: every text once, on all cores, to be interrupted and taken up again.

`score_archive` reads items and responses and writes a file of scores beside them; nothing else in
the archive changes. Tasks are scored by `tasks.SCORERS`; a scorer of one's own (see `tasks`) is
given under its task's name as what makes it, such as its class, from a module of its own::

    from my_scorers import ExactText, Rules

    score_archive("data/archives/mine", scorers={"short_answer": ExactText,
                                                 "rules": functools.partial(Rules, strict=True)})

Where the scores go: to ``scores.parquet`` if the archive has none, otherwise to
``scores-<label>.parquet`` beside it. Existing scores are never replaced. If the file that would be
written is there already, made by the same scorers and versions, the texts are scored again and
compared with it: equal scores leave everything as it is, others are an error.

Finished parts lie in ``.<archive>-scoring`` beside the archive's folder until the scores are
written. Started again with the same texts, items, scorers, versions and code, a batch goes on after
them; otherwise it starts over.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from tqdm import tqdm

from reliable_change import __version__
from reliable_change.archive.read import Archive, read_archive
from reliable_change.archive.schema import (
    ITEMS_FILE,
    RESPONSES_FILE,
    SCORES,
    SCORES_FILE,
    scores_file,
)
from reliable_change.archive.tables import to_table
from reliable_change.archive.write import write_scores
from reliable_change.errors import NotInArchive
from reliable_change.scoring import parts
from reliable_change.scoring.parts import Items, Verdicts, read_parts
from reliable_change.scoring.progress import Kept
from reliable_change.scoring.tasks import SCORERS, Scorer
from reliable_change.scoring.verdict import Item, ItemError
from reliable_change.scoring.workers import (
    Factories,
    ScoringError,
    Slice,
    close_scorers,
    make_scorers,
    restored,
    score_here,
    score_in_processes,
)

SHOWN = 3
LONGEST_LABEL = 100


@dataclass(frozen=True)
class Scored:
    """What came of scoring an archive: its label is None for the archive's own scores.parquet,
    and `is_new` tells whether the file was written, not found to be there already."""

    archive: Archive
    label: str | None
    is_new: bool


def score_archive(
    archive: Archive | str | os.PathLike,
    *,
    scorers: Mapping[str, Callable[[], Scorer]] | None = None,
    benchmarks: Collection[str] | None = None,
    label: str | None = None,
    workers: int | None = None,
    progress: bool = True,
) -> Archive:
    """Score all texts of an archive and return the archive with its new scores.

    Parameters
    ----------
    archive : Archive, path or str
        An archive with responses; a folder, or the name of one in data/archives.
    scorers : mapping of task to callable, optional
        What makes the scorer of a task, such as its class; added to `tasks.SCORERS` or put in
        place of an entry. Each process makes its own once, so it must be picklable.
    benchmarks : collection of str, optional
        Score only these; the scores then go to ``scores-<label>.parquet`` in any case.
    label : str, optional
        Names a second file of scores; by default made of the scorers' names and versions, as in
        "math-1+multiple_choice-1". An archive without scores gets scores.parquet whatever it is.
    workers : int, optional
        Number of processes; by default as many as there are cores. With 0, everything is done in
        this process: scorers may be defined anywhere then, but nothing ends one that hangs.
    progress : bool
        Show a progress bar.

    Returns
    -------
    Archive
        Read anew. `compare.changed_verdicts` compares its files of scores.

    Raises
    ------
    ScoringError
        If items cannot be scored (all are checked first), there are no texts, a file of scores
        is there already and differs, or another process is at work; nothing is written then.

    Examples
    --------
    >>> import tempfile, pandas as pd
    >>> from reliable_change.archive.write import write_archive
    >>> items = pd.DataFrame({"benchmark": ["quiz"], "item_id": ["1"], "task": "multiple_choice",
    ...     "reference": "B", "extra": '{"options": ["one", "two"]}'})
    >>> responses = items[["benchmark", "item_id"]].assign(
    ...     model="new", trial=0, response_text="Answer: B", finish_reason="stop")
    >>> manifest = {
    ...     "name": "one", "kind": "collected", "description": "One trial.", "models": ["new"],
    ...     "edges": [], "benchmarks": ["quiz"], "trials_per_item": 1, "complete": True,
    ...     "created_utc": "2026-01-01T00:00:00+00:00", "licence": "CC0-1.0"}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = write_archive(f"{folder}/one", manifest, items, responses, None)
    ...     score_archive(path, workers=0, progress=False).scores()["category"].tolist()
    ['correct']
    """
    return score_texts(
        archive,
        scorers=scorers,
        benchmarks=benchmarks,
        label=label,
        workers=workers,
        progress=progress,
    ).archive


def score_texts(
    archive: Archive | str | os.PathLike,
    *,
    scorers: Mapping[str, Callable[[], Scorer]] | None = None,
    benchmarks: Collection[str] | None = None,
    label: str | None = None,
    workers: int | None = None,
    progress: bool = True,
) -> Scored:
    """Do as `score_archive`, and tell which file the scores are in and whether it is new."""
    if not isinstance(archive, Archive):
        archive = read_archive(archive)
    chosen = _chosen_benchmarks(archive, benchmarks)
    _require_texts(archive)
    items = _items(archive, chosen)
    factories = _factories(items.values(), scorers or {})
    made = make_scorers(factories)
    try:
        check_items(items.values(), made)
        target = _target(archive, label, made, is_whole=chosen is None)
        kept = Kept(_folder(archive), _fingerprint(archive, made, chosen))
        try:
            count = _score_parts(archive, items, chosen, factories, made, kept, workers, progress)
            is_new = _put(archive, target, kept, count)
            kept.remove()
        finally:
            kept.close()
    finally:
        close_scorers(made)
    return Scored(read_archive(archive.path) if is_new else archive, target, is_new)


def check_items(items: Iterable[Item], scorers: Mapping[str, Scorer]) -> None:
    """Check that every item has a scorer that can score it.

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


def default_label(scorers: Iterable[Scorer]) -> str:
    """Make a label of scorers' names and the first words of their versions.

    >>> from types import SimpleNamespace
    >>> default_label([SimpleNamespace(name="exact text", version="2 (numpy 2.1)")])
    'exact-text-2'
    """
    words = {f"{scorer.name}-{(scorer.version.split() or ['0'])[0]}" for scorer in scorers}
    label = "+".join(re.sub(r"[^\w.+-]+", "-", word) for word in sorted(words))
    if len(label) <= LONGEST_LABEL:
        return label
    return f"scorers-{hashlib.sha256(label.encode()).hexdigest()[:8]}"


def _chosen_benchmarks(
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


def _require_texts(archive: Archive) -> None:
    if RESPONSES_FILE not in archive.manifest.files:
        raise NotInArchive(f"archive '{archive.path}' has no {RESPONSES_FILE}: nothing to score")
    batches = archive.response_batches(["response_text"])
    if not any(batch.column(0).null_count < len(batch) for batch in batches):
        raise NotInArchive(
            f"archive '{archive.path}' has no text in {RESPONSES_FILE}: nothing to score"
        )


def _items(archive: Archive, benchmarks: Collection[str] | None) -> Items:
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


def _factories(items: Iterable[Item], own: Factories) -> Factories:
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


def _target(
    archive: Archive, label: str | None, scorers: Mapping[str, Scorer], *, is_whole: bool
) -> str | None:
    """Return the label of the file to write, None for the archive's own.

    Raises
    ------
    ScoringError
        If there is a file under the label that other scorers or versions have made.
    """
    files, ours = archive.manifest.files, {(one.name, one.version) for one in scorers.values()}
    if is_whole and SCORES_FILE not in files:
        return None
    if is_whole and label is None and _versions(archive, None) == ours:
        return None
    label = default_label(scorers.values()) if label is None else label
    if scores_file(label) in files and (theirs := _versions(archive, label)) != ours:
        made = ", ".join(f"{name} {version}" for name, version in sorted(theirs))
        raise ScoringError(
            f"archive '{archive.path}' has {scores_file(label)} already, made by {made}; "
            "give the new scores another label (NAME=…)"
        )
    return label


def _versions(archive: Archive, label: str | None) -> set[tuple[str, str]]:
    """Return names and versions of the scorers that made a file of scores."""
    found = set()
    for batch in archive.score_batches(["scorer", "scorer_version"], scorer=label):
        pairs = pa.table(
            {name: batch.column(name).cast(pa.string()) for name in batch.schema.names}
        )
        for row in pairs.group_by(pairs.column_names).aggregate([]).to_pylist():
            found.add((row["scorer"] or "", row["scorer_version"] or ""))
    return found


def _folder(archive: Archive) -> Path:
    path = archive.path.resolve()
    return path.parent / f".{path.name}-scoring"


def _fingerprint(
    archive: Archive, scorers: Mapping[str, Scorer], benchmarks: Collection[str] | None
) -> dict:
    """Return everything that the scores and the division into parts depend on."""
    source = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        source.update(path.read_bytes())
    return {
        "files": {name: archive.manifest.files[name] for name in (ITEMS_FILE, RESPONSES_FILE)},
        "scorers": {task: [one.name, one.version] for task, one in scorers.items()},
        "benchmarks": benchmarks and sorted(benchmarks),
        "part": [parts.PART_TEXTS, parts.PART_ROWS, parts.PART_CHARACTERS],
        "code": [__version__, source.hexdigest()],
    }


def _score_parts(
    archive: Archive,
    items: Items,
    benchmarks: Collection[str] | None,
    factories: Factories,
    scorers: Mapping[str, Scorer],
    kept: Kept,
    workers: int | None,
    progress: bool,
) -> int:
    """Score every part that is not kept yet; return the number of parts."""
    begun: dict[int, Verdicts] = {}
    count = 0
    total = _count_rows(archive, benchmarks)
    with tqdm(total=total, unit="text", disable=None if progress else True) as bar:

        def slices() -> Iterator[Slice]:
            nonlocal count
            for part in read_parts(archive, items, benchmarks):
                count += 1
                if kept.has(part.number, len(part.keys)):
                    bar.update(len(part.keys))
                    continue
                begun[part.number] = Verdicts.of(part)
                yield from part.slices()

        workers = (os.cpu_count() or 1) if workers is None else workers
        if workers == 0:
            done = score_here(slices(), factories)
        else:
            done = score_in_processes(slices(), factories, scorers, workers=workers)
        for piece, rows in done:
            verdicts = begun[piece.part]
            verdicts.add(piece.start, rows)
            if not verdicts.open:
                kept.put(piece.part, begun.pop(piece.part).table())
                bar.update(len(verdicts.keys))
    return count


def _count_rows(archive: Archive, benchmarks: Collection[str] | None) -> int:
    total = 0
    for batch in archive.response_batches(["benchmark"]):
        names = batch.column(0)
        total += (
            len(names) if benchmarks is None else sum(n in benchmarks for n in names.to_pylist())
        )
    return total


def _put(archive: Archive, label: str | None, kept: Kept, count: int) -> bool:
    """Write the scores; or return False if the same ones are there already."""
    if scores_file(label) not in archive.manifest.files:
        write_scores(archive.path, kept.tables(count), scorer=label)
        return True
    ours = (to_table(table, SCORES_FILE) for table in kept.tables(count))
    theirs = (pa.Table.from_batches([batch]) for batch in archive.score_batches(scorer=label))
    if _same_rows(ours, theirs):
        return False
    kept.remove()
    raise ScoringError(
        f"archive '{archive.path}' has {scores_file(label)} already, made by the same scorers, and "
        "its scores or trials differ from the new ones; give the new scores a label (NAME=…)"
    )


def _same_rows(ours: Iterator[pa.Table], theirs: Iterator[pa.Table]) -> bool:
    """Compare two streams of rows, however each is cut."""
    one = other = SCORES.empty_table()
    while True:
        one = one if len(one) else next(ours, one).cast(SCORES)
        other = other if len(other) else next(theirs, other).cast(SCORES)
        size = min(len(one), len(other))
        if size == 0:
            return len(one) == len(other)
        if not one.slice(0, size).combine_chunks().equals(other.slice(0, size).combine_chunks()):
            return False
        one, other = one.slice(size), other.slice(size)
