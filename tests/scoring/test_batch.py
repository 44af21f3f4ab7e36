"""Scoring a whole archive: what is scored, and what cannot be."""

from __future__ import annotations

import functools
import json
import shutil

import pandas as pd
import pytest

from reliable_change.archive.read import read_archive
from reliable_change.archive.text import escape_surrogates, restore_surrogates
from reliable_change.archive.write import write_archive
from reliable_change.errors import NotInArchive
from reliable_change.scoring import parts
from reliable_change.scoring.batch import score_archive
from reliable_change.scoring.mathematics.scorer import Mathematics
from reliable_change.scoring.report import describe_scores
from reliable_change.scoring.tasks import score
from reliable_change.scoring.verdict import Item, Response
from reliable_change.scoring.workers import ScoringError
from tests.scoring.batch_archives import (
    HERE,
    KEY,
    QUIET,
    VERDICT,
    checksums,
    exact,
    make,
)
from tests.scoring.batch_scorers import (
    Check,
    Lacking,
    SeesHalf,
    Troubled,
    Word,
)


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


@pytest.mark.parametrize("count", [0, 1])
def test_no_trial_of_an_item_that_cannot_be_scored_here_counts(tmp_path, count):
    finish = ["stop", "length", "stop", None]
    replies = [["A", "A", "", None]] * 2
    folder = make(tmp_path / "one", replies, reference=["lacking", "A"], finish=finish)
    scores = score_archive(folder, scorers={"exact": Lacking}, workers=count, **QUIET).scores()
    assert scores["category"].fillna("none").tolist() == [
        *["none", "none", "none", "api_error"] * 2,
        *["correct", "truncation", "format_failure", "api_error"] * 2,
    ]
    assert scores["unscored_reason"].dropna().tolist() == ["needs a tagger; install it"] * 6


@pytest.mark.parametrize("count", [0, 1])
def test_a_comparison_that_ran_into_its_bound_is_noted_in_the_file(tmp_path, count):
    """MATH-05: the verdict is wrong, the record says why, and the next text is scored."""
    tower = "\\boxed{\\frac{5^{5^{5^{5^{5}}}}-5}{16}}"
    folder = make(tmp_path / "one", [[tower, "\\boxed{3}"]], task="math", reference="3")
    hasty = {"math": functools.partial(Mathematics, seconds=1)}
    scores = score_archive(folder, scorers=hasty, workers=count, **QUIET).scores()
    assert scores["category"].tolist() == ["wrong", "correct"] * 2
    noted = scores["note"].tolist()
    assert pd.isna(noted[1])
    assert "comparison" in noted[0]
    pd.testing.assert_frame_equal(scores, read_archive(folder).scores())
    assert f"2 trials have a note:\n  2 × {noted[0]}" in describe_scores(read_archive(folder))


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


def test_real_replies_by_scorers_of_ones_own(tmp_path, fixtures_dir):
    """The sample's own simple rules, put as scorers: the six replies that differ were cut."""
    folder = tmp_path / "sample"
    shutil.copytree(fixtures_dir / "smollm2_sample", folder)
    with pytest.raises(ScoringError, match=r"item 'knowledge-01'.*short_answer"):
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
