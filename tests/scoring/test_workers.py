"""Processes that score: ones that die, hang or cannot start cost a text at most."""

from __future__ import annotations

import functools
import multiprocessing
import os
import subprocess
import sys
import time

import pytest

from reliable_change.archive.read import read_archive
from reliable_change.paths import ROOT
from reliable_change.scoring import workers
from reliable_change.scoring.batch import score_archive
from reliable_change.scoring.workers import ScoringError
from tests.scoring.batch_archives import (
    QUIET,
    exact,
    make,
)
from tests.scoring.batch_scorers import (
    DiesOnce,
    Exact,
    Troubled,
    Unmakeable,
)


def test_a_text_that_ends_its_process_is_given_up_alone(tmp_path):
    folder = make(tmp_path / "one", [["A", "B", "die", "A", "C"], ["die"], ["A", "B"]])
    scores = score_archive(folder, scorers={"exact": Troubled}, workers=2, **QUIET).scores()
    text = read_archive(folder).responses()["response_text"]
    given_up = scores["category"].isna()
    assert given_up.tolist() == (text == "die").tolist()
    assert set(scores["unscored_reason"].dropna()) == {"scoring it ended its process (code -9)"}
    assert set(scores.loc[given_up, "scorer"]) == {"troubled"}
    assert (scores.loc[~given_up, "category"] == "correct").tolist() == (
        (text == "A")[~given_up].tolist()
    )


def test_a_process_that_dies_once_costs_nothing(tmp_path):
    folder = make(tmp_path / "one", [["A", "die", "B"]])
    makes = functools.partial(DiesOnce, log=tmp_path / "died")
    scores = score_archive(folder, scorers={"exact": makes}, workers=1, **QUIET).scores()
    assert scores["category"].tolist() == ["correct", "wrong", "wrong"] * 2
    assert (tmp_path / "died").exists()


def test_a_text_that_hangs_is_stopped(tmp_path, monkeypatch):
    folder = make(tmp_path / "one", [["A", "hang", "B"]])
    monkeypatch.setattr(workers.score_in_processes, "__kwdefaults__", {"seconds": 0.5})
    start = time.monotonic()
    scores = score_archive(folder, scorers={"exact": Troubled}, workers=1, **QUIET).scores()
    assert time.monotonic() - start < 60
    assert scores["category"].fillna("none").tolist() == ["correct", "none", "wrong"] * 2
    assert set(scores["unscored_reason"].dropna()) == {"scoring it took more than 0.5 s"}


def test_processes_that_cannot_start_are_one_error(tmp_path, monkeypatch):
    folder = make(tmp_path / "one", [["A"]])
    monkeypatch.setenv("RELIABLE_CHANGE_TEST_PARENT", str(multiprocessing.current_process().pid))
    with pytest.raises(ScoringError, match="cannot make scorers: RuntimeError: no licence"):
        score_archive(folder, scorers={"exact": Unmakeable}, workers=1, **QUIET)
    with pytest.raises(ScoringError, match="cannot be pickled .* workers=0"):
        score_archive(folder, scorers={"exact": lambda: Exact()}, workers=1, **QUIET)
    with pytest.raises(ScoringError, match="is a Exact; give what makes a scorer"):
        score_archive(folder, scorers={"exact": Exact()}, workers=1, **QUIET)


@pytest.mark.parametrize("source", ["script", "stdin"])
@pytest.mark.parametrize("scorer", ["Exact", "Own"])
def test_scripts_need_no_guard_unless_they_define_scorers(tmp_path, source, scorer):
    folder = make(tmp_path / "one", [["A", "B"]])
    code = (
        "from reliable_change.scoring.batch import score_archive\n"
        "from tests.scoring.batch_scorers import Exact\n"
        "class Own(Exact): pass\n"
        f"score_archive({str(folder)!r}, scorers={{'exact': {scorer}}}, workers=1)\n"
    )
    script = tmp_path / "script.py"
    script.write_text(code)
    done = subprocess.run(
        [sys.executable, str(script) if source == "script" else "-"],
        input=code,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    if scorer == "Exact":
        assert (done.returncode, done.stderr) == (0, "")
        assert len(read_archive(folder).scores()) == 4
    else:
        assert "import scorers from a module" in done.stderr.splitlines()[-1]
        assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "script.py"]


def test_no_process_is_left(tmp_path):
    folder = make(tmp_path / "one", [["A", "B"]] * 3)
    score_archive(folder, scorers=exact(), workers=2, **QUIET)
    assert multiprocessing.active_children() == []
