"""Scoring a whole archive: what is scored, where it goes, and what stays as it is."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import multiprocessing
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from reliable_change import cli
from reliable_change.archive.read import read_archive
from reliable_change.archive.text import escape_surrogates, restore_surrogates
from reliable_change.archive.write import write_archive
from reliable_change.errors import NotInArchive
from reliable_change.paths import ROOT
from reliable_change.scoring import batch, parts, workers
from reliable_change.scoring.batch import score_archive, score_texts
from reliable_change.scoring.tasks import score
from reliable_change.scoring.verdict import Item, Response
from reliable_change.scoring.workers import ScoringError
from tests.scoring.batch_scorers import (
    Check,
    DiesOnce,
    Exact,
    SeesHalf,
    Slow,
    Troubled,
    Unmakeable,
    Word,
)

KEY = ["benchmark", "item_id", "model", "trial"]
MODELS = ("old", "new")
VERDICT = ["category", "correct", "correct_loose", "extracted", "scorer", "scorer_version"]
QUIET = {"progress": False}
HERE = {"workers": 0, "progress": False}


def make(folder: Path, replies, *, task="exact", reference="A", finish="stop", **manifest) -> Path:
    """An archive of one benchmark: `replies` holds each item's texts, given to both models."""
    items = pd.DataFrame(
        {
            "benchmark": "quiz",
            "item_id": [f"{number:03d}" for number in range(len(replies))],
            "task": task,
            "reference": reference,
        }
    )
    rows = [
        ("quiz", item_id, model, trial, text, finish)
        for (item_id, texts), model in itertools.product(
            zip(items["item_id"], replies, strict=True), MODELS
        )
        for trial, text in enumerate(texts)
    ]
    responses = pd.DataFrame(rows, columns=[*KEY, "response_text", "finish_reason"], dtype=object)
    content = {
        "name": folder.name,
        "kind": "collected",
        "description": "Made for a test.",
        "models": list(MODELS),
        "edges": [list(MODELS)],
        "benchmarks": ["quiz"],
        "trials_per_item": None,
        "complete": True,
        "created_utc": "2026-01-01T00:00:00+00:00",
        "licence": "CC0-1.0",
        **manifest,
    }
    return write_archive(folder, content, items, responses, None)


