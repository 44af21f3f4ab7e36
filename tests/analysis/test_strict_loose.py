"""What each reading decides on texts whose verdicts are known by hand."""

from __future__ import annotations

import json

import nltk
import pandas as pd
import pytest

from reliable_change.analysis import strict_loose
from reliable_change.archive.read import read_archive
from reliable_change.archive.write import write_archive, write_scores
from reliable_change.errors import NotInArchive

KEY = ["benchmark", "item_id", "model", "trial"]
RULES = {
    "one": {"punctuation:no_comma": {}, "startend:quotation": {}},
    "two": {"punctuation:no_comma": {}},
    "data": {"ratio:stop_words": {"percentage": 10}, "punctuation:no_comma": {}},
}
REPLIES = {
    "one": ['Sure:\n*"it"*', '"it"', "no, not it", '"cut', ""],
    "two": ["a, b\nc", "a", "d,\ne\nf, g", "a", "a"],
    "data": ["a", "b, c", "a", "a", "a"],
    "own": ["a", "a", "a", "a", "a"],
}
FINISH = ["stop", "stop", "stop", "length", "stop"]


def make(folder, items=tuple(REPLIES), texts=True):
    extra = {
        name: json.dumps({"instruction_id_list": list(rules), "kwargs": list(rules.values())})
        for name, rules in RULES.items()
    }
    frame = pd.DataFrame(
        [("rules", item, "instruction", extra.get(item, '{"rule": "lt20"}')) for item in items],
        columns=["benchmark", "item_id", "task", "extra"],
    )
    responses = pd.DataFrame(
        [
            ("rules", item, "new", trial, text if texts else None, FINISH[trial])
            for item in items
            for trial, text in enumerate(REPLIES[item])
        ],
        columns=["benchmark", "item_id", "model", "trial", "response_text", "finish_reason"],
    )
    manifest = {
        "name": folder.name, "kind": "collected", "description": "By hand.", "models": ["new"],
        "edges": [], "benchmarks": ["rules"], "trials_per_item": 5, "complete": True,
        "created_utc": "2026-01-01T00:00:00+00:00", "licence": "CC0-1.0",
    }  # fmt: skip
    scores = None
    if not texts:
        scores = responses.drop(columns=["response_text", "finish_reason"])
        scores = scores.assign(category="wrong", correct=False)
    return write_archive(folder, manifest, frame, responses, scores)


@pytest.fixture
def archive(tmp_path, monkeypatch):
    monkeypatch.setattr(nltk.data, "path", [])
    return read_archive(make(tmp_path / "made"))


def test_each_instruction_is_counted_by_what_the_readings_decide(archive):
    """The cut and the blank reply and the item with a rule of its own are left out."""
    judged = strict_loose.judge_texts(archive)
    assert len(judged.replies) == 3 + 4 + 4
    found = strict_loose.by_instruction(judged).set_index("instruction")
    counts = ["replies", "strict", "loose", "only_loose", "unscored"]
    assert found[counts].to_dict("index") == {
        "punctuation:no_comma": dict(zip(counts, [11, 7, 9, 2, 0], strict=True)),
        "startend:quotation": dict(zip(counts, [3, 1, 2, 1, 0], strict=True)),
        "ratio:stop_words": dict(zip(counts, [0, 0, 0, 0, 4], strict=True)),
        "all": dict(zip(counts, [14, 8, 11, 3, 4], strict=True)),
    }
    assert found.loc["ratio:stop_words", "reason"].endswith("nltk.downloader stopwords")
    assert found["reason"].notna().sum() == 1


def test_replies_that_pass_only_loosely_are_shown_by_what_may_be_left_out(archive):
    found = strict_loose.only_loosely(strict_loose.judge_texts(archive))
    shown = found[["instruction", "item_id", "trial", "first_line", "last_line", "asterisks"]]
    assert shown.to_numpy().tolist() == [
        ["punctuation:no_comma", "two", 0, "a, b", "c", 0],
        ["punctuation:no_comma", "two", 2, "d,", "f, g", 0],
        ["startend:quotation", "one", 0, "Sure:", '*"it"*', 2],
    ]


def test_agreement_with_the_archives_own_scores(archive):
    """Here scored by another rule: a reply is right if it holds no comma."""
    judged = strict_loose.judge_texts(archive)
    with pytest.raises(NotInArchive, match=r"has no scores\.parquet"):
        strict_loose.agreement(archive, judged)
    scores = archive.responses(KEY).merge(archive.responses(), on=KEY)
    has_none = ~scores["response_text"].str.contains(",")
    scores = scores[KEY].assign(correct=has_none, correct_loose=True)
    scores["category"] = has_none.map({True: "correct", False: "format_failure"})
    scored = read_archive(write_scores(archive.path, scores))
    found = strict_loose.agreement(scored, judged)
    # Of the 7 whole replies to "one" and "two", a reply to "one" differs under each reading.
    assert found.to_numpy().tolist() == [["strict", 7, 6], ["loose", 7, 6]]


def test_only_so_many_first_trials_are_read(archive):
    judged = strict_loose.judge_texts(archive, most=3)
    assert judged.trials == 1
    assert {key[3] for key in judged.replies} == {0}
    assert len(judged.replies) == 3
    assert strict_loose.by_instruction(judged)["instruction"].iloc[-1] == "all, first 1 trials"


def test_what_an_archive_lacks_is_said_in_a_line(tmp_path):
    own = read_archive(make(tmp_path / "own", items=["own"]))
    with pytest.raises(NotInArchive, match="^own has no item that lists its instructions$"):
        strict_loose.judge_texts(own)
    bare = read_archive(make(tmp_path / "bare", items=["two"], texts=False))
    with pytest.raises(NotInArchive, match="^bare has no texts of replies to its instruction"):
        strict_loose.judge_texts(bare)
