"""Every fault of the practice server against the whole collector, openai's client included."""

from __future__ import annotations

from collections import Counter

import pandas as pd
import pytest

from reliable_change.archive.read import read_archive
from reliable_change.archive.text import escape_surrogates
from reliable_change.collect.client import OpenAIClient
from reliable_change.collect.crew import Manner
from reliable_change.collect.failures import WAY_OUT
from reliable_change.collect.journal import Journal
from reliable_change.collect.plan import Plan
from reliable_change.collect.practice.answers import HALF_PAIR, REFUSAL
from reliable_change.collect.practice.faults import (
    KINDS,
    ODD_REPLIES,
    PERMANENT,
    TRANSIENT,
    Faults,
    evenly,
)
from reliable_change.collect.practice.replay import Stock
from reliable_change.collect.practice.server import PracticeServer
from reliable_change.collect.records import Settings
from reliable_change.collect.retry import Backoff
from reliable_change.collect.run import collect
from tests.collect.made_up import CONTENT, contents, write_made_up

TRIALS = 50
# Seconds; far above what an answer takes here, also on a busy machine: a reply that comes too
# late would be one more attempt. So timeouts are the rarest of the faults.
TIMEOUT = 3.0
OTHERS = TRANSIENT.keys() - {"timeout"}
THREE_IN_TEN = Faults({**evenly(0.295, sorted(OTHERS)).rates, "timeout": 0.005})
QUICK = Manner(backoff=Backoff(first=0.002, cap=0.02))


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """30 items, two models, 50 trials of each: 3,000."""
    folder = tmp_path_factory.mktemp("source") / "large"
    return read_archive(write_made_up(folder, items=30, trials=TRIALS))


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """6 items, two models, 50 trials of each: 600."""
    folder = tmp_path_factory.mktemp("source") / "small"
    return read_archive(write_made_up(folder, items=6, trials=TRIALS))


def serve(source, faults: Faults, **settings) -> PracticeServer:
    return PracticeServer(source, faults, **({"delay": 0.0, "wait": 0.002, "seed": 5} | settings))


def plan_for(source, server, api="responses", **settings) -> Plan:
    return Plan(
        "practice",
        source.items,
        source.manifest.models,
        settings=Settings(api=api, base_url=server.base_url),
        **({"trials": TRIALS} | settings),
    )


def run(plan, folder, **settings):
    client = OpenAIClient(plan.settings, timeout=TIMEOUT)
    return collect(plan, folder, progress=False, client=client, manner=QUICK, **settings)


def read_journal(plan, folder):
    with Journal.open(folder, plan, write=False) as journal:
        return list(journal.replies()), list(journal.attempts()), journal.failures()


def collected(replies) -> Counter:
    """How often each item and model has which reply, as `contents` tells it of an archive."""
    columns = ("benchmark", "item_id", "model", *CONTENT)
    return Counter(tuple(getattr(reply, name) for name in columns) for reply in replies)


def by_cell(rows, count) -> Counter:
    total: Counter = Counter()
    for row in rows:
        total[row.benchmark, row.item_id, row.model] += count(row)
    return total


def numbered_in_turn(replies, attempts) -> bool:
    """The failed tries of each trial count from 1, and the reply came with the next one."""
    failed: dict = {}
    for attempt in attempts:
        failed.setdefault(tuple(attempt.key), []).append(attempt.number)
    expected = {(r.benchmark, r.item_id, r.model, r.trial): r.attempts for r in replies}
    return failed == {key: list(range(1, n)) for key, n in expected.items() if n > 1}


def as_recorded(log: pd.DataFrame) -> Counter:
    """The server's own log in the collector's kinds of failure."""
    found: Counter = Counter()
    for outcome, requests in log.groupby("outcome")["requests"].sum().items():
        kind = KINDS.get(outcome, (None, None))[1]
        found[kind or "reply"] += requests
    return found


@pytest.mark.parametrize(("api", "size"), [("responses", "large"), ("chat", "source")])
def test_every_fault_together_leaves_no_trace_in_the_replies(request, tmp_path, api, size):
    source = request.getfixturevalue(size)
    total = len(source.responses(["trial"]))
    with serve(source, THREE_IN_TEN) as server:
        plan = plan_for(source, server, api)
        assert plan.concurrency == 36
        outcome = run(plan, tmp_path)
        log = server.log()
    assert (outcome.complete, outcome.stopped, outcome.stored) == (True, None, total)
    replies, attempts, failures = read_journal(plan, tmp_path)
    # Complete and no duplicate; and, in any order, exactly what the archive holds.
    keys = Counter((r.benchmark, r.item_id, r.model, r.trial) for r in replies)
    trials = source.responses(["benchmark", "item_id", "model", "trial"])
    assert keys == Counter(trials.itertuples(index=False, name=None))
    assert collected(replies) == contents(source.path)
    # Every attempt is accounted for: in all, by item and model, by kind, by trial.
    sent = by_cell(log.itertuples(), lambda row: row.requests)
    assert by_cell(replies, lambda row: row.attempts) == sent
    assert as_recorded(log) == Counter(failures) + Counter(reply=total)
    assert failures == outcome.failures
    assert set(log["outcome"]) == {*TRANSIENT, "reply"}
    assert 0.25 < 1 - total / log["requests"].sum() < 0.35
    assert numbered_in_turn(replies, attempts)


