"""How long ten million trials take to count and check, beside the pandas anyone would write.

Each way runs in a process of its own, so that its peak of memory is its own; seconds are
processor time of all its threads, megabytes are what it takes beyond its imports.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd

from reliable_change.archive.counts import item_counts
from reliable_change.archive.read import read_archive
from reliable_change.archive.simulate import simulate_archive

MODELS = ("one", "two", "three")
KEY = ["benchmark", "item_id", "model", "trial"]
TRIALS = 50


def run(trials: int = 10_000_000) -> list[dict]:
    """Measure, and return one row per comparison: name, ours, theirs, ratio and note."""
    items = trials // (len(MODELS) * TRIALS)
    with tempfile.TemporaryDirectory() as folder:
        wide = simulate(Path(folder) / "wide", items, TRIALS)
        deep = simulate(Path(folder) / "deep", items // 10, 10 * TRIALS)
        shallow = simulate(Path(folder) / "shallow", items // 10, TRIALS)
        counted, grouped = measure("count", wide), measure("group", wide)
        checked, hashed = measure("check", wide), measure("duplicates", wide)
        many, few = measure("count", deep), measure("count", shallow)
    if counted["correct"] != grouped["correct"]:
        raise AssertionError("the two ways of counting disagree")
    size = f"{trials / 1e6:g} million trials"
    of_items = f"{items:,} items, 3 models, K = {TRIALS}"
    groupby = f"pandas: read_parquet of four columns, groupby and size; {of_items}"
    duplicates = "ours: every check and checksum; pandas: only whether a key stands twice"
    return [
        row(f"count {size} (s)", counted, grouped, "seconds", groupby),
        row(f"count {size} (MB at peak)", counted, grouped, "megabytes", groupby),
        row(f"read and check {size} (s)", checked, hashed, "seconds", duplicates),
        row(f"read and check {size} (MB at peak)", checked, hashed, "megabytes", duplicates),
        row(
            f"count {size} of {items // 10:,} items (MB at peak)",
            many,
            few,
            "megabytes",
            "against a tenth of the trials of the same items: flat if the ratio is near 1",
        ),
    ]


def row(name: str, ours: dict, theirs: dict, unit: str, note: str) -> dict:
    """Put two measurements side by side."""
    return {
        "name": name,
        "ours": ours[unit],
        "theirs": theirs[unit],
        "ratio": theirs[unit] / ours[unit],
        "note": note,
    }


def simulate(folder: Path, items: int, trials: int) -> Path:
    """Write scores without responses: one benchmark with loose verdicts, one without."""
    return simulate_archive(
        folder,
        rng=np.random.default_rng(20260817),
        benchmarks={"maths": items - items // 3, "rules": items // 3},
        models=MODELS,
        trials=trials,
        responses=False,
    )


def count(folder: Path) -> int:
    """Our way, on an archive that is taken on trust, as pandas takes it."""
    return int(item_counts(read_archive(folder, verify=False))["correct"].sum())


def group(folder: Path) -> int:
    """The way anyone would count."""
    columns = [*KEY[:3], "category"]
    scores = pd.read_parquet(folder / "scores.parquet", columns=columns)
    counts = scores.groupby(columns, dropna=False).size().unstack(fill_value=0)
    return int(counts["correct"].sum())


def check(folder: Path) -> int:
    """Our way to know that keys are unique, and much besides."""
    return len(read_archive(folder).missing)


def duplicates(folder: Path) -> int:
    """The way anyone would look for a key that stands twice."""
    scores = pd.read_parquet(folder / "scores.parquet", columns=KEY)
    return int(scores.duplicated().sum())


WAYS = {way.__name__: way for way in (count, group, check, duplicates)}


def measure(way: str, folder: Path) -> dict:
    """Run one way in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.archive", way, str(folder)]
    root = Path(__file__).resolve().parents[1]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def peak() -> float:
    """Megabytes that this process has held at most."""
    status = Path("/proc/self/status")
    if status.exists():  # the kernel's own mark starts afresh with each program
        line = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM"))
        return int(line.split()[1]) / 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def report(way: str, folder: str) -> None:
    """Print what one way takes in this process."""
    before, start = peak(), process_time()
    correct = WAYS[way](Path(folder))
    seconds = process_time() - start
    print(json.dumps({"seconds": seconds, "megabytes": peak() - before, "correct": correct}))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        report(*sys.argv[1:])
    else:
        for line in run():
            print(
                "{name}: {ours:.3g} against {theirs:.3g}, {ratio:.3g} times; {note}".format(**line)
            )
