"""The journal's tables, and what is read from them."""

from __future__ import annotations

import dataclasses
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from reliable_change.collect.plan import Plan
from reliable_change.collect.records import Key, Usage

FORMAT = 1


class Stored(NamedTuple):
    """A row of the table of replies; texts come last, so that counting need not read them."""

    benchmark: str
    item_id: str
    model: str
    trial: int
    finish_reason: str | None
    returned_model: str | None
    request_id: str | None
    input_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    attempts: int
    created_utc: str
    seconds: float
    prompt_sha256: str
    refusal: str | None
    response_text: str | None


REPLY = Stored._fields
# The fields of `Usage`, summed.
USAGE = ", ".join(f"sum({field.name})" for field in dataclasses.fields(Usage))

TABLES = (
    """CREATE TABLE IF NOT EXISTS header
        (format INTEGER NOT NULL, settings TEXT NOT NULL, created_utc TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS sessions
        (started_utc TEXT NOT NULL, content TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS replies (
        benchmark TEXT NOT NULL, item_id TEXT NOT NULL, model TEXT NOT NULL,
        trial INTEGER NOT NULL, finish_reason TEXT, returned_model TEXT, request_id TEXT,
        input_tokens INTEGER, output_tokens INTEGER, reasoning_tokens INTEGER,
        attempts INTEGER NOT NULL, created_utc TEXT NOT NULL, seconds REAL NOT NULL,
        prompt_sha256 TEXT NOT NULL, refusal TEXT, response_text TEXT NOT NULL,
        PRIMARY KEY (benchmark, item_id, model, trial))""",
    """CREATE TABLE IF NOT EXISTS failures (
        benchmark TEXT NOT NULL, item_id TEXT NOT NULL, model TEXT NOT NULL,
        trial INTEGER NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL,
        transient INTEGER NOT NULL, message TEXT NOT NULL, status INTEGER,
        created_utc TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS totals (
        benchmark TEXT NOT NULL, model TEXT NOT NULL, replies INTEGER NOT NULL,
        counted INTEGER NOT NULL, input_tokens INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL, reasoning_tokens INTEGER NOT NULL,
        output_squares REAL NOT NULL, PRIMARY KEY (benchmark, model))""",
    # Kept with each reply, in its transaction, so that resuming need not read a million rows.
    """CREATE TRIGGER IF NOT EXISTS count_reply AFTER INSERT ON replies BEGIN
        INSERT INTO totals SELECT new.benchmark, new.model, 1, known,
            iif(known, new.input_tokens, 0), iif(known, new.output_tokens, 0),
            iif(known, ifnull(new.reasoning_tokens, 0), 0),
            iif(known, 1.0 * new.output_tokens * new.output_tokens, 0.0)
        FROM (SELECT new.input_tokens IS NOT NULL AND new.output_tokens IS NOT NULL AS known)
        WHERE true
        ON CONFLICT (benchmark, model) DO UPDATE SET
            replies = replies + 1,
            counted = counted + excluded.counted,
            input_tokens = input_tokens + excluded.input_tokens,
            output_tokens = output_tokens + excluded.output_tokens,
            reasoning_tokens = reasoning_tokens + excluded.reasoning_tokens,
            output_squares = output_squares + excluded.output_squares;
        END""",
)


class Done:
    """A set of keys that takes one bit a trial.

    >>> done = Done()
    >>> done.add(Key("quiz", "007", "new", 3))
    >>> Key("quiz", "007", "new", 3) in done, Key("quiz", "007", "new", 2) in done, len(done)
    (True, False, 1)
    """

    def __init__(self) -> None:
        self._trials: dict[tuple[str, str, str], int] = {}

    def add(self, key: Key) -> None:
        """Put a key into the set."""
        self._trials[key[:3]] = self._trials.get(key[:3], 0) | 1 << key[3]

    def __contains__(self, key: Key) -> bool:
        return bool(self._trials.get(key[:3], 0) >> key[3] & 1)

    def __len__(self) -> int:
        return sum(map(int.bit_count, self._trials.values()))


def session(plan: Plan) -> dict:
    """Return what a run should say of itself: versions, and what was asked for."""
    return {
        "reliable_change": version("reliable-change"),
        "openai": _version("openai"),
        "python": platform.python_version(),
        "plan": plan.name,
        "models": plan.models,
        "items": len(plan.prompts),
        "trials": plan.trials,
        "seed": plan.seed,
        "concurrency": plan.concurrency,
        "prompt_version": plan.prompt_version,
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
