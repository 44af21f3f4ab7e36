"""Collectors that are there to be killed: each stores what is missing and says so of each trial.

Reads a line for each collector to start, which is a process of its own (forked, as the imports
take longer than all else). It says its process id, then each key once it is stored; how it ended
is said last.
"""

from __future__ import annotations

import os
import sys

from reliable_change.collect.journal import Journal
from reliable_change.collect.plan import Plan, work_order
from reliable_change.collect.records import now_utc
from tests.collect.plans import reply, small_plan

ITEMS, TRIALS = 100, 50


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())  # whole or not at all, whenever the process is killed


def collect(folder: str, plan: Plan) -> None:
    say(f"process {os.getpid()}")
    with Journal.open(folder, plan) as journal:
        for model in plan.models:
            for key in work_order(plan, model, journal.done(model)):
                text = f"{key.model} {key.item_id} {key.trial} " + "x" * 2000
                journal.store(key, reply(text), 1, 0.1, now_utc())
                say(f"{key.item_id} {key.model} {key.trial}")


def main(folder: str) -> None:
    plan = small_plan(ITEMS, TRIALS)  # before any fork, as it is made by threads
    assert plan.prompts
    for _ in iter(sys.stdin.readline, ""):
        child = os.fork()
        if not child:
            collect(folder, plan)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        say(f"ended {os.waitstatus_to_exitcode(status)}")


if __name__ == "__main__":
    main(sys.argv[1])
