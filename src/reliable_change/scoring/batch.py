"""Scoring a whole archive: every text once, on all cores, to be interrupted and taken up again.

`score_archive` reads items and responses and writes a file of scores beside them; nothing else in
the archive changes. Tasks are scored by `tasks.SCORERS`; a scorer of one's own (see `tasks`) is
given under its task's name as what makes it, such as its class, from a module of its own::

    from my_scorers import ExactText, Rules

    score_archive("data/archives/mine", scorers={"short_answer": ExactText,
                                                 "rules": functools.partial(Rules, strict=True)})

A scorer that a script itself defines needs ``if __name__ == "__main__":`` around the call, and one
that a notebook defines ``workers=0``, since other processes cannot find it.

Where the scores go: to ``scores.parquet`` if the archive has none, otherwise to
``scores-<label>.parquet`` beside it. A verdict that is there is never replaced. If the file that
would be written is there already, made by the same scorers and versions, the texts are scored again
and compared with it: equal scores leave everything as it is; trials that had no score because
something was missing then get one; another verdict is an error.

Finished parts lie in ``.<archive>-scoring`` beside the archive's folder until the scores are
written. Started again with the same texts, items, scorers, versions and code, a batch goes on after
them; otherwise it starts over.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from reliable_change import __version__
from reliable_change.archive.read import Archive, read_archive
from reliable_change.archive.schema import ITEMS_FILE, RESPONSES_FILE
from reliable_change.scoring import parts
from reliable_change.scoring.inputs import (
    check_items,
    choose_factories,
    chosen_benchmarks,
    read_items,
    require_texts,
)
from reliable_change.scoring.parts import Items, Verdicts, read_parts
from reliable_change.scoring.progress import Kept
from reliable_change.scoring.scores_files import choose_label, put_scores
from reliable_change.scoring.tasks import Scorer
from reliable_change.scoring.texts import (
    Factories,
    Slice,
    close_scorers,
    make_scorers,
    score_here,
)
from reliable_change.scoring.workers import score_in_processes


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
    chosen = chosen_benchmarks(archive, benchmarks)
    require_texts(archive)
    items = read_items(archive, chosen)
    factories = choose_factories(items.values(), scorers or {})
    made = make_scorers(factories)
    try:
        check_items(items.values(), made)
        target = choose_label(archive, label, made, is_whole=chosen is None)
        kept = Kept(_folder(archive), _fingerprint(archive, made, chosen))
        try:
            count = _score_parts(archive, items, chosen, factories, made, kept, workers, progress)
            is_new = put_scores(archive, target, kept, count)
            kept.remove()
        finally:
            kept.close()
    finally:
        close_scorers(made)
    return Scored(read_archive(archive.path) if is_new else archive, target, is_new)


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
        with contextlib.closing(done):  # an interrupt ends the processes at once
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
