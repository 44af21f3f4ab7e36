"""The process of `bounded`: reads arguments from standard input, a line of JSON at a time.

It may not write files, and each call may use its processor time and no more; the system ends the
process beyond that, even if the program that started it is gone.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import math
import os
import signal
import sys
from collections.abc import Callable

try:
    import resource
except ImportError:  # Windows has no such limits; the parent's clock still holds
    resource = None


def main(function: str, seconds: str, megabytes: str) -> None:
    """Answer calls of a function until standard input ends."""
    # What the function prints must not mix with the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    try:
        module, _, name = function.partition(":")
        called = getattr(importlib.import_module(module), name)
        ready = {"ready": True}
    except (ImportError, AttributeError) as error:
        called, ready = None, {"error": _said(error)}
    _limit_for_good(int(megabytes))
    print(json.dumps(ready), file=answers, flush=True)
    for line in sys.stdin:
        _limit_this_call(float(seconds))
        answer = _answer(called, json.loads(line))
        _limit_this_call(0)
        print(answer, file=answers, flush=True)


def _answer(called: Callable, arguments: list) -> str:
    try:
        return json.dumps({"result": called(*arguments)})
    except MemoryError:
        return json.dumps({"memory": True})
    except RecursionError:
        return json.dumps({"error": "too deeply nested"})
    except Exception as error:
        return json.dumps({"error": _said(error)})


def _said(error: Exception) -> str:
    try:
        return f"{type(error).__name__}: {error}"[:300]
    except Exception:  # its text cannot be made: a number too long to print, say
        return type(error).__name__


def _limit_for_good(megabytes: int) -> None:
    if resource is None:
        return
    for name, value in (
        ("RLIMIT_AS", megabytes * 2**20),
        ("RLIMIT_FSIZE", 0),
        ("RLIMIT_CORE", 0),
    ):
        with contextlib.suppress(AttributeError, ValueError, OSError):
            limit = getattr(resource, name)
            resource.setrlimit(limit, (value, value))


def _limit_this_call(seconds: float) -> None:
    """Let the system end this process after so much of processor time; 0 lifts the bound."""
    if resource is None:
        return
    # No handler of Python's, which would wait for C to return: the signal ends the process.
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    # What is called might take the timer away; this it cannot raise, but it is in whole seconds.
    used = resource.getrusage(resource.RUSAGE_SELF)
    allowed = math.ceil(used.ru_utime + used.ru_stime + seconds) + 1
    with contextlib.suppress(ValueError, OSError):
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (allowed, most))


if __name__ == "__main__":
    main(*sys.argv[1:])
