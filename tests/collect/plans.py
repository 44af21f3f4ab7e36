"""Small plans and replies that the tests of collecting share."""

from __future__ import annotations

import pandas as pd

from reliable_change.collect.plan import Plan
from reliable_change.collect.records import Key, Reply

MADE = "2026-01-31T12:00:00.000+00:00"


def small_plan(items: int = 3, trials: int = 4, models=("old", "new"), **others) -> Plan:
    """A plan of one benchmark, with item ids that a careless reader would turn into numbers."""
    ids = [f"{number:03d}" for number in range(items)]
    frame = pd.DataFrame(
        {"benchmark": "quiz", "item_id": ids, "task": "math", "prompt": [f"{i}?" for i in ids]}
    ).assign(reference="4")  # which its scorer asks for
    return Plan("small", frame, models, trials, **others)


def key(item: int = 0, model: str = "new", trial: int = 0) -> Key:
    return Key("quiz", f"{item:03d}", model, trial)


def reply(text: str = "4", **others) -> Reply:
    usual = {"finish_reason": "stop", "returned_model": "new-1", "request_id": "r1"}
    return Reply(text, **usual | {"input_tokens": 10, "output_tokens": 20} | others)


def store_all(journal, plan: Plan, **others) -> None:
    """Store a reply for every trial of a plan, each with a text of its own."""
    for model in plan.models:
        for benchmark, item in plan.prompts:
            for trial in range(plan.trials):
                one = Key(benchmark, item, model, trial)
                journal.store(one, reply(f"{model} {item} {trial}", **others), 1, 0.1, MADE)
