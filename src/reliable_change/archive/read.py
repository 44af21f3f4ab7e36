"""Reading archives: find the folder, check it, hand out items whole and trials in batches."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

import pandas as pd
import pyarrow as pa

from reliable_change.archive import coverage, validate
from reliable_change.archive.files import check_schema, read_batches, read_table, sha256
from reliable_change.archive.keys import CellNumbers
from reliable_change.archive.manifest import Manifest, read_manifest
from reliable_change.archive.problems import problem
from reliable_change.archive.schema import (
    ITEM_KEY,
    ITEMS_FILE,
    MANIFEST_FILE,
    RESPONSES_FILE,
    SCORES_FILE,
    scores_file,
)
from reliable_change.errors import ArchiveError, NotInArchive
from reliable_change.paths import ARCHIVES


@dataclasses.dataclass(frozen=True)
class Archive:
    """A checked archive: its manifest and items (sorted by key) in memory, its trials on disk.

    Frames have pandas' text type for texts, Int64 and boolean for integers and verdicts that
    may be missing, so no integer turns into a float. Batches hold `schema.CODED` texts as
    dictionary codes.
    """

    path: Path
    manifest: Manifest
    items: pd.DataFrame

    def scores(
        self, columns: Iterable[str] | None = None, *, scorer: str | None = None
    ) -> pd.DataFrame:
        """Return some columns (all by default) of the scores, one row a trial, in key order."""
        return _frame(read_table(self._file(scores_file(scorer)), columns))

    def responses(self, columns: Iterable[str] | None = None) -> pd.DataFrame:
        """Return some columns (all by default) of the responses, one row a trial, in key order."""
        return _frame(read_table(self._file(RESPONSES_FILE), columns))

    def score_batches(
        self, columns: Iterable[str] | None = None, *, scorer: str | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Stream some columns (all by default) of the scores in key order."""
        return read_batches(self._file(scores_file(scorer)), columns)

    def response_batches(self, columns: Iterable[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Stream some columns (all by default) of the responses in key order."""
        return read_batches(self._file(RESPONSES_FILE), columns)

    @cached_property
    def cells(self) -> CellNumbers:
        """The numbers of the pairs (item, model), in key order."""
        keys = pa.Table.from_pandas(self.items[["benchmark", "item_id"]], preserve_index=False)
        text = pa.schema([("benchmark", pa.string()), ("item_id", pa.string())])
        return CellNumbers(keys.cast(text), self.manifest.models)

    @cached_property
    def missing(self) -> pd.DataFrame:
        """What is missing: benchmark, item_id, model, expected and found trials, in key order.

        Counted in the scores (in the responses where there are none) against the manifest's
        trials_per_item. Where that is null, against the trials 0 up to the highest that the
        item has for the model, at least one.
        """
        scored = SCORES_FILE in self.manifest.files
        path = self.path / (SCORES_FILE if scored else RESPONSES_FILE)
        found = coverage.count_rows(path, self.cells)
        return coverage.missing_trials(found, self.cells, self.manifest.trials_per_item)

    def _file(self, name: str) -> Path:
        if name not in self.manifest.files:
            raise NotInArchive(f"archive '{self.manifest.name}' has no {name}; it cannot give that")
        return self.path / name


def locate_archive(name_or_path: str | os.PathLike) -> Path:
    """Find an archive's folder: a name in data/archives, or else a path.

    Raises
    ------
    ArchiveError
        If there is no such folder; the message lists the archives that exist.
    """
    given = os.fspath(name_or_path)
    is_name = isinstance(name_or_path, str) and given not in {"", ".", ".."}
    if is_name and Path(given).name == given and (ARCHIVES / given).is_dir():
        return ARCHIVES / given
    if given and Path(given).is_dir():
        return Path(given)
    names = sorted(folder.parent.name for folder in ARCHIVES.glob(f"[!.]*/{MANIFEST_FILE}"))
    raise ArchiveError(
        f"archive '{given}': no such folder; give a path or one of the archives in "
        f"data/archives: {', '.join(names) or 'there are none yet'}"
    )


def read_archive(folder: str | os.PathLike, *, verify: bool = True) -> Archive:
    """Read an archive and check it.

    Parameters
    ----------
    folder : str or path
        A folder, or the name of one in data/archives.
    verify : bool
        Check also every row and every checksum, in one pass over the files and in memory in
        proportion to items. Without it only manifest, schemas and items are checked.

    Raises
    ------
    ArchiveError
        On the first thing that is wrong: one line that names file, column and first rows.

    Examples
    --------
    >>> read_archive("no-such-archive")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    ...
    reliable_change.errors.ArchiveError: archive 'no-such-archive': no such folder; give a path ...
    """
    path = locate_archive(folder)
    try:
        return read_folder(path, verify)
    except ArchiveError as error:
        raise ArchiveError(f"archive '{path}': {error}") from None


def read_folder(path: Path, verify: bool = True) -> Archive:
    """Read an archive from exactly this folder; its errors leave out which folder it is."""
    manifest = read_manifest(path)
    _check_files(path, manifest)
    tables = [name for name in manifest.files if name.endswith(".parquet")]
    for name in tables:
        check_schema(path / name)
    items = read_table(path / ITEMS_FILE)
    try:
        validate.check_items(items, manifest)
        # Items may lie in any order in their file; trials may not.
        items = items.sort_by([(name, "ascending") for name in ITEM_KEY])
        archive = Archive(path, manifest, _frame(items))
        if verify:
            _check_trials(archive, [name for name in tables if name != ITEMS_FILE])
    except ArchiveError as error:
        # What is wrong in the rows tells more than a checksum, but the checksum tells why.
        changed = _changed_files(path, manifest) if verify else []
        note = f" (changed since the manifest was written: {', '.join(changed)})" if changed else ""
        raise ArchiveError(f"{error}{note}") from None
    for name in _changed_files(path, manifest) if verify else []:
        what = "its sha256 is not the one in manifest.json: one of the two was changed"
        raise problem(name, None, what, "fetch or write the archive again")
    return archive


def _check_files(path: Path, manifest: Manifest) -> None:
    for name in manifest.files:
        if not (path / name).is_file():
            raise problem(name, None, "no such file, though manifest.json lists it", "fetch it")
    for name in sorted(found.name for found in path.glob("*.parquet")):
        if name not in manifest.files:
            raise problem(name, None, "manifest.json does not list it", "list it or remove it")
        if name not in {ITEMS_FILE, RESPONSES_FILE, SCORES_FILE} and not name.startswith("scores-"):
            raise problem(name, None, "is no file of an archive", "move it elsewhere")
    if ITEMS_FILE not in manifest.files:
        raise problem(ITEMS_FILE, None, "is missing", "an archive needs its items")
    if not {RESPONSES_FILE, SCORES_FILE} & manifest.files.keys():
        what = f"is missing, and {RESPONSES_FILE} too"
        raise problem(SCORES_FILE, None, what, "an archive needs one of the two")


def _check_trials(archive: Archive, names: list[str]) -> None:
    for name in names:
        found = validate.check_rows(archive.path / name, archive.cells)
        if archive.manifest.complete and name in {RESPONSES_FILE, SCORES_FILE}:
            coverage.check_complete(name, found, archive.cells, archive.manifest)
    # In a complete archive both hold every trial, so neither can hold one more.
    if not archive.manifest.complete and {RESPONSES_FILE, SCORES_FILE} <= set(names):
        scores, responses = archive.path / SCORES_FILE, archive.path / RESPONSES_FILE
        coverage.check_answered(scores, responses, archive.cells)


def _changed_files(path: Path, manifest: Manifest) -> list[str]:
    return [name for name, known in manifest.files.items() if sha256(path / name) != known]


def _frame(table: pa.Table) -> pd.DataFrame:
    nullable = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
    frame = table.to_pandas(types_mapper=nullable.get)
    return frame.astype({"trial": "int64"}) if "trial" in frame.columns else frame
