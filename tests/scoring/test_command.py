"""Scoring from the command line and from make."""

from __future__ import annotations

import shlex
import subprocess

from reliable_change import cli
from reliable_change.paths import ROOT
from tests.scoring.batch_archives import (
    make,
)


def test_the_command_says_what_it_did(tmp_path, capsys):
    folder = make(tmp_path / "one", [["\\boxed{7}", "\\boxed{8}"]], task="math", reference="7")
    assert cli.main(["score", str(folder), "--workers", "1"]) == 0
    said = capsys.readouterr().out
    assert "wrote " in said
    assert "scores.parquet" in said
    assert cli.main(["score", str(folder), "--workers", "1"]) == 0
    assert "already scored: " in capsys.readouterr().out
    assert cli.main(["score", str(folder), "--workers", "1", "--name", "mine"]) == 0
    said = capsys.readouterr().out
    assert "scores-mine.parquet" in said
    assert "0 of 4 verdicts changed" in said


def test_the_command_fails_in_one_line(tmp_path, capsys):
    folder = make(tmp_path / "one", [["A"]], task="riddle")
    assert cli.main(["score", str(folder)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("error: 1 of 1 items cannot be scored: item '000' of 'quiz'")
    assert said.err.count("\n") == 1


def made(*arguments):
    """What make would do: its last command, or its complaint."""
    done = subprocess.run(
        ["env", "-u", "MAKEFLAGS", "-u", "MAKELEVEL", "-u", "MAKEOVERRIDES", "make", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    return shlex.split(done.stdout.splitlines()[-1]) if done.returncode == 0 else done.stderr


def test_make_hands_on_archive_name_and_workers():
    words = made("-n", "score", "ARCHIVE=a b/it's; $x", "NAME=mine", "WORKERS=2")
    assert words[3:] == ["score", "--workers", "2", "--name", "mine", "--", "a b/it's; $x"]
    assert made("-n", "score", "ARCHIVE=a")[3:] == ["score", "--", "a"]
    assert "make score needs ARCHIVE=folder" in made("-n", "score")
    assert "takes ARCHIVE, NAME and WORKERS, but was given ALPHA" in made(
        "-n", "score", "ARCHIVE=a", "ALPHA=1"
    )
