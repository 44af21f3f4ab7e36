"""nbval as the project runs it: wrong numbers fail, noise and foreign kernel names do not."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from reliable_change.paths import ROOT

TOYS = Path(__file__).parents[1] / "data" / "notebooks"
NOTEBOOKS = sorted(TOYS.glob("*.ipynb"))


def nbval(paths: list[Path]) -> tuple[dict[str, set[str]], str]:
    """Check notebooks as `make test` does: the verdicts by notebook, and everything printed."""
    command = re.search(r"-m (pytest --nbval .*) -q notebooks", (ROOT / "Makefile").read_text())[1]
    done = subprocess.run(
        [sys.executable, "-m", *command.split(), "-v", "--color=no", "-p", "no:cacheprovider"]
        + [str(path) for path in paths],
        cwd=ROOT, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    verdicts: dict[str, set[str]] = {}
    for name, verdict in re.findall(r"(\w+)(?:\.|::)ipynb::Cell \d+ (PASSED|FAILED)", done.stdout):
        verdicts.setdefault(name, set()).add(verdict)
    return verdicts, done.stdout


@pytest.fixture(scope="module")
def checked():
    return nbval(NOTEBOOKS)


@pytest.mark.parametrize("name", ["wrong_output", "noisy_wrong"])
def test_a_wrong_number_fails(checked, name):
    verdicts, _ = checked
    assert "FAILED" in verdicts[name]


def test_both_numbers_of_a_failure_are_shown(checked):
    _, said = checked
    assert "'43' == '42'" in said
    assert "'a 3\\n' == 'a 2\\n'" in said


@pytest.mark.parametrize("name", ["noisy", "foreign_kernel"])
def test_noise_and_a_foreign_kernel_pass_twice(checked, name):
    again, _ = nbval([TOYS / f"{name}.ipynb"])
    assert checked[0][name] == again[name] == {"PASSED"}


def test_the_toys_are_what_they_say(checked):
    assert checked[0].keys() == {path.stem for path in NOTEBOOKS}
    assert len(NOTEBOOKS) == 4
