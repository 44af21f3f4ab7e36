"""Which file an archive's new scores go to, so that none is ever replaced."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from reliable_change.archive.read import Archive
from reliable_change.archive.schema import KEY, SCORES, SCORES_FILE, scores_file
from reliable_change.archive.tables import to_table
from reliable_change.archive.write import write_scores
from reliable_change.scoring.progress import Kept
from reliable_change.scoring.tasks import Scorer
from reliable_change.scoring.texts import ScoringError

LONGEST_LABEL = 100


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


def choose_label(
    archive: Archive, label: str | None, scorers: Mapping[str, Scorer], *, is_whole: bool
) -> str | None:
    """Return the label of the file to write, None for the archive's own scores.parquet.

    Raises
    ------
    ScoringError
        If there is a file under the label with verdicts of other scorers or versions.
    """
    files, ours = archive.manifest.files, {(one.name, one.version) for one in scorers.values()}
    if is_whole and SCORES_FILE not in files:
        return None
    if is_whole and label is None and _versions(archive, None) <= ours:
        return None
    label = default_label(scorers.values()) if label is None else label
    if scores_file(label) in files and not (theirs := _versions(archive, label)) <= ours:
        made = ", ".join(f"{name} {version}" for name, version in sorted(theirs))
        raise ScoringError(
            f"archive '{archive.path}' has {scores_file(label)} already, made by {made}; "
            "give the new scores another label (NAME=…)"
        )
    return label


def put_scores(archive: Archive, label: str | None, kept: Kept, count: int) -> bool:
    """Write the scores, or return False if the same ones are there already.

    A file that is there is written again only if each of its verdicts stays as it is, and trials
    without one get it, or a note that they lack.

    Raises
    ------
    ScoringError
        If a verdict differs from the one that is there.
    """
    if scores_file(label) in archive.manifest.files:
        ours = (to_table(table, SCORES_FILE) for table in kept.tables(count))
        theirs = (pa.Table.from_batches([batch]) for batch in archive.score_batches(scorer=label))
        differences = {_difference(*rows) for rows in _side_by_side(ours, theirs)}
        if "verdict" in differences:
            raise ScoringError(
                f"archive '{archive.path}' has {scores_file(label)} already, made by the same "
                "scorers, and its verdicts or trials differ from the new ones; give the new "
                "scores a label (NAME=…), for which they are kept"
            )
        if differences <= {None}:
            return False
    write_scores(archive.path, kept.tables(count), scorer=label)
    return True


def _versions(archive: Archive, label: str | None) -> set[tuple[str, str]]:
    """Return names and versions of the scorers that a file's verdicts come from."""
    found, columns = set(), ["category", "scorer", "scorer_version"]
    for batch in archive.score_batches(columns, scorer=label):
        rows = pa.table({name: batch.column(name).cast(pa.string()) for name in columns})
        kinds = rows.group_by(columns).aggregate([]).to_pylist()
        found |= {
            (row["scorer"] or "", row["scorer_version"] or "") for row in kinds if row["category"]
        }
    return found


def _side_by_side(
    ours: Iterator[pa.Table], theirs: Iterator[pa.Table]
) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Cut two streams of rows, however each is cut, into pieces of the same length.

    What one of them has beyond the other comes last, beside an empty table.
    """
    one = other = SCORES.empty_table()
    while True:
        one = one if len(one) else next(ours, one).cast(SCORES)
        other = other if len(other) else next(theirs, other).cast(SCORES)
        size = min(len(one), len(other)) or max(len(one), len(other))
        if size == 0:
            return
        yield one.slice(0, size).combine_chunks(), other.slice(0, size).combine_chunks()
        one, other = one.slice(size), other.slice(size)


def _difference(new: pa.Table, old: pa.Table) -> str | None:
    """Tell whether tables differ in a verdict or a key, only in what was missing, or not at all.

    Another note is no difference: how a comparison was stopped depends on the machine.
    """
    if len(new) != len(old) or not new.select(list(KEY)).equals(old.select(list(KEY))):
        return "verdict"
    was_noted = pc.is_valid(old["note"])
    new = new.set_column(
        new.column_names.index("note"), "note", pc.if_else(was_noted, old["note"], new["note"])
    )
    if new.equals(old):
        return None
    scored = pc.is_valid(old["category"])
    verdicts = [table.filter(scored).drop_columns(["note"]) for table in (new, old)]
    return "missing" if verdicts[0].equals(verdicts[1]) else "verdict"
