"""Scoring texts in several processes, none of which can take the batch along.

A process that dies, or that spends too long on one text, is replaced; the text that it was at is
tried once more by itself and then given up with a reason, and all others are scored. Processes
are started anew (not forked), so this works in threads and in Jupyter.

Unlike ProcessPoolExecutor, which ends every process when one dies, cannot stop a running call and
does not say which call is to blame, each process here has a pipe and a counter of its own.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import types
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from multiprocessing.connection import Connection, wait

from reliable_change.interrupts import deaf_to_interrupts
from reliable_change.scoring.tasks import Scorer
from reliable_change.scoring.texts import (
    Factories,
    Row,
    ScoringError,
    Slice,
    close_scorers,
    make_scorers,
    score_text,
    unscored,
)

TEXT_SECONDS = 60.0
STARTING_SECONDS = 300.0  # for imports, on a busy machine
POLL_SECONDS = 0.5
_HINT = (
    "import scorers from a module rather than defining them in a notebook or a script without "
    "`if __name__ == '__main__':`, or pass workers=0"
)


def score_in_processes(
    slices: Iterable[Slice],
    factories: Factories,
    scorers: Mapping[str, Scorer],
    *,
    workers: int,
    seconds: float = TEXT_SECONDS,
) -> Iterator[tuple[Slice, list[Row]]]:
    """Score slices in processes of their own and yield them as they are done, in any order.

    Slices are taken as they are needed: twice as many as there are workers are held at most. A
    slice that ended its process comes back in pieces.

    Parameters
    ----------
    factories : what makes each task's scorer, in each process once; must be picklable.
    scorers : the same scorers, made here; only their names and versions are used.
    workers : number of processes, at least 1.
    seconds : bound on one text.

    Raises
    ------
    ScoringError
        If a process cannot be started.
    """
    pool = _Pool(iter(slices), _pickled(factories), workers, seconds)
    try:
        yield from pool.run(scorers)
    finally:
        pool.close()


class _Pool:
    def __init__(self, source: Iterator[Slice], made: bytes, workers: int, seconds: float) -> None:
        self.source = source
        self.made = made
        self.workers = workers
        self.seconds = seconds
        self.held: deque[Slice] = deque()
        self.processes: list[_Process] = []

    def run(self, scorers: Mapping[str, Scorer]) -> Iterator[tuple[Slice, list[Row]]]:
        while True:
            self._hold()
            self._start_and_give()
            if not any(process.piece for process in self.processes) and not self.held:
                return
            self._hold()  # while the others work
            for process in self._with_news():
                piece = process.piece
                try:
                    rows = process.receive()
                except (EOFError, OSError):
                    yield from self._lost(process, f"ended its process{process.code()}", scorers)
                    continue
                if piece is not None:
                    yield piece, rows
            for process in [process for process in self.processes if process.is_late(self.seconds)]:
                yield from self._lost(process, f"took more than {self.seconds:g} s", scorers)

    def close(self) -> None:
        for process in self.processes:
            process.end()

    def _hold(self) -> None:
        while len(self.held) < self.workers:
            piece = next(self.source, None)
            if piece is None:
                return
            self.held.append(piece)

    def _start_and_give(self) -> None:
        busy = sum(process.piece is not None for process in self.processes)
        while len(self.processes) < min(self.workers, busy + len(self.held)):
            self.processes.append(_Process(self.made))
        for process in self.processes:
            if self.held and process.is_ready and process.piece is None:
                process.give(self.held.popleft())

    def _with_news(self) -> list[_Process]:
        found = set(wait([process.pipe for process in self.processes], POLL_SECONDS))
        return [process for process in self.processes if process.pipe in found]

    def _lost(
        self, process: _Process, why: str, scorers: Mapping[str, Scorer]
    ) -> Iterator[tuple[Slice, list[Row]]]:
        """Replace a process that died or was too slow; split its slice around the text at fault."""
        piece, at = process.piece, process.position.value
        self.processes.remove(process)
        process.end()
        if not process.is_ready:
            raise ScoringError(
                f"a process for scoring {why} before it could begin; {_HINT}"
            ) from None
        if piece is None:
            return
        if piece.tries:
            row = unscored(scorers[piece.texts[0].item.task], f"scoring it {why}")
            yield piece, [row]
            return
        cuts = ((0, at, 0), (at + 1, len(piece.texts), 0), (at, at + 1, 1))
        for start, stop, tries in cuts:
            if start < stop:
                texts = piece.texts[start:stop]
                self.held.appendleft(Slice(piece.part, piece.start + start, texts, tries))


class _Process:
    """One process, its pipe, and the shared number of the text that it is at."""

    def __init__(self, made: bytes) -> None:
        context = multiprocessing.get_context("spawn")
        self.position = context.RawValue("q", 0)
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(
            target=_work, args=(theirs, made, self.position), daemon=True
        )
        try:
            with deaf_to_interrupts(), _hidden_main(needed=b"__main__" in made):
                self.process.start()
        finally:
            theirs.close()
        self.is_ready = False
        self.piece: Slice | None = None
        self._seen, self._since = 0, time.monotonic()

    def give(self, piece: Slice) -> None:
        self.piece = piece
        self.position.value = self._seen = 0
        self._since = time.monotonic()
        with contextlib.suppress(OSError):  # it has died, and reading from it will tell
            self.pipe.send(piece.texts)

    def receive(self) -> list[Row]:
        """Return the rows of a slice, or an empty list when it has become ready."""
        answer = self.pipe.recv()
        if not self.is_ready:
            if answer is not None:
                raise ScoringError(f"a process for scoring cannot make scorers: {answer}; {_HINT}")
            self.is_ready = True
            return []
        self.piece = None
        return answer

    def is_late(self, seconds: float) -> bool:
        if self.piece is None:
            return not self.is_ready and time.monotonic() - self._since > STARTING_SECONDS
        if self.position.value != self._seen:
            self._seen, self._since = self.position.value, time.monotonic()
        return time.monotonic() - self._since > seconds and not self.pipe.poll()

    def code(self) -> str:
        self.process.join(1)
        return "" if self.process.exitcode is None else f" (code {self.process.exitcode})"

    def end(self) -> None:
        """End the process: it closes its scorers if it is idle, and is killed if it is not."""
        self.pipe.close()
        if self.piece is None and self.is_ready:
            self.process.join(5)
        self.process.kill()
        self.process.join()


def _pickled(factories: Factories) -> bytes:
    try:
        return pickle.dumps(dict(factories))
    except Exception as error:  # pickle raises what it likes
        raise ScoringError(f"a scorer's factory cannot be pickled ({error}); {_HINT}") from None


def _work(pipe: Connection, made: bytes, position) -> None:
    """Score slice after slice, until the pipe is closed; runs in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        scorers = make_scorers(pickle.loads(made))
    except Exception as error:
        pipe.send(f"{type(error).__name__}: {error}")
        return
    with contextlib.suppress(EOFError, OSError):
        pipe.send(None)
        while True:
            texts = pipe.recv()
            rows = []
            for number, text in enumerate(texts):
                position.value = number
                rows.append(score_text(text, scorers))
            pipe.send(rows)
    close_scorers(scorers)


def _end_with_parent() -> None:
    wait([multiprocessing.parent_process().sentinel])
    os._exit(1)


@contextlib.contextmanager
def _hidden_main(*, needed: bool) -> Iterator[None]:
    """Let processes that start meanwhile not run the main script again, unless they need it.

    So a script needs no ``if __name__ == "__main__":`` for scorers that come from modules.
    """
    main = sys.modules["__main__"]
    if not needed:
        sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
