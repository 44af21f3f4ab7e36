"""Real files: unset means skipped and named, set but incomplete means failed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).parent / "conftest.py"
TEST = "def test_real(fixtures_dir):\n    assert (fixtures_dir / 'ifbench').is_dir()\n"


@pytest.fixture
def run_pytest(tmp_path):
    def run(fixtures: Path | None, test: str = TEST) -> subprocess.CompletedProcess:
        folder = tmp_path / "suite"
        folder.mkdir()
        (folder / "conftest.py").write_text(CONFTEST.read_text(encoding="utf-8"))
        (folder / "test_one.py").write_text(test)
        environment = dict(os.environ)
        environment.pop("RELIABLE_CHANGE_FIXTURES", None)
        if fixtures is not None:
            environment["RELIABLE_CHANGE_FIXTURES"] = str(fixtures)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
        return subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120
        )

    return run


def test_unset_skips_and_names_the_test(run_pytest):
    done = run_pytest(None)
    assert done.returncode == 0
    assert "test_one.py::test_real: RELIABLE_CHANGE_FIXTURES is unset" in done.stdout


def test_set_to_nowhere_fails(run_pytest, tmp_path):
    done = run_pytest(tmp_path / "nowhere")
    assert done.returncode == 1
    assert "which lacks" in done.stdout


def test_set_but_incomplete_fails(run_pytest, tmp_path):
    (tmp_path / "real" / "ifbench").mkdir(parents=True)
    done = run_pytest(tmp_path / "real")
    assert done.returncode == 1
    assert "lacks smollm2_sample" in done.stdout


def test_complete_runs(run_pytest, tmp_path):
    for name in ("smollm2_sample", "ifbench", "beyond_the_mean", "evalscope"):
        (tmp_path / "real" / name).mkdir(parents=True)
    done = run_pytest(tmp_path / "real")
    assert done.returncode == 0
    assert "1 passed" in done.stdout


def test_chained_assignment_is_an_error(run_pytest):
    test = (
        "import pandas as pd\n"
        "def test_no_op():\n"
        "    frame = pd.DataFrame({'ok': [0, 1], 'cat': ['a', 'b']})\n"
        "    frame['cat'][frame.ok == 1] = 'correct'\n"
    )
    done = run_pytest(None, test)
    assert done.returncode == 1
    assert "ChainedAssignmentError" in done.stdout
