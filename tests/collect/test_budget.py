"""No more is spent than the limit allows, what is under way included."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from reliable_change.collect.failures import failure
from reliable_change.collect.journal import Journal
from reliable_change.collect.plan import Limits
from reliable_change.collect.prices import Price, Prices, spent
from reliable_change.collect.run import collect, collect_async
from reliable_change.errors import CollectError
from tests.collect.fakes import QUICK, Fake, leap, make_plan, reply

# 1,000 tokens in and 2,000 out cost 0.021.
PRICES = Prices({"old": Price(1.0, 10.0), "new": Price(1.0, 10.0)}, output_tokens=(100, 2_000))
COST = 0.021


def answer(number, model, prompt):
    return reply(str(number), tokens=(1_000, 2_000))


def run(plan, folder, client, **settings):
    return collect(plan, folder, client=client, progress=False, manner=QUICK, **settings)


@pytest.mark.parametrize("concurrency", [1, 36])
@pytest.mark.parametrize("limit", [0.05, 1.0, 2.0])
def test_a_limit_of_cost_is_used_and_not_passed(tmp_path, concurrency, limit):
    plan = make_plan(items=100, prices=PRICES, concurrency=concurrency)
    client = Fake(answer, delay=0.001)
    outcome = run(plan, tmp_path, client, limits=Limits(cost=limit))
    assert not outcome.complete
    assert "limit of cost" in outcome.stopped
    assert f"of {limit:.2f}" in outcome.stopped
    assert outcome.cost == pytest.approx(outcome.stored * COST)
    assert outcome.cost <= limit < outcome.cost + 1.1 * COST
    assert len(client.asked) == outcome.stored


class Uneven(Fake):
    """Takes as long as its reply is, which varies as reasoning does; 4,000 tokens on average."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._rng = np.random.default_rng(seed)

    async def ask(self, model, prompt):
        tokens = int(self._rng.lognormal(np.log(4_000) - 0.32, 0.8))
        await asyncio.sleep(tokens / 2_000)
        return reply(tokens=(100, tokens))


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("limit", [10.0, 40.0])
def test_long_replies_that_land_last_are_foreseen(tmp_path, seed, limit):
    """25 replies for each unit of money, 36 at a time: those that land last are the longest."""
    prices = Prices({"m": Price(1.0, 10.0)}, output_tokens=(200, 16_000))
    plan = make_plan(items=800, models=("m",), prices=prices, limits=Limits(cost=limit))

    def work(manner):
        return collect_async(plan, tmp_path, client=Uneven(seed), progress=False, manner=manner)

    assert limit - 0.5 < leap(work).cost < limit + 0.1


def test_a_limit_counts_earlier_runs_and_can_be_raised(tmp_path):
    plan = make_plan(items=20, trials=1, prices=PRICES)
    first = run(plan, tmp_path, Fake(answer), limits=Limits(cost=10 * COST + 1e-6))
    assert first.stored == 10
    second = run(plan, tmp_path, Fake(answer), limits=Limits(cost=10 * COST + 1e-6))
    assert (second.stored, second.cost) == (0, pytest.approx(10 * COST))
    third = run(plan, tmp_path, Fake(answer), limits=Limits(cost=1.0))
    assert (third.complete, third.cost) == (True, pytest.approx(40 * COST))


def test_replies_without_counts_are_not_free(tmp_path):
    def silent(number, model, prompt):
        return reply(tokens=(None, None))

    plan = make_plan(items=100, prices=PRICES)
    outcome = run(plan, tmp_path, Fake(silent), limits=Limits(cost=1.0))
    assert not outcome.complete
    assert 0.9 < outcome.cost <= 1.0


def test_without_a_limit_all_is_collected_and_counted(tmp_path):
    plan = make_plan(prices=PRICES)
    outcome = run(plan, tmp_path, Fake(answer))
    assert (outcome.complete, outcome.cost) == (True, pytest.approx(12 * COST))
    assert run(make_plan(), tmp_path, Fake()).cost is None


def test_failed_tries_give_back_what_was_set_aside(tmp_path):
    def mostly_failing(number, model, prompt):
        if number % 3:
            raise failure("malformed", "cut")
        return answer(number, model, prompt)

    plan = make_plan(items=10, trials=1, prices=PRICES, concurrency=5)
    outcome = run(plan, tmp_path, Fake(mostly_failing), limits=Limits(cost=20.5 * COST))
    assert outcome.complete
    assert outcome.failures["malformed"] > 20


def test_the_cost_of_a_run_is_the_journals(tmp_path):
    def uneven(number, model, prompt):
        return reply(tokens=(number, number**2) if number % 4 else (None, 7))

    plan = make_plan(items=10, prices=PRICES)
    outcome = run(plan, tmp_path, Fake(uneven))
    with Journal.open(tmp_path, plan, write=False) as journal:
        assert outcome.cost == pytest.approx(spent(PRICES, journal.usage()))


def test_a_limit_needs_a_price_table(tmp_path):
    client = Fake()
    with pytest.raises(CollectError, match="price table"):
        run(make_plan(), tmp_path, client, limits=Limits(cost=1.0))
    assert client.asked == []