def test_nine_faults_in_ten_only_take_longer(source, tmp_path):
    with serve(source, evenly(0.9, sorted(OTHERS))) as server:
        plan = plan_for(source, server, trials=10)
        outcome = run(plan, tmp_path)
        log = server.log()
    replies, _, failures = read_journal(plan, tmp_path)
    assert outcome.complete
    assert len(replies) == 120
    assert as_recorded(log) == Counter(failures) + Counter(reply=120)
    assert log["requests"].sum() > 900
    assert not collected(replies) - contents(source.path)


def trials_by_id(source) -> dict:
    stock, given = Stock(source), {}
    for cell in stock.counts():
        while (one := stock.take(cell)) is not None:
            given[one.id] = one
    return given


def distorted(kind: str | None, content: tuple) -> tuple:
    """What a collector should have of a reply that the server made odd."""
    text, refusal, finish, taken, made, reasoning = content
    if kind == "truncated":
        return "", None, "length", None, None, None
    if kind == "refusal":
        return "", REFUSAL, "stop", taken, made, reasoning
    if kind == "surrogate":
        return escape_surrogates(text + HALF_PAIR), refusal, finish, taken, made, reasoning
    return content


@pytest.mark.parametrize("api", ["responses", "chat"])
def test_odd_replies_are_replies_and_cost_no_further_attempt(source, tmp_path, api):
    with serve(source, evenly(0.3, ODD_REPLIES)) as server:
        plan = plan_for(source, server, api)
        outcome = run(plan, tmp_path)
        odd = server.odd_replies()
        kinds = server.log()["outcome"]
    assert outcome.complete
    assert not outcome.failures
    assert set(kinds) == {*ODD_REPLIES, "reply"}
    replies, *_ = read_journal(plan, tmp_path)
    stored = {reply.request_id.rpartition("_")[2]: reply for reply in replies}
    assert len(stored) == 600
    assert set(odd) < set(stored)
    given = trials_by_id(source)
    for name, reply in stored.items():
        one = given[name]
        content = (one.text, one.refusal, one.finish_reason, one.input_tokens)
        content += (one.output_tokens, one.reasoning_tokens)
        assert tuple(getattr(reply, column) for column in CONTENT) == distorted(
            odd.get(name), content
        )


@pytest.mark.parametrize("kind", PERMANENT)
def test_a_permanent_fault_stops_at_once_with_one_line_and_keeps_what_there_was(
    source, tmp_path, kind
):
    """It strikes one request in a hundred: with 36 under way, soon but not at the first."""
    with serve(source, Faults({kind: 0.01}), delay=0.01) as server:
        plan = plan_for(source, server)
        outcome = run(plan, tmp_path)
        replies, attempts, failures = read_journal(plan, tmp_path)
        # What was under way has landed; nothing was sent after the request that was struck.
        assert server.log()["requests"].sum() == len(replies) + len(attempts)
        server.set_faults(Faults())
        assert run(plan, tmp_path).complete
    assert not outcome.complete
    assert len(outcome.stopped.splitlines()) == 1
    recorded = PERMANENT[kind][1]
    assert WAY_OUT[recorded] in outcome.stopped
    assert 0 < outcome.stored == len(replies) < 600
    assert set(failures) == {recorded}
    assert len(attempts) < 36
    assert not collected(replies) - contents(source.path)
    again, *_ = read_journal(plan, tmp_path)
    assert collected(again) == contents(source.path)


@pytest.mark.parametrize("api", ["responses", "chat"])
@pytest.mark.parametrize("kind", PERMANENT)
def test_a_server_that_always_refuses_is_asked_once_by_each_worker_at_most(
    source, tmp_path, kind, api
):
    with serve(source, Faults({kind: 1.0})) as server:
        plan = plan_for(source, server, api)
        outcome = run(plan, tmp_path)
        assert server.log()["requests"].sum() <= plan.concurrency
    assert outcome.stored == 0
    assert len(outcome.stopped.splitlines()) == 1


def test_a_quota_that_runs_out_and_is_raised_costs_nothing(source, tmp_path):
    with serve(source, THREE_IN_TEN, quota=340, delay=0.005) as server:
        plan = plan_for(source, server)
        first = run(plan, tmp_path)
        assert first.stored == 340
        assert WAY_OUT["quota"] in first.stopped
        server.set_quota(None)
        second = run(plan, tmp_path)
        log = server.log()
    assert (second.complete, second.stored) == (True, 260)
    replies, attempts, failures = read_journal(plan, tmp_path)
    assert numbered_in_turn(replies, attempts)
    assert collected(replies) == contents(source.path)
    sent = by_cell(log.itertuples(), lambda row: row.requests)
    assert by_cell(replies, lambda row: row.attempts) == sent
    assert as_recorded(log) == Counter(failures) + Counter(reply=600)
