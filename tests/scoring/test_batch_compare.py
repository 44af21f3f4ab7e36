"""The table of changed verdicts: what counts as a change, and how it is told."""

from __future__ import annotations

import pandas as pd
import pytest

from reliable_change.archive.read import read_archive
from reliable_change.archive.write import write_archive, write_scores
from reliable_change.errors import NotInArchive
from reliable_change.scoring.compare import changed_verdicts
from reliable_change.scoring.report import describe_changes, describe_scores

MANIFEST = {
    "name": "two", "kind": "imported", "description": "Scored twice.", "models": ["old", "new"],
    "edges": [["old", "new"]], "benchmarks": ["quiz"], "trials_per_item": None, "complete": False,
    "created_utc": "2026-01-01T00:00:00+00:00", "licence": "CC0-1.0",
}  # fmt: skip
#          model  trial  before            loose  after             loose  extracted after
TRIALS = [
    ("new", 0, "correct", True, "correct", True, "A"),
    ("new", 1, "wrong", False, "correct", True, "A"),
    ("new", 2, "wrong", None, "wrong", True, "B"),
    ("new", 3, "wrong", False, "format_failure", True, None),
    ("new", 4, None, None, "correct", True, "a text\nthat is " + "long " * 20),
    ("old", 0, None, None, None, None, None),
    ("old", 1, "wrong", False, "correct", True, "A"),
    ("old", 2, "truncation", False, "wrong", False, "C"),
    ("old", 3, "wrong", False, "wrong", True, "A"),
]


@pytest.fixture
def archive(tmp_path):
    def scores(category, loose, extracted):
        rows = [
            {
                "benchmark": "quiz",
                "item_id": "1",
                "model": row[0],
                "trial": row[1],
                "category": row[category],
                "correct": None if row[category] is None else row[category] == "correct",
                "correct_loose": row[loose],
                "extracted": row[extracted] if extracted else None,
                "unscored_reason": "no verifier" if row[category] is None else None,
            }
            for row in TRIALS
        ]
        return pd.DataFrame(rows).astype({"correct": "boolean", "correct_loose": "boolean"})

    items = pd.DataFrame({"benchmark": ["quiz"], "item_id": ["1"]})
    before = scores(2, 3, 0)
    responses = before[["benchmark", "item_id", "model", "trial"]].assign(response_text="A")
    write_archive(tmp_path / "two", MANIFEST, items, responses, before)
    write_scores(tmp_path / "two", scores(4, 5, 6), scorer="later")
    write_scores(tmp_path / "two", scores(4, 5, 6).drop([0, 8]), scorer="fewer")
    return read_archive(tmp_path / "two")


def test_changes_are_counted_by_benchmark_and_model(archive):
    found = changed_verdicts(archive, None, "later")
    assert [tuple(row) for row in found.counts.itertuples(index=False)] == [
        ("quiz", "new", "unscored", "correct", 1, 0),
        ("quiz", "new", "wrong", "correct", 1, 1),
        ("quiz", "new", "wrong", "format_failure", 1, 1),
        ("quiz", "old", "truncation", "wrong", 1, 0),
        ("quiz", "old", "wrong", "correct", 1, 1),
        ("quiz", "old", "wrong", "wrong", 1, 1),
    ]
    assert (found.compared, found.only_before, found.only_after) == (9, 0, 0)


def test_a_loose_verdict_that_one_side_does_not_give_is_no_change(archive):
    trials = changed_verdicts(archive, None, "later").trials
    key = list(zip(trials["model"], trials["trial"], strict=True))
    assert key == [("new", 1), ("new", 3), ("new", 4), ("old", 1), ("old", 2), ("old", 3)]


def test_trials_of_one_file_only_are_counted_apart(archive):
    found = changed_verdicts(archive, None, "fewer")
    assert (found.compared, found.only_before, found.only_after) == (7, 2, 0)
    assert len(found.trials) == 5
    assert changed_verdicts(archive, "fewer", None).only_after == 2


def test_the_same_scores_have_no_changes(archive):
    found = changed_verdicts(archive, "later", "later")
    assert len(found.trials) == len(found.counts) == 0
    assert list(found.counts.columns)[-2:] == ["trials", "loose_changed"]
    assert describe_changes(found) == "0 of 9 verdicts changed"


def test_a_file_that_is_not_there_is_named(archive):
    with pytest.raises(NotInArchive, match=r"scores-none\.parquet"):
        changed_verdicts(archive, None, "none")


def test_the_report_keeps_to_short_lines(archive):
    told = describe_changes(changed_verdicts(archive, None, "later"))
    assert "6 of 9 verdicts changed" in told
    assert "a text that is long long" in told
    assert max(map(len, told.splitlines())) < 160


def test_the_report_names_why_trials_have_no_score(archive):
    told = describe_scores(archive, "later")
    assert "1 trials have no score:\n  1 × no verifier" in told
    assert told.splitlines()[0].split() == [
        "benchmark", "model", "correct", "wrong", "format_failure", "refusal", "truncation",
        "api_error", "unscored",
    ]  # fmt: skip
    rows = [line.split() for line in told.splitlines()[1:3]]
    assert [row[:2] for row in rows] == [["quiz", "old"], ["quiz", "new"]], "as released"
    assert rows[1][2:] == ["3", "1", "1", "0", "0", "0", "0"]
