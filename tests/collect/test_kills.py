"""Killed fifty times at random moments, a collection is complete in the end and doubles nothing."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections import Counter

import numpy as np
import pytest

from reliable_change.collect.journal import Journal
from reliable_change.collect.practice.faults import TRANSIENT, evenly
from reliable_change.collect.practice.server import PracticeServer
from tests.collect.collecting import collect_and_note, plan_of
from tests.collect.made_up import CONTENT, contents, write_made_up

KILLS = 50
ITEMS, TRIALS = 30, 50  # times two models: 3,000 trials
LONGEST = 0.2  # seconds: at 36 replies in a tenth of one, far from all the work in 50 lives
# A hanging request would only be waited for: no process here lives long enough.
FAULTS = evenly(0.2, sorted(TRANSIENT.keys() - {"timeout"}))


@pytest.fixture
def processes():
    """Processes that start at once, as all they import is there: forked from one that waits."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.collect.collecting"])
    return context


def rows_of(folder, plan) -> dict[tuple, tuple]:
    with Journal.open(folder, plan, write=False) as journal:
        return {(r.benchmark, r.item_id, r.model, r.trial): r for r in journal.replies()}


def size(notes) -> int:
    return notes.stat().st_size if notes.exists() else 0


def until(condition) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "no process gets as far as a reply"
        time.sleep(0.005)


def test_fifty_kills_lose_nothing_and_double_nothing(tmp_path, processes):
    source = write_made_up(tmp_path / "source", items=ITEMS, trials=TRIALS)
    folder, notes = tmp_path / "journal", tmp_path / "notes"
    rng = np.random.default_rng(20260817)
    with PracticeServer(source, FAULTS, delay=0.1, wait=0.01) as server:
        plan = plan_of(source, server.base_url, TRIALS)
        given = (source, server.base_url, TRIALS, folder, notes)
        before: dict[tuple, tuple] = {}
        grew = 0
        for life in range(KILLS):
            process = processes.Process(target=collect_and_note, args=given)
            process.start()
            if life % 2:  # wait until it collects; the others may die while they start
                known = size(notes)
                until(lambda known=known: size(notes) > known)
            time.sleep(LONGEST * rng.random())
            process.kill()
            process.join()
            assert process.exitcode == -signal.SIGKILL, "it ended before it was killed"
            if not size(notes):  # not one of them came as far as a reply
                continue
            now = rows_of(folder, plan)
            acknowledged = set(notes.read_text().split())
            held = {row.request_id for row in now.values()}
            assert acknowledged <= held, "a reply was acknowledged and is lost"
            assert before.items() <= now.items(), "a stored reply changed"
            grew += len(now) > len(before)
            server.restock(held)
            before = now
        assert grew >= KILLS // 2
        assert 0 < len(before) < len(plan.prompts) * 2 * TRIALS
        process = processes.Process(target=collect_and_note, args=given)
        process.start()
        process.join()
        assert process.exitcode == 0
    replies = rows_of(folder, plan).values()
    assert len(replies) == 3_000
    assert len({reply.request_id for reply in replies}) == 3_000, "a reply is stored twice"
    columns = ("benchmark", "item_id", "model", *CONTENT)
    assert Counter(tuple(getattr(r, name) for name in columns) for r in replies) == contents(source)
