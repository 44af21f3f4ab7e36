"""Making a small archive to be scored, and telling what has changed in its folder."""

from __future__ import annotations

import functools
import hashlib
import itertools
from pathlib import Path

import pandas as pd

from reliable_change.archive.write import write_archive
from tests.scoring.batch_scorers import (
    Exact,
)

KEY = ["benchmark", "item_id", "model", "trial"]
MODELS = ("old", "new")
VERDICT = ["category", "correct", "correct_loose", "extracted", "scorer", "scorer_version"]
QUIET = {"progress": False}
HERE = {"workers": 0, "progress": False}


def make(
    folder: Path, replies, *, task="exact", reference="A", extra=None, finish="stop", **manifest
) -> Path:
    """An archive of one benchmark: `replies` holds each item's texts, given to both models.

    `finish` is the finish reason of all trials, or a list with one for each trial of an item.
    """
    items = pd.DataFrame(
        {
            "benchmark": "quiz",
            "item_id": [f"{number:03d}" for number in range(len(replies))],
            "task": task,
            "reference": reference,
            "extra": extra,
        }
    )
    rows = [
        ("quiz", item_id, model, trial, text, finish if isinstance(finish, str) else finish[trial])
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
