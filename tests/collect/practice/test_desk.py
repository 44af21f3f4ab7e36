"""The desk: requests understood or refused, faults drawn by request, everything counted."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

from reliable_change.archive.read import read_archive
from reliable_change.collect.practice.answers import WHOLE, Answer
from reliable_change.collect.practice.desk import Desk
from reliable_change.collect.practice.faults import Faults, evenly
from reliable_change.collect.practice.replay import Stock
from tests.collect.made_up import write_made_up

PATHS = {"chat": "/v1/chat/completions", "responses": "/v1/responses"}


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    return read_archive(write_made_up(tmp_path_factory.mktemp("a") / "made_up", items=4, trials=6))


@pytest.fixture
def desk(archive):
    def make(rates=None, **settings):
        settings = {"seed": 3, "quota": None, "wait": 1.0} | settings
        faults = rates if isinstance(rates, Faults) else Faults(rates or {})
        return Desk(Stock(archive), faults, **settings)

    return make


@pytest.fixture
def prompts(archive):
    return archive.items["prompt"].tolist()


def asked(prompt, model="alpha", api="responses", **more):
    given = {"input": prompt} if api == "responses" else {"messages": [{"content": prompt}]}
    return "POST", PATHS[api], json.dumps({"model": model, **given, **more}).encode()


def test_both_apis_hand_out_the_same_stock(desk, prompts):
    desk = desk()
    texts = []
    for api in ("chat", "responses"):
        answer, stored = desk.answer(desk.order(*asked(prompts[0], api=api)))
        body = json.loads(answer.body)
        message = body["choices"][0]["message"] if api == "chat" else body["output"][1]
        texts.append(message["content"] if api == "chat" else message["content"][0]["text"])
        assert texts[-1] == stored.text
        assert body["id"].endswith(stored.id)
    assert sum(desk.log.values()) == 2
    assert sum(desk.stock.counts().values()) == 46


@pytest.mark.parametrize(
    ("method", "target", "body", "status", "said"),
    [
        ("GET", "/v1/responses", b"", 404, "has only POST"),
        ("POST", "/v1/completions", b"{}", 404, "has only POST"),
        ("POST", "/v1/responses", b"{", 400, "not a JSON object"),
        ("POST", "/v1/responses", b"[1]", 400, "not a JSON object"),
        ("POST", "/v1/responses", b"\xff\xfe", 400, "not a JSON object"),
        ("POST", "/v1/responses", b"[" * 100_000, 400, "not a JSON object"),
        ("POST", "/v1/responses", b'{"input": "?"}', 400, "with a model"),
        (*asked("?", model="gamma"), 404, "'gamma' is not in this archive"),
        (*asked("?", model=["alpha"]), 404, "is not in this archive"),
        (*asked("Who asks?"), 400, "No item"),
        (*asked(None), 400, "No item"),
        (*asked("?", stream=True), 400, "does not stream"),
    ],
)
def test_a_request_that_cannot_be_served_is_told_why(desk, method, target, body, status, said):
    desk = desk({"html": 1.0})
    answer = desk.order(method, target, body)
    assert isinstance(answer, Answer)
    assert (answer.status, answer.ending) == (status, WHOLE)
    assert said in json.loads(answer.body)["error"]["message"]
    assert not desk.log


def test_more_trials_than_there_are_is_a_permanent_error(desk, prompts):
    desk = desk()
    orders = [desk.order(*asked(prompts[0])) for _ in range(7)]
    answers = [desk.answer(order)[0] for order in orders]
    assert [answer.status for answer in answers] == [200] * 6 + [400]
    assert b"ask for fewer" in answers[-1].body


def collect_all(desk, prompts, rng, at_a_time) -> Counter:
    """Ask until every trial is handed out, answers in any order, as many at a time as given."""
    waiting = [(prompt, model) for prompt in prompts for model in ("alpha", "beta")] * 6
    rng.shuffle(waiting)
    under_way = []
    while waiting or under_way:
        while waiting and len(under_way) < at_a_time:
            under_way.append((one := waiting.pop(), desk.order(*asked(*one))))
        one, order = under_way.pop(rng.integers(len(under_way)))
        if desk.answer(order)[1] is None:
            waiting.append(one)
    return desk.log


def test_faults_do_not_depend_on_order_or_concurrency(desk, prompts):
    logs = [
        collect_all(desk(evenly(0.5)), prompts, np.random.default_rng(at), at) for at in (1, 5, 36)
    ]
    assert logs[0] == logs[1] == logs[2]
    assert sum(n for (*_, kind), n in logs[0].items() if kind == "reply") == 48
    assert len({kind for *_, kind in logs[0]}) == 10


def test_another_seed_hits_other_requests(desk, prompts):
    logs = [
        collect_all(desk(evenly(0.5), seed=seed), prompts, np.random.default_rng(1), 5)
        for seed in (3, 3, 4)
    ]
    assert logs[0] == logs[1] != logs[2]


def test_what_was_drawn_for_a_client_that_left_is_for_the_next(desk, prompts):
    desk = desk(evenly(0.9))
    first = desk.order(*asked(prompts[0]))
    second = desk.order(*asked(prompts[0]))
    desk.hung_up(first)
    again, third = (desk.order(*asked(prompts[0])) for _ in range(2))
    assert (again.number, again.fault, again.form) == (first.number, first.fault, first.form)
    assert [second.number, third.number] == [1, 2]
    assert desk.log == {(*first.cell, "hung_up"): 1}


def test_the_quota_ends_after_so_many_replies_and_can_be_raised(desk, prompts):
    desk = desk(quota=2)
    results = [desk.answer(desk.order(*asked(prompts[0]))) for _ in range(4)]
    assert [stored is not None for _, stored in results] == [True, True, False, False]
    assert results[2][0].status == 429
    assert json.loads(results[2][0].body)["error"]["code"] == "insufficient_quota"
    desk.quota = None
    assert all(desk.answer(desk.order(*asked(prompts[0])))[1] for _ in range(4))


@pytest.mark.parametrize("kind", ["truncated", "refusal", "surrogate"])
def test_an_odd_reply_uses_up_its_trial_and_is_remembered(desk, prompts, kind):
    desk = desk({kind: 1.0})
    answer, stored = desk.answer(desk.order(*asked(prompts[0], api="chat")))
    assert desk.odd == {stored.id: kind}
    choice = json.loads(answer.body)["choices"][0]
    assert {
        "truncated": choice["message"]["content"] is None and choice["finish_reason"] == "length",
        "refusal": choice["message"]["refusal"] is not None,
        "surrogate": (choice["message"]["content"] or "").endswith("\ud835"),
    }[kind]
    assert (json.loads(answer.body)["usage"] is None) == (kind == "truncated")
