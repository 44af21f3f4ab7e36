"""What can be read from a journal: what is done, what was used, what failed, and every reply."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

from reliable_change.collect.journal_file import guarded
from reliable_change.collect.journal_tables import REPLY, USAGE, Done, Stored
from reliable_change.collect.records import Attempt, Key, Usage


class Queries:
    """The reading half of `journal.Journal`, which opens the file.

    Attributes
    ----------
    path : the SQLite file.
    """

    path: Path
    _connection: sqlite3.Connection
    _sums: Mapping[tuple[str, str], str]  # sha256 of the prompt of each of the plan's items

    def done(self, model: str) -> Done:
        """Return which trials of a model have a reply: a set of keys, in little memory."""
        done = Done()
        asked = "SELECT benchmark, item_id, trial FROM replies WHERE model = ?"
        for benchmark, item, trial in self._rows(asked, model):
            done.add(Key(benchmark, item, model, trial))
        return done

    def failed_tries(self, model: str) -> dict[Key, int]:
        """Count the failed tries of a model's trials that still have no reply."""
        asked = """SELECT benchmark, item_id, model, trial, count(*) FROM failures AS f
            WHERE model = ? AND NOT EXISTS (SELECT 1 FROM replies AS r WHERE
            r.benchmark = f.benchmark AND r.item_id = f.item_id AND r.model = f.model
            AND r.trial = f.trial) GROUP BY 1, 2, 3, 4"""
        return {Key(*key): count for *key, count in self._rows(asked, model)}

    def counts(self) -> dict[str, int]:
        """Count the replies of each model that has any."""
        return {model: used.replies for model, used in self.usage().items()}

    def usage(self) -> dict[str, Usage]:
        """Return what each model's replies used."""
        asked = f"SELECT model, {USAGE} FROM totals GROUP BY model"
        return {model: Usage(*sums) for model, *sums in self._rows(asked)}

    def cell_usage(self) -> dict[tuple[str, str], Usage]:
        """Return what the replies of each (benchmark, model) used."""
        asked = f"SELECT benchmark, model, {USAGE} FROM totals GROUP BY benchmark, model"
        rows = self._rows(asked)
        return {(benchmark, model): Usage(*sums) for benchmark, model, *sums in rows}

    def failures(self) -> dict[str, int]:
        """Count the failed tries by kind, the commonest first."""
        asked = "SELECT kind, count(*) FROM failures GROUP BY kind ORDER BY 2 DESC, 1"
        return dict(self._rows(asked))

    def attempts(self) -> Iterator[Attempt]:
        """Return every failed try, in the order in which they were recorded."""
        for *key, number, kind, transient, message, status, created in self._rows(
            "SELECT * FROM failures ORDER BY rowid"
        ):
            yield Attempt(Key(*key), number, kind, bool(transient), message, status, created)

    def replies(self, *, texts: bool = True) -> Iterator[Stored]:
        """Return every stored reply in the order of the key, texts left out if wanted.

        Texts are as archives hold them: see `archive.text.escape_surrogates`.
        """
        columns = ", ".join(
            f"NULL AS {name}" if name in ("refusal", "response_text") and not texts else name
            for name in REPLY
        )
        asked = f"SELECT {columns} FROM replies ORDER BY benchmark, item_id, model, trial"
        return map(Stored._make, self._rows(asked))

    def in_vain(self, tries: int) -> Iterator[Stored]:
        """Return the trials without a reply that failed at least so often, in key order.

        As rows without a text, with finish reason "error" and no seconds. Only tries that could
        have been repeated count: a used-up quota says nothing of the trial.
        """
        asked = """SELECT benchmark, item_id, model, trial, 'error', NULL, NULL, NULL, NULL, NULL,
            count(*), max(created_utc), NULL, '', NULL, NULL FROM failures AS f
            WHERE NOT EXISTS (SELECT 1 FROM replies AS r WHERE
            r.benchmark = f.benchmark AND r.item_id = f.item_id AND r.model = f.model
            AND r.trial = f.trial) GROUP BY 1, 2, 3, 4 HAVING sum(transient) >= ?
            ORDER BY 1, 2, 3, 4"""
        return map(Stored._make, self._rows(asked, tries))

    def sessions(self) -> list[dict]:
        """Return when and with what the journal was written: a dict for each run."""
        rows = self._rows("SELECT started_utc, content FROM sessions ORDER BY rowid")
        return [{"started_utc": started, **json.loads(content)} for started, content in rows]

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read one and the same state within, whatever another process writes meanwhile.

        What is stored within is committed at its end.
        """
        with guarded(self.path):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            with guarded(self.path):
                self._connection.execute("COMMIT")

    def prompts_changed(self) -> list[tuple[str, str]]:
        """Return the items whose replies answer another prompt than the plan's."""
        asked = "SELECT prompt_sha256 FROM replies WHERE benchmark = ? AND item_id = ? LIMIT 1"
        return [
            item
            for item, known in self._sums.items()
            for (found,) in self._rows(asked, *item)
            if found != known
        ]

    def _rows(self, asked: str, *values: str | int) -> Iterator[tuple]:
        with guarded(self.path):
            yield from self._connection.execute(asked, values)
