"""Writing archives: sorted, checked, hashed, and put in place in one step or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import uuid
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from reliable_change.archive.files import sha256
from reliable_change.archive.manifest import Manifest, parse_manifest
from reliable_change.archive.problems import quoted
from reliable_change.archive.read import locate_archive, read_folder
from reliable_change.archive.schema import (
    CODED,
    ITEMS_FILE,
    MANIFEST_FILE,
    RESPONSES_FILE,
    SCORES_FILE,
    schema_of,
    scores_file,
)
from reliable_change.archive.tables import sort_by_key, to_table
from reliable_change.errors import ArchiveError

Rows = pd.DataFrame | pa.Table | Iterable[pa.Table]

# Rows a row group: so many are held in memory while rows are written as they come.
GROUP_ROWS = 2**16


def write_archive(
    folder: str | os.PathLike,
    manifest: Mapping | Manifest,
    items: pd.DataFrame | pa.Table,
    responses: Rows | None,
    scores: Rows | None,
    *,
    replace: bool = False,
) -> Path:
    """Write an archive: sort by key, check everything, then put the folder in place.

    The same input gives the same bytes within one version of pyarrow.

    Parameters
    ----------
    folder : path
        Where the archive shall lie; its parents are made.
    manifest : mapping
        Keys as in `Manifest`; ``files`` is filled in.
    items, responses, scores : DataFrame, Table or (the last two) iterable of Tables
        Rows with the columns of `schema`; `tables.to_table` says what passes. An iterable is
        written as it comes, in key order, so its rows need not fit in memory. At least one of
        responses and scores is needed.
    replace : bool
        Replace an archive that lies there already. Without it, that is an error: collected
        responses are never overwritten by accident.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    ArchiveError
        On whatever `read_archive` would object to; nothing is left behind then.

    Examples
    --------
    >>> import tempfile
    >>> items = pd.DataFrame({"benchmark": ["quiz"], "item_id": ["007"]})
    >>> scores = items.assign(model="new", trial=0, category="correct", correct=True)
    >>> manifest = {
    ...     "name": "one", "kind": "collected", "description": "One trial.", "models": ["new"],
    ...     "edges": [], "benchmarks": ["quiz"], "trials_per_item": 1, "complete": True,
    ...     "created_utc": "2026-01-01T00:00:00+00:00", "licence": "CC0-1.0",
    ... }
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = write_archive(f"{folder}/one", manifest, items, None, scores)
    ...     sorted(file.name for file in path.iterdir())
    ['items.parquet', 'manifest.json', 'scores.parquet']
    """
    target = Path(folder)
    if target.exists() and not replace:
        raise ArchiveError(f"archive '{target}': exists; name another folder or pass replace=True")
    content = manifest.to_dict() if isinstance(manifest, Manifest) else dict(manifest)
    rows = {ITEMS_FILE: items, RESPONSES_FILE: responses, SCORES_FILE: scores}
    with _draft_of(target) as draft:
        given = [name for name in rows if rows[name] is not None]
        for name in given:
            _write_rows(draft / name, rows[name])
        _write_manifest(draft, content, {name: sha256(draft / name) for name in given})
    return target


def write_scores(folder: str | os.PathLike, scores: Rows, *, scorer: str | None = None) -> Path:
    """Put scores into an archive, in place of its own or as those of a second scorer.

    Items, responses and whatever else lies in the folder stay as they are. With a scorer, the
    scores go to ``scores-<scorer>.parquet``. Otherwise as `write_archive`.
    """
    target = locate_archive(folder)
    name = scores_file(scorer)
    if re.fullmatch(r"scores(-[\w.+-]+)?\.parquet", name) is None:
        raise ArchiveError(f"scorer {quoted(scorer)}: use letters, digits and the signs . _ + -")
    with _draft_of(target) as draft:
        content = json.loads((target / MANIFEST_FILE).read_text(encoding="utf-8"))
        for found in target.iterdir():
            if found.name not in {name, MANIFEST_FILE}:
                _link(found, draft / found.name)
        _write_rows(draft / name, scores)
        _write_manifest(draft, content, {**content["files"], name: sha256(draft / name)})
    return target


@contextlib.contextmanager
def _draft_of(target: Path) -> Iterator[Path]:
    """Hand out a folder beside the target; check it and put it in place, or remove it."""
    mark = uuid.uuid4().hex[:8]
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.parent / f".{target.name}-{mark}"
    draft.mkdir()
    try:
        yield draft
        read_folder(draft)
        _put_in_place(draft, target, target.parent / f".{target.name}-{mark}-old")
    except ArchiveError as error:
        raise ArchiveError(f"archive '{target}' not written: {error}") from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _put_in_place(draft: Path, target: Path, old: Path) -> None:
    if not target.exists():
        draft.rename(target)
        return
    target.rename(old)
    try:
        draft.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old)


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # a folder, or a file system without hard links
        copy = shutil.copytree if source.is_dir() else shutil.copy2
        copy(source, target)


def _write_rows(path: Path, rows: Rows) -> None:
    if isinstance(rows, pd.DataFrame | pa.Table):
        tables: Iterable[pa.Table] = [sort_by_key(to_table(rows, path.name))]
    else:
        tables = (to_table(table, path.name) for table in rows)
    schema = pa.schema([field.with_nullable(True) for field in schema_of(path.name)])
    # Only the types of parquet itself are stored, so the bytes do not depend on how arrow or
    # pandas held the columns before.
    options = {
        "compression": "zstd",
        "store_schema": False,
        "use_dictionary": [name for name in schema.names if name in CODED or name == "trial"],
    }
    with pq.ParquetWriter(path, schema, **options) as writer:
        for group in _row_groups(tables, GROUP_ROWS):
            writer.write_table(group, row_group_size=GROUP_ROWS)


def _row_groups(tables: Iterable[pa.Table], size: int) -> Iterator[pa.Table]:
    """Cut a stream of tables into pieces of equal size, however it was cut before."""
    held: list[pa.Table] = []
    for table in tables:
        held.append(table)
        while sum(map(len, held)) >= size:
            whole = pa.concat_tables(held)
            yield whole.slice(0, size).combine_chunks()
            held = [whole.slice(size)]
    if sum(map(len, held)):
        yield pa.concat_tables(held).combine_chunks()


def _write_manifest(draft: Path, content: dict, files: dict[str, str]) -> None:
    manifest = parse_manifest({**content, "files": files})
    text = json.dumps(manifest.to_dict(), indent=1, ensure_ascii=False) + "\n"
    (draft / MANIFEST_FILE).write_text(text, encoding="utf-8")
