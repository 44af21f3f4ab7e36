"""A loop of its own: under any other, with its errors, and silent about Ctrl-C that came too late.

What Ctrl-C does to a collection is in test_interrupts.py.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading

import pytest

from reliable_change.collect.apart import run_apart
from reliable_change.errors import CollectError


async def where() -> threading.Thread:
    await asyncio.sleep(0)
    return threading.current_thread()


def pass_over(times: int) -> None:
    """An interrupt that changes nothing."""


def test_the_loop_has_a_thread_of_its_own_under_any_other():
    async def cell():
        return run_apart(where, pass_over)

    for thread in (run_apart(where, pass_over), asyncio.run(cell())):
        assert thread is not threading.main_thread()
        assert not thread.is_alive()


def test_errors_come_through():
    async def fail():
        raise CollectError("disk is full")

    with pytest.raises(CollectError, match="disk is full"):
        run_apart(fail, pass_over)


def press(times: int, seen: list[int]):
    """A coroutine during which Ctrl-C is pressed so often, each time after the last was seen."""

    async def work():
        for number in range(times):
            os.kill(os.getpid(), signal.SIGINT)
            while len(seen) <= number:
                await asyncio.sleep(0.001)
        return "done"

    return work


def test_one_interrupt_is_passed_on_and_raises_nothing():
    seen = []
    assert run_apart(press(1, seen), seen.append) == "done"
    assert seen == [1]


def test_the_second_is_raised_when_the_work_is_over():
    seen = []
    with pytest.raises(KeyboardInterrupt):
        run_apart(press(2, seen), seen.append)
    assert seen == [1, 2]


def test_the_handler_is_put_back():
    before = signal.getsignal(signal.SIGINT)
    run_apart(where, pass_over)
    assert signal.getsignal(signal.SIGINT) is before


def test_it_works_where_signals_do_not_arrive():
    found = []
    thread = threading.Thread(target=lambda: found.append(run_apart(where, pass_over)))
    thread.start()
    thread.join()
    assert found[0] is not thread


def test_an_ignored_interrupt_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        seen = []

        async def work():
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(0.05)

        run_apart(work, seen.append)
        assert seen == []
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
