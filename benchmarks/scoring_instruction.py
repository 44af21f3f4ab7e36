"""How fast replies are checked for their instructions, beside bare loops over the same verifiers.

Times are processor time of one core for one reply, of about 1,400 characters with two or three
instructions. One bare loop makes the verifiers once per item and then does only what the official
script does: the reply for strict, up to eight texts for loose. The other is the package's own
function, which makes them anew for every reply. All three must give the same verdicts. A batch does
everything: it reads and checks an archive, starts processes, scores and writes. Two processes gain
what two free cores allow: the load of the machine stands beside their row.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import pandas as pd
from if_verifiable.common import evaluate_instructions, get_loose_transformations

from benchmarks._rows import peak_memory, processor_seconds, row
from reliable_change.archive.write import write_archive
from reliable_change.scoring.batch import score_archive
from reliable_change.scoring.instructions.checklist import instructions_of
from reliable_change.scoring.instructions.prepare import prepare
from reliable_change.scoring.instructions.scorer import Instructions
from reliable_change.scoring.instructions.verifiers import load
from reliable_change.scoring.tasks import score
from reliable_change.scoring.verdict import Item, Response

# Each row is an item. None of them needs data of NLTK's.
RULES = (
    {"count:numbers": {"N": 6}, "punctuation:no_comma": {}},
    {"count:unique_word_count": {"N": 40}, "format:quotes": {}, "words:no_consecutive": {}},
    {"count:word_count_range": {"min_words": 150, "max_words": 260}, "format:emoji": {}},
    {"sentence:keyword": {"word": "heat", "N": 3}, "detectable_format:json_format": {}},
    {"words:consonants": {}, "format:list": {"sep": "*"}, "format:newline": {}},
    {"count:pronouns": {"N": 4}, "sentence:increment": {"small_n": 2}},
    {"keywords:existence": {"keywords": ["heat", "law"]}, "startend:quotation": {}},
    {"count:conjunctions": {"small_n": 3}, "words:odd_even_syllables": {}},
)
WORDS = "We take the second law as given, and so it is that heat which flows in must flow out: 42 *"
WORDS = [*WORDS.split(), "“them”", "HEAT", "it."] * 2 + ["them.\n", "- it\n", "law. "]


def run(replies: int = 1_600) -> list[dict]:
    """Measure, and return one row per comparison: name, ours, theirs, ratio and note."""
    work = trials(replies, np.random.default_rng(20260817))
    ours, found = seconds(lambda: judged(work))
    prepared, same = seconds(lambda: bare_loop(work))
    anew, too = seconds(lambda: package_loop(work))
    if not found == same == too:
        raise AssertionError("the three ways of checking disagree")
    scored, _ = seconds(lambda: categories(work))
    repeated = [trial for trial in work[: replies // 50] for _ in range(50)]
    again, _ = seconds(lambda: judged(repeated))
    each = 1e6 / replies
    rate = f"; {replies / ours:,.0f} a second"
    return [
        row("reply, strict and loose (µs)", ours * each, prepared * each, f"bare loop{rate}"),
        row("the same (µs)", ours * each, anew * each, "the package's own function"),
        row("the same, scored into a category (µs)", scored * each, prepared * each, "bare loop"),
        row(
            "50 equal replies to an item, each (µs)",
            again * 1e6 / len(repeated),
            prepared * each,
            "bare loop, which checks each of them",
        ),
        *batch(8 * replies),
        peak_memory(reader),
    ]


def batch(replies: int) -> list[dict]:
    """A batch of some seconds' work, against the bare loop and with one process against two."""
    work = trials(replies, np.random.default_rng(20260818))
    bare, found = seconds(lambda: bare_loop(work), repeats=1)
    with tempfile.TemporaryDirectory() as folder:
        # A few texts of each item: what is left is starting, reading and writing.
        few = work[:: max(1, replies // 40)]
        start = [scored(few, Path(folder) / f"few {n}", n) for n in (1, 2)]
        one, two = (scored(work, Path(folder) / str(n), n) for n in (1, 2))
    followed = iter([loose for _, loose in found])
    right = sum(all([next(followed) for _ in item.extra["kwargs"]]) for item, _ in work)  # noqa: C419
    if not one["loose"] == two["loose"] == right:
        raise AssertionError("the ways of scoring disagree")
    load = f"1 process; load {os.getloadavg()[0]:.1f}, this batch included"
    name, more = f"batch of {replies:,} replies", "the same, beyond what 40 replies take"
    net = [{unit: all_[unit] - little[unit] for unit in ("clock", "processor")}
           for all_, little in zip((one, two), start, strict=True)]  # fmt: skip
    return [
        row(f"{name}, 1 process (s of all cores)", one["processor"], bare, "bare loop"),
        row(f"{more} (s of all cores)", net[0]["processor"], bare, "bare loop"),
        row(f"{name}, 2 processes (s)", two["clock"], one["clock"], load),
        row(f"{more} (s)", net[1]["clock"], net[0]["clock"], load),
        row(f"{more} (s of all cores)", net[1]["processor"], net[0]["processor"], "1 process"),
    ]


def scored(work: list[tuple[Item, str]], folder: Path, workers: int) -> dict:
    """Score replies as an archive; processor time of all processes, wall clock, and a count."""
    made = {(item.benchmark, item.item_id): item for item, _ in work}
    frame = pd.DataFrame(list(made), columns=["benchmark", "item_id"])
    frame["task"], frame["extra"] = "instruction", [json.dumps(i.extra) for i in made.values()]
    responses = pd.DataFrame(
        [(item.benchmark, item.item_id, "one", text, "stop") for item, text in work],
        columns=["benchmark", "item_id", "model", "response_text", "finish_reason"],
    )
    responses["trial"] = responses.groupby("item_id").cumcount()
    manifest = {
        "name": folder.name, "kind": "collected", "description": "Made up, for timing.",
        "models": ["one"], "edges": [], "benchmarks": ["rules"], "trials_per_item": None,
        "complete": True, "created_utc": "2026-01-01T00:00:00+00:00", "licence": "CC0-1.0",
    }  # fmt: skip
    write_archive(folder, manifest, frame, responses, None)
    clock, processor = perf_counter(), processor_seconds()
    archive = score_archive(folder, workers=workers, progress=False)
    clock, processor = perf_counter() - clock, processor_seconds() - processor
    loose = int(archive.scores(["correct_loose"])["correct_loose"].sum())
    return {"clock": clock, "processor": processor, "loose": loose}


def reader() -> Callable[[int], object]:
    """Reads one short reply after another."""
    scorer, item = Instructions(), next(items())
    return lambda number: scorer.judge(item, f"{number} and no more")


def trials(count: int, rng: np.random.Generator) -> list[tuple[Item, str]]:
    """Different replies, in the order of their items."""
    return [
        (item, text_of(rng))
        for item in items()
        for _ in range(count // len(RULES))
    ]  # fmt: skip


def items() -> Iterator[Item]:
    """The items, whose nulls stand for parameters of other instructions, as in real ones."""
    for number, rules in enumerate(RULES):
        kwargs = [{"language": None, "relation": None, **rule} for rule in rules.values()]
        extra = {"instruction_id_list": list(rules), "kwargs": kwargs}
        yield Item("rules", str(number), "instruction", extra=extra)


def text_of(rng: np.random.Generator) -> str:
    """Some two hundred and fifty words in a few lines; the package's function strips a reply."""
    return " ".join(WORDS[n] for n in rng.integers(len(WORDS), size=rng.integers(200, 320))).strip()


def judged(work: Iterable[tuple[Item, str]]) -> list[tuple[bool, bool]]:
    """Our way."""
    scorer = Instructions()
    return [
        (verdict.strict, verdict.loose)
        for item, text in work
        for verdict in scorer.judge(item, text)
    ]


def categories(work: Iterable[tuple[Item, str]]) -> list[str | None]:
    """Our way, up to the category."""
    scorers = {"instruction": Instructions()}
    return [score(item, Response(text, "stop"), scorers).category for item, text in work]


def bare_loop(work: Iterable[tuple[Item, str]]) -> list[tuple[bool, bool]]:
    """The least that must be done: verifiers made once, nothing guarded."""
    made, found = {}, []
    for item, text in work:
        if item.item_id not in made:
            made[item.item_id] = [prepare(one, None, load()) for one in instructions_of(item)]
        for verifier in made[item.item_id]:
            strict = bool(text.strip() and verifier.check_following(text))
            texts = get_loose_transformations(text)
            loose = any(one.strip() and verifier.check_following(one) for one in texts)
            found.append((strict, loose))
    return found


def package_loop(work: Iterable[tuple[Item, str]]) -> list[tuple[bool, bool]]:
    """The package's own function, reply by reply."""
    kinds = load().kinds
    return [
        (result.strict_pass, result.loose_pass)
        for item, text in work
        for result in evaluate_instructions(
            text, item.extra["instruction_id_list"], item.extra["kwargs"], "", kinds
        )[0]
    ]


def seconds(work: Callable[[], list], repeats: int = 2) -> tuple[float, list]:
    """Processor time of the fastest run, and what the work found."""
    times = []
    for _ in range(repeats):
        start = process_time()
        found = work()
        times.append(process_time() - start)
    return min(times), found


if __name__ == "__main__":
    for line in run():
        print("{name}: {ours:.3g} against {theirs:.3g}, {ratio:.3g} times; {note}".format(**line))
