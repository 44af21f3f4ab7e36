"""A collecting process to be killed: it notes each reply outside the journal once it is stored."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import openai  # noqa: F401 - imported once, where processes are forked from
from tqdm import tqdm

from reliable_change.archive.read import read_archive
from reliable_change.collect import run
from reliable_change.collect.crew import Manner
from reliable_change.collect.journal import Journal
from reliable_change.collect.plan import Plan
from reliable_change.collect.records import Settings
from reliable_change.collect.retry import Backoff


def plan_of(source: Path, base_url: str, trials: int) -> Plan:
    """All items and models of an archive."""
    archive = read_archive(source, verify=False)
    settings = Settings(base_url=base_url)
    return Plan("killed", archive.items, archive.manifest.models, trials, settings=settings)


def collect_and_note(source: Path, base_url: str, trials: int, folder: Path, notes: Path) -> None:
    """Collect; append each trial's request id to the notes after `Journal.store` has returned."""
    tqdm.set_lock(threading.RLock())  # its own takes a semaphore, which a kill would leave behind
    noted = os.open(notes, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    class NotingJournal(Journal):
        def store(self, key, reply, *rest) -> None:
            super().store(key, reply, *rest)
            os.write(noted, f"{reply.request_id}\n".encode("ascii"))

    run.Journal = NotingJournal
    plan = plan_of(source, base_url, trials)
    manner = Manner(backoff=Backoff(first=0.01, cap=0.05))
    run.collect(plan, folder, progress=False, manner=manner)
