"""A made-up archive with texts, as large as a test wants it, to replay."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd

from reliable_change.archive.read import read_archive
from reliable_change.archive.write import write_archive

MODELS = ("alpha", "beta")
# Texts that are easily spoilt on their way: empty, no ASCII, quotes, what looks like JSON or HTML.
TEXTS = ("", "42", "Answer: B", "ünïcode ∑ 𝔸", '"quoted"\n\\', '{"choices": null}', "<html>", " ")


def write_made_up(folder: Path, *, items: int, trials: int, seed: int = 1) -> Path:
    """Items of two benchmarks, two models, so many trials of each; every text says no more than
    a handful of things, some are cut and some refused, and some servers do not tell usage."""
    rng = np.random.default_rng(seed)
    benchmarks = ["sums" if number % 2 else "riddles" for number in range(items)]
    ids = [f"{number:03d}" for number in range(items)]
    frame = pd.DataFrame({"benchmark": benchmarks, "item_id": ids, "task": "multiple_choice"})
    frame["prompt"] = [f"Made-up question {number}:\n“why?” \\ {{}}" for number in ids]
    frame["reference"] = "A"
    frame["extra"] = '{"options": ["this", "that"]}'
    keys = [
        (benchmark, item, model, trial)
        for benchmark, item in zip(benchmarks, ids, strict=True)
        for model in MODELS
        for trial in range(trials)
    ]
    responses = pd.DataFrame(keys, columns=["benchmark", "item_id", "model", "trial"])
    some = rng.integers(0, len(TEXTS), len(keys))
    numbers = rng.integers(0, 9, len(keys)).tolist()
    responses["response_text"] = [
        TEXTS[one] + f" {number}" * (number > 2) for one, number in zip(some, numbers, strict=True)
    ]
    ends = rng.choice(["stop", "length", "refused"], len(keys), p=[0.9, 0.07, 0.03])
    responses["finish_reason"] = np.where(ends == "length", "length", "stop")
    responses["refusal"] = pd.Series(np.where(ends == "refused", "I won't.", None), dtype=object)
    responses["input_tokens"] = pd.array(rng.integers(5, 90, len(keys)), "Int64")
    responses["output_tokens"] = pd.array(rng.integers(1, 900, len(keys)), "Int64")
    responses["reasoning_tokens"] = responses["output_tokens"] // 2
    silent = rng.random(len(keys)) < 0.02
    for column in ("input_tokens", "output_tokens", "reasoning_tokens"):
        responses.loc[silent, column] = pd.NA
    manifest = {
        "name": folder.name,
        "kind": "collected",
        "description": "Made-up replies for tests.",
        "models": list(MODELS),
        "edges": [list(MODELS)],
        "benchmarks": ["sums", "riddles"],
        "trials_per_item": trials,
        "complete": True,
        "created_utc": "2026-01-01T00:00:00+00:00",
        "licence": "CC0-1.0",
    }
    return write_archive(folder, manifest, frame, responses, None)


CONTENT = ("response_text", "refusal", "finish_reason", "input_tokens", "output_tokens")
CONTENT += ("reasoning_tokens",)


def contents(archive: Path) -> Counter:
    """How often each item and model of an archive has which reply, order left aside."""
    frame = read_archive(archive).responses(["benchmark", "item_id", "model", *CONTENT])
    return Counter(tuple(None if pd.isna(v) else v for v in row) for row in frame.to_numpy(object))
