"""How many multiple-choice replies are read in a second, and that memory stays flat.

Times are processor time of one core for one reply, of about 1,400 characters, or of 200 to 3,000
where only prose is read. Beside them stand
the goal (20 microseconds, so 50,000 replies a second) and the one regular expression that anyone
would write first, which takes letters from words and the first answer line instead of the last.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from time import process_time

import numpy as np

from benchmarks._rows import peak_memory, row
from reliable_change.scoring.multiple_choice import MultipleChoice, Options, parse
from reliable_change.scoring.tasks import score
from reliable_change.scoring.verdict import Item, Response

GOAL = 20e-6  # seconds for one reply
REASONING = (
    "We compare the energy of the system under each option. The mass halves, so (B) would be too "
    "small and the answer cannot be large.\nThen $E = mc^2$ gives 12 kJ, which no option but one "
    "comes near.\n"
)
ON_THE_LINE = ("Answer: A", "**Answer:** **C**", "Answer: $\\boxed{D}$", "Final answer: (B)")
ON_THE_LINE += ("Answer: E) 12 kJ", "answer: f, since the mass halves", "Answer: A or B")
ELSEWHERE = ("So the answer is C.", "Hence \\boxed{B}", "Option D is correct.", "I cannot tell.")
OPTIONS = Options("ABCDEFGHIJ", {})
PROSE = (
    "The second law says that heat flows from the warmer body to the colder one, so we write the "
    "balance of energy for each part and add them up. Let us suppose that the mass is halved; then "
    "the speed must rise, which is not what we see. A careful look at the figures shows that the "
    "best of these is close to what one would expect, but it's not exact.\n"
)
FIRST_THOUGHT = re.compile(r"answer\s*:\s*\W*([a-j])", re.IGNORECASE)


def run(replies: int = 20_000) -> list[dict]:
    """Measure, and return one row per comparison: name, ours, theirs, ratio and note."""
    item = Item("quiz", "1", "multiple_choice", "C", {"n_options": 10})
    scorers = {item.task: MultipleChoice()}
    line = texts(ON_THE_LINE, replies)
    parsed = seconds(lambda text: parse(text, OPTIONS), line) / replies
    scored = seconds(lambda text: score(item, Response(text, "stop"), scorers), line) / replies
    elsewhere = texts(ELSEWHERE, replies // 4)
    stated = seconds(lambda text: score(item, Response(text, "stop"), scorers), elsewhere)
    stated /= len(elsewhere)
    none = prose(replies // 4)
    unstated = seconds(lambda text: score(item, Response(text, "stop"), scorers), none) / len(none)
    naive = seconds(FIRST_THOUGHT.search, line) / replies
    return [
        row("reply with an answer line, parsed (µs)", parsed, GOAL, rate(parsed), 1e6),
        row("the same, scored into a category (µs)", scored, GOAL, rate(scored), 1e6),
        row("reply without one: stage two, scored (µs)", stated, GOAL, rate(stated), 1e6),
        row("reply of prose without an answer, scored (µs)", unstated, GOAL, rate(unstated), 1e6),
        row("parsed, beside one naive expression (µs)", parsed, naive, rate(naive), 1e6),
        peak_memory(lambda: lambda n: score(item, short(n), scorers)),
    ]


def texts(endings: tuple[str, ...], count: int) -> list[str]:
    """Replies with the same reasoning and one ending each, in turn."""
    return [REASONING * 7 + endings[n % len(endings)] for n in range(count)]


def prose(count: int) -> list[str]:
    """Replies of 200 to 3,000 characters, none of which states an answer."""
    rng = np.random.default_rng(20260817)
    sizes = rng.integers(200, 3000, count)
    return [f"{n} {(PROSE * 10)[n % len(PROSE) :][:size]}" for n, size in enumerate(sizes)]


def seconds(read: Callable[[str], object], replies: list[str]) -> float:
    """Processor time to read all replies, the best of three."""
    times = []
    for _ in range(3):
        start = process_time()
        for text in replies:
            read(text)
        times.append(process_time() - start)
    return min(times)


def short(number: int) -> Response:
    """A reply of a few lines."""
    return Response(f"{REASONING}{number}\nAnswer: C", "stop")


def rate(each: float) -> str:
    return f"{1 / each:,.0f} a second"


if __name__ == "__main__":
    for line in run():
        print("{name}: {ours:.3g} against {theirs:.3g}, {ratio:.3g} times; {note}".format(**line))
