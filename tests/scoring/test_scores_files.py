"""Where scores go, so that none is ever replaced."""

from __future__ import annotations

import functools
import json
import shutil

import pyarrow.parquet as pq
import pytest

from reliable_change.archive.read import read_archive
from reliable_change.scoring.batch import score_archive, score_texts
from reliable_change.scoring.workers import ScoringError
from tests.scoring.batch_archives import (
    HERE,
    QUIET,
    checksums,
    exact,
    make,
)
from tests.scoring.batch_scorers import (
    Loud,
    Mended,
    Noting,
    Troubled,
)


def test_responses_and_items_stay_as_they_are(tmp_path):
    folder = make(tmp_path / "one", [["A", "B"]] * 3)
    before = checksums(folder)
    score_archive(folder, scorers=exact(), **HERE)
    after = checksums(folder)
    assert set(after) - set(before) == {"scores.parquet"}
    assert all(after[name] == before[name] for name in before if name != "manifest.json")
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_a_second_version_goes_beside_the_first(tmp_path):
    folder = make(tmp_path / "one", [["A", "B"]])
    first = score_texts(folder, scorers=exact(), **HERE)
    again = score_texts(folder, scorers=exact(), **HERE)
    before = checksums(folder)
    second = score_texts(folder, scorers=exact(version="2 (x)"), **HERE)
    named = score_texts(folder, scorers=exact(version="2 (x)"), label="mine", **HERE)
    assert [(one.label, one.is_new) for one in (first, again, second, named)] == [
        (None, True), (None, False), ("exact-text-2", True), ("mine", True),
    ]  # fmt: skip
    after = checksums(folder)
    assert set(after) - set(before) == {"scores-exact-text-2.parquet", "scores-mine.parquet"}
    assert after["scores.parquet"] == before["scores.parquet"]


def test_scores_of_other_scorers_are_never_replaced(tmp_path):
    folder = make(tmp_path / "one", [["A", "B"]])
    score_archive(folder, scorers=exact(), **HERE)
    score_archive(folder, scorers=exact(version="2"), label="mine", **HERE)
    before = checksums(folder)
    with pytest.raises(ScoringError, match="made by exact text 2; give the new scores another"):
        score_archive(folder, scorers=exact(version="3"), label="mine", **HERE)
    assert checksums(folder) == before


def test_other_scores_of_the_same_version_are_an_error(tmp_path):
    """A scorer that has changed and does not say so; under a label nothing is scored again."""
    folder = make(tmp_path / "one", [["A", "die"]])
    score_archive(folder, scorers=exact(), **HERE)
    before, log = checksums(folder), tmp_path / "log"
    loud = {"exact": functools.partial(Loud, log=log)}
    with pytest.raises(ScoringError, match="differ from the new ones; give the new scores a label"):
        score_archive(folder, scorers=loud, **HERE)
    assert checksums(folder) == before
    assert score_texts(folder, scorers=loud, label="loud", **HERE).is_new
    assert len(log.read_text().splitlines()) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log", "one"]


def test_trials_without_a_score_get_one_where_all_else_agrees(tmp_path):
    folder = make(tmp_path / "one", [["A", "cannot", "B"]])
    first = score_archive(folder, scorers={"exact": Troubled}, **HERE)
    assert first.scores()["category"].isna().sum() == 2
    mended = score_texts(folder, scorers={"exact": Mended}, **HERE)
    assert (mended.label, mended.is_new) == (None, True)
    assert mended.archive.scores()["category"].tolist() == ["correct", "wrong", "wrong"] * 2
    assert not score_texts(folder, scorers={"exact": Mended}, **HERE).is_new
    with pytest.raises(ScoringError, match="differ"):  # a verdict does not go again
        score_archive(folder, scorers={"exact": Troubled}, **HERE)


def test_scores_from_before_there_were_notes_get_them_and_keep_their_verdicts(tmp_path):
    folder = make(tmp_path / "one", [["A", "odd", "B"]])
    first = score_archive(folder, scorers={"exact": Noting}, **HERE)
    assert first.scores()["note"].fillna("none").tolist() == ["none", "seen 1", "none"] * 2
    old = pq.read_table(folder / "scores.parquet").drop_columns(["note"])
    pq.write_table(old, folder / "scores.parquet")
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"]["scores.parquet"] = checksums(folder)["scores.parquet"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert read_archive(folder).scores()["note"].isna().all()
    assert list(read_archive(folder).score_batches(["note"]))[0].num_rows == 6
    again = score_texts(folder, scorers={"exact": Noting}, **HERE)
    assert (again.label, again.is_new) == (None, True)
    assert again.archive.scores().equals(first.scores())


def test_another_note_is_no_other_verdict(tmp_path):
    folder = make(tmp_path / "one", [["A", "odd"]])
    score_archive(folder, scorers={"exact": Noting}, **HERE)
    before = checksums(folder)
    seen = functools.partial(Noting, seen=2)
    assert not score_texts(folder, scorers={"exact": seen}, **HERE).is_new
    assert checksums(folder) == before


def test_some_benchmarks_never_become_the_archives_own_scores(tmp_path, fixtures_dir):
    folder = tmp_path / "sample"
    shutil.copytree(fixtures_dir / "smollm2_sample", folder)
    before = checksums(folder)
    found = score_texts(folder, benchmarks=["arithmetic"], workers=1, **QUIET)
    assert found.label.startswith("math-1")
    scores = found.archive.scores(scorer=found.label)
    assert set(scores["benchmark"]) == {"arithmetic"}
    assert len(scores) == 800
    assert scores["category"].notna().all()
    after = checksums(folder)
    assert all(after[name] == before[name] for name in before if name != "manifest.json")
