"""How fast replies are checked for their instructions, beside bare loops over the same verifiers.

Times are processor time of one core for one reply, of about 1,400 characters with two or three
instructions. One bare loop makes the verifiers once per item and then does only what the official
script does: the reply for strict, up to eight texts for loose. The other is the package's own
function, which makes them anew for every reply. All three must give the same verdicts.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from time import process_time

import numpy as np
from if_verifiable.common import evaluate_instructions, get_loose_transformations

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
        peak_memory(),
    ]


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


def seconds(work: Callable[[], list]) -> tuple[float, list]:
    """Processor time of the faster of two runs, and what the work found."""
    times = []
    for _ in range(2):
        start = process_time()
        found = work()
        times.append(process_time() - start)
    return min(times), found


def peak_memory(many: int = 100_000) -> dict:
    """Peak of what is allocated while short replies pass by, each one different."""
    item = next(items())
    peaks = []
    for count in (many, many // 10):
        scorer = Instructions()
        tracemalloc.start()
        for number in range(count):
            scorer.judge(item, f"{number} and no more")
        peaks.append(tracemalloc.get_traced_memory()[1] / 1e6)
        tracemalloc.stop()
    note = f"against {many // 10:,} replies: flat if the ratio is 1"
    return row(f"{many:,} different replies (MB at peak)", *peaks, note)


def row(name: str, ours: float, theirs: float, note: str) -> dict:
    """Put two measurements side by side."""
    return {"name": name, "ours": ours, "theirs": theirs, "ratio": theirs / ours, "note": note}


if __name__ == "__main__":
    for line in run():
        print("{name}: {ours:.3g} against {theirs:.3g}, {ratio:.3g} times; {note}".format(**line))
