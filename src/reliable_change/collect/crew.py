"""The workers of a collection: each takes the next trial and tries until it is stored."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from reliable_change.collect.address import VENDOR
from reliable_change.collect.budget import Budget
from reliable_change.collect.failures import WAY_OUT, Failure, failure
from reliable_change.collect.journal import Journal
from reliable_change.collect.plan import Limits, Plan
from reliable_change.collect.progress import Progress
from reliable_change.collect.records import Attempt, Key, Reply, now_utc, public_url
from reliable_change.collect.retry import SPREAD, Backoff, Pause

GRACE_SECONDS = 30.0
BUDGET_POLL_SECONDS = 0.05
WORTH_SAYING = 15.0  # seconds of a pause
TRIES_IN_TURN = 5  # of one trial, before others come first
# So many malformed answers, and none of another kind ever, are a wrong address's web page.
NO_API_AFTER = 20
# So many failed connections, and nothing else ever, are an address where nobody listens: it is
# said early, and the work stops once the first of them is so many seconds ago.
NO_SERVER_SAID_AFTER = 10
NO_SERVER_AFTER = 100
NO_SERVER_SECONDS = 60.0
# Failures that any other item would have met as well.
NOT_THE_ITEMS = frozenset({"quota", "bad_key", "unknown_model", "bad_address"})


class Client(Protocol):
    """Anything that can be asked; raises `Failure` if no reply came."""

    async def ask(self, model: str, prompt: str) -> Reply:
        """Return a model's reply to a prompt."""


@dataclass(frozen=True)
class Manner:
    """How to wait: the backoff between tries, the grace for replies that are under way when the
    work stops, the generator of the jitter (fresh by default: two collectors must not move in
    step), and the clock.
    """

    backoff: Backoff = Backoff()
    grace: float = GRACE_SECONDS
    rng: np.random.Generator | None = None
    now: Callable[[], float] = time.monotonic
    sleep: Callable = asyncio.sleep


