"""Collecting: one phase for each model, from a script as from a notebook, until all is stored."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

from reliable_change.collect.apart import run_apart
from reliable_change.collect.client import OpenAIClient
from reliable_change.collect.crew import Client, Crew, Manner
from reliable_change.collect.journal import Journal
from reliable_change.collect.plan import Limits, Plan, work_order
from reliable_change.collect.progress import Progress
from reliable_change.collect.records import Key
from reliable_change.collect.scorable import scoring_notices

USUAL = Manner()


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    Parameters
    ----------
    complete : True if every trial of the plan is stored.
    stopped : why not, and what to do, in one line; None if it is complete.
    stored : replies stored in this run.
    failures : tries that failed in this run, by kind.
    seconds : that the run took.
    cost : of all that the journal holds, earlier runs included; None without a price table.
    given_up : trials left uncollected in this run, because their tries reached the limit.
    """

    complete: bool
    stopped: str | None
    stored: int
    failures: Mapping[str, int]
    seconds: float
    cost: float | None
    given_up: tuple[Key, ...] = ()


def collect(
    plan: Plan,
    folder: Path | str,
    *,
    limits: Limits | None = None,
    progress: bool | None = None,
    client: Client | None = None,
    manner: Manner = USUAL,
) -> Outcome:
    """Collect the trials of a plan that are missing in a folder's journal.

    Works in a script and in a notebook alike: the work has an event loop of its own, in a thread
    of its own. Ctrl-C stops it: no more requests are sent, replies that are under way may land
    for a while (`Manner.grace`, 30 s), and what arrived is stored. A second Ctrl-C drops them.
    Either way, another call goes on where this one ended.

    A try that fails for a passing reason (rate limit, server error, timeout, broken connection,
    malformed reply) is repeated until it succeeds or a limit is met, after a few in
    a row once all other trials of the phase had their turn. Any other failure stops the work,
    and so do answers that are malformed from the first on (`crew.NO_API_AFTER`): the address is
    then no API's. Where nobody listens at all, so do `crew.NO_SERVER_AFTER` tries that failed to
    connect over `crew.NO_SERVER_SECONDS` or more, if nothing else ever came of a try in this run
    and nothing was ever stored in this journal; a server that was there once is waited for.

    Parameters
    ----------
    plan, folder : what to collect, and the folder of its journal.
    limits : in place of the plan's own.
    progress : show a bar for each phase: None where standard error is a terminal, True always
        (in a notebook that someone watches), False never.
    client : in place of openai's; is entered as an asynchronous context manager if it is one and
        something is left to ask.
    manner : how to wait between tries.

    Returns
    -------
    Outcome
        Also if the work was stopped, by a limit, by Ctrl-C or by a failure that no wait cures.

    Raises
    ------
    CollectError
        If an item could never be scored, the key is missing and needed, the journal is in use or
        cannot be written, or a prompt changed since its trials were collected.
    KeyboardInterrupt
        After a second Ctrl-C.
    """
    work = _Work(plan, Path(folder), limits or plan.limits, progress, client, manner)
    return run_apart(work.run, work.interrupt)


async def collect_async(
    plan: Plan,
    folder: Path | str,
    *,
    limits: Limits | None = None,
    progress: bool | None = None,
    client: Client | None = None,
    manner: Manner = USUAL,
) -> Outcome:
    """Collect as `collect` does, under the running loop; cancelling drops what is under way."""
    work = _Work(plan, Path(folder), limits or plan.limits, progress, client, manner)
    return await work.run()


class _Work:
    """One run, which other threads may interrupt."""

    def __init__(
        self,
        plan: Plan,
        folder: Path,
        limits: Limits,
        progress: bool | None,
        client: Client | None,
        manner: Manner,
    ) -> None:
        self._plan, self._folder, self._limits = plan, folder, limits
        self._show, self._client, self._manner = progress, client, manner
        self._loop: asyncio.AbstractEventLoop | None = None
        self._crew: Crew | None = None
        self._open = plan.total  # trials not known to be stored
        self._interrupts = 0  # those before there is a crew wait for it

    async def run(self) -> Outcome:
        begun = time.monotonic()
        plan = self._plan
        client = self._client or OpenAIClient(plan.settings, plan.key_variable, plan.timeout)
        with Journal.open(self._folder, plan) as journal:
            crew = Crew(plan, self._limits, journal, self._manner)
            self._loop, self._crew = asyncio.get_running_loop(), crew
            for _ in range(self._interrupts):
                self._heed_interrupt()
            with self._time_limit(crew):
                await self._phases(journal, crew, client)
        self._open -= crew.stored
        return _outcome(crew, self._open == 0, time.monotonic() - begun)

    async def _phases(self, journal: Journal, crew: Crew, client: Client) -> None:
        total, asked = len(self._plan.prompts) * self._plan.trials, None
        async with contextlib.AsyncExitStack() as opened:
            for model in self._plan.models:
                if crew.stopped is not None:
                    return
                order = work_order(self._plan, model, journal.done(model))
                self._open -= total - len(order)
                if not order:
                    continue
                if asked is None:  # not before: no key is needed if nothing is left to ask
                    scoring_notices(self._plan.items)
                    asked = await opened.enter_async_context(_entered(client))
                failed = journal.failed_tries(model)
                with Progress(model, total, total - len(order), show=self._show) as progress:
                    await crew.collect(iter(order), failed, asked, progress)

    @contextlib.contextmanager
    def _time_limit(self, crew: Crew):
        seconds = self._limits.seconds
        if seconds is None:
            yield
            return
        line = f"the limit of time is reached ({seconds:g} s); start again to go on"
        timer = asyncio.get_running_loop().call_later(seconds, crew.stop, line)
        try:
            yield
        finally:
            timer.cancel()

    def interrupt(self, times: int) -> None:
        """Stop, or if that is done already drop what is under way; from any thread."""
        self._interrupts = times
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: the work is over
                self._loop.call_soon_threadsafe(self._heed_interrupt)

    def _heed_interrupt(self) -> None:
        if self._crew.stopped is None:
            self._crew.stop("interrupted; start again to go on")
        else:
            self._crew.cut()


def _entered(client: Client) -> AbstractAsyncContextManager:
    return client if hasattr(client, "__aenter__") else contextlib.nullcontext(client)


def _outcome(crew: Crew, complete: bool, seconds: float) -> Outcome:
    stopped = None if complete else crew.stopped
    if not complete and stopped is None:
        key, number = crew.given_up[0], len(crew.given_up)
        stopped = (
            f"{number} trial{'s' if number > 1 else ''} given up at the limit of attempts, first"
            f" {key.trial} of item {key.item_id!r} with {key.model}; raise"
            " limits.attempts_per_trial, or just start again"
        )
    unreached = crew.unreached()
    if not complete and unreached is not None and unreached not in stopped:
        stopped = f"{stopped}; {unreached}"
    return Outcome(
        complete=complete,
        stopped=stopped,
        stored=crew.stored,
        failures=Counter(crew.failures),
        seconds=seconds,
        cost=crew.budget.cost,
        given_up=tuple(crew.given_up),
    )
