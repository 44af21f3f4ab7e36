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


def test_a_collection_is_told_what_make_is():
    given = ("PLAN=my plan.toml", "DRY_RUN=1", "TRIALS=5", "BUDGET=2", "HOURS=1", "FOLDER=it's")
    words = program("collect", *given)[3:]
    assert words[0] == "collect"
    assert words[-3:] == ["--dry-run", "--", "my plan.toml"]
    options = dict(zip(words[1:-3:2], words[2:-3:2], strict=True))
    assert options == {"--trials": "5", "--budget": "2", "--hours": "1", "--folder": "it's"}
    assert program("collect", "PLAN=p")[3:] == ["collect", "--", "p"]
    words = program("export", "PLAN=p", "TO=my archive", "REPLACE=1", "ERRORS_AFTER=9")[3:]
    told = ["--to", "my archive", "--errors-after", "9", "--replace"]
    assert words == ["export", *told, "--", "p"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["collect"], "make collect needs PLAN=file.toml"),
        (["export"], "make export needs PLAN=file.toml"),
        (["collect", "PLAN=p", "EPSILON=1"], "make collect takes PLAN"),
        (["export", "PLAN=p", "BUDGET=1"], "make export takes PLAN"),
    ],
)
def test_collecting_needs_a_plan_and_takes_no_settings(arguments, said):
    done = make("-n", *arguments)
    assert done.returncode != 0
    assert said in done.stderr


def test_the_practice_server_is_told_its_archive_and_faults():
    words = program("practice")[1:]
    assert words == ["-m", "reliable_change.collect.practice", "--", "smollm2"]
    words = program("practice", "ARCHIVE=my archive", "FAULTS=html=0.1 reset=0.2", "PORT=9")[3:]
    faults = ["--fault", "html=0.1", "--fault", "reset=0.2"]
    assert words == [*faults, "--port", "9", "--", "my archive"]
    assert "takes ARCHIVE" in make("-n", "practice", "EPSILON=1").stderr


@pytest.mark.parametrize("target", ["notebooks", "figures", "ledger", "collect-local"])
def test_what_is_committed_is_made_without_settings(target):
    done = make("-n", target, "EPSILON=0.1")
    assert done.returncode != 0
    assert f"make {target} takes no settings, but was given EPSILON" in done.stderr


def test_help_lists_every_target():
    targets = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)[1].split()
    listed = re.findall(r"^  make ([a-z-]+) +\S", make("help").stdout, re.MULTILINE)
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
