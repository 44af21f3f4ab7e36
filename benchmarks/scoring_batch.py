"""What scoring an archive costs beyond a bare loop over its texts, and what two processes gain.

Two tasks: multiple choice, some fifteen microseconds a text, where handing texts out is a good
part of the work; and one that takes half a millisecond, as instruction following does. Each way
runs in a process of its own and does everything: read and check the archive, start processes,
score, write. Two processes can only gain where two cores are free.
"""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd

from benchmarks._rows import processor_seconds
from benchmarks.archive import peak
from reliable_change.archive.schema import KEY
from reliable_change.archive.write import write_archive
from reliable_change.scoring.batch import score_archive
from reliable_change.scoring.multiple_choice import MultipleChoice
from reliable_change.scoring.tasks import score
from reliable_change.scoring.verdict import Item, Reading, Response

MODELS = ("new", "old")
LETTERS = "ABCDEFGHIJ"
LINE = "we take the second law as given and so the heat that flows in must be what flows out"


class Work:
    """A scorer that takes half a millisecond or so of plain Python."""

    name, version, has_loose = "work", "1", False

    def check(self, item: Item) -> None:
        """Take any item."""

    def read(self, item: Item, text: str) -> Reading:
        """Compare the last letter, after some work."""
        functools.reduce(lambda total, letter: (total * 31 + ord(letter)) % 65521, text * 20, 7)
        return Reading(True, text[-1] == item.reference, extracted=text[-1])


SCORERS = {"multiple_choice": MultipleChoice, "work": Work}


def run(texts: int = 200_000) -> list[dict]:
    """Measure, and return one row per comparison: name, ours, theirs, ratio and note."""
    with tempfile.TemporaryDirectory() as folder:
        return [
            *compare(Path(folder), "multiple_choice", texts),
            *compare(Path(folder), "work", texts // 10),
        ]


def compare(folder: Path, task: str, texts: int) -> list[dict]:
    """Measure one task."""
    large, small = (simulate(folder / f"{task} {n}", task, n) for n in (texts, texts // 4))
    bare, single, double = (measure(way, large) for way in ("loop", "one", "two"))
    if not bare["correct"] == single["correct"] == double["correct"]:
        raise AssertionError("the ways of scoring disagree")
    few = measure("one", small)
    name = f"score {texts:,} texts, {task}"
    quarter = "against a quarter of the texts of as many items: flat if the ratio is near 1"
    return [
        row(f"{name} (s of all cores)", single, bare, "processor", "against a bare loop"),
        row(f"{name}, 2 processes (s)", double, single, "seconds", "against 1 process"),
        row(f"{name} (MB at peak)", single, few, "megabytes", quarter),
    ]


def row(name: str, ours: dict, theirs: dict, unit: str, note: str) -> dict:
    """Put two measurements side by side."""
    ratio = theirs[unit] / ours[unit]
    return {"name": name, "ours": ours[unit], "theirs": theirs[unit], "ratio": ratio, "note": note}


def simulate(folder: Path, task: str, texts: int, items: int = 100) -> Path:
    """Write an archive of distinct made-up replies of some lines, each with an answer."""
    rng = np.random.default_rng(20260817)
    trials = max(1, texts // (items * len(MODELS)))
    ids = [f"{number:05d}" for number in range(items)]
    frame = pd.DataFrame({"benchmark": "made up", "item_id": ids, "task": task})
    frame["reference"] = rng.choice(list(LETTERS), items)
    frame["extra"] = json.dumps({"options": [f"{number} J" for number in range(10)]})
    keys = pd.MultiIndex.from_product([["made up"], ids, MODELS, range(trials)], names=KEY)
    responses = keys.to_frame(index=False)
    responses["response_text"] = [
        f"{number}. We are asked which of these holds.\n{LINE}.\n{LINE}.\nAnswer: {answer}"
        for number, answer in enumerate(rng.choice(list(LETTERS), len(responses)))
    ]
    responses["finish_reason"] = "stop"
    manifest = {
        "name": folder.name,
        "kind": "collected",
        "description": "Made-up replies, for timing.",
        "models": list(reversed(MODELS)),
        "edges": [],
        "benchmarks": ["made up"],
        "trials_per_item": trials,
        "complete": True,
        "created_utc": "2026-01-01T00:00:00+00:00",
        "licence": "CC0-1.0",
    }
    return write_archive(folder, manifest, frame, responses, None)


def loop(folder: Path) -> int:
    """The way anyone would score: read everything, then one text after another."""
    columns = ["benchmark", "item_id", "task", "reference", "extra"]
    items = {row[1]: Item(*row[:4], json.loads(row[4] or "{}")) for row in rows_of(folder, columns)}
    responses = pd.read_parquet(folder / "responses.parquet")
    scorers, correct = {task: make() for task, make in SCORERS.items()}, 0
    for item_id, text, finish in zip(
        responses["item_id"], responses["response_text"], responses["finish_reason"], strict=True
    ):
        correct += score(items[item_id], Response(text, finish), scorers).correct
    return correct


def rows_of(folder: Path, columns: list[str]) -> Iterator[tuple]:
    """Read items as plain tuples."""
    frame = pd.read_parquet(folder / "items.parquet", columns=columns).astype(object)
    return frame.where(frame.notna(), None).itertuples(index=False, name=None)


def one(folder: Path, workers: int = 1) -> int:
    """Our way, with one process that scores."""
    with tempfile.TemporaryDirectory() as copy:
        own = Path(copy) / folder.name
        shutil.copytree(folder, own)
        archive = score_archive(own, scorers=SCORERS, workers=workers, progress=False)
        return int(archive.scores(["correct"])["correct"].sum())


def two(folder: Path) -> int:
    """Our way, with two."""
    return one(folder, workers=2)


WAYS = {way.__name__: way for way in (loop, one, two)}


def measure(way: str, folder: Path, repeats: int = 2) -> dict:
    """Run one way in fresh processes, and return the least of each figure."""
    command = [sys.executable, "-m", "benchmarks.scoring_batch", way, str(folder)]
    root = Path(__file__).resolve().parents[1]
    found = [
        json.loads(subprocess.run(command, cwd=root, capture_output=True, check=True).stdout)
        for _ in range(repeats)
    ]
    return {name: min(one[name] for one in found) for name in found[0]}


def report(way: str, folder: str) -> None:
    """Print what one way takes: wall-clock time, processor time with that of the processes it
    started, and memory of this process, both beyond what imports took."""
    memory, time, start = peak(), processor_seconds(), perf_counter()
    correct = WAYS[way](Path(folder))
    seconds = perf_counter() - start
    figures = {
        "seconds": seconds,
        "processor": processor_seconds() - time,
        "megabytes": peak() - memory,
    }
    print(json.dumps({**figures, "correct": int(correct)}))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        report(*sys.argv[1:])
    else:
        for line in run():
            print(
                "{name}: {ours:.3g} against {theirs:.3g}, {ratio:.3g} times; {note}".format(**line)
            )
