"""The practice server by itself: what it says, how it stops, what it refuses."""

from __future__ import annotations

import re
import signal
import subprocess
import sys

import httpx
import pytest

from reliable_change.collect.practice.__main__ import main
from reliable_change.collect.practice.faults import KINDS
from reliable_change.paths import ROOT

COMMAND = [sys.executable, "-m", "reliable_change.collect.practice"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_it_is_and_how_to_stop_and_then_stops(uneven_k_dir, number):
    command = [*COMMAND, str(uneven_k_dir), "--port", "0", "--delay", "0", "--fault", "html=1"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        said = ""
        while "Stop with" not in said:
            line = running.stdout.readline()
            assert line, said
            said += line
        assert "Replaying uneven_k (collected replies): 407 replies" in said
        assert "Made-up trials for tests" in said
        url = re.search(r"http://127\.0\.0\.1:\d+/v1", said)[0]
        asked = {"model": "wren-1", "input": "Made-up question 0 of riddles"}
        answer = httpx.post(f"{url}/responses", json=asked, trust_env=False)
        assert answer.text.startswith("<html>")
        running.send_signal(number)
        rest, _ = running.communicate(timeout=10)
    assert running.returncode == 0
    assert "html: 1" in rest


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no-such-archive"], "no such folder"),
        (["reconstruction"], "error: archive 'reconstruction'"),
        (["{}", "--fault", "html"], "--fault html: write KIND=RATE"),
        (["{}", "--fault", "htlm=0.1"], "did you mean html"),
        (["{}", "--fault", "all=0.7", "--fault", "html=0.9"], "add up to"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(uneven_k_dir, capsys, arguments, said):
    assert main([argument.format(uneven_k_dir) for argument in arguments]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_its_help_names_every_kind_of_fault(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    said = capsys.readouterr().out
    assert all(f"  {kind} " in said for kind in KINDS)
