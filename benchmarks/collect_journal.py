"""How long a collector takes to go on from a journal of a million replies, and what it holds.

Beside the JSON lines anyone would keep: reading the keys of as many rows from a file. Each way
runs in a process of its own, so that its peak of memory is its own; seconds are by the clock,
megabytes are what it takes beyond its imports and the plan.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import pandas as pd

from benchmarks.archive import peak
from reliable_change.collect.journal import Journal
from reliable_change.collect.plan import Plan, work_order
from reliable_change.collect.records import Key, Reply, now_utc

MODELS = ("one", "two")
TRIALS = 50
TEXT = "The answer follows from the first two lines.\n\nAnswer: 42. " * 5  # 300 characters


def run(rows: int = 1_000_000, stored: int = 20_000) -> list[dict]:
    """Measure, and return one row per comparison: name, ours, theirs, ratio and note."""
    with tempfile.TemporaryDirectory() as folder:
        many, few, new = (Path(folder) / name for name in ("many", "few", "new"))
        fill(many, rows)
        write_lines(many / "rows.jsonl", rows)
        ours, theirs = measure("resume", many, rows), measure("read_lines", many, rows)
        fill(few, rows // 10)
        small = measure("resume", few, rows // 10)
        each, lines = store(new, stored), write_lines(new / "rows.jsonl", stored)
    if not ours["left"] == theirs["left"] == small["left"] == 0:
        raise AssertionError("the ways of going on disagree")
    size = f"{rows / 1e6:g} million rows"
    json_lines = "json.loads of each line of a file with the same rows into a set of keys"
    less = "against a tenth of the rows and items"
    storing = "a transaction each; theirs: a line of JSON, flushed each time"
    return [
        row(f"go on from {size} (s)", ours["seconds"], theirs["seconds"], json_lines),
        row(f"go on from {size} (MB at peak)", ours["megabytes"], theirs["megabytes"], json_lines),
        row(f"go on from {size} (MB at peak)", ours["megabytes"], small["megabytes"], less),
        row("store a reply (µs)", each / stored * 1e6, lines / stored * 1e6, storing),
    ]


def row(name: str, ours: float, theirs: float, note: str) -> dict:
    """Put two measurements side by side."""
    ratio = theirs / ours if ours else float("inf")
    return {"name": name, "ours": ours, "theirs": theirs, "ratio": ratio, "note": note}


def plan_of(rows: int) -> Plan:
    """A plan of as many trials."""
    count = rows // (len(MODELS) * TRIALS)
    ids = [f"{number:05d}" for number in range(count)]
    items = pd.DataFrame({"benchmark": "quiz", "item_id": ids, "prompt": ids})
    return Plan("many", items, MODELS, TRIALS)


def reply_to(key: Key) -> Reply:
    """A reply of the usual length."""
    return Reply(f"{key.item_id} {key.trial} {TEXT}", None, "stop", key.model, "r1", 120, 80, 40)


def store(folder: Path, rows: int) -> float:
    """Store a reply for every trial, as a collector does; the seconds that it took."""
    plan = plan_of(rows)
    with Journal.open(folder, plan) as journal:
        start = perf_counter()
        _store_all(journal, plan)
        return perf_counter() - start


def fill(folder: Path, rows: int) -> None:
    """Store the same in one transaction, which takes less."""
    plan = plan_of(rows)
    with Journal.open(folder, plan) as journal, journal.snapshot():
        _store_all(journal, plan)


def _store_all(journal: Journal, plan: Plan) -> None:
    for model in MODELS:
        for key in work_order(plan, model):
            journal.store(key, reply_to(key), 1, 0.2, now_utc())


def write_lines(path: Path, rows: int) -> float:
    """Write the same as JSON lines; the seconds that it took."""
    plan, start = plan_of(rows), perf_counter()
    with path.open("w") as file:
        for model in MODELS:
            for key in work_order(plan, model):
                content = {**key._asdict(), **vars(reply_to(key)), "created_utc": now_utc()}
                file.write(json.dumps(content) + "\n")
                file.flush()
    return perf_counter() - start


def resume(folder: Path, plan: Plan) -> int:
    """Our way: open the journal, and see what of each phase is left and what was used."""
    left = 0
    with Journal.open(folder, plan) as journal:
        assert journal.usage()["one"].replies
        for model in MODELS:
            left += len(work_order(plan, model, journal.done(model)))
    return left


def read_lines(folder: Path, plan: Plan) -> int:
    """The way anyone would find out what is left."""
    with (folder / "rows.jsonl").open() as file:
        rows = map(json.loads, file)
        done = {(row["benchmark"], row["item_id"], row["model"], row["trial"]) for row in rows}
    return sum(len(work_order(plan, model, done)) for model in MODELS)


WAYS = {way.__name__: way for way in (resume, read_lines)}


def measure(way: str, folder: Path, rows: int) -> dict:
    """Run one way in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.collect_journal", way, str(folder), str(rows)]
    root = Path(__file__).resolve().parents[1]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def report(way: str, folder: str, rows: str) -> None:
    """Print what one way takes in this process."""
    plan = plan_of(int(rows))
    assert plan.prompts
    before, start = peak(), perf_counter()
    left = WAYS[way](Path(folder), plan)
    seconds = perf_counter() - start
    print(json.dumps({"seconds": seconds, "megabytes": peak() - before, "left": left}))


if __name__ == "__main__":
    if len(sys.argv) == 4:
        report(*sys.argv[1:])
    else:
        for line in run():
            print(
                "{name}: {ours:.3g} against {theirs:.3g}, {ratio:.3g} times; {note}".format(**line)
            )
