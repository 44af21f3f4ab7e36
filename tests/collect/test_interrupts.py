"""Ctrl-C in a script and in a notebook: clean, resumable, and at once if pressed again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from reliable_change.collect.journal import Journal
from reliable_change.collect.run import collect
from reliable_change.paths import ROOT
from tests.collect.fakes import Fake, make_plan

PATIENCE = 60.0  # seconds until a test gives up on another process
# What the process or kernel runs: 36 calls under way at a time.
SETUP = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from reliable_change.collect.run import collect, collect_async
from tests.collect.fakes import Fake, Hanging, make_plan
plan = make_plan(items={items})
begun = Path({begun!r})
client = {client}
"""
ITEMS = 2_000  # 8,000 trials
QUICK = "Fake(delay=0.001)"
STEADY = "Fake(lambda number, *_: begun.touch() if number == 100 else None, delay=0.05)"
HANGING = "Hanging(begun)"
SCRIPT = """
import json
try:
    outcome = collect(plan, {folder!r}, client=client)
    print(json.dumps([outcome.stored, outcome.stopped, len(client.asked)]))
except KeyboardInterrupt:
    print(json.dumps("interrupted"))
"""


def setup(folder: Path, client: str, items: int = ITEMS) -> str:
    """Code that makes a plan and a client, which may leave the file `begun`."""
    begun = str(folder / "begun")
    return SETUP.format(root=str(ROOT), begun=begun, client=client, items=items)


def wait_for(path: Path) -> None:
    end = time.monotonic() + PATIENCE
    while not path.exists():
        assert time.monotonic() < end, f"{path.name} did not appear"
        time.sleep(0.005)


def start(folder: Path, client: str) -> subprocess.Popen:
    """Start a script that collects, and return when the client says that it is at work."""
    code = setup(folder, client) + SCRIPT.format(folder=str(folder))
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    wait_for(folder / "begun")
    return process


def count_stored(folder: Path) -> int:
    with Journal.open(folder, make_plan(ITEMS), write=False) as journal:
        return sum(journal.counts().values())


def test_an_interrupted_script_lets_what_is_under_way_land(tmp_path):
    process = start(tmp_path, STEADY)
    process.send_signal(signal.SIGINT)
    stored, stopped, asked = json.loads(process.communicate(timeout=PATIENCE)[0])
    assert process.returncode == 0
    assert "interrupted" in stopped
    assert asked == stored == count_stored(tmp_path)
    assert 100 <= stored < 4_000
    outcome = collect(make_plan(ITEMS), tmp_path, client=Fake(), progress=False)
    assert (outcome.complete, outcome.stored) == (True, 8_000 - stored)


def test_a_second_interrupt_drops_what_is_under_way(tmp_path):
    process = start(tmp_path, HANGING)
    process.send_signal(signal.SIGINT)
    with pytest.raises(subprocess.TimeoutExpired):  # it waits: 30 s at most
        process.wait(timeout=1.0)
    process.send_signal(signal.SIGINT)
    assert json.loads(process.communicate(timeout=15.0)[0]) == "interrupted"
    assert count_stored(tmp_path) == 0


def run_notebook(*cells: str, during=None) -> list[str]:
    """Run cells in a kernel and return what each printed; `during` runs beside them."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = NotebookClient(book, timeout=PATIENCE, kernel_name="python3", resources={})
    if during is not None:
        threading.Thread(target=during, args=[client], daemon=True).start()
    client.execute()
    return ["".join(o.get("text", "") for o in cell.outputs).strip() for cell in book.cells]


SAY = "print(outcome.stored, outcome.complete, outcome.stopped)"


def test_in_a_notebook_run_twice_and_awaited(tmp_path):
    call = f"outcome = collect(plan, {str(tmp_path)!r}, client=client)\n{SAY}"
    wait = f"outcome = await collect_async(plan, {str(tmp_path / 'b')!r}, client=client)\n{SAY}"
    said = run_notebook(setup(tmp_path, QUICK, items=5), call, call, wait, wait)
    assert said[1:] == ["20 True None", "0 True None"] * 2


def test_an_interrupted_notebook_goes_on_where_it_ended(tmp_path):
    def interrupt(client):
        wait_for(tmp_path / "begun")
        os.kill(client.km.provisioner.pid, signal.SIGINT)

    call = f"outcome = collect(plan, {str(tmp_path)!r}, client=client)\n{SAY}"
    said = run_notebook(setup(tmp_path, STEADY), call, f"client = Fake()\n{call}", during=interrupt)
    stored, complete, *stopped = said[1].split()
    assert (complete, stopped[0]) == ("False", "interrupted;")
    assert 100 <= int(stored) < 4_000
    assert said[2] == f"{8_000 - int(stored)} True None"


@pytest.mark.parametrize("moment", ["before", "after"])
def test_an_interrupt_at_either_end_is_heeded(tmp_path, monkeypatch, moment):
    """One that comes before there is a crew waits for it; one that comes too late is no harm."""
    plan = make_plan()
    open_journal = Journal.open.__func__

    def slow_open(cls, *args, **kwargs):
        if moment == "before":
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.2)
        return open_journal(cls, *args, **kwargs)

    def close(self):
        if moment == "after":
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.2)
        close_journal(self)

    close_journal = Journal.close
    monkeypatch.setattr(Journal, "open", classmethod(slow_open))
    monkeypatch.setattr(Journal, "close", close)
    client = Fake()
    outcome = collect(plan, tmp_path, client=client, progress=False)
    if moment == "before":
        assert (outcome.stored, client.asked) == (0, [])
        assert "interrupted" in outcome.stopped
    else:
        assert (outcome.stored, outcome.complete, outcome.stopped) == (12, True, None)
