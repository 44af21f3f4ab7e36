"""Agreement with the official verdicts on real replies, instruction by instruction."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reliable_change.scoring.instructions.needs import what_is_missing
from reliable_change.scoring.tasks import score
from reliable_change.scoring.verdict import Item, Response

EXTRA = ("instruction_id_list", "kwargs")


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def item_of(benchmark: str, row: dict) -> Item:
    extra = {name: row[name] for name in EXTRA}
    return Item(benchmark, str(row["key"]), "instruction", extra=extra, prompt=row["prompt"])


def test_ifbench(fixtures_dir, nltk_data_dir, instructions):
    folder = fixtures_dir / "ifbench"
    items = {row["prompt"].strip(): row for row in rows(folder / "IFBench_test.jsonl")}
    replies = rows(folder / "sample_output.jsonl")
    strict = rows(folder / "eval_results_strict.jsonl")
    loose = rows(folder / "eval_results_loose.jsonl")
    assert len(items) == 300
    assert len(replies) == len(strict) == len(loose) == 294
    assert sum(row["follow_all_instructions"] for row in strict) == 77
    assert sum(row["follow_all_instructions"] for row in loose) == 88

    unmatched, unscored, agreed, followed = 0, 0, 0, [0, 0]
    for reply, strictly, loosely in zip(replies, strict, loose, strict=True):
        assert reply["prompt"] == strictly["prompt"] == loosely["prompt"]
        assert reply["response"] == strictly["response"] == loosely["response"]
        row = items.get(reply["prompt"].strip())
        if row is None:
            unmatched += 1
            continue
        one = item_of("IFBench", row)
        found = instructions.judge(one, reply["response"])
        trial = score(one, Response(reply["response"], "stop"), {"instruction": instructions})
        if any(map(what_is_missing, row["instruction_id_list"])):
            unscored += 1
            assert (trial.category, trial.correct, trial.correct_loose) == (None, None, None)
            assert "averaged_perceptron_tagger_eng" in trial.unscored_reason
            continue
        assert [v.instruction for v in found] == strictly["instruction_id_list"]
        assert [v.strict for v in found] == strictly["follow_instruction_list"], row["key"]
        assert [v.loose for v in found] == loosely["follow_instruction_list"], row["key"]
        assert trial.correct is strictly["follow_all_instructions"]
        assert trial.correct_loose is loosely["follow_all_instructions"]
        agreed += len(found)
        followed[0] += trial.correct
        followed[1] += trial.correct_loose

    assert unmatched == 1
    if what_is_missing("words:start_verb"):
        assert (unscored, agreed, followed) == (6, 327, [74, 84])
    else:
        assert unscored == 0


@pytest.mark.parametrize("model", ["qwen-plus", "qwen3-max"])
def test_ifeval_as_evalscope_scored_it(fixtures_dir, nltk_data_dir, model, instructions):
    path = fixtures_dir / "evalscope" / model / "reviews" / "ifeval_default.jsonl"
    reviews = [row["sample_score"] for row in rows(path)]
    assert len(reviews) == 10
    for review in reviews:
        one = item_of("IFEval", review["sample_metadata"])
        text, official = review["score"]["prediction"], review["score"]["value"]
        found = instructions.judge(one, text)
        trial = score(one, Response(text, "stop"), {"instruction": instructions})
        assert trial.correct == official["prompt_level_strict"], one.item_id
        assert trial.correct_loose == official["prompt_level_loose"], one.item_id
        assert trial.score == pytest.approx(official["inst_level_strict"])
        share = sum(verdict.loose for verdict in found) / len(found)
        assert share == pytest.approx(official["inst_level_loose"])
