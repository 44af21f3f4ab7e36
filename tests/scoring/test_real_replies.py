"""Agreement with the recorded verdicts on two real models' replies, trial by trial."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pandas as pd
import pytest

from reliable_change.scoring.tasks import score
from reliable_change.scoring.verdict import Item, Response

MODELS = ("qwen-plus", "qwen3-max")


def records(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def trials(folder: Path, model: str, name: str) -> list[dict]:
    """One dictionary per reply: id, prompt, target, text, finish reason, verdict, extracted."""
    predictions, reviews = (
        records(folder / "evalscope" / model / kind / name) for kind in ("predictions", "reviews")
    )
    finished = {
        row["index"]: row["model_output"]["choices"][0]["stop_reason"] for row in predictions
    }
    return [
        {
            "id": str(row["index"]),
            "prompt": row["messages"][0]["content"],
            "target": row["target"],
            "response": Response(
                row["sample_score"]["score"]["prediction"], finished[row["index"]]
            ),
            "correct": row["sample_score"]["score"]["value"]["acc"] == 1,
            "extracted": row["sample_score"]["score"]["extracted_prediction"],
        }
        for row in reviews
    ]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("quiz", ["iquiz_EQ", "iquiz_IQ"])
def test_quizzes(fixtures_dir, scorers, model, quiz):
    rows = trials(fixtures_dir, model, f"{quiz}.jsonl")
    assert len(rows) == 10
    for row in rows:
        letters = re.search(r"其中 \[LETTER\] 是 ([A-J,]+) 中", row["prompt"])[1].split(",")
        extra = {"n_options": len(letters)}
        item = Item(quiz, row["id"], "multiple_choice", row["target"], extra)
        found = score(item, row["response"], scorers)
        assert (found.correct, found.extracted) == (row["correct"], row["extracted"]), row["id"]


@pytest.mark.parametrize("model", MODELS)
def test_gsm8k_against_its_own_and_every_other_answer(fixtures_dir, scorers, model):
    rows = trials(fixtures_dir, model, "gsm8k_main.jsonl")
    assert len(rows) == 10
    wrong = 0
    for row in rows:
        found = score(Item("gsm8k", row["id"], "math", row["target"]), row["response"], scorers)
        assert (found.correct, found.extracted) == (row["correct"], row["extracted"]), row["id"]
        for other in rows:
            if other["target"] != row["target"]:
                item = Item("gsm8k", other["id"], "math", other["target"])
                assert score(item, row["response"], scorers).category == "wrong"
                wrong += 1
    assert wrong == 90


def test_a_base_model_that_never_answers(fixtures_dir, scorers):
    """lm-evaluation-harness gave each of these replies 0; none of them states an answer."""
    path = next((fixtures_dir / "lm_eval").glob("samples_*.jsonl"))
    rows = records(path)
    assert len(rows) == 10
    for row in rows:
        item = Item("math_perturbed", str(row["doc_id"]), "math", row["target"])
        found = score(item, Response(row["resps"][0][0]), scorers)
        assert (found.category, row["exact_match"]) == ("format_failure", 0)
        itself = score(item, Response(f"Answer: ${row['target']}$"), scorers)
        assert itself.correct


def test_small_models_arithmetic(fixtures_dir, scorers):
    """Against a scorer of "simple regular expressions": every difference has a name."""
    folder = fixtures_dir / "smollm2_sample"
    key = ["benchmark", "item_id", "model", "trial"]
    rows = pd.read_parquet(folder / "responses.parquet").merge(
        pd.read_parquet(folder / "scores.parquet")[[*key, "category"]], on=key
    )
    items = pd.read_parquet(folder / "items.parquet").set_index("item_id")["reference"]
    rows = rows[rows["benchmark"] == "arithmetic"]
    assert len(rows) == 800
    seen: dict[str, int] = {}
    for row in rows.itertuples():
        reference = items[row.item_id]
        item = Item("arithmetic", row.item_id, "math", reference)
        response = Response(row.response_text, row.finish_reason, row.refusal)
        found = score(item, response, scorers)
        name = difference(row.category, found.category, row.response_text, reference)
        seen[name] = seen.get(name, 0) + 1
    assert "unexplained" not in seen, seen
    assert seen["agree"] > 700


def difference(before: str, now: str, text: str, reference: str) -> str:
    """Name what separates two categories of a reply."""
    if (before == "correct") == (now == "correct") and (before == "truncation") == (
        now == "truncation"
    ):
        return "agree"
    if now == "correct" and re.search(rf"=\s*{reference}\b", text):
        return "an equation whose sides both equal the reference is an answer"
    if now == "correct" and re.search(rf"answer is {reference}\b", text):
        return "the answer is stated, but not on the first line"
    if now == "format_failure" and before == "correct":
        return "a number within a sentence is no answer"
    return "unexplained"