class Crew:
    """Collects trials with a fixed number of workers; holds nothing that is bound to a loop.

    Attributes
    ----------
    stopped : why no more work is handed out, in one line; None while it is.
    stored, failures, given_up : replies stored; tries that failed, by kind; trials that were
        left after the limit of attempts. Of this run.
    """

    def __init__(self, plan: Plan, limits: Limits, journal: Journal, manner: Manner) -> None:
        self.stopped: str | None = None
        self.stored = 0
        self.failures: Counter[str] = Counter()
        self.given_up: list[Key] = []
        usage = journal.usage()
        self.budget = Budget(plan, limits.cost, usage)
        self._had_replies = bool(usage)
        self._plan, self._limits, self._journal, self._manner = plan, limits, journal, manner
        self._rng = manner.rng or np.random.default_rng()
        self._pause = Pause()
        self._tried: Counter[Key] = Counter()  # tries in this run, of trials without a reply
        self._aside: deque[Key] = deque()
        self._workers: list[asyncio.Task] = []
        self._resting: set[asyncio.Task] = set()
        self._client: Client | None = None
        self._progress: Progress | None = None
        self._error: Exception | None = None
        self._first_failed: float | None = None

    async def collect(
        self, keys: Iterator[Key], failed: Mapping[Key, int], client: Client, progress: Progress
    ) -> None:
        """Store a reply for each trial, or stop.

        Parameters
        ----------
        keys : the trials of a phase; taken one by one.
        failed : how many tries of a trial failed in earlier runs, if any did.
        client : is asked.
        progress : is told.

        Raises
        ------
        CollectError
            If the journal cannot be written.
        """
        self._client, self._progress = client, progress
        self._workers = [
            asyncio.create_task(self._work(keys, failed)) for _ in range(self._plan.concurrency)
        ]
        try:
            await asyncio.wait(self._workers)
        finally:
            self.cut()
            await asyncio.gather(*self._workers, return_exceptions=True)
            self._workers, self._client, self._progress = [], None, None
        if self._error is not None:
            raise self._error

    def stop(self, line: str) -> None:
        """Hand out no more work; let what is under way land for the grace, then cut it off."""
        if self.stopped is not None:
            return
        self.stopped = line
        if self._progress is not None:
            grace = f"up to {self._manner.grace:g} s for replies that are under way"
            self._progress.say(f"{line}\nWaiting {grace}; Ctrl-C drops them.")
        for worker in list(self._resting):
            worker.cancel()
        asyncio.get_running_loop().call_later(self._manner.grace, self.cut)

    def cut(self) -> None:
        """Drop what is under way."""
        for worker in self._workers:
            worker.cancel()

    async def _work(self, keys: Iterator[Key], failed: Mapping[Key, int]) -> None:
        misses = 0  # tries that failed in a row, whichever trial's they were
        try:
            while self.stopped is None and (key := self._next(keys)) is not None:
                misses = await self._collect_trial(key, failed.get(key, 0), misses)
        except Exception as error:  # of the journal, or a fault of ours: not to be lost in a task
            self._error = self._error or error
            self.stop(str(error))

    def _next(self, keys: Iterator[Key]) -> Key | None:
        """Take a trial, those that were set aside after all others."""
        key = next(keys, None)
        return self._aside.popleft() if key is None and self._aside else key

    async def _collect_trial(self, key: Key, before: int, misses: int) -> int:
        """Try a few times, then set the trial aside: one that always fails must not keep others.

        Returns how many tries have failed in a row by now; 0 once there is a reply.
        """
        prompt = self._plan.prompts[key.benchmark, key.item_id]
        for _ in range(TRIES_IN_TURN):
            if misses:
                await self._rest(self._manner.backoff.delay(misses, self._rng))
            if not await self._cleared(key.model, prompt):
                return misses
            begun = self._manner.now()
            try:
                answer = await self._ask(key.model, prompt)
            finally:
                self.budget.release()
            self._tried[key] += 1
            if isinstance(answer, Reply):
                seconds = self._manner.now() - begun
                self._store(key, answer, before + self._tried.pop(key), seconds)
                return 0
            misses += 1
            self._record(key, answer, before + self._tried[key])
            self._heed(key, answer)
            if answer.transient and self._tried[key] == self._limits.attempts_per_trial:
                self.given_up.append(key)
                return misses
        self._aside.append(key)
        return misses

    def _heed(self, key: Key, failed: Failure) -> None:
        """Stop, or hold off, if a failed try asks for it."""
        if not failed.transient:
            self.stop(_why(key, failed))
        elif self._meets_no_api():
            self.stop(
                f"{key.model}: all of the first {NO_API_AFTER} answers were malformed, such as:"
                f" {failed.message} (check base_url and api in the plan)"
            )
        elif (unreached := self.unreached()) is not None:
            self._heed_silence(f"{key.model}: {failed.message}", unreached)
        elif failed.retry_after is not None:
            self._hold_off(failed.retry_after, failed.message)

    async def _ask(self, model: str, prompt: str) -> Reply | Failure:
        try:
            return await self._client.ask(model, prompt)
        except Failure as failed:
            return failed
        except Exception as error:
            return failure("unexpected", f"{type(error).__name__}: {error}")

    async def _cleared(self, model: str, prompt: str) -> bool:
        """Wait out the pause and for the budget; True to ask, False if the crew is stopped."""
        while self.stopped is None:
            left = self._pause.left(self._manner.now())
            if left:
                await self._rest(left * (1 + SPREAD * self._rng.random()))
                continue
            if self.budget.reserve(model, prompt):
                return True
            if self.budget.is_idle:
                limit, cost = self._limits.cost, self.budget.cost
                self.stop(
                    f"the limit of cost is reached: {cost:.2f} of {limit:.2f} spent, and the next"
                    " request may pass it; raise limits.cost to go on"
                )
            else:
                await self._rest(BUDGET_POLL_SECONDS)
        return False

    async def _rest(self, seconds: float) -> None:
        """Sleep; `stop` ends it."""
        worker = asyncio.current_task()
        if self.stopped is not None:
            return
        self._resting.add(worker)
        try:
            await self._manner.sleep(seconds)
        finally:
            self._resting.discard(worker)

    def _meets_no_api(self) -> bool:
        """True if answers came and none of them, in earlier runs either, was one of an API."""
        if self.stored or self._had_replies:
            return False
        return self.failures.keys() == {"malformed"} and self.failures.total() >= NO_API_AFTER

    def unreached(self) -> str | None:
        """Say at which address nobody answers, if all tries of this run failed to connect and
        nothing was ever stored in the journal; otherwise None.
        """
        if self.stored or self._had_replies or self.failures.keys() != {"connection"}:
            return None
        where = public_url(self._plan.settings.base_url or VENDOR)
        return f"no server answered at {where}: check that one is there, and base_url in the plan"

    def _heed_silence(self, failed: str, unreached: str) -> None:
        """Say it early; stop after `NO_SERVER_AFTER` tries in `NO_SERVER_SECONDS` or more."""
        tries = self.failures.total()
        if tries == NO_SERVER_SAID_AFTER:
            self._progress.say(f"N{unreached[1:]}. Trying on.")
        waited = self._manner.now() - self._first_failed
        if tries >= NO_SERVER_AFTER and waited >= NO_SERVER_SECONDS:
            self.stop(f"{failed} ({unreached})")

    def _hold_off(self, seconds: float, why: str) -> None:
        now = self._manner.now()
        if seconds > WORTH_SAYING and not self._pause.left(now):
            self._progress.say(f"The server asks to wait {seconds:.0f} s ({why}).")
        self._pause.extend(now, seconds)

    def _store(self, key: Key, reply: Reply, attempts: int, seconds: float) -> None:
        self._journal.store(key, reply, attempts, seconds, now_utc())
        self.stored += 1
        self.budget.add(key.model, reply)
        self._progress.stored(reply, self.budget.cost)

    def _record(self, key: Key, failed: Failure, number: int) -> None:
        self._journal.record(
            Attempt(
                key,
                number,
                failed.kind,
                failed.transient,
                failed.message,
                failed.status,
                now_utc(),
            )
        )
        self.failures[failed.kind] += 1
        if self._first_failed is None:
            self._first_failed = self._manner.now()
        self._progress.failed(failed.kind, self.budget.cost)


def _why(key: Key, failed: Failure) -> str:
    """Say in one line what stops the work and what to do."""
    item = "" if failed.kind in NOT_THE_ITEMS else f", item {key.item_id!r} of {key.benchmark!r}"
    way_out = WAY_OUT.get(failed.kind, WAY_OUT["unexpected"])
    return f"{key.model}{item}: {failed.message} ({way_out})"
