"""A batch that is interrupted and taken up again."""

from __future__ import annotations

import functools
import subprocess
import sys
import time

import pytest

from reliable_change.paths import ROOT
from reliable_change.scoring import batch, parts
from reliable_change.scoring.batch import score_archive
from reliable_change.scoring.workers import ScoringError
from tests.scoring.batch_archives import (
    HERE,
    checksums,
    exact,
    make,
)
from tests.scoring.batch_scorers import (
    Mended,
    Slow,
    Troubled,
)

KILLED = """
import sys
from pathlib import Path
from reliable_change.scoring import parts
from reliable_change.scoring.batch import score_archive
from tests.scoring.batch_scorers import Slow

if __name__ == "__main__":
    parts.PART_TEXTS = parts.SLICE_TEXTS = 50
    score_archive(sys.argv[1], scorers={"exact": Slow}, workers=1, progress=False)
"""


@pytest.mark.parametrize("how", ["kill", "interrupt"])
def test_a_batch_that_is_ended_goes_on_where_it_was(tmp_path, monkeypatch, how):
    replies = [[f"{number} {trial}" for trial in range(25)] for number in range(40)]
    monkeypatch.setattr(parts, "PART_TEXTS", 50)
    monkeypatch.setattr(parts, "SLICE_TEXTS", 50)
    folder, whole = (make(tmp_path / name, replies, name="x") for name in ("one", "whole"))
    score_archive(whole, scorers={"exact": Slow}, **HERE)

    script = tmp_path / "script.py"
    script.write_text(KILLED)
    kept = tmp_path / ".one-scoring"
    process = subprocess.Popen(
        [sys.executable, str(script), str(folder)],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while len(list(kept.glob("part-*.parquet"))) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.kill() if how == "kill" else process.send_signal(2)
    assert process.wait(20) != 0
    finished = len(list(kept.glob("part-*.parquet")))
    assert 3 <= finished < 20
    assert "scores.parquet" not in checksums(folder)

    log = tmp_path / "log"
    makes = functools.partial(Slow, log=log)
    archive = score_archive(folder, scorers={"exact": makes}, **HERE)
    assert len(log.read_text().splitlines()) == 1000 - 50 * finished
    assert checksums(folder)["scores.parquet"] == checksums(whole)["scores.parquet"]
    assert len(archive.scores()) == 2000
    assert not kept.exists()


def interrupted(folder, **settings):
    """Begin to score and stop at the third part."""
    written = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "PART_TEXTS", 1)
        real = batch.Kept.put

        def put(self, number, table):
            if len(written) == 3:
                raise KeyboardInterrupt
            real(self, number, table)
            written.append(number)

        patch.setattr(batch.Kept, "put", put)
        with pytest.raises(KeyboardInterrupt):
            score_archive(folder, **settings, **HERE)


@pytest.mark.parametrize("version", ["1", "2"])
def test_parts_of_another_version_are_not_used(tmp_path, monkeypatch, version):
    folder = make(tmp_path / "one", [["A"]] * 8)
    interrupted(folder, scorers=exact(version="1"))
    monkeypatch.setattr(parts, "PART_TEXTS", 1)
    log = tmp_path / "log"
    scores = score_archive(folder, scorers=exact(log=log, version=version), **HERE).scores()
    assert len(log.read_text().splitlines()) == (5 if version == "1" else 8)
    assert set(scores["scorer_version"]) == {version}


def test_a_torn_part_is_scored_again(tmp_path, monkeypatch):
    folder = make(tmp_path / "one", [["A"]] * 8)
    interrupted(folder, scorers=exact())
    part = tmp_path / ".one-scoring" / "part-000001.parquet"
    part.write_bytes(part.read_bytes()[:100])
    monkeypatch.setattr(parts, "PART_TEXTS", 1)
    log = tmp_path / "log"
    assert len(score_archive(folder, scorers=exact(log=log), **HERE).scores()) == 16
    assert len(log.read_text().splitlines()) == 6


def test_two_batches_at_once_do_not_mix(tmp_path):
    folder = make(tmp_path / "one", [["A"]])
    kept = batch.Kept(tmp_path / ".one-scoring", {})
    with pytest.raises(ScoringError, match="another process is scoring this archive"):
        score_archive(folder, scorers=exact(), **HERE)
    kept.close()
    score_archive(folder, scorers=exact(), **HERE)


def test_parts_without_some_scores_are_scored_again(tmp_path, monkeypatch):
    folder = make(tmp_path / "one", [["A"], ["cannot"], ["B"], ["A"], ["B"]])
    interrupted(folder, scorers={"exact": Troubled})
    monkeypatch.setattr(parts, "PART_TEXTS", 1)
    log = tmp_path / "log"
    scores = score_archive(folder, scorers={"exact": functools.partial(Mended, log=log)}, **HERE)
    assert scores.scores()["category"].notna().all()
    assert [line.split("\t")[1] for line in log.read_text().splitlines()] == ["cannot", "A", "B"]
