"""How fast trials are collected, beside the server's own pace and a bare loop over the client.

The practice server answers in a process of its own, 200 ms after each request. Each way of
asking runs in a fresh process as well; seconds are wall time, or processor time where it says so.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import openai
import pandas as pd

from benchmarks._rows import row
from benchmarks.archive import peak
from reliable_change.archive.write import write_archive
from reliable_change.collect.plan import Plan
from reliable_change.collect.records import Reply, Settings
from reliable_change.collect.run import collect

ITEMS, CONCURRENCY, DELAY = 60, 36, 0.2
MODEL = "practice"
ROOT = Path(__file__).resolve().parents[1]


def run(requests: int = 3_600, trials: int = 100_000) -> list[dict]:
    """Measure, and return one row per comparison: name, ours, theirs, ratio and note."""
    with tempfile.TemporaryDirectory() as folder:
        archive = write_replies(Path(folder) / "replies", requests // ITEMS)
        measured = {}
        for way in ("bare", "ours"):
            with server(archive) as address:
                measured[way] = measure(way, address, str(requests // ITEMS))
        held = measure("remember", str(trials))
    bare, ours = measured["bare"], measured["ours"]
    if not bare["replies"] == ours["replies"] == requests:
        raise AssertionError("a way of asking has lost replies")
    ideal = requests * DELAY / CONCURRENCY
    what = f"{requests:,} requests, {CONCURRENCY} at a time, answered after {DELAY:g} s"
    loop = f"a bare loop over the same client, without a journal; {what}"
    return [
        row("collect (s)", ours["seconds"], ideal, f"the server's own pace; {what}"),
        row("collect (s, beside a loop)", ours["seconds"], bare["seconds"], loop),
        row("collect (ms of processor a request)", ours["cpu"], bare["cpu"], loop, 1e3 / requests),
        row(
            f"collect {trials:,} trials (MB at peak)",
            held["after"],
            held["before"],
            f"against its first {trials // 10:,}: flat if the ratio is near 1",
        ),
    ]


def write_replies(folder: Path, trials: int) -> Path:
    """Write an archive to replay: one model, replies of some hundred words."""
    rng = np.random.default_rng(20260817)
    ids = [f"{number:03d}" for number in range(ITEMS)]
    items = pd.DataFrame({"benchmark": "words", "item_id": ids, "task": "made_up"})
    items["prompt"] = [f"Say something about {name}. " + "Please. " * 50 for name in ids]
    keys = [("words", name, MODEL, trial) for name in ids for trial in range(trials)]
    responses = pd.DataFrame(keys, columns=["benchmark", "item_id", "model", "trial"])
    lengths = rng.integers(100, 500, len(keys))
    responses["response_text"] = ["word " * length for length in lengths]
    responses["finish_reason"] = "stop"
    responses["input_tokens"], responses["output_tokens"] = 60, lengths
    manifest = {
        "name": "replies",
        "kind": "collected",
        "description": "Made-up replies to measure with.",
        "models": [MODEL],
        "edges": [],
        "benchmarks": ["words"],
        "trials_per_item": trials,
        "complete": True,
        "created_utc": "2026-01-01T00:00:00+00:00",
        "licence": "CC0-1.0",
    }
    return write_archive(folder, manifest, items, responses, None)


@contextmanager
def server(archive: Path) -> Iterator[str]:
    """Serve an archive from another process; yield the address."""
    command = [sys.executable, "-m", "reliable_change.collect.practice", str(archive)]
    command += ["--port", "0", "--delay", str(DELAY)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            said = (line.partition("Address (base_url): ")[2].strip() for line in process.stdout)
            yield next(filter(None, said))
        finally:
            process.terminate()
            process.communicate()


def plan_of(trials: int, address: str | None) -> Plan:
    """The plan that asks for everything that the server has."""
    prompts = [f"Say something about {number:03d}. " + "Please. " * 50 for number in range(ITEMS)]
    ids = [f"{number:03d}" for number in range(ITEMS)]
    items = pd.DataFrame({"benchmark": "words", "item_id": ids, "prompt": prompts})
    settings = Settings("chat", reasoning_effort=None, base_url=address)
    return Plan("replies", items, (MODEL,), trials, settings=settings, concurrency=CONCURRENCY)


def ours(address: str, trials: str) -> dict:
    """Our way: every reply read, checked and in the journal."""
    plan = plan_of(int(trials), address)
    with tempfile.TemporaryDirectory() as folder:
        begun, used = perf_counter(), process_time()
        outcome = collect(plan, folder)
        seconds, cpu = perf_counter() - begun, process_time() - used
    return {"seconds": seconds, "cpu": cpu, "replies": outcome.stored}


def bare(address: str, trials: str) -> dict:
    """The loop anyone would write: workers over the same client, and texts thrown away."""
    prompts = iter(list(plan_of(1, address).prompts.values()) * int(trials))
    replies = 0

    async def work(client: openai.AsyncOpenAI) -> None:
        nonlocal replies
        for prompt in prompts:
            said = [{"role": "user", "content": prompt}]
            await client.chat.completions.create(model=MODEL, messages=said)
            replies += 1

    async def crew() -> None:
        async with openai.AsyncOpenAI(api_key="none", base_url=address, max_retries=0) as client:
            await asyncio.gather(*(work(client) for _ in range(CONCURRENCY)))

    begun, used = perf_counter(), process_time()
    asyncio.run(crew())
    return {
        "seconds": perf_counter() - begun,
        "cpu": process_time() - used,
        "replies": replies,
    }


class Instant:
    """A client that has every answer at once, and notes what memory is held at one of them."""

    def __init__(self, moment: int) -> None:
        self.left, self.held = moment, 0.0

    async def ask(self, model: str, prompt: str) -> Reply:
        """Return a reply of some hundred words."""
        self.left -= 1
        if self.left == 0:
            self.held = peak()
        await asyncio.sleep(0)
        return Reply("word " * 300, finish_reason="stop", input_tokens=60, output_tokens=300)


def remember(trials: str) -> dict:
    """Collect so many trials, to see what is held after a tenth of them and at the end."""
    client = Instant(int(trials) // 10)
    with tempfile.TemporaryDirectory() as folder:
        outcome = collect(plan_of(int(trials) // ITEMS, None), folder, client=client)
    return {"before": client.held, "after": peak(), "replies": outcome.stored}


WAYS = {way.__name__: way for way in (ours, bare, remember)}


def measure(way: str, *given: str) -> dict:
    """Run one way in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.collect_throughput", way, *given]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        print(json.dumps(WAYS[sys.argv[1]](*sys.argv[2:])))
    else:
        for line in run():
            print(
                "{name}: {ours:.3g} against {theirs:.3g}, {ratio:.3g} times; {note}".format(**line)
            )
