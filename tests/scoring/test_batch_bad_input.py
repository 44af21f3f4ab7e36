"""Whatever an archive holds goes through the batch: a category for each trial, or one error."""

from __future__ import annotations

import json
import shlex

import pytest

from reliable_change import cli
from reliable_change.archive.read import read_archive
from reliable_change.archive.schema import CATEGORIES
from reliable_change.scoring.batch import score_archive
from reliable_change.scoring.inputs import check_items
from reliable_change.scoring.tasks import default_scorers
from reliable_change.scoring.verdict import Item
from reliable_change.scoring.workers import ScoringError
from tests.scoring.batch_archives import HERE, QUIET, checksums, make

TASKS = ["multiple_choice", "math", "instruction"]
RULES = {"instruction_id_list": ["punctuation:no_comma", "count:numbers"], "kwargs": [{}, {"N": 2}]}
EXTRA = [json.dumps({"n_options": 10}), None, json.dumps(RULES)]
GOLDS = ["C", "\\sqrt{2}", None]
HOSTILE = {
    "half a surrogate pair": "Answer: \ud835 C",
    "NUL": "Answer: \x00C\x00",
    "a megabyte of one character": "a" * 1_000_000,
    "braces ten thousand deep": "\\boxed{" * 10_000 + "C" + "}" * 10_000,
    "right to left": "\u202e\u05d4\u05ea\u05e9\u05d5\u05d1\u05d4: C",
    "code": "Answer: __import__('pathlib').Path('PWNED').touch()",
    "empty": "",
    "blank": " \n\u2003",
    "null": None,
}


@pytest.mark.parametrize("workers", [0, 1])
def test_every_hostile_text_ends_as_a_category(tmp_path, monkeypatch, workers):
    """Nothing hangs, nothing is run and nothing is lost, for each of the three tasks."""
    monkeypatch.chdir(tmp_path)
    replies = [[*HOSTILE.values(), "Answer: C"]] * 3
    folder = make(tmp_path / "one", replies, task=TASKS, reference=GOLDS, extra=EXTRA)
    before = checksums(folder)["responses.parquet"]
    scores = score_archive(folder, workers=workers, **QUIET).scores()
    assert len(scores) == 2 * 3 * (len(HOSTILE) + 1)
    assert set(scores["category"]) <= set(CATEGORIES)
    assert scores["unscored_reason"].isna().all()
    for name, trial in (("empty", 6), ("blank", 7), ("null", 8)):
        assert list(HOSTILE)[trial] == name
        assert set(scores.loc[scores["trial"] == trial, "category"]) == {"format_failure"}
    plain = scores[scores["trial"] == len(HOSTILE)].groupby("item_id")["category"].unique()
    assert plain.map(list).tolist() == [["correct"], ["wrong"], ["wrong"]]
    assert checksums(folder)["responses.parquet"] == before
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


@pytest.mark.parametrize(
    ("task", "reference", "extra", "problem"),
    [
        (
            "riddle",
            "C",
            None,
            "has task 'riddle', for which there is no scorer (known: instruction, math, "
            "multiple_choice)",
        ),
        ("maths", "1", None, "multiple_choice; did you mean math?)"),
        (None, "C", None, "has task None, for which there is no scorer"),
        ("math", "\\frac{1}{2", None, "braces do not match"),
        ("math", None, None, "has no reference"),
        ("multiple_choice", "K", EXTRA[0], "has reference 'K', which is no letter from A to J"),
        ("multiple_choice", "C", None, "needs two to 10 options"),
        ("instruction", None, None, "has no instruction_id_list"),
        (
            "instruction",
            None,
            json.dumps({"instruction_id_list": ["count:nonsense"], "kwargs": [{}]}),
            "has an instruction 'count:nonsense' that nobody knows",
        ),
    ],
)
def test_a_bad_item_is_one_clear_error_that_names_it(tmp_path, task, reference, extra, problem):
    folder = make(tmp_path / "one", [["C"]], task=task, reference=reference, extra=extra)
    before = checksums(folder)
    with pytest.raises(
        ScoringError, match="^1 of 1 items cannot be scored: item '000' of 'quiz'"
    ) as e:
        score_archive(folder, **HERE)
    assert problem in str(e.value)
    assert "\n" not in str(e.value)
    assert checksums(folder) == before


def test_the_way_out_is_a_command_that_scores_what_can_be_scored():
    items = [Item("good", "1", "math", "4"), Item("bad", "1", "maths", "4")]
    items += [Item("my quiz", "1", "math", "4"), Item("bad", "2", "math", "4")]
    with pytest.raises(ScoringError) as caught:
        check_items(items, default_scorers())
    command = ".venv/bin/reliable-change score ARCHIVE --benchmark good --benchmark 'my quiz'"
    assert command in str(caught.value)
    given = cli._parser().parse_args(shlex.split(command)[1:])
    assert given.benchmarks == ["good", "my quiz"]
    with pytest.raises(ScoringError) as caught:
        check_items(items[1:2], default_scorers())
    assert "--benchmark" not in str(caught.value)


def test_repeats_of_one_prompt_stay_apart(tmp_path):
    """IFB-05: 50 verdicts, 20 of which follow, though a reply that does not comes last."""
    extra = json.dumps({"instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]})
    replies = [["fine"] * 20 + ["no, not fine"] * 30]
    folder = make(tmp_path / "one", replies, task="instruction", reference=None, extra=extra)
    score_archive(folder, **HERE)
    scores = read_archive(folder).scores()
    assert scores.groupby("model")["correct"].sum().to_dict() == {"old": 20, "new": 20}
    assert scores["correct"].tolist() == ([True] * 20 + [False] * 30) * 2
