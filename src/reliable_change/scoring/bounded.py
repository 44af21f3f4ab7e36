"""A hard bound on time and memory for work on text that nobody vouches for.

The work runs in a process of its own, which is killed when it takes too long, whatever it is
doing: a signal in the same process cannot stop a big-integer operation inside C and never reaches
a thread. The process is started anew (not forked), so this holds in any thread and in Jupyter,
and it is used again for the next piece of work.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import weakref
from pathlib import Path

from reliable_change.errors import ReliableChangeError

STARTING_SECONDS = 120.0  # for imports, on a busy machine
PATIENCE = 2
_KILLED = [
    -getattr(signal, name, 0) or 1 for name in ("SIGKILL", "SIGPROF", "SIGXCPU")
]  # 1 on Windows
_SOURCE = Path(__file__).parents[2]


class WorkerError(ReliableChangeError):
    """The process cannot be started."""


class CallFailed(Exception):
    """The function raised an error; the message names it."""


class OutOfBounds(Exception):
    """The work took more time or memory than allowed; the message says which."""


class BoundedWorker:
    """One function in a process of its own, called with a bound on each call.

    Parameters
    ----------
    function : "package.module:name" of what to call with the arguments of `call`. Arguments and
        result are JSON: nothing that comes back is ever run.
    seconds : processor time that one call may take. The wall clock bounds it too, at `PATIENCE`
        times as much, for work that waits; less would let a busy machine decide.
    megabytes : address space of the process (on Linux; elsewhere only time is bounded).

    The process starts at the first call and ends with `close`, with this object, or with this
    program. Calls from several threads wait for each other. After a fork, the child process
    starts a process of its own.

    Examples
    --------
    >>> with BoundedWorker("math:sqrt", seconds=5) as worker:
    ...     worker.call(2.25)
    1.5
    """

    def __init__(self, function: str, *, seconds: float = 5.0, megabytes: int = 2048) -> None:
        self.function = function
        self.seconds = seconds
        self.megabytes = megabytes
        self._lock = threading.Lock()
        self._owner = os.getpid()
        self._process: subprocess.Popen[bytes] | None = None
        self._ending: weakref.finalize | None = None

    def __enter__(self) -> BoundedWorker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, *arguments: object) -> object:
        """Call the function.

        Raises
        ------
        OutOfBounds
            If it took too much time or memory. The next call finds a fresh process.
        CallFailed
            If the function raised an error.
        WorkerError
            If the process cannot be started.
        """
        if os.getpid() != self._owner:
            self._forget()
        with self._lock:
            if self._process is None:
                self._start()
            answer = self._ask(json.dumps(arguments))
            if answer is None:
                raise OutOfBounds(self._why_it_ended())
            if "memory" in answer:
                self.close()
                raise OutOfBounds(f"took more than {self.megabytes} MB")
        if "error" in answer:
            raise CallFailed(answer["error"])
        return answer["result"]

    def close(self) -> None:
        """End the process; a later call starts another."""
        if self._ending is not None:
            self._ending()
        self._process = self._ending = None

    def _start(self) -> None:
        environment = {
            name: os.environ[name]
            for name in ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
            if name in os.environ
        }
        # No keys and no settings are passed on; hashes, and so orders, are the same every time.
        environment |= {"PYTHONPATH": str(_SOURCE), "PYTHONHASHSEED": "0"}
        settings = [self.function, str(self.seconds), str(self.megabytes)]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "reliable_change.scoring.bounded_child", *settings],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,  # an interrupt of the notebook does not reach it
        )
        self._ending = weakref.finalize(self, _end, self._process)
        ready = self._read(STARTING_SECONDS)
        if ready is None or "error" in ready:
            self.close()
            reason = "it did not get ready" if ready is None else ready["error"]
            raise WorkerError(f"no process for {self.function}: {reason}")

    def _ask(self, request: str) -> dict | None:
        """Send one line and read one; None if the process ended first."""
        try:
            self._process.stdin.write(request.encode("ascii") + b"\n")
            self._process.stdin.flush()
        except OSError:
            return None
        return self._read(PATIENCE * self.seconds)

    def _why_it_ended(self) -> str:
        process = self._process
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(1)
        self.close()
        if process.returncode in _KILLED:
            return f"took more than {self.seconds:g} s"
        return f"ended its process (code {process.returncode})"

    def _read(self, seconds: float) -> dict | None:
        """Read one line; None if the process ends first, which it does when time is up."""
        process = self._process
        timer = threading.Timer(seconds, process.kill)
        timer.daemon = True
        timer.start()
        try:
            line = process.stdout.readline()
        except BaseException:  # an interrupt: what is still to come would answer the next call
            self.close()
            raise
        finally:
            timer.cancel()
        return json.loads(line) if line.endswith(b"\n") else None

    def _forget(self) -> None:
        """After a fork: leave the parent's process alone and start from scratch."""
        if self._ending is not None:
            self._ending.detach()
            self._process.returncode = 0  # not ours to wait for
        self._process = self._ending = None
        self._lock = threading.Lock()
        self._owner = os.getpid()


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.kill()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            pipe.close()
    process.wait()
