"""The journal loses nothing that it acknowledged, holds nothing twice, and says what is wrong."""

from __future__ import annotations

import dataclasses
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reliable_change.archive.text import restore_surrogates
from reliable_change.collect.journal import Journal, other_journals
from reliable_change.collect.journal_file import journal_path
from reliable_change.collect.journal_tables import Done
from reliable_change.collect.plan import work_order
from reliable_change.collect.records import Attempt, Settings, Usage
from reliable_change.errors import CollectError
from reliable_change.paths import ROOT
from tests.collect.kill_me import ITEMS, TRIALS
from tests.collect.plans import MADE, key, reply, small_plan, store_all

KILLS = 50


def start(*arguments: str, **options) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def stored(folder, plan, *, texts: bool = True) -> list:
    with Journal.open(folder, plan, write=False) as journal:
        return list(journal.replies(texts=texts))


def run_one(running: subprocess.Popen, kill_after: int | None = None) -> tuple[list, int]:
    """Let `kill_me` start a collector and kill it; what it acknowledged, and how it ended."""
    said: list[tuple[str, ...]] = []
    print(file=running.stdin, flush=True)
    process = int(running.stdout.readline().split()[1])
    while (words := tuple(running.stdout.readline().split()))[0] != "ended":
        said.append(words)
        if len(said) == kill_after:
            os.kill(process, signal.SIGKILL)
    return said, int(words[1])


@pytest.mark.skipif(os.name != "posix", reason="needs fork and SIGKILL")
def test_fifty_kills_lose_nothing_and_store_nothing_twice(tmp_path):
    """Killed at random moments, between any two instructions, until all is stored."""
    plan, rng = small_plan(ITEMS, TRIALS), np.random.default_rng(20261130)
    acknowledged: list[tuple[str, ...]] = []
    own = {"stdin": subprocess.PIPE, "start_new_session": True}
    with start("-m", "tests.collect.kill_me", str(tmp_path), **own) as running:
        too_long = threading.Timer(300, os.killpg, (running.pid, signal.SIGKILL))  # fail, not hang
        too_long.daemon = True
        too_long.start()
        for kills in range(1, KILLS + 1):
            said, ended = run_one(running, int(rng.integers(1, 120)))
            assert ended == -signal.SIGKILL
            acknowledged += said
            rows = stored(tmp_path, plan, texts=False)
            found = {(row.item_id, row.model, str(row.trial)) for row in rows}
            assert set(acknowledged) <= found
            assert len(found) - len(acknowledged) <= kills  # stored, killed before it was said
        said, ended = run_one(running)
        acknowledged += said
        too_long.cancel()
        running.stdin.close()
        assert (ended, running.stderr.read()) == (0, "")
    rows = stored(tmp_path, plan)
    assert len({row[:4] for row in rows}) == len(rows) == plan.total
    begins = [f"{row.model} {row.item_id} {row.trial} " for row in rows]
    assert all(row.response_text.startswith(text) for row, text in zip(rows, begins, strict=True))
    assert set(Counter(acknowledged).values()) == {1}  # nothing was asked for again


SECOND = """
import sys
from reliable_change.collect.journal import Journal
from tests.collect.plans import small_plan
Journal.open(sys.argv[1], small_plan())
"""


def test_a_second_collector_is_refused_and_readers_are_not(tmp_path):
    plan = small_plan()
    with Journal.open(tmp_path, plan) as journal:
        other = start("-c", SECOND, str(tmp_path))
        assert "another process collects into it; wait for it" in other.communicate()[1]
        assert other.returncode == 1
        with pytest.raises(CollectError, match="another process collects into it; wait for it"):
            Journal.open(tmp_path, plan)
        journal.store(key(), reply(), 1, 0.1, MADE)
        assert len(stored(tmp_path, plan)) == 1
    with Journal.open(tmp_path, plan):
        pass  # the lock is let go of


