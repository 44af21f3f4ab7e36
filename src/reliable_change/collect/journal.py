"""The journal: every reply and every failed try in one SQLite file, written as they arrive.

One file for each request configuration, ``journal-<fingerprint>.sqlite``: other settings start
anew and never mix, while more trials, items or models go on in the same one. A transaction for
each reply, so killing the collector loses what is under way and no more. (The write-ahead log
is synced at checkpoints: a power cut may take the last replies too, and leaves the file whole.)
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Self

from reliable_change.archive.text import escape_surrogates
from reliable_change.collect.journal_file import connect, guarded, journal_path, locked
from reliable_change.collect.journal_queries import Queries
from reliable_change.collect.journal_tables import FORMAT, TABLES, session
from reliable_change.collect.plan import Plan
from reliable_change.collect.records import Attempt, Key, Reply, now_utc
from reliable_change.errors import CollectError

_LARGEST = 2**63 - 1


class Journal(Queries):
    """An open journal; a context manager. Made by `Journal.open`, one process at a time.

    Attributes
    ----------
    path : the SQLite file.
    """

    def __init__(self, path: Path, plan: Plan, *, write: bool) -> None:
        self.path = path
        self._plan = plan
        self._sums = {
            item: sha256(prompt.encode("utf-8")).hexdigest()
            for item, prompt in plan.prompts.items()
        }
        self._lock = None
        if write:
            self._lock = locked(path)
        try:
            self._connection = connect(path, write)
            with guarded(self.path):
                if write:
                    self._begin()
                self._check()
        except BaseException:
            self.close()
            raise

    @classmethod
    def open(cls, folder: Path | str, plan: Plan, *, write: bool = True) -> Self:
        """Open the journal of a plan's settings, or start it.

        Parameters
        ----------
        folder : of the collection; made if it is not there.
        write : False only reads what is there; other processes may write meanwhile.

        Raises
        ------
        CollectError
            If another process collects into it, if a prompt is not the one that was asked
            before, if it is no journal, or if there is none to read.
        """
        return cls(journal_path(folder, plan.settings), plan, write=write)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let others collect into it."""
        connection = getattr(self, "_connection", None)
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):  # all that counts is committed
                connection.close()
        if self._lock is not None:
            self._lock.close()

    def store(
        self, key: Key, reply: Reply, attempts: int, seconds: float, created_utc: str
    ) -> None:
        """Store a trial's reply: when this returns, no kill of the process can lose it.

        Parameters
        ----------
        attempts : tries that it took, the one that succeeded included.
        seconds : that the try which succeeded took.

        Raises
        ------
        CollectError
            If the trial is not in the plan or has a reply already, or the disk is full.
        """
        try:
            prompt_sum = self._sums[key.benchmark, key.item_id]
            if key.model not in self._plan.models or not 0 <= key.trial < self._plan.trials:
                raise KeyError
        except KeyError:
            raise CollectError(f"journal '{self.path}': {key} is not in the plan") from None
        values = (
            *key,
            _text(reply.finish_reason),
            _text(reply.returned_model),
            _text(reply.request_id),
            _count(reply.input_tokens),
            _count(reply.output_tokens),
            _count(reply.reasoning_tokens),
            attempts,
            created_utc,
            seconds,
            prompt_sum,
            _text(reply.refusal),
            escape_surrogates(reply.text),
        )
        marks = ", ".join("?" * len(values))
        try:
            with guarded(self.path):
                self._connection.execute(f"INSERT INTO replies VALUES ({marks})", values)
        except sqlite3.IntegrityError:
            raise CollectError(f"journal '{self.path}': {key} has a reply already") from None

    def record(self, attempt: Attempt) -> None:
        """Record a try that failed."""
        values = (
            *attempt.key,
            attempt.number,
            attempt.kind,
            attempt.transient,
            escape_surrogates(attempt.message),
            attempt.status,
            attempt.created_utc,
        )
        marks = ", ".join("?" * len(values))
        with guarded(self.path):
            self._connection.execute(f"INSERT INTO failures VALUES ({marks})", values)

    def _begin(self) -> None:
        """Make the tables if they are not there, and note this run."""
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            for statement in TABLES:
                self._connection.execute(statement)
            if not self._connection.execute("SELECT count(*) FROM header").fetchone()[0]:
                header = (FORMAT, self._plan.settings.to_json(), now_utc())
                self._connection.execute("INSERT INTO header VALUES (?, ?, ?)", header)
            content = json.dumps(session(self._plan))
            self._connection.execute("INSERT INTO sessions VALUES (?, ?)", (now_utc(), content))

    def _check(self) -> None:
        found = self._connection.execute("SELECT format, settings FROM header").fetchone()
        if found is None or found != (FORMAT, self._plan.settings.to_json()):
            raise CollectError(
                f"journal '{self.path}': was made by another version or for other settings; "
                "collect into another folder"
            )
        changed = self.prompts_changed()
        if changed:
            benchmark, item = changed[0]
            more = f" ({len(changed) - 1} more such)" if len(changed) > 1 else ""
            raise CollectError(
                f"journal '{self.path}': the prompt of item {item!r} of {benchmark!r} is not the "
                f"one that was asked before{more}; give changed items another item_id, or collect "
                "into another folder"
            )


def other_journals(folder: Path | str, plan: Plan) -> list[tuple[Path, dict, int]]:
    """Return path, settings and number of replies of each journal made with other settings.

    A file that cannot be read is passed over: nothing will be written to it.
    """
    found = []
    for path in sorted(Path(folder).glob("journal-*.sqlite")):
        if path == journal_path(folder, plan.settings):
            continue
        with contextlib.suppress(CollectError, sqlite3.Error, ValueError, TypeError):
            connection = connect(path, write=False)
            with contextlib.closing(connection):
                (settings,) = connection.execute("SELECT settings FROM header").fetchone()
                (count,) = connection.execute("SELECT sum(replies) FROM totals").fetchone()
            found.append((path, json.loads(settings), count or 0))
    return found


def _text(text: str | None) -> str | None:
    return None if text is None else escape_surrogates(text)


def _count(value: int | None) -> int | None:
    """A token count as the file can hold it; nonsense from a server is no count."""
    return value if type(value) is int and 0 <= value <= _LARGEST else None
