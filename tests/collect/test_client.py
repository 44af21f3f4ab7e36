"""openai's own client over a transport that answers as servers do, and as they should not."""

from __future__ import annotations

import asyncio
import importlib
import json
import sys

import openai
import pytest

from reliable_change.collect.address import VENDOR
from reliable_change.collect.client import OpenAIClient
from reliable_change.collect.failures import Failure
from reliable_change.collect.records import Reply, Settings
from reliable_change.errors import CollectError

# The http library that this openai works with.
http = importlib.import_module(
    openai.DefaultAsyncHttpxClient.__mro__[1].__module__.partition(".")[0]
)
CHAT = {
    "id": "c1",
    "model": "m-2026",
    "choices": [{"message": {"content": "4"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 5, "completion_tokens": 1},
}
RESPONSE = {
    "id": "resp_1",
    "model": "m-2026",
    "status": "completed",
    "output": [{"type": "message", "content": [{"type": "output_text", "text": "4"}]}],
}
KEY = "sk-proj-0123456789abcdef"


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("SOME_KEY", KEY)


def ask(answer, settings=None, prompt="2 + 2?", *, variable="SOME_KEY", timeout=5.0) -> Reply:
    """Ask once, with a transport that calls `answer`."""

    async def once():
        client = OpenAIClient(
            settings or Settings("chat"), variable, timeout, transport=http.MockTransport(answer)
        )
        async with client:
            return await client.ask("m", prompt)

    return asyncio.run(once())


def failing(answer, **options) -> Failure:
    with pytest.raises(Failure) as caught:
        ask(answer, **options)
    return caught.value


def replying(*args, **kwargs):
    return lambda request: http.Response(*args, **kwargs)


def raising(error):
    def answer(request):
        raise error

    return answer


def test_a_chat_completion():
    seen = []

    def answer(request):
        seen.append(request)
        return http.Response(200, json=CHAT, headers={"x-request-id": "req_9"})

    reply = ask(answer, Settings("chat", extra={"seed": 3, "made_up": {"a": [1]}}))
    assert reply == Reply("4", None, "stop", "m-2026", "req_9", 5, 1, None)
    (request,) = seen
    assert str(request.url) == f"{VENDOR}/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert json.loads(request.content) == {
        "model": "m",
        "messages": [{"role": "user", "content": "2 + 2?"}],
        "reasoning_effort": "medium",
        "seed": 3,
        "made_up": {"a": [1]},
    }


def test_a_response():
    seen = []

    def answer(request):
        seen.append(request)
        return http.Response(200, json=RESPONSE)

    reply = ask(answer, Settings(base_url="https://host.example/v9"))
    assert (reply.text, reply.finish_reason, reply.request_id) == ("4", "stop", "resp_1")
    assert str(seen[0].url) == "https://host.example/v9/responses"
    assert json.loads(seen[0].content) == {
        "model": "m",
        "input": [{"role": "user", "content": "2 + 2?"}],
        "reasoning": {"effort": "medium"},
        "store": False,
    }


def test_variables_do_not_lead_requests_astray(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "https://elsewhere.example/v1")
    seen = []

    def answer(request):
        seen.append(request.url.host)
        return http.Response(200, json=CHAT)

    ask(answer)
    assert seen == ["api.openai.com"]


@pytest.mark.parametrize(
    "response",
    [
        {"content": json.dumps({"choices": None, "error": {"code": 429, "message": "x"}})},
        {"content": '{"choices":[]}'},
        {"content": "<html>gateway</html>", "headers": {"content-type": "text/html"}},
        {"content": ""},
        {"content": '{"id":"c1","choi'},
        {"content": "[" * 100_000},
        {"content": '{"choices": ' + "9" * 5000 + "}"},
        {"content": b"\xff\xfe\x00"},
        {"content": "null"},
        {"content": json.dumps(json.dumps(CHAT))},
    ],
    ids=lambda response: str(response["content"][:20]),
)
def test_a_200_that_is_no_completion_is_transient(response):
    headers = {"content-type": "application/json"}
    failure = failing(replying(200, **({"headers": headers} | response)))
    assert (failure.kind, failure.transient, failure.status) == ("malformed", True, 200)


def test_a_completion_counts_whatever_its_content_type():
    content = json.dumps(CHAT)
    assert ask(replying(200, content=content, headers={"content-type": "text/plain"})).text == "4"


def test_text_that_is_not_unicode_survives():
    content = json.dumps(CHAT).replace('"4"', '"x \\ud835 y"')
    assert ask(replying(200, content=content)).text == "x \ud835 y"


@pytest.mark.parametrize(
    ("code", "kind", "transient"),
    [("insufficient_quota", "quota", False), ("rate_limit_exceeded", "rate_limit", True)],
)
def test_quota_is_told_from_rate_limit(code, kind, transient):
    body = {"error": {"message": "x", "type": code, "code": code}}
    failure = failing(replying(429, json=body, headers={"retry-after": "130"}))
    assert (failure.kind, failure.transient, failure.retry_after) == (kind, transient, 130.0)


@pytest.mark.parametrize("status", [400, 401, 404, 408, 409, 429, 500, 503, 529])
def test_one_request_is_sent_and_no_more(status):
    seen = []

    def answer(request):
        seen.append(request)
        return http.Response(status, json={"error": {"message": "x"}})

    assert failing(answer).status == status
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (http.ConnectTimeout("x"), "timeout"),
        (http.ReadTimeout("x"), "timeout"),
        (http.PoolTimeout("x"), "timeout"),
        (http.ConnectError("refused"), "connection"),
        (http.ReadError(""), "connection"),
        (http.RemoteProtocolError("peer closed connection"), "connection"),
        (http.ProxyError("x"), "connection"),
        (http.DecodingError("bad gzip"), "connection"),
        (http.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] self-signed"), "bad_address"),
        (http.UnsupportedProtocol("x"), "bad_address"),
        (http.LocalProtocolError(f"Illegal header value b'Bearer {KEY}'"), "bad_address"),
        (http.TooManyRedirects("x"), "bad_address"),
        (http.InvalidURL("x"), "bad_address"),
        (TypeError("a fault of ours"), "unexpected"),
        (KeyError("x"), "unexpected"),
        (MemoryError(), "unexpected"),
    ],
    ids=repr,
)
def test_what_the_transport_raises_is_told_apart(error, kind):
    failure = failing(raising(error))
    assert failure.kind == kind
    assert failure.transient == (kind in ("timeout", "connection"))
    assert KEY not in failure.message
    assert failure.__context__ is None
    assert failure.__cause__ is None


