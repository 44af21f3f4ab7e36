"""Finished parts of a batch, kept in a folder until all are done, so that a batch can go on."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from reliable_change.locks import hold
from reliable_change.scoring.texts import ScoringError

FINGERPRINT = "fingerprint.json"


class Kept:
    """A folder of finished parts, one parquet file each.

    Parameters
    ----------
    folder : made if it is not there.
    fingerprint : everything that the scores depend on. Parts in the folder that were made under
        another one are removed.

    Raises
    ------
    ScoringError
        If another process is at work in the folder.
    """

    def __init__(self, folder: Path, fingerprint: Mapping) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = _lock(folder / "lock")
        known = json.dumps(fingerprint, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        mark = folder / FINGERPRINT
        if not mark.exists() or mark.read_text(encoding="utf-8") != known:
            for old in folder.glob("part-*"):
                old.unlink()
            _replace(mark, lambda path: path.write_text(known, encoding="utf-8"))

    def has(self, number: int, rows: int) -> bool:
        """Tell whether a part is there and whole.

        A part with trials that could not be scored is not: what they need may be here by now.
        """
        try:
            category = pq.read_table(self._path(number), columns=["category"])["category"]
            return len(category) == rows and category.null_count == 0
        except (OSError, pa.ArrowInvalid):
            return False

    def put(self, number: int, table: pa.Table) -> None:
        """Keep a part."""
        _replace(self._path(number), lambda path: pq.write_table(table, path, compression="zstd"))

    def tables(self, count: int) -> Iterator[pa.Table]:
        """Return the parts 0 to count − 1, one after another."""
        return (pq.read_table(self._path(number)) for number in range(count))

    def remove(self) -> None:
        """Remove the folder: all is done."""
        for part in self.folder.glob("part-*"):
            part.unlink()
        self.close()

    def close(self) -> None:
        """Let others work in the folder, and remove it if nothing is kept in it."""
        self._lock.close()
        if not any(self.folder.glob("part-*")):
            shutil.rmtree(self.folder, ignore_errors=True)

    def _path(self, number: int) -> Path:
        return self.folder / f"part-{number:06d}.parquet"


def _replace(path: Path, write) -> None:
    """Write beside, then rename: a file under its own name is whole."""
    draft = path.with_name(f"{path.name}.draft")
    write(draft)
    os.replace(draft, path)


def _lock(path: Path) -> contextlib.AbstractContextManager:
    held = hold(path)
    if held is None:
        where = path.parent
        raise ScoringError(
            f"another process is scoring this archive (it works in '{where}'); wait for it"
        )
    return held
