"""Clients that need no network, and an event loop whose time passes at once."""

from __future__ import annotations

import asyncio
import selectors
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path

import numpy as np
import pandas as pd

from reliable_change.collect.crew import Manner
from reliable_change.collect.failures import Failure, failure
from reliable_change.collect.plan import Plan
from reliable_change.collect.records import Reply
from reliable_change.collect.retry import Backoff

QUICK = Manner(backoff=Backoff(first=0.001, cap=0.004))


def make_plan(items: int = 3, trials: int = 2, models=("old", "new"), **settings) -> Plan:
    """A plan whose prompts are the items' ids."""
    ids = [f"item-{number}" for number in range(items)]
    frame = pd.DataFrame({"benchmark": "quiz", "item_id": ids, "prompt": ids})
    return Plan("made-up", frame, models, trials, **settings)


class Fake:
    """Answers each call with a text of its own, or as it is told.

    Parameters
    ----------
    answer : called with the number of the call (from 1), the model and the prompt; returns a
        reply, raises, or returns None for a reply with the number as its text.
    delay : seconds that an answer takes.

    Attributes
    ----------
    asked : (model, prompt) of every call, in order.
    most : how many calls were under way at a time, at most.
    """

    def __init__(self, answer: Callable | None = None, delay: float = 0.0) -> None:
        self.asked: list[tuple[str, str]] = []
        self.times: list[float] = []
        self.most = self._under_way = 0
        self._answer, self._delay = answer, delay

    async def ask(self, model: str, prompt: str) -> Reply:
        self.asked.append((model, prompt))
        number = len(self.asked)
        self.times.append(asyncio.get_running_loop().time())
        self._under_way += 1
        self.most = max(self.most, self._under_way)
        try:
            await asyncio.sleep(self._delay)
            said = self._answer(number, model, prompt) if self._answer else None
        finally:
            self._under_way -= 1
        return said or reply(str(number))


class Hanging:
    """Never answers; leaves a file when it is asked."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def ask(self, model: str, prompt: str) -> Reply:
        self._path.touch()
        await asyncio.sleep(3_600)


def reply(text: str = "4", tokens: tuple[int | None, int | None] = (10, 20)) -> Reply:
    """A whole reply."""
    return Reply(text, finish_reason="stop", input_tokens=tokens[0], output_tokens=tokens[1])


class Faulty(Fake):
    """Fails at random, in all of the given kinds together.

    Attributes
    ----------
    failed : how often each (model, prompt) did, by kind.
    """

    def __init__(self, rate: float, kinds, seed: int = 1, delay: float = 0.0) -> None:
        super().__init__(self._maybe, delay)
        self.failed: Counter[tuple[str, str, str]] = Counter()
        self._rate, self._kinds = rate, sorted(kinds)
        self._rng = np.random.default_rng(seed)

    def _maybe(self, number: int, model: str, prompt: str) -> None:
        if self._rng.random() < self._rate:
            kind = self._kinds[self._rng.integers(len(self._kinds))]
            self.failed[model, prompt, kind] += 1
            wait = 0.002 if kind == "rate_limit" else None
            raise failure(kind, "made up", retry_after=wait)


def refuse(kind: str, message: str = "made up", **fields) -> Callable[..., Failure]:
    """An answer that always fails in one way."""

    def answer(*_: object) -> None:
        raise failure(kind, message, **fields)

    return answer


class _Leap(selectors.DefaultSelector):
    """A selector that does not wait: time passes at once."""

    now = 0.0

    def select(self, timeout=None):
        self.now += timeout or 0.0
        return super().select(0)


class LeapingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next thing to do."""

    def __init__(self) -> None:
        self._leap = _Leap()
        super().__init__(self._leap)

    def time(self) -> float:
        return self._leap.now


def leap(make: Callable[[Manner], Coroutine]):
    """Run what `make` returns, given a manner of the loop's own time, and return its result."""
    with asyncio.Runner(loop_factory=LeapingLoop) as runner:
        now = runner.get_loop().time
        return runner.run(make(Manner(now=now, rng=np.random.default_rng(1))))