def test_a_server_that_trickles_is_left():
    class Trickle(http.AsyncByteStream):
        async def __aiter__(self):
            while True:
                yield b" "
                await asyncio.sleep(0.01)

    failure = failing(lambda request: http.Response(200, stream=Trickle()), timeout=0.1)
    assert failure.kind == "timeout"


def test_a_prompt_that_cannot_be_sent_is_named_as_such():
    assert failing(replying(200, json=CHAT), prompt="x \ud835").kind == "bad_request"


def test_a_client_can_be_opened_again_under_another_loop():
    client = OpenAIClient(
        Settings("chat"), "SOME_KEY", transport=http.MockTransport(replying(200, json=CHAT))
    )

    async def both():
        async with client:
            return await asyncio.gather(client.ask("m", "?"), client.ask("m", "?"))

    assert len(asyncio.run(both()) + asyncio.run(both())) == 4


def opened(settings=None, variable="SOME_KEY") -> OpenAIClient:
    async def open_and_close():
        async with OpenAIClient(settings or Settings(), variable) as client:
            return client

    return asyncio.run(open_and_close())


def test_a_missing_key_says_what_to_do(monkeypatch):
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)  # not the one that the plan names
    with pytest.raises(CollectError, match="export NO_SUCH_KEY=") as caught:
        opened(variable="NO_SUCH_KEY")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", ["sk a", "sk-\n1", "schlüssel", "sk\x00"[:2] + "\x7f"])
def test_what_can_be_no_key_is_not_sent(monkeypatch, value):
    monkeypatch.setenv("SOME_KEY", value)
    with pytest.raises(CollectError, match="SOME_KEY") as caught:
        opened()
    assert value not in str(caught.value)


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "127.9.9.9"])
def test_a_server_on_this_machine_needs_no_key(monkeypatch, host):
    monkeypatch.delenv("SOME_KEY")
    seen = []

    def answer(request):
        seen.append(request.headers["authorization"])
        return http.Response(200, json=CHAT)

    ask(answer, Settings("chat", base_url=f"http://{host}/v1"))
    assert seen == ["Bearer no-key-needed"]


def test_a_proxy_is_for_what_is_elsewhere(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1/")  # where nobody listens
    content = json.dumps(CHAT).encode()

    async def serve(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(content) + content)
        await writer.drain()
        writer.close()

    async def ask_a_server_here():
        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            settings = Settings("chat", base_url=f"http://127.0.0.1:{port}/v1")
            async with OpenAIClient(settings, "SOME_KEY", 5.0) as client:
                return await client.ask("m", "2 + 2?")

    assert asyncio.run(ask_a_server_here()).text == "4"


@pytest.mark.parametrize("address", ["localhost:8000/v1", "ftp://host/v1", "http://", "http://h:x"])
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(CollectError, match="base_url"):
        OpenAIClient(Settings(base_url=address), "SOME_KEY")


def test_extra_fields_are_checked_before_anything_is_sent():
    with pytest.raises(CollectError, match="stream"):
        OpenAIClient(Settings(extra={"stream": True}), "SOME_KEY")


def test_without_openai_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(CollectError, match=r"pip install 'reliable-change\[collect\]'"):
        OpenAIClient(Settings(), "SOME_KEY")


def test_an_address_with_a_password_is_refused_without_showing_it():
    """httpx writes addresses into its log as they are."""
    with pytest.raises(CollectError, match="environment") as caught:
        OpenAIClient(Settings(base_url="https://me:hidden@host.example/v1"), "K")
    assert "hidden" not in str(caught.value)


def test_a_client_shows_where_its_key_is_from_and_not_the_key():
    client = opened(Settings(base_url="https://host.example/v1?x=secret"))
    assert repr(client) == "OpenAIClient(responses at https://host.example/v1, key from SOME_KEY)"
