"""What scoring an archive costs beyond a bare loop over its texts, and what two processes gain.

Each way runs in a process of its own. Seconds are wall-clock time, the best of some runs, of
everything: reading and checking the archive, starting processes, scoring, writing. Megabytes are
what the process that hands out the texts takes at its peak beyond its imports.
"""

from __future__ import annotations

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

from benchmarks.archive import peak
from reliable_change.archive.schema import KEY
from reliable_change.archive.write import write_archive
from reliable_change.scoring.batch import score_archive
from reliable_change.scoring.tasks import default_scorers, score
from reliable_change.scoring.verdict import Item, Response

MODELS = ("new", "old")
TRIALS = 50
LETTERS = "ABCDEFGHIJ"
WORDS = (
    "we take the second law as given and so the heat that flows in must be what flows out".split()
)


def run(texts: int = 200_000) -> list[dict]:
    """Measure, and return one row per comparison: name, ours, theirs, ratio and note."""
    with tempfile.TemporaryDirectory() as folder:
        rows = []
        for task, count in (("multiple_choice", texts), ("math", texts // 4)):
            large = simulate(Path(folder) / task, task, count)
            small = simulate(Path(folder) / f"{task}-small", task, count // 4)
            rows += compare(task, large, small, count)
    return rows


def compare(task: str, large: Path, small: Path, count: int) -> list[dict]:
    """Measure one task."""
    loop, one, two = (measure(way, large) for way in ("loop", "one", "two"))
    if not loop["correct"] == one["correct"] == two["correct"]:
        raise AssertionError("the ways of scoring disagree")
    few = measure("one", small)
    name = f"{task}, {count:,} distinct texts"
    return [
        row(f"{name}: 1 process (s)", one, loop, "seconds", "against a bare loop over them"),
        row(f"{name}: 2 processes (s)", two, one, "seconds", "against 1 process"),
        row(
            f"{name}: 1 process (MB)",
            one,
            few,
            "megabytes",
            "against a quarter of the texts: flat if the ratio is near 1",
        ),
    ]


def row(name: str, ours: dict, theirs: dict, unit: str, note: str) -> dict:
    """Put two measurements side by side."""
    ratio = theirs[unit] / ours[unit]
    return {"name": name, "ours": ours[unit], "theirs": theirs[unit], "ratio": ratio, "note": note}


def simulate(folder: Path, task: str, texts: int) -> Path:
    """Write an archive of distinct made-up replies of some lines, most with an answer."""
    rng = np.random.default_rng(20260817)
    items = max(1, texts // (len(MODELS) * TRIALS))
    ids = [f"{number:05d}" for number in range(items)]
    frame = pd.DataFrame({"benchmark": "made up", "item_id": ids, "task": task})
    if task == "multiple_choice":
        frame["extra"] = json.dumps({"options": [f"{number} J" for number in range(10)]})
        frame["reference"] = rng.choice(list(LETTERS), items)
        answers = rng.choice(list(LETTERS), items * len(MODELS) * TRIALS)
    else:
        frame["reference"] = [f"\\frac{{{number}}}{{7}}" for number in rng.integers(1, 40, items)]
        answers = rng.integers(1, 40, items * len(MODELS) * TRIALS)
    closing = (
        "Answer: {}" if task == "multiple_choice" else "So it is \\boxed{{\\frac{{{}}}{{7}}}}."
    )
    keys = pd.MultiIndex.from_product([["made up"], ids, MODELS, range(TRIALS)], names=KEY)
    responses = keys.to_frame(index=False)
    responses["response_text"] = [
        f"{number}. {' '.join(rng.permuted(WORDS))}.\n{' '.join(WORDS)}.\n{closing.format(answer)}"
        for number, answer in enumerate(answers)
    ]
    responses["finish_reason"] = "stop"
    manifest = {
        "name": task,
        "kind": "collected",
        "description": "Made-up replies, for timing.",
        "models": list(reversed(MODELS)),
        "edges": [],
        "benchmarks": ["made up"],
        "trials_per_item": TRIALS,
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
    scorers, correct = default_scorers(), 0
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
        archive = score_archive(own, workers=workers, progress=False)
        return int(archive.scores(["correct"])["correct"].sum())


def two(folder: Path) -> int:
    """Our way, with two."""
    return one(folder, workers=2)


WAYS = {way.__name__: way for way in (loop, one, two)}


def measure(way: str, folder: Path, repeats: int = 2) -> dict:
    """Run one way in fresh processes, and return the fastest."""
    command = [sys.executable, "-m", "benchmarks.scoring_batch", way, str(folder)]
    root = Path(__file__).resolve().parents[1]
    found = [
        json.loads(subprocess.run(command, cwd=root, capture_output=True, check=True).stdout)
        for _ in range(repeats)
    ]
    return min(found, key=lambda one: one["seconds"])


def report(way: str, folder: str) -> None:
    """Print what one way takes in this process."""
    before, start = peak(), perf_counter()
    correct = WAYS[way](Path(folder))
    seconds = perf_counter() - start
    print(json.dumps({"seconds": seconds, "megabytes": peak() - before, "correct": int(correct)}))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        report(*sys.argv[1:])
    else:
        for line in run():
            print(
                "{name}: {ours:.3g} against {theirs:.3g}, {ratio:.3g} times; {note}".format(**line)
            )
