"""The key goes into the request's header and nowhere else, whatever a server makes of it."""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
import pickle
import traceback
from pathlib import Path

import numpy as np
import openai
import pytest

from reliable_change.collect.client import OpenAIClient
from reliable_change.collect.crew import Manner
from reliable_change.collect.export import export
from reliable_change.collect.failures import Failure
from reliable_change.collect.plan import Limits
from reliable_change.collect.records import Settings
from reliable_change.collect.retry import Backoff
from reliable_change.collect.run import collect
from reliable_change.errors import CollectError
from tests.collect.fakes import make_plan

http = importlib.import_module(
    openai.DefaultAsyncHttpxClient.__mro__[1].__module__.partition(".")[0]
)
KEYS = ["sk-proj-AbCdEf0123456789", "plainly/no+form=of.a:key", "gsk_AbCdEf0123456789"]
CHAT = {"choices": [{"message": {"content": "4"}, "finish_reason": "stop"}]}


class Telltale:
    """A server that says back what it was sent, in every way that it can."""

    def __init__(self, key: str, last=None) -> None:
        self.key, self.last, self.seen = key, last, 0
        self.rng = np.random.default_rng(1)

    def __call__(self, request):
        assert request.headers["authorization"] == f"Bearer {self.key}"
        assert self.key not in str(request.url) + request.content.decode()
        self.seen += 1
        if self.last is not None and self.seen > 40:
            return self.last(f"Bearer {self.key}")
        said = f"you sent {self.key} (Bearer {self.key}) to {request.url}"
        error = {"error": {"message": said, "type": self.key, "code": "overloaded"}}
        ways = [
            lambda: http.Response(200, json=CHAT, headers={"x-said": said}),
            lambda: http.Response(200, json={"choices": None} | error),
            lambda: http.Response(200, content=f"<html>{said}</html>"),
            lambda: http.Response(200, content=f'{{"{said}'),
            lambda: http.Response(429, json=error, headers={"retry-after": self.key}),
            lambda: http.Response(500, content=said),
            lambda: http.Response(503, json=error | {"detail": said}),
            lambda: _raise(http.ConnectError(said)),
            lambda: _raise(http.ReadTimeout(said)),
            lambda: _raise(http.RemoteProtocolError(said)),
        ]
        return ways[self.rng.integers(len(ways))]()


def _raise(error: Exception) -> None:
    raise error


LAST = [
    lambda said: http.Response(200, json={"error": {"message": said, "code": 401}}),
    lambda said: http.Response(401, json={"error": {"message": f"Incorrect API key: {said}"}}),
    lambda said: http.Response(400, content=said),
    lambda said: http.Response(404, json={"error": said}),
    lambda said: http.Response(429, json={"error": {"code": "insufficient_quota", "x": said}}),
    lambda said: _raise(http.LocalProtocolError(f"Illegal header value {said.encode()!r}")),
    lambda said: _raise(http.UnsupportedProtocol(said)),
    lambda said: _raise(RuntimeError(said)),
]


@pytest.fixture(params=KEYS)
def key(request, monkeypatch):
    monkeypatch.setenv("SOME_KEY", request.param)
    return request.param


@pytest.fixture
def logged(caplog):
    caplog.set_level(logging.DEBUG)
    for name in ("openai", "httpx", "httpx2", "httpcore", "httpcore2", "asyncio"):
        caplog.set_level(logging.DEBUG, logger=name)
    return caplog


def make(**settings):
    return make_plan(items=10, settings=Settings("chat"), key_variable="SOME_KEY", **settings)


def run(plan, folder, server):
    client = OpenAIClient(
        plan.settings, plan.key_variable, 5.0, transport=http.MockTransport(server)
    )
    manner = Manner(backoff=Backoff(0.0005, 0.001))
    return client, collect(plan, folder, client=client, manner=manner)


def everything_written(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def assert_nowhere(key: str, *texts: str | bytes) -> None:
    for text in texts:
        text = text if isinstance(text, bytes) else text.encode()
        for secret in (key, repr(key)[1:-1], json.dumps(key)[1:-1]):
            assert secret.encode() not in text


def test_a_whole_collection_leaves_no_key_behind(tmp_path, key, logged, capfd):
    plan = make()
    server = Telltale(key)
    client, outcome = run(plan, tmp_path / "collection", server)
    assert outcome.complete
    assert {"malformed", "rate_limit", "server_error", "connection", "timeout"} <= {
        *outcome.failures
    }
    export(tmp_path / "collection", plan, tmp_path / "archive")
    written = everything_written(tmp_path)
    assert b"[key]" in written  # what the server said is there, without the key
    assert_nowhere(key, written, repr(outcome), repr(client), logged.text)
    assert_nowhere(key, *capfd.readouterr(), pickle.dumps((outcome, plan.settings)))


@pytest.mark.parametrize("last", LAST)
def test_what_stops_a_collection_names_no_key(tmp_path, key, last, logged, capfd):
    plan = make(limits=Limits(attempts_per_trial=50))
    _, outcome = run(plan, tmp_path, Telltale(key, last))
    assert len(outcome.stopped.splitlines()) == 1
    assert_nowhere(key, outcome.stopped, repr(outcome), everything_written(tmp_path), logged.text)
    assert_nowhere(key, *capfd.readouterr())


MALFORMED = [lambda said: http.Response(200, json={"error": {"message": said}})]


@pytest.mark.parametrize("last", LAST + MALFORMED)
def test_no_traceback_leads_to_a_key(key, last):
    """Not even one that shows the variables of our functions, as some notebooks do."""

    async def once():
        transport = http.MockTransport(lambda request: last(f"Bearer {key}"))
        async with OpenAIClient(make().settings, "SOME_KEY", transport=transport) as client:
            await client.ask("m", "?")

    with pytest.raises(Failure) as caught:
        asyncio.run(once())
    error = caught.value
    assert (error.__cause__, error.__context__) == (None, None)
    trace = traceback.TracebackException.from_exception(error, capture_locals=True)
    ours = [frame for frame in trace.stack if "reliable_change" in frame.filename]
    assert any(frame.name == "ask" for frame in ours)
    assert_nowhere(key, *(repr(frame.locals) for frame in ours))
    assert_nowhere(key, str(error), repr(error), repr(vars(error)))


def test_nor_does_one_of_a_key_that_cannot_be_one(monkeypatch):
    monkeypatch.setenv("SOME_KEY", "sk-with a space")
    with pytest.raises(CollectError) as caught:
        asyncio.run(OpenAIClient(make().settings, "SOME_KEY").__aenter__())
    trace = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    assert "with a space" not in "".join(trace.format())