def checksums(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def exact(**settings):
    return {"exact": functools.partial(Exact, **settings)}


# What is scored.


def test_scores_are_those_of_a_plain_loop(tmp_path, mathematics):
    replies = [["So \\boxed{1/2}.", "\\boxed{0.5}", "I think so.", "", "The answer is 2."] * 3] * 4
    folder = make(tmp_path / "one", replies, task="math", reference="\\frac12")
    found = score_archive(folder, workers=2, **QUIET)
    items = {row.item_id: row for row in found.items.itertuples()}
    for trial, row in zip(found.responses().itertuples(), found.scores().itertuples(), strict=True):
        item = Item("quiz", trial.item_id, "math", items[trial.item_id].reference)
        plain = score(
            item, Response(trial.response_text, trial.finish_reason), {"math": mathematics}
        )
        assert [getattr(row, name) for name in KEY] == [getattr(trial, name) for name in KEY]
        for name in VERDICT:
            value = getattr(row, name)
            assert (None if pd.isna(value) else value) == getattr(plain, name), (trial, name)
    assert found.scores()["category"].nunique() == 3


def test_each_distinct_text_of_an_item_is_scored_once(tmp_path):
    folder = make(tmp_path / "one", [["A", "B", "A", "A"], ["A", "C", "A", "C"]])
    log = tmp_path / "log"
    score_archive(folder, scorers=exact(log=log), workers=2, **QUIET)
    assert sorted(log.read_text().splitlines()) == ["000\tA", "000\tB", "001\tA", "001\tC"]


def test_what_differs_only_in_finish_reason_is_scored_apart(tmp_path):
    folder = make(tmp_path / "one", [["A", "A"]], finish="stop")
    responses = read_archive(folder).responses()
    responses["finish_reason"] = ["stop", "length", None, "stop"]
    responses["refusal"] = [None, None, None, "I must decline."]
    archive = read_archive(folder)
    content = {**json.loads((folder / "manifest.json").read_text()), "files": {}}
    write_archive(folder, content, archive.items, responses, None, replace=True)
    scores = score_archive(folder, scorers=exact(), **HERE).scores()
    assert scores["category"].tolist() == ["correct", "truncation", "correct", "refusal"]


def test_parts_and_slices_change_nothing(tmp_path, monkeypatch):
    replies = [[f"{number}", "A", "B" * 30] * 2 for number in range(7)]
    whole = score_archive(make(tmp_path / "a", replies), scorers=exact(), **HERE)
    monkeypatch.setattr(parts, "PART_TEXTS", 4)
    monkeypatch.setattr(parts, "SLICE_TEXTS", 2)
    monkeypatch.setattr(parts, "SLICE_CHARACTERS", 25)
    cut = score_archive(make(tmp_path / "b", replies), scorers=exact(), workers=2, **QUIET)
    assert cut.scores().equals(whole.scores())
    assert len(cut.scores()) == 84


@pytest.mark.parametrize("count", [0, 1])
def test_odd_texts_come_through(tmp_path, count):
    odd = "x \ud835 y"
    texts = [odd, "", "nan", "None", "\0", "a\rb", "B" * 2_000_000, "\u202eA", None]
    folder = make(tmp_path / "one", [texts], reference=escape_surrogates(odd))
    scores = score_archive(folder, scorers=exact(), workers=count, **QUIET).scores()
    scores = scores[scores["model"] == "new"]
    expected = ["correct", *["wrong"] * 8]
    expected[1] = expected[8] = "format_failure"
    assert scores["category"].tolist() == expected
    assert restore_surrogates(scores["extracted"].iloc[0]) == odd
    assert scores["extracted"].fillna("missing").tolist()[1:6] == [
        "missing", "nan", "None", "\0", "a\rb",
    ]  # fmt: skip


@pytest.mark.parametrize("count", [0, 1])
def test_scorers_meet_the_text_as_it_came_in(tmp_path, count):
    folder = make(tmp_path / "one", [["x \ud835 y", "x y"]])
    assert "\ud835" not in str(read_archive(folder).responses()["response_text"].tolist())
    scores = score_archive(folder, scorers={"exact": SeesHalf}, workers=count, **QUIET).scores()
    assert scores["category"].tolist() == ["correct", "wrong"] * 2


# What cannot be scored.


def test_items_are_checked_before_anything_is_scored(tmp_path):
    folder = make(tmp_path / "one", [["A"]] * 5, task=["exact", "riddle", "exact", "riddle", "pun"])
    before, log = checksums(folder), tmp_path / "log"
    with pytest.raises(ScoringError) as error:
        score_archive(folder, scorers=exact(log=log), **HERE)
    line = str(error.value)
    assert line.startswith("3 of 5 items cannot be scored: item '001' of 'quiz' has task 'riddle'")
    assert "scorers={'pun': …, 'riddle': …}" in line
    assert "\n" not in line
    assert not log.exists()
    assert checksums(folder) == before
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_items_that_a_scorer_refuses_are_named_three_and_counted(tmp_path):
    folder = make(
        tmp_path / "one", [["A"]] * 6, task="math", reference=["1", "", "{", "", "{", "2"]
    )
    with pytest.raises(
        ScoringError, match="4 of 6 .*'001'.*'002'.*'003'.*and 1 more; mend"
    ) as error:
        score_archive(folder, **HERE)
    assert "'004'" not in str(error.value)


@pytest.mark.parametrize("count", [0, 2])
def test_a_fault_of_the_scorer_is_a_reason_and_no_more(tmp_path, count):
    folder = make(tmp_path / "one", [["A", "fail", "cannot", "B"]])
    found = score_archive(folder, scorers={"exact": Troubled}, workers=count, **QUIET)
    scores = found.scores().query("model == 'old'")
    assert scores["category"].fillna("none").tolist() == ["correct", "none", "none", "wrong"]
    assert scores["unscored_reason"].dropna().tolist() == [
        "the scorer failed with ValueError: a fault of the scorer",
        "needs what is not here",
    ]


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


def test_an_archive_without_texts_is_not_scored(tmp_path):
    scored = score_archive(make(tmp_path / "texts", [["A"]]), scorers=exact(), **HERE)
    content = {**json.loads((scored.path / "manifest.json").read_text()), "files": {}}
    write_archive(tmp_path / "bare", content, scored.items, None, scored.scores())
    with pytest.raises(NotInArchive, match=r"has no responses\.parquet: nothing to score"):
        score_archive(tmp_path / "bare", scorers=exact(), **HERE)
    folder = make(tmp_path / "one", [[None, None]])
    with pytest.raises(NotInArchive, match="no text in responses.parquet"):
        score_archive(folder, scorers=exact(), **HERE)


def test_an_unknown_benchmark_is_named(tmp_path):
    folder = make(tmp_path / "one", [["A"]])
    with pytest.raises(ScoringError, match="no benchmark 'quix'; there are quiz"):
        score_archive(folder, benchmarks=["quix"], **HERE)


# Where scores go.


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


def test_parts_without_some_scores_are_scored_again(tmp_path, monkeypatch):
    folder = make(tmp_path / "one", [["A"], ["cannot"], ["B"], ["A"], ["B"]])
    interrupted(folder, scorers={"exact": Troubled})
    monkeypatch.setattr(parts, "PART_TEXTS", 1)
    log = tmp_path / "log"
    scores = score_archive(folder, scorers={"exact": functools.partial(Mended, log=log)}, **HERE)
    assert scores.scores()["category"].notna().all()
    assert [line.split("\t")[1] for line in log.read_text().splitlines()] == ["cannot", "A", "B"]


class Mended(Exact):
    """The scorer `Troubled` where it has what it needs."""

    name = "troubled"


class Loud(Exact):
    """Another extracted text under the same name and version."""

    def read(self, item, text):
        return super().read(item, text.lower())


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


def test_real_replies_by_scorers_of_ones_own(tmp_path, fixtures_dir):
    """The sample's own simple rules, put as scorers: the six replies that differ were cut."""
    folder = tmp_path / "sample"
    shutil.copytree(fixtures_dir / "smollm2_sample", folder)
    with pytest.raises(ScoringError, match=r"item 'instruction-01'.*short_answer"):
        score_archive(folder, **HERE)
    archive = score_archive(
        folder,
        scorers={"short_answer": Word, "instruction": Check},
        benchmarks=["instruction", "knowledge"],
        label="own",
        workers=2,
        **QUIET,
    )
    both = archive.scores().merge(archive.scores(scorer="own"), on=KEY, suffixes=("", "_own"))
    other = both[both["category"] != both["category_own"]]
    assert len(both) == 2400
    assert other["category"].tolist() == ["correct"] * 6
    assert other["category_own"].tolist() == ["truncation"] * 6


# Interrupted and taken up again.

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


def test_no_process_is_left(tmp_path):
    folder = make(tmp_path / "one", [["A", "B"]] * 3)
    score_archive(folder, scorers=exact(), workers=2, **QUIET)
    assert multiprocessing.active_children() == []


# The command line.


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