@pytest.mark.parametrize("field", ["text", "refusal", "finish_reason", "returned_model"])
@pytest.mark.parametrize("text", ["x \ud835 y", "", "nan", "a\rb\0c", "\ufffd{d835}", "'; DROP --"])
def test_texts_come_back_as_they_were(tmp_path, field, text):
    plan = small_plan()
    with Journal.open(tmp_path, plan) as journal:
        journal.store(key(), dataclasses.replace(reply(), **{field: text}), 1, 0.1, MADE)
        (row,) = journal.replies()
    found = row.response_text if field == "text" else getattr(row, field)
    assert (restore_surrogates(found) if "\ud835" in text else found) == text


def test_everything_else_of_a_reply_is_kept(tmp_path):
    with Journal.open(tmp_path, small_plan()) as journal:
        journal.store(key(1, "old", 3), reply(refusal="no", reasoning_tokens=7), 3, 1.5, MADE)
        (row,) = journal.replies()
    assert row[:4] == key(1, "old", 3)
    assert (row.refusal, row.finish_reason, row.returned_model) == ("no", "stop", "new-1")
    assert (row.request_id, row.input_tokens, row.output_tokens) == ("r1", 10, 20)
    assert (row.reasoning_tokens, row.attempts, row.seconds, row.created_utc) == (7, 3, 1.5, MADE)


@pytest.mark.parametrize(
    "wrong", [key(9), key(model="newer"), key(trial=4), key(trial=-1), key()._replace(benchmark="")]
)
def test_what_is_not_planned_is_not_stored(tmp_path, wrong):
    with Journal.open(tmp_path, small_plan()) as journal:
        with pytest.raises(CollectError, match="is not in the plan"):
            journal.store(wrong, reply(), 1, 0.1, MADE)
        assert list(journal.replies()) == []


def test_the_first_reply_of_a_trial_stays(tmp_path):
    with Journal.open(tmp_path, small_plan()) as journal:
        journal.store(key(), reply("first"), 1, 0.1, MADE)
        with pytest.raises(CollectError, match="has a reply already"):
            journal.store(key(), reply("second"), 1, 0.1, MADE)
        assert [row.response_text for row in journal.replies()] == ["first"]
        assert journal.usage()["new"].replies == 1


def test_usage_is_what_the_rows_add_up_to(tmp_path):
    plan, rng = small_plan(5, 10), np.random.default_rng(1)
    with Journal.open(tmp_path, plan) as journal:
        for one in work_order(plan, "new"):
            known = rng.random() < 0.7
            tokens = rng.integers(0, 5000, 3).tolist() if known else [5, None, None]
            names = ("input_tokens", "output_tokens", "reasoning_tokens")
            journal.store(one, reply(**dict(zip(names, tokens, strict=True))), 1, 0.1, MADE)
        rows = [row for row in journal.replies() if row.output_tokens is not None]
        sums = [sum(getattr(row, name) for row in rows) for name in names]
        squares = float(sum(row.output_tokens**2 for row in rows))
        assert 0 < len(rows) < 50
        assert journal.usage() == {"new": Usage(50, len(rows), *sums, squares)}
        assert journal.cell_usage() == {("quiz", "new"): journal.usage()["new"]}
        assert journal.counts() == {"new": 50}
    with Journal.open(tmp_path, plan) as journal:
        assert journal.counts() == {"new": 50}


@pytest.mark.parametrize("nonsense", [-1, 2**63, 10**400, 3.5, "7", True])
def test_a_count_that_is_none_is_not_stored(tmp_path, nonsense):
    with Journal.open(tmp_path, small_plan()) as journal:
        journal.store(key(), reply(input_tokens=nonsense), 1, 0.1, MADE)
        assert next(journal.replies()).input_tokens is None
        assert journal.usage()["new"] == Usage(replies=1)


def test_failed_tries_are_kept_apart_from_replies(tmp_path):
    tries = [
        Attempt(key(), 1, "rate_limit", True, "slow down", 429, MADE),
        Attempt(key(), 2, "malformed", True, "half \ud835", None, MADE),
        Attempt(key(1), 1, "rate_limit", True, "slow down", 429, MADE),
        Attempt(key(1, "old"), 1, "bad_request", False, "no", 400, MADE),
    ]
    with Journal.open(tmp_path, small_plan()) as journal:
        for attempt in tries:
            journal.record(attempt)
        assert journal.failures() == {"rate_limit": 2, "bad_request": 1, "malformed": 1}
        assert journal.failed_tries("new") == {key(): 2, key(1): 1}
        assert list(journal.replies()) == []
        assert len(journal.done("new")) == 0
        journal.store(key(), reply(), 3, 0.1, MADE)
        assert journal.failed_tries("new") == {key(1): 1}
        kept = list(journal.attempts())
    assert kept[1].message == "half \ufffd{d835}"
    assert [kept[0], *kept[2:]] == [tries[0], *tries[2:]]


