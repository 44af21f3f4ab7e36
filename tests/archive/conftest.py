"""A small whole archive to break, and ways to break it."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reliable_change.archive.files import read_table, sha256
from reliable_change.archive.write import write_archive

MANIFEST = {
    "name": "small",
    "kind": "collected",
    "description": "Four trials of two items by two models.",
    "models": ["old", "new"],
    "edges": [["old", "new"]],
    "benchmarks": ["quiz"],
    "trials_per_item": 4,
    "complete": True,
    "created_utc": "2026-01-01T00:00:00+00:00",
    "licence": "CC0-1.0",
}


def small_frames() -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Items, responses and scores; categories and verdicts follow a fixed pattern."""
    items = pd.DataFrame({"benchmark": "quiz", "item_id": ["007", "18_19"]})
    key = [
        {"benchmark": "quiz", "item_id": item, "model": model, "trial": trial}
        for item in items["item_id"]
        for model in MANIFEST["models"]
        for trial in range(4)
    ]
    pattern = ["correct", "wrong", "format_failure", None]
    responses = pd.DataFrame(key).assign(response_text="Answer: A", input_tokens=7)
    scores = pd.DataFrame(key)
    scores["category"] = [pattern[row["trial"]] for row in key]
    scores["correct"] = pd.Series(
        [None if row["trial"] == 3 else row["trial"] == 0 for row in key], dtype=object
    )
    scores["unscored_reason"] = ["no key" if row["trial"] == 3 else None for row in key]
    return items, responses, scores


@pytest.fixture
def small(tmp_path) -> Path:
    """A whole archive, freshly written: 2 items, 2 models, 4 trials, 16 rows in key order."""
    return write_archive(tmp_path / "small", MANIFEST, *small_frames())


class Breaker:
    """Changes a file of an archive and, so that the row checks are reached, its checksum."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def manifest(self, **changes: object) -> None:
        path = self.folder / "manifest.json"
        content = json.loads(path.read_text(encoding="utf-8")) | changes
        path.write_text(json.dumps(content), encoding="utf-8")

    def drop_key(self, key: str) -> None:
        path = self.folder / "manifest.json"
        content = json.loads(path.read_text(encoding="utf-8"))
        del content[key]
        path.write_text(json.dumps(content), encoding="utf-8")

    def table(self, file: str, change) -> None:
        path = self.folder / file
        pq.write_table(change(read_table(path)), path)
        self.sum(file)

    def column(self, file: str, name: str, change) -> None:
        """Replace a column by change(list of its values), an array or a list."""

        def changed(table: pa.Table) -> pa.Table:
            values = change(table[name].to_pylist())
            if not isinstance(values, pa.Array):
                values = pa.array(values, table.schema.field(name).type)
            return table.set_column(table.column_names.index(name), name, values)

        self.table(file, changed)

    def sum(self, file: str) -> None:
        path = self.folder / "manifest.json"
        files = json.loads(path.read_text(encoding="utf-8"))["files"]
        self.manifest(files=files | {file: sha256(self.folder / file)})


@pytest.fixture
def broken(small) -> Breaker:
    """The small archive with the tools to break it."""
    return Breaker(small)
