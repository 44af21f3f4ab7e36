"""The engine with made-up clients: complete, counted right, stopped when and as it should be."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from reliable_change.collect.crew import NO_API_AFTER, Manner
from reliable_change.collect.failures import TRANSIENT, WAY_OUT, failure
from reliable_change.collect.journal import Journal
from reliable_change.collect.plan import Limits, work_order
from reliable_change.collect.records import Key, Settings
from reliable_change.collect.run import collect, collect_async
from reliable_change.errors import CollectError
from tests.collect.fakes import QUICK, Fake, Faulty, leap, make_plan, refuse, reply


def run(plan, folder, client, *, manner=QUICK, **settings):
    return collect(plan, folder, client=client, progress=False, manner=manner, **settings)


def stored(plan, folder) -> dict[Key, str]:
    with Journal.open(folder, plan, write=False) as journal:
        return {Key(*row[:4]): row.response_text for row in journal.replies()}


def tries(plan, folder) -> dict[Key, int]:
    with Journal.open(folder, plan, write=False) as journal:
        return {Key(*row[:4]): row.attempts for row in journal.replies()}


def recorded(plan, folder) -> list:
    with Journal.open(folder, plan, write=False) as journal:
        return list(journal.attempts())


def everything(plan) -> set[Key]:
    return {key for model in plan.models for key in work_order(plan, model)}


def test_every_transient_fault_together_at_concurrency_36(tmp_path):
    plan = make_plan(items=1_800, trials=1)
    client = Faulty(0.3, TRANSIENT)
    outcome = run(plan, tmp_path, client)
    assert (outcome.complete, outcome.stopped, outcome.stored) == (True, None, 3_600)
    assert client.most == plan.concurrency == 36
    assert len(client.asked) > 3_600 / 0.75
    # Every text belongs to a call of its own, and every call is accounted for.
    assert set(stored(plan, tmp_path)) == everything(plan)
    assert len(set(stored(plan, tmp_path).values())) == 3_600
    calls = Counter(client.asked)
    assert all(n == calls[k.model, k.item_id] for k, n in tries(plan, tmp_path).items())
    kinds = Counter()
    for (*_, kind), number in client.failed.items():
        kinds[kind] += number
    assert outcome.failures == kinds
    assert kinds.keys() == TRANSIENT
    attempts = Counter((a.key.model, a.key.item_id, a.kind) for a in recorded(plan, tmp_path))
    assert attempts == client.failed


def test_a_try_is_counted_from_one(tmp_path):
    plan = make_plan(items=1, trials=1, models=("m",))

    def answer(number, model, prompt):
        if number < 4:
            raise failure("timeout", f"no {number}")

    assert run(plan, tmp_path, Fake(answer)).complete
    assert list(tries(plan, tmp_path).values()) == [4]
    assert [(a.number, a.message) for a in recorded(plan, tmp_path)] == [
        (1, "no 1"),
        (2, "no 2"),
        (3, "no 3"),
    ]


def test_models_in_release_order_and_trials_in_the_plans(tmp_path):
    plan = make_plan(items=5, trials=4, models=("zeta", "alpha"), concurrency=1)
    client = Fake()
    run(plan, tmp_path, client)
    order = [key for model in plan.models for key in work_order(plan, model)]
    assert client.asked == [(key.model, key.item_id) for key in order]
    texts = stored(plan, tmp_path)
    assert [texts[key] for key in order] == [str(n) for n in range(1, 41)]


def test_a_phase_ends_before_the_next_begins(tmp_path):
    plan = make_plan(items=20, trials=3)
    client = Faulty(0.3, TRANSIENT)
    run(plan, tmp_path, client)
    models = [model for model, _ in client.asked]
    assert models == sorted(models, key=plan.models.index)


@pytest.mark.parametrize("concurrency", [1, 7])
def test_so_many_are_under_way_and_no_more(tmp_path, concurrency):
    plan = make_plan(items=30, concurrency=concurrency)
    client = Fake(delay=0.001)
    run(plan, tmp_path, client)
    assert client.most == concurrency


def test_repeats_are_draws_of_their_own(tmp_path):
    plan = make_plan(items=1, trials=50, models=("m",))
    cold = Fake()
    assert run(plan, tmp_path, cold).stored == 50
    texts = stored(plan, tmp_path)
    assert sorted(key.trial for key in texts) == list(range(50))
    assert len(set(texts.values())) == len(cold.asked) == 50
    warm = Fake()
    again = run(plan, tmp_path, warm)
    assert (again.complete, again.stored, warm.asked) == (True, 0, [])
    assert stored(plan, tmp_path) == texts
    other = replace(plan, settings=Settings(temperature=0.5))
    fresh = Fake()
    assert run(other, tmp_path, fresh).stored == len(fresh.asked) == 50
    assert stored(plan, tmp_path) == texts


def test_more_trials_items_and_models_ask_only_for_what_is_missing(tmp_path):
    run(make_plan(items=2, trials=2, models=("a",)), tmp_path, Fake())
    plan = make_plan(items=3, trials=3, models=("a", "b"))
    client = Fake()
    assert run(plan, tmp_path, client).stored == len(client.asked) == 18 - 4
    assert set(stored(plan, tmp_path)) == everything(plan)


@pytest.mark.parametrize("kind", sorted(WAY_OUT))
def test_a_permanent_failure_stops_with_one_line_and_keeps_what_there_is(tmp_path, kind):
    plan = make_plan(items=50, trials=4)

    def answer(number, model, prompt):
        if number >= 100:
            raise failure(kind, "the server's word", status=400)

    client = Fake(answer)
    outcome = run(plan, tmp_path, client)
    assert not outcome.complete
    (line,) = outcome.stopped.splitlines()
    assert line.startswith("old")
    assert "the server's word" in line
    assert WAY_OUT[kind] in line
    assert ("'item-" in line) == (kind in ("bad_request", "unexpected"))
    # What was under way landed; nothing was asked after that, of this model or the next.
    assert outcome.stored == len(stored(plan, tmp_path)) == 99
    assert len(client.asked) < 100 + plan.concurrency
    assert {a.kind for a in recorded(plan, tmp_path)} == {kind}
    again = run(plan, tmp_path, Fake())
    assert (again.complete, again.stored) == (True, 400 - 99)


def test_quota_ends_what_a_rate_limit_only_delays(tmp_path):
    plan = make_plan(items=1, trials=1, models=("m",))

    def three_times(number, model, prompt):
        if number <= 3:
            raise failure("rate_limit", "slow down")

    out_of_quota = Fake(refuse("quota"))
    assert run(plan, tmp_path / "quota", out_of_quota).stored == 0
    assert len(out_of_quota.asked) == 1
    limited = Fake(three_times)
    assert run(plan, tmp_path / "limited", limited).stored == 1
    assert len(limited.asked) == 4


@pytest.mark.parametrize("error", [RuntimeError("a fault of ours"), KeyError("x"), OSError("y")])
def test_what_is_no_known_failure_is_neither_tried_again_nor_stored(tmp_path, error):
    def answer(number, model, prompt):
        raise error

    plan = make_plan(concurrency=1)
    client = Fake(answer)
    outcome = run(plan, tmp_path, client)
    assert type(error).__name__ in outcome.stopped
    assert (outcome.stored, len(client.asked)) == (0, 1)
    assert stored(plan, tmp_path) == {}


def test_attempts_of_an_earlier_run_count(tmp_path):
    plan = make_plan(items=1, trials=1, models=("m",))
    limits = Limits(attempts_per_trial=3)
    for _ in range(2):
        outcome = run(plan, tmp_path, Fake(refuse("timeout")), limits=limits)
        assert outcome.given_up == (Key("quiz", "item-0", "m", 0),)
    assert run(plan, tmp_path, Fake()).complete
    assert list(tries(plan, tmp_path).values()) == [7]
    assert [a.number for a in recorded(plan, tmp_path)] == [1, 2, 3, 4, 5, 6]


def test_a_trial_at_its_limit_is_left_and_the_others_go_on(tmp_path):
    def answer(number, model, prompt):
        if prompt == "item-1":
            raise failure("malformed", "no choice in the reply")

    plan = make_plan(items=3, trials=2, limits=Limits(attempts_per_trial=4))
    outcome = run(plan, tmp_path, Fake(answer))
    assert (outcome.complete, outcome.stored) == (False, 8)
    assert {key.item_id for key in outcome.given_up} == {"item-1"}
    assert outcome.failures == {"malformed": 16}
    assert "4 trials given up" in outcome.stopped
    assert "'item-1'" in outcome.stopped
    assert all(key.item_id != "item-1" for key in stored(plan, tmp_path))


def test_an_item_that_always_fails_keeps_no_other_from_being_asked(tmp_path):
    """Its trials are more than there are workers; it fails until all others are stored."""
    answered = Counter()

    def answer(number, model, prompt):
        if prompt == "item-1" and answered.total() < 250:
            raise failure("server_error", "HTTP 500")
        answered[prompt] += 1

    plan = make_plan(items=6, trials=50, models=("m",), limits=Limits(seconds=20))
    client = Fake(answer)
    outcome = run(plan, tmp_path, client)
    assert (outcome.complete, outcome.stored) == (True, 300)
    found = tries(plan, tmp_path)
    of_it = [number for key, number in found.items() if key.item_id == "item-1"]
    assert sum(of_it) == client.asked.count(("m", "item-1")) == 50 + outcome.failures.total()
    assert sum(found.values()) == len(client.asked)


def test_a_server_that_is_down_is_not_asked_at_once_for_the_next_trial(tmp_path):
    plan = make_plan(items=10, trials=1, models=("m",), concurrency=1)
    client = Fake(refuse("connection"))
    limits = Limits(attempts_per_trial=1)

    def work(manner):
        return collect_async(
            plan, tmp_path, client=client, progress=False, limits=limits, manner=manner
        )

    assert len(leap(work).given_up) == 10
    waits = [after - before for before, after in zip(client.times, client.times[1:], strict=False)]
    assert all(wait <= min(60.0, 2.0**n) for n, wait in enumerate(waits))
    assert sum(waits[5:]) > 30.0


def test_a_limit_of_time_stops_what_would_never_end(tmp_path):
    plan = make_plan()
    outcome = run(plan, tmp_path, Fake(refuse("connection")), limits=Limits(seconds=0.1))
    assert "limit of time" in outcome.stopped
    assert 0.1 <= outcome.seconds < 5
    assert outcome.given_up == ()
    assert stored(plan, tmp_path) == {}


def test_an_address_that_answers_with_pages_alone_is_no_api(tmp_path):
    plan = make_plan(items=10, trials=4)
    client = Fake(refuse("malformed", "HTML in place of a reply"))
    outcome = run(plan, tmp_path, client, limits=Limits(seconds=20))
    assert "check base_url" in outcome.stopped
    assert "HTML in place of a reply" in outcome.stopped
    assert len(outcome.stopped.splitlines()) == 1
    assert NO_API_AFTER <= len(client.asked) < NO_API_AFTER + plan.concurrency
    assert run(plan, tmp_path, Fake()).complete


@pytest.mark.parametrize("other", ["timeout", None])
def test_one_other_answer_shows_that_there_is_an_api(tmp_path, other):
    """In this run, be it a failure, or in one before, a reply."""

    def answer(number, model, prompt):
        if number == 1 and other is not None:
            raise failure(other, "slow")
        if number < 3 * NO_API_AFTER:
            raise failure("malformed", "HTML in place of a reply")

    if other is None:
        run(make_plan(items=1, trials=1), tmp_path, Fake())
    plan = make_plan(concurrency=1)
    assert run(plan, tmp_path, Fake(answer)).complete


def times_of(answer, tmp_path, **settings) -> list[float]:
    """When each call was made, in seconds of a loop whose time passes at once."""
    client = Fake(answer)
    plan = make_plan(**({"items": 1, "trials": 1, "models": ("m",)} | settings))

    def work(manner):
        return collect_async(plan, tmp_path, client=client, progress=False, manner=manner)

    assert leap(work).complete
    return client.times


def once(retry_after):
    def answer(number, model, prompt):
        if number == 1:
            raise failure("rate_limit", "slow down", retry_after=retry_after)

    return answer


@pytest.mark.parametrize(
    ("asked", "least", "most"), [(130.0, 130.0, 143.0), (1.5, 1.5, 1.65), (None, 0.0, 1.0)]
)
def test_the_next_try_comes_when_the_server_wants_it(tmp_path, asked, least, most):
    first, second = times_of(once(asked), tmp_path)
    assert least <= second - first <= most


def test_all_hold_off_when_one_is_told_to(tmp_path):
    times = times_of(once(130.0), tmp_path, items=40, concurrency=4)
    assert len(times) == 41
    # What was under way at that moment, and then nobody until the wait is over.
    assert sum(time < 130.0 for time in times) == 4
    # Nor do they come back in step.
    assert len({time for time in times if time >= 130.0}) > 1


def test_the_servers_word_holds_for_the_next_trial_too(tmp_path):
    plan = make_plan(items=2, trials=1, models=("m",), concurrency=1)
    client, limits = Fake(once(130.0)), Limits(attempts_per_trial=1)

    def work(manner):
        return collect_async(
            plan, tmp_path, client=client, progress=False, limits=limits, manner=manner
        )

    assert len(leap(work).given_up) == 1
    assert client.times[1] >= 130.0


def test_waits_grow(tmp_path):
    def answer(number, model, prompt):
        if number <= 12:
            raise failure("server_error", "HTTP 500")

    times = times_of(answer, tmp_path)
    waits = [after - before for before, after in zip(times, times[1:], strict=False)]
    assert len(waits) == 12
    assert all(wait <= min(60.0, 2.0**n) for n, wait in enumerate(waits))
    assert sum(waits[6:]) > 60.0 > max(waits)


def test_those_who_wait_are_woken_when_the_work_stops(tmp_path):
    def answer(number, model, prompt):
        if number == 1:
            raise failure("rate_limit", "slow down", retry_after=130.0)
        raise failure("quota", "used up")

    plan = make_plan(items=10, concurrency=2)

    async def timed(manner):
        client = Fake(answer, delay=1.0)
        outcome = await collect_async(plan, tmp_path, client=client, progress=False, manner=manner)
        return outcome, manner.now()

    outcome, ended = leap(timed)
    assert outcome.failures == {"rate_limit": 1, "quota": 1}
    assert ended < 2.0


def slow_from(first: int, seconds: float):
    """A client whose calls from a number on take some seconds."""

    class Slow(Fake):
        async def ask(self, model, prompt):
            if len(self.asked) + 1 >= first:
                self.asked.append((model, prompt))
                await asyncio.sleep(seconds)
                return reply("late")
            return await super().ask(model, prompt)

    return Slow


@pytest.mark.parametrize(("grace", "landed"), [(30.0, 3), (5.0, 0)])
def test_what_is_under_way_lands_within_the_grace(tmp_path, grace, landed):
    def answer(number, model, prompt):
        raise failure("quota", "used up")

    client = slow_from(2, 10.0)(answer, delay=1.0)
    plan = make_plan(items=10, concurrency=4)

    def work(manner):
        manner = replace(manner, grace=grace)
        return collect_async(plan, tmp_path, client=client, progress=False, manner=manner)

    outcome = leap(work)
    assert (outcome.stored, len(client.asked)) == (landed, 4)
    assert outcome.failures == {"quota": 1}


def test_a_full_disk_ends_the_run_and_is_raised(tmp_path, monkeypatch):
    plan = make_plan(items=50)
    store = Journal.store
    seen = []

    def full(self, key, *rest):
        seen.append(key)
        if len(seen) > 20:
            raise CollectError("disk is full")
        store(self, key, *rest)

    monkeypatch.setattr(Journal, "store", full)
    with pytest.raises(CollectError, match="disk is full"):
        run(plan, tmp_path, Fake())
    assert len(seen) <= 20 + plan.concurrency
    monkeypatch.undo()
    assert run(plan, tmp_path, Fake()).stored == 200 - 20


def test_a_cancelled_run_closes_its_journal(tmp_path):
    plan = make_plan(items=50, concurrency=5)
    client = slow_from(11, 60.0)()

    async def cancelled():
        task = asyncio.create_task(
            collect_async(plan, tmp_path, client=client, progress=False, manner=QUICK)
        )
        while len(client.asked) < 15:
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await collect_async(plan, tmp_path, client=Fake(), progress=False)

    outcome = asyncio.run(cancelled())
    assert (outcome.complete, outcome.stored) == (True, 190)


class Bound(Fake):
    """A client with what binds to the loop under which it is first waited on."""

    opened = 0

    async def __aenter__(self):
        self.opened += 1
        self.gate = asyncio.Semaphore(3)
        return self

    async def __aexit__(self, *_):
        del self.gate

    async def ask(self, model, prompt):
        async with self.gate:
            return await super().ask(model, prompt)


def test_one_client_twice_in_a_row(tmp_path):
    client, plan = Bound(delay=0.001), make_plan()
    assert run(plan, tmp_path / "1", client).complete
    assert run(plan, tmp_path / "2", client).complete
    assert run(plan, tmp_path / "1", client).stored == 0
    assert len(client.asked) == 24
    assert client.opened == 2  # once for all phases, and not where nothing is left to ask


def test_a_client_is_opened_only_if_something_is_left_to_ask(tmp_path, monkeypatch):
    """So that a complete collection needs no key."""
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    plan = make_plan(key_variable="NO_SUCH_KEY")
    with pytest.raises(CollectError, match="export NO_SUCH_KEY="):
        collect(plan, tmp_path, progress=False)
    assert run(plan, tmp_path, Fake()).complete
    assert collect(plan, tmp_path, progress=False).complete
    more = replace(plan, models=("old", "new", "next"))
    with pytest.raises(CollectError, match="export NO_SUCH_KEY="):
        collect(more, tmp_path, progress=False)


def test_under_a_running_loop(tmp_path):
    client, plan = Bound(delay=0.001), make_plan()

    async def cell():
        return run(plan, tmp_path, client), run(plan, tmp_path, client)

    first, second = asyncio.run(cell())
    assert (first.stored, second.stored, second.complete) == (12, 0, True)


def test_awaited_twice_from_a_script(tmp_path):
    client, plan = Bound(delay=0.001), make_plan()
    for number in (12, 0):
        work = collect_async(plan, tmp_path, client=client, progress=False, manner=QUICK)
        assert asyncio.run(work).stored == number


def test_two_at_once_on_one_journal(tmp_path):
    plan = make_plan()

    async def both():
        work = [
            collect_async(plan, tmp_path, client=Fake(delay=0.01), progress=False) for _ in range(2)
        ]
        return await asyncio.gather(*work, return_exceptions=True)

    first, second = asyncio.run(both())
    assert first.complete
    assert isinstance(second, CollectError)


def test_the_usual_manner_waits_as_long_as_it_says():
    usual = Manner()
    assert (usual.backoff.first, usual.backoff.cap, usual.grace) == (1.0, 60.0, 30.0)