def test_more_trials_items_and_models_go_on_in_the_same_journal(tmp_path):
    small, large = small_plan(3, 4), small_plan(5, 7, ("old", "new", "next"))
    with Journal.open(tmp_path, small) as journal:
        store_all(journal, small)
    with Journal.open(tmp_path, large) as journal:
        missing = [work_order(large, model, journal.done(model)) for model in large.models]
        assert [len(keys) for keys in missing] == [5 * 7 - 3 * 4, 5 * 7 - 3 * 4, 5 * 7]
        for one in sum(missing, []):
            journal.store(one, reply(), 1, 0.1, MADE)
        assert journal.counts() == dict.fromkeys(large.models, 35)
        assert [len(run["models"]) for run in journal.sessions()] == [2, 3]
    with Journal.open(tmp_path, small) as journal:  # and a smaller plan finds all it needs
        assert work_order(small, "old", journal.done("old")) == []


def test_other_settings_start_anew(tmp_path):
    """As COL-07 has it: trials are kept apart by everything that can change an answer."""
    plan = small_plan()
    different = [
        Settings(),
        Settings(temperature=0.7),
        Settings(temperature=0.8),
        Settings(reasoning_effort="low"),
        Settings(reasoning_effort=None),
        Settings(max_output_tokens=100),
        Settings(api="chat"),
        Settings(extra={"seed": 1}),
        Settings(base_url="http://127.0.0.1:8100/v1"),
    ]
    plans = [dataclasses.replace(plan, settings=one) for one in different]
    for number, other in enumerate(plans):
        with Journal.open(tmp_path, other) as journal:
            assert len(journal.done("new")) == 0
            store_all(journal, other)
            assert len(journal.done("new")) == 12
        others = other_journals(tmp_path, other)
        assert [count for *_, count in others] == [24] * number
    same = Settings(base_url="http://me:secret@127.0.0.1:8100/v1/?key=secret")
    with Journal.open(tmp_path, dataclasses.replace(plan, settings=same)) as journal:
        assert len(journal.done("new")) == 12
    assert not any(b"secret" in path.read_bytes() for path in tmp_path.iterdir())


def test_a_changed_prompt_is_named_once_it_was_asked(tmp_path):
    plan = small_plan()
    items = plan.items.assign(prompt=["0?", "1!", "2!"])
    changed = dataclasses.replace(plan, items=items)
    with Journal.open(tmp_path, plan):
        pass
    with Journal.open(tmp_path, changed) as journal:  # nothing was asked yet
        journal.store(key(1), reply(), 1, 0.1, MADE)
    for write in (True, False):
        with pytest.raises(
            CollectError, match=r"the prompt of item '001' of 'quiz' is not the one"
        ):
            Journal.open(tmp_path, plan, write=write)
    with Journal.open(tmp_path, changed):
        pass  # the refusal holds no lock


FULL = """
import resource, sys
from reliable_change.collect.journal import Journal
from reliable_change.collect.plan import work_order
from reliable_change.errors import CollectError
from tests.collect.plans import MADE, reply, small_plan
plan = small_plan(100, 50)
resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000))
try:
    with Journal.open(sys.argv[1], plan) as journal:
        for key in work_order(plan, "new", journal.done("new")):
            journal.store(key, reply("x" * 1000), 1, 0.1, MADE)
            print(key.item_id, key.trial, flush=True)
except CollectError as error:
    sys.exit(str(error))
"""


