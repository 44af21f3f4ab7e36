"""Make tests/data/uneven_k: a small archive in which nearly everything that may differ differs.

Run as `python tests/make_uneven_k.py`; the same pyarrow writes the same bytes again.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd

from reliable_change.archive.write import write_archive

FOLDER = Path(__file__).parent / "data" / "uneven_k"
SEED = 20260101
TRIALS = 12
# Release order is not the order of the alphabet, on purpose.
MODELS = ("wren-1", "tern-1", "tern-2")
ITEMS = {"riddles": 8, "sums": 6}
LEVELS = ("one step", "two steps")
# Chances of a correct trial, model after model; the first ones are planted changes.
CHANCES = [(0.02, 0.98, 0.98), (0.98, 0.02, 0.5), (1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.5, 0.6, 0.4)]
# Texts that some tool or other takes for something else.
TEXTS = ("", "nan", "None", "007", "1e5", "a\rb", "x �{d835} y", "Answer: 7", "🪶 seven")
MANIFEST = {
    "name": "uneven_k",
    "kind": "collected",
    "description": "Made-up trials for tests: K differs between items and models.",
    "models": MODELS,
    "edges": [("wren-1", "tern-1"), ("tern-1", "tern-2"), ("wren-1", "tern-2")],
    "benchmarks": ["sums", "riddles"],
    "labels": {"wren-1": "Wren 1", "tern-1": "Tern 1", "tern-2": "Tern 2"},
    "short_labels": {"wren-1": "W1", "tern-1": "T1", "tern-2": "T2"},
    "strata": {"sums": {"difficulty": LEVELS}},
    "trials_per_item": TRIALS,
    "complete": False,
    "incomplete": [
        "Items of riddles have 5 to 12 trials.",
        "riddles-6 has no trial of tern-1 and riddles-7 no scored trial of tern-2.",
    ],
    "request": {"temperature": 1.0},
    "prompt_version": "1",
    "code_version": "tests/make_uneven_k.py",
    "created_utc": "2026-01-01T00:00:00+00:00",
    "licence": "CC0-1.0",
}


def make_items() -> pd.DataFrame:
    """List the items; only sums have a difficulty."""
    rows = [
        {
            "benchmark": benchmark,
            "item_id": f"{benchmark}-{number}",
            "task": "math" if benchmark == "sums" else "instruction",
            "prompt": f"Made-up question {number} of {benchmark}",
            "reference": str(number) if benchmark == "sums" else None,
            "difficulty": LEVELS[number % 2] if benchmark == "sums" else None,
            "extra": '{"made_up": true}',
        }
        for benchmark, n_items in ITEMS.items()
        for number in range(n_items)
    ]
    return pd.DataFrame(rows)


def make_trials(rng: np.random.Generator) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Draw responses and scores."""
    responses, scores = [], []
    for benchmark, n_items in ITEMS.items():
        for number in range(n_items):
            for model, chance in zip(MODELS, CHANCES[number % len(CHANCES)], strict=True):
                key = {"benchmark": benchmark, "item_id": f"{benchmark}-{number}", "model": model}
                for trial in draw_trial_numbers(rng, benchmark, number, model):
                    score = draw_score(rng, benchmark, number, model, chance)
                    responses.append({**key, "trial": trial, **draw_response(rng, score)})
                    scores.append({**key, "trial": trial, "scorer": "made up", **score})
    return pd.DataFrame(responses), pd.DataFrame(scores)


def draw_trial_numbers(
    rng: np.random.Generator, benchmark: str, number: int, model: str
) -> list[int]:
    """Draw which trials there are: all of sums, 5 to 12 of riddles, now and then with a gap."""
    if benchmark == "sums":
        return list(range(TRIALS))
    if (number, model) == (6, "tern-1"):
        return []
    n_trials = int(rng.integers(5, TRIALS + 1))
    return sorted(rng.choice(TRIALS, n_trials, replace=False).tolist())


def draw_score(
    rng: np.random.Generator, benchmark: str, number: int, model: str, chance: float
) -> dict:
    """Draw a category, the verdicts that go with it, or a reason why there is none."""
    silent = (benchmark, number, model) == ("riddles", 7, "tern-2")
    if silent or rng.random() < 0.03:
        return {
            "category": None,
            "correct": None,
            "correct_loose": None,
            "unscored_reason": "the reply is not available",
        }
    if rng.random() < 0.05:
        category = "api_error"
    elif rng.random() < chance:
        category = "correct"
    else:
        category = str(rng.choice(["wrong", "wrong", "format_failure", "refusal", "truncation"]))
    judged = category != "api_error"
    return {
        "category": category,
        "correct": category == "correct" if judged else None,
        "correct_loose": (
            category in {"correct", "format_failure"} if judged and benchmark == "riddles" else None
        ),
        "unscored_reason": None,
    }


def draw_response(rng: np.random.Generator, score: dict) -> dict:
    """Draw a short text and tokens; an API error has neither."""
    attempts = int(rng.integers(1, 4))
    if score["category"] == "api_error":
        return {"response_text": None, "attempts": 3, "finish_reason": None}
    output = int(rng.integers(1, 40))
    return {
        "response_text": str(rng.choice(TEXTS)),
        "finish_reason": "length" if score["category"] == "truncation" else "stop",
        "input_tokens": int(rng.integers(10, 15)),
        "output_tokens": output,
        "attempts": attempts,
    }


def main(folder: Path = FOLDER) -> Path:
    """Write the archive."""
    responses, scores = make_trials(np.random.default_rng(SEED))
    return write_archive(folder, MANIFEST, make_items(), responses, scores, replace=True)


if __name__ == "__main__":
    print(main(*map(Path, sys.argv[1:])))
