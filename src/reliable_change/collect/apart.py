"""An event loop in a thread of its own, so that it works under any other, and heeds Ctrl-C."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from typing import TypeVar

POLL_SECONDS = 0.5  # where waiting for a lock does not let signals through
Result = TypeVar("Result")


def run_apart(
    make: Callable[[], Coroutine[None, None, Result]], interrupt: Callable[[int], None]
) -> Result:
    """Run a coroutine under a loop of its own in another thread, and return its result.

    Meanwhile Ctrl-C raises nothing here: it calls `interrupt` with how often it was pressed so
    far, which shall make the coroutine end. (Only in the main thread, where Ctrl-C arrives.)

    Parameters
    ----------
    make : called in the other thread; makes the coroutine.
    interrupt : called in this thread.

    Raises
    ------
    Exception
        What the coroutine raises.
    KeyboardInterrupt
        If Ctrl-C was pressed more than once.

    Examples
    --------
    >>> async def add():
    ...     return 2 + 2
    >>> run_apart(add, print)
    4
    """
    future: Future[Result] = Future()

    def work() -> None:
        try:
            future.set_result(asyncio.run(make()))
        except BaseException as error:
            future.set_exception(error)

    with _counting_interrupts(interrupt) as count:
        thread = threading.Thread(target=work, name="collect")
        thread.start()
        while not future.done():
            wait_for([future], timeout=POLL_SECONDS)
        thread.join()
    result = future.result()
    if count() > 1:
        raise KeyboardInterrupt
    return result


@contextlib.contextmanager
def _counting_interrupts(interrupt: Callable[[int], None]) -> Iterator[Callable[[], int]]:
    """Call a function in place of raising KeyboardInterrupt; yield what tells how often."""
    presses = 0

    def heed(*_: object) -> None:
        nonlocal presses
        presses += 1
        interrupt(presses)

    before = signal.getsignal(signal.SIGINT)
    here = threading.current_thread() is threading.main_thread()
    here = here and before not in (None, signal.SIG_IGN)  # None: another language's handler
    if here:
        signal.signal(signal.SIGINT, heed)
    try:
        yield lambda: presses
    finally:
        if here:
            signal.signal(signal.SIGINT, before)