def test_no_room_for_a_file_to_grow_is_a_clear_stop(tmp_path):
    """Real: the system refuses to let any file of the process grow beyond a size."""
    plan = small_plan(100, 50)
    full = start("-c", FULL, str(tmp_path))
    said, error = full.communicate()
    assert full.returncode == 1
    assert error.count("\n") == 1
    assert "free some space and start again: what was stored is safe" in error
    acknowledged = {tuple(line.split()) for line in said.splitlines()}
    assert len(acknowledged) > 50
    with Journal.open(tmp_path, plan) as journal:
        found = {(row.item_id, str(row.trial)) for row in journal.replies()}
        assert acknowledged == found
        for one in work_order(plan, "new", journal.done("new")):
            journal.store(one, reply(), 1, 0.1, MADE)
        assert len(journal.done("new")) == 5000


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root may mount")
def test_a_full_disk_is_a_clear_stop(tmp_path):
    """Real: a file system in memory, as small as they come."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(tmp_path)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("nothing can be mounted here")
    plan = small_plan(100, 50)
    try:
        with Journal.open(tmp_path, plan) as journal:
            with pytest.raises(CollectError, match=r"full; free some space and start again"):
                store_all(journal, plan)
            count = len(journal.done("old"))
            with pytest.raises(CollectError, match="full"):
                journal.record(Attempt(key(), 1, "timeout", True, "x" * 10_000, None, MADE))
        assert count > 50
        subprocess.run(["mount", "-o", "remount,size=20m", str(tmp_path)], check=True)
        with Journal.open(tmp_path, plan) as journal:
            assert len(journal.done("old")) == count == journal.usage()["old"].replies
            for one in work_order(plan, "old", journal.done("old")):
                journal.store(one, reply(), 1, 0.1, MADE)
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_a_journal_without_room_for_a_page_stays_whole(tmp_path):
    plan = small_plan(100, 50)
    with Journal.open(tmp_path, plan) as journal:
        journal._connection.execute("PRAGMA max_page_count = 60")
        with pytest.raises(CollectError, match=r"database or disk is full; free some space"):
            store_all(journal, plan)
        count = journal.usage()["old"].replies
        assert 0 < count == len(journal.done("old"))
    with Journal.open(tmp_path, plan) as journal:
        assert len(journal.done("old")) == count


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"no journal" * 1000, "move the file away"), (b"", "collect first, or move")],
)
def test_what_is_no_journal_is_left_alone(tmp_path, content, said):
    plan = small_plan()
    path = journal_path(tmp_path, plan.settings)
    path.write_bytes(content)
    with pytest.raises(CollectError, match=said) as caught:
        Journal.open(tmp_path, plan, write=bool(content))
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == content
    assert other_journals(tmp_path, dataclasses.replace(plan, settings=Settings("chat"))) == []


def test_a_journal_of_another_version_is_refused(tmp_path):
    plan = small_plan()
    with Journal.open(tmp_path, plan) as journal:
        path = journal.path
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("UPDATE header SET format = 2")
    connection.close()
    with pytest.raises(CollectError, match="was made by another version"):
        Journal.open(tmp_path, plan)


def test_there_is_none_to_read_and_nowhere_to_write(tmp_path):
    with pytest.raises(CollectError, match="there is none yet; collect first"):
        Journal.open(tmp_path, small_plan(), write=False)
    (tmp_path / "file").write_text("")
    with pytest.raises(CollectError, match="cannot be opened"):
        Journal.open(tmp_path / "file" / "below", small_plan())


def test_a_reader_sees_one_state_while_others_write(tmp_path):
    plan = small_plan()
    with Journal.open(tmp_path, plan) as journal:
        journal.store(key(), reply(), 1, 0.1, MADE)
        with Journal.open(tmp_path, plan, write=False) as reader, reader.snapshot():
            assert len(reader.done("new")) == 1
            journal.store(key(1), reply(), 1, 0.1, MADE)
            assert len(reader.done("new")) == len(list(reader.replies())) == 1
        assert len(stored(tmp_path, plan)) == 2


@settings(deadline=None, max_examples=50)
@given(st.sets(st.tuples(st.sampled_from(["old", "new"]), st.integers(0, 2), st.integers(0, 99))))
def test_done_is_a_set_of_keys(chosen):
    keys = {key(item, model, trial) for model, item, trial in chosen}
    done = Done()
    for one in (*keys, *keys):
        done.add(one)
    assert len(done) == len(keys)
    every = [one for model in ("old", "new") for one in work_order(small_plan(3, 100), model)]
    assert {one for one in every if one in done} == keys
