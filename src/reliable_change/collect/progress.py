"""How a phase gets on: done of all, rate and time left, errors by kind, tokens, cost so far."""

from __future__ import annotations

import time
from collections import Counter
from typing import TextIO

from tqdm import tqdm

from reliable_change.collect.records import Reply

REFRESH_SECONDS = 0.5  # how often the words behind the bar are put together anew
UNITS = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


class Progress:
    """A bar for each phase, as a context manager; silent where nobody looks on.

    Parameters
    ----------
    model : whose phase it is.
    total, done : trials of the phase in all, and those stored before.
    show : None shows a bar where the stream is a terminal, and nothing in notebooks that run
        unattended, in pipes and in tests; True always shows it, False never.
    stream : where to; standard error by default.
    """

    def __init__(
        self,
        model: str,
        total: int,
        done: int,
        *,
        show: bool | None = None,
        stream: TextIO | None = None,
    ) -> None:
        self._bar = tqdm(
            desc=model,
            total=total,
            initial=done,
            unit="trial",
            disable=None if show is None else not show,
            dynamic_ncols=True,
            file=stream,
        )
        self._errors: Counter[str] = Counter()
        self._tokens = 0
        self._worded = float("-inf")

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def stored(self, reply: Reply, cost: float | None) -> None:
        """Count a reply; `cost` is the collection's so far, None if there are no prices."""
        if self._bar.disable:
            return
        self._tokens += (reply.input_tokens or 0) + (reply.output_tokens or 0)
        self._reword(cost)
        self._bar.update()

    def failed(self, kind: str, cost: float | None) -> None:
        """Count a try that failed."""
        if self._bar.disable:
            return
        self._errors[kind] += 1
        self._reword(cost)
        self._bar.update(0)

    def say(self, line: str) -> None:
        """Print a line above the bar."""
        if not self._bar.disable:
            self._bar.write(line, file=self._bar.fp)

    def _reword(self, cost: float | None) -> None:
        now = time.monotonic()
        if now - self._worded >= REFRESH_SECONDS:
            self._worded = now
            self._bar.set_postfix_str(summary(self._tokens, cost, self._errors), refresh=False)


def summary(tokens: int, cost: float | None, errors: Counter[str]) -> str:
    """Return the words behind the bar: tokens, cost, and errors by kind.

    >>> summary(1_234_567, 3.5, Counter(timeout=2, rate_limit=10))
    '1.2M tokens, cost 3.50, errors: 10 rate_limit, 2 timeout'
    >>> summary(310, None, Counter())
    '310 tokens'
    """
    parts = [f"{short(tokens)} tokens"]
    if cost is not None:
        parts.append(f"cost {cost:.2f}")
    if errors:
        kinds = [f"{number} {kind}" for kind, number in errors.most_common()]
        parts.append(f"errors: {', '.join(kinds)}")
    return ", ".join(parts)


def short(number: int) -> str:
    """Return a count in a few characters.

    >>> short(999), short(45_000), short(2_500_000)
    ('999', '45.0k', '2.5M')
    """
    for size, unit in UNITS:
        if number >= size:
            return f"{number / size:.1f}{unit}"
    return str(number)
