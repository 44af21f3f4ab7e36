"""The journal's file: where it lies, who may write to it, and what can be wrong with it."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from reliable_change.collect.records import Settings
from reliable_change.errors import CollectError
from reliable_change.locks import hold

_SPACE = "free some space and start again: what was stored is safe"
_CURES = {
    sqlite3.SQLITE_ERROR: "it holds no journal: collect first, or move the file away",
    sqlite3.SQLITE_FULL: _SPACE,
    sqlite3.SQLITE_IOERR: _SPACE,
    sqlite3.SQLITE_NOTADB: "move the file away: it is no journal",
    sqlite3.SQLITE_CORRUPT: "restore it from a copy: the file is damaged",
    sqlite3.SQLITE_BUSY: "close the other program that uses it",
}


def journal_path(folder: Path | str, settings: Settings) -> Path:
    """Return where the journal of these settings lies in a collection's folder."""
    return Path(folder) / f"journal-{settings.fingerprint}.sqlite"


def locked(path: Path) -> IO[bytes]:
    """Hold a journal for this process; raise CollectError if another collects into it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = hold(path.with_suffix(".lock"))
    except OSError as error:
        raise CollectError(f"journal '{path}': cannot be opened ({error.strerror})") from None
    if lock is None:
        raise CollectError(f"journal '{path}': another process collects into it; wait for it")
    return lock


def connect(path: Path, write: bool) -> sqlite3.Connection:
    """Open a journal's file, to write or only to read; raise CollectError if that cannot be."""
    if not write and not path.exists():
        raise CollectError(f"journal '{path}': there is none yet; collect first")
    mode = "rwc" if write else "ro"
    with guarded(path):
        # Opened where the collection starts, used in the thread that its loop runs in.
        connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode={mode}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
        )
        if write:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
        return connection


@contextlib.contextmanager
def guarded(path: Path) -> Iterator[None]:
    """Put what SQLite objects to in one line that says what to do; a doubled key passes."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.Error as error:
        raise _trouble(path, error) from None


def _trouble(path: Path, error: sqlite3.Error) -> CollectError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    cure = _CURES.get(code, "see that the folder can be written to")
    return CollectError(f"journal '{path}': {' '.join(str(error).split())}; {cure}")
