"""How long comparing mathematical answers takes, beside math-verify, and how it is bounded.

The pairs are of the kinds that final answers are: most are numbers, some need algebra. Times are
wall clock, since part of the work is done in another process.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import perf_counter

from math_verify import parse, verify

from benchmarks._rows import peak_memory, row
from reliable_change.scoring.bounded import PATIENCE
from reliable_change.scoring.mathematics.scorer import Mathematics
from reliable_change.scoring.verdict import Item

# reference, answer, whether they are equal; # stands for a number that makes each pair another.
NUMBERS = [
    ("#", "#", True),
    ("#", "#.0", True),
    ("#", "1#", False),
    ("\\frac{#}{7}", "#/7", True),
    ("\\frac{#}{7}", "\\frac{#}{11}", False),
    ("#,000", "#000", True),
    ("-#", "#", False),
    ("(#, 2)", "(2, #)", False),
    ("#, 3, 5", "5, 3, #", True),
    ("2^{#}", "2\\cdot 2^{#}", False),
]
ALGEBRA = [
    ("#\\sqrt{8}", "2\\cdot#\\sqrt2", True),
    ("#\\sqrt{2}", "#\\sqrt{3}", False),
    ("\\frac{n(n+#)}{2}", "\\frac{n^2+#n}{2}", True),
    ("#\\pi", "3#", False),
]
MISLEADING = [
    ("\\frac{1}{2^{#}}", "\\frac{1}{2^{99}}", False),
    ("10^{-#}", "10^{-20}", False),
    ("#", "# 2/3", False),
    ("\\frac{1#}{4#}", "1#/4#", True),
    ("#_2", "#", False),
]
HOSTILE = [
    ("3", "\\frac{5^{5^{5^{5^{5}}}}-5}{16}"),
    ("5", "2^{30^5}"),
    ("3", "\\prod_{k=1}^{100000000} k"),
    ("1", "e^{e^{e^{e^{e}}}}"),
    ("7", "\\binom{10^9}{10^8}"),
]


def run(each: int = 20, seconds: float = 2.0) -> list[dict]:
    """Measure, and return one row per comparison: name, ours, theirs, ratio and note."""
    return [
        against_math_verify("pairs of numbers", NUMBERS, each),
        against_math_verify("pairs that need algebra", ALGEBRA, each),
        against_math_verify("pairs that have misled scorers", MISLEADING, each),
        growth_with_trials(each),
        slowest(seconds),
        peak_memory(reader),
    ]


def pairs(kinds: list[tuple[str, str, bool]], each: int) -> list[tuple[str, str, bool]]:
    """Distinct pairs of the given kinds, `each` of every kind."""
    return [
        (reference.replace("#", str(number)), answer.replace("#", str(number)), equal)
        for number in range(101, 101 + each)
        for reference, answer, equal in kinds
    ]


def against_math_verify(name: str, kinds: list[tuple[str, str, bool]], each: int) -> dict:
    """Milliseconds for one pair, each compared once, and how many verdicts are right."""
    logging.getLogger("math_verify").setLevel(logging.ERROR)
    chosen = pairs(kinds, each)
    scorer = Mathematics()
    scorer.compare("\\sqrt8", "2\\sqrt2")  # the process is there
    verify(parse("$1$"), parse("$2$"))
    start = perf_counter()
    ours = [scorer.compare(reference, answer).equal for reference, answer, _ in chosen]
    middle = perf_counter()
    theirs = [
        verify(parse(f"${reference}$"), parse(f"${answer}$")) for reference, answer, _ in chosen
    ]
    end = perf_counter()
    scorer.close()
    right = [sum(v == pair[2] for v, pair in zip(vs, chosen, strict=True)) for vs in (ours, theirs)]
    note = f"right: {right[0]} of {len(chosen)} against {right[1]}"
    times = [1000 * span / len(chosen) for span in (middle - start, end - middle)]
    return row(f"{name} (ms each)", *times, note)


def growth_with_trials(each: int, trials: int = 50) -> dict:
    """Seconds for all trials of all pairs, against one trial of each."""
    chosen = pairs(NUMBERS + ALGEBRA, each)
    items = [
        (Item("bench", str(n), "math", a), f"Answer: ${b}$") for n, (a, b, _) in enumerate(chosen)
    ]
    times = []
    for count in (trials, 1):
        scorer = Mathematics()
        scorer.compare("\\sqrt8", "2\\sqrt2")
        start = perf_counter()
        for item, text in items:
            for _ in range(count):
                scorer.read(item, text)
        times.append(perf_counter() - start)
        scorer.close()
    note = f"{trials} trials of {len(chosen)} pairs against 1: 1/{trials} if none were remembered"
    return row("trials of the same pairs (s)", *times, note)


def slowest(seconds: float) -> dict:
    """Longest of some comparisons that would not end, against the wall clock's bound."""
    scorer = Mathematics(seconds=seconds)
    times = []
    for reference, answer in HOSTILE:
        start = perf_counter()
        assert not scorer.compare(reference, answer).equal
        times.append(perf_counter() - start)
    scorer.close()
    note = f"{len(HOSTILE)} hostile pairs at {seconds:g} s of processor time; theirs: the bound"
    return row("slowest single comparison (s)", max(times), PATIENCE * seconds, note)


def reader() -> Callable[[int], object]:
    """Reads one short reply after another."""
    scorer, item = Mathematics(), Item("bench", "1", "math", "7")
    return lambda n: scorer.read(item, f"We see {n} of them.\nAnswer: {n % 1000}")


if __name__ == "__main__":
    for line in run():
        print("{name}: {ours:.3g} against {theirs:.3g}, {ratio:.3g} times; {note}".format(**line))
