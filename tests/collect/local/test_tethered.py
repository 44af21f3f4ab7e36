from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

TETHERED = [sys.executable, "-m", "reliable_change.collect.local.tethered"]
SLEEPER = "import pathlib, sys, time; pathlib.Path(sys.argv[1]).touch(); time.sleep(60)"
PARENT = """
import subprocess, sys, time
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, start_new_session=True)
print(child.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture
def sleeper(tmp_path, monkeypatch) -> tuple[list[str], Path]:
    """A program that sleeps for long, and the file it makes once it runs."""
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return [*TETHERED, "sleeper", str(tmp_path / "runs")], tmp_path / "runs"


def within(seconds: float, happened) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if happened():
            return True
        time.sleep(0.02)
    return False


def is_alive(process: int) -> bool:
    """Whether it runs; one that ended and waits to be fetched does not."""
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_it_runs_a_module_with_its_arguments_and_ends_when_let_go(sleeper):
    command, runs = sleeper
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    assert within(20, runs.exists)
    assert process.poll() is None
    process.stdin.close()
    assert process.wait(20) == 0


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks Linux for the processes")
def test_it_does_not_outlive_a_parent_that_is_killed(sleeper):
    command, runs = sleeper
    program = [sys.executable, "-c", PARENT, *command]
    parent = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
    child = int(parent.stdout.readline())
    parent.stdout.close()
    assert within(20, runs.exists)
    assert is_alive(child)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert within(20, lambda: not is_alive(child))
