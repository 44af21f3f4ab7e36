"""make's variables reach the program as settings, whatever is in them; make explains itself."""

from __future__ import annotations

import re
import shlex
import subprocess

import pytest

from reliable_change.paths import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def make(*arguments: str) -> subprocess.CompletedProcess:
    # Run as its own program: pytest may itself have been started by make.
    return subprocess.run(
        ["env", "-u", "MAKEFLAGS", "-u", "MAKELEVEL", "-u", "MAKEOVERRIDES", "make", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )


def program(*arguments: str) -> list[str]:
    """The words of the last command that make would run."""
    done = make("-n", *arguments)
    assert done.returncode == 0, done.stderr
    return shlex.split(done.stdout.splitlines()[-1])


def test_the_paper_needs_no_settings():
    assert program("reproduce")[1:] == ["-m", "reliable_change.cli", "reproduce"]


def test_every_variable_is_a_setting():
    words = program("reproduce", "ARCHIVE=a b/it's; $x `y`", "EPSILON=0.1", "epsilo=*", "WORKERS=1")
    settings = {words[i + 1] for i, word in enumerate(words) if word == "--set"}
    assert settings == {"ARCHIVE=a b/it's; $x `y`", "EPSILON=0.1", "epsilo=*"}
    assert words[-2:] == ["--workers", "1"]


def test_makes_own_variables_are_no_settings():
    words = program("tables", "PYTHON=python3", "OUTPUT=my folder")
    assert words[3:] == ["tables", "--output", "my folder"]


@pytest.mark.parametrize("target", ["notebooks", "figures", "ledger"])
def test_what_is_committed_is_made_without_settings(target):
    done = make("-n", target, "EPSILON=0.1")
    assert done.returncode != 0
    assert f"make {target} takes no settings, but was given EPSILON" in done.stderr


def test_help_lists_every_target():
    targets = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)[1].split()
    listed = re.findall(r"^  make ([a-z]+) +\S", make("help").stdout, re.MULTILINE)
    assert set(listed) == set(targets)
    assert make().stdout == make("help").stdout


def test_an_old_python_is_named_in_a_clear_line(tmp_path):
    """The stamp cannot be there: the environment is looked for in an empty folder."""
    old = tmp_path / "python2"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    for name in (str(old), str(tmp_path / "absent")):
        done = make("test", f"PYTHON={name}", f"VENV={tmp_path}/venv")
        assert done.returncode != 0
        assert f'Python 3.11 or newer is needed, and "{name}" is not one.' in done.stderr
        assert done.stdout == ""
