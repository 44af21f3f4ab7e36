"""The server over real sockets: both APIs, every fault on the wire, clients that misbehave."""

from __future__ import annotations

import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pandas as pd
import pytest

from reliable_change.archive.read import read_archive
from reliable_change.collect.practice.faults import Faults
from reliable_change.collect.practice.server import PracticeServer
from reliable_change.errors import CollectError
from tests.collect.made_up import write_made_up


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    return read_archive(write_made_up(tmp_path_factory.mktemp("a") / "made_up", items=3, trials=8))


@pytest.fixture
def serve(archive):
    def make(rates=None, **settings):
        return PracticeServer(archive, Faults(rates or {}), **({"delay": 0.0} | settings))

    return make


@pytest.fixture
def body(archive):
    prompt = archive.items["prompt"].iloc[0]
    return {"model": "alpha", "input": prompt, "messages": [{"role": "user", "content": prompt}]}


@pytest.fixture
def client():
    with httpx.Client(trust_env=False, timeout=10) as client:
        yield client


def outcomes(server) -> dict[str, int]:
    log = server.log()
    return log.groupby("outcome")["requests"].sum().to_dict()


def until(condition) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.mark.parametrize("path", ["/chat/completions", "/responses"])
def test_trials_are_handed_out_in_order_with_what_the_archive_knows(
    serve, archive, client, body, path
):
    with serve() as server:
        got = [client.post(server.base_url + path, json=body) for _ in range(8)]
        assert outcomes(server) == {"reply": 8}
        assert server.waiting() == 40
    frame = archive.responses().query("item_id == '000' and model == 'alpha'")
    for answer, row in zip(got, frame.itertuples(), strict=True):
        reply = answer.json()
        if path == "/responses":
            parts = {part["type"]: part for part in reply["output"][1]["content"]}
            assert parts["output_text"]["text"] == row.response_text
            cut = {"reason": "max_output_tokens"} if row.finish_reason == "length" else None
            assert reply["incomplete_details"] == cut
            refusal = parts.get("refusal", {}).get("refusal")
            usage, names = reply["usage"], ("input_tokens", "output_tokens")
        else:
            (choice,) = reply["choices"]
            assert choice["message"]["content"] == row.response_text
            assert choice["finish_reason"] == row.finish_reason
            refusal = choice["message"]["refusal"]
            usage, names = reply["usage"], ("prompt_tokens", "completion_tokens")
        assert refusal == (None if pd.isna(row.refusal) else row.refusal)
        assert reply["model"] == "alpha"
        assert answer.headers["x-request-id"].removeprefix("req_") in reply["id"]
        if pd.isna(row.input_tokens):
            assert usage is None
        else:
            assert [usage[name] for name in names] == [row.input_tokens, row.output_tokens]
            assert usage[f"{names[1]}_details"]["reasoning_tokens"] == row.reasoning_tokens


def test_it_listens_on_this_machine_only(serve):
    with serve() as server:
        port = int(server.base_url.rpartition(":")[2].removesuffix("/v1"))
        elsewhere = socket.gethostbyname(socket.gethostname())
        if not elsewhere.startswith("127."):
            with pytest.raises(OSError, match="refused"):
                socket.create_connection((elsewhere, port), timeout=5)
        assert server.base_url == f"http://127.0.0.1:{port}/v1"


def test_a_port_that_is_taken_is_told(serve):
    with serve() as server:
        port = int(server.base_url.rpartition(":")[2].removesuffix("/v1"))
        with (
            pytest.raises(CollectError, match=f"port {port}: .*choose another one"),
            serve(port=port),
        ):
            pass


def test_it_answers_after_the_delay_many_at_a_time(serve, archive):
    asked = threading.Barrier(8)
    with serve(delay=0.3) as server, ThreadPoolExecutor(8) as pool:

        def ask(n: int) -> float:
            prompt = archive.items["prompt"].iloc[n % 3]
            asked.wait()
            began = time.monotonic()
            httpx.post(
                f"{server.base_url}/responses",
                json={"model": "beta", "input": prompt},
                trust_env=False,
            ).raise_for_status()
            return time.monotonic() - began

        assert min(pool.map(ask, range(8))) >= 0.3
        assert outcomes(server) == {"reply": 8}


STATUS = {
    "rate_limit": {429}, "server_error": {500, 503}, "empty_body": {200}, "cut_json": {200},
    "html": {200}, "no_answer": {200}, "quota": {429}, "bad_key": {401}, "unknown_model": {404},
    "bad_request": {400},
}  # fmt: skip


@pytest.mark.parametrize("path", ["/chat/completions", "/responses"])
@pytest.mark.parametrize("kind", STATUS)
def test_a_fault_has_its_status_and_uses_up_nothing(serve, client, body, kind, path):
    with serve({kind: 1.0}) as server:
        got = [client.post(server.base_url + path, json=body) for _ in range(24)]
        assert outcomes(server) == {kind: 24}
        assert server.waiting() == 48
    assert {answer.status_code for answer in got} == STATUS[kind]
    texts = [answer.text for answer in got]
    if kind == "empty_body":
        assert set(texts) == {""}
    elif kind == "html":
        assert all(answer.headers["content-type"].startswith("text/html") for answer in got)
    elif kind == "cut_json":
        for text in texts:
            with pytest.raises(json.JSONDecodeError):
                json.loads(text)
    elif kind == "no_answer":
        name = "choices" if path.startswith("/chat") else "output"
        found = {
            (json.loads(text).get("error") is None, str(json.loads(text).get(name)))
            for text in texts
        }
        assert found == {(True, "None"), (True, "[]"), (False, "None")}
    else:
        assert all(json.loads(text)["error"]["message"] for text in texts)
    if kind == "quota":
        assert {json.loads(text)["error"]["code"] for text in texts} == {"insufficient_quota"}
    if kind == "rate_limit":
        waits = {name for answer in got for name in answer.headers if name.startswith("retry")}
        assert waits == {"retry-after", "retry-after-ms"}
        assert "1" in {answer.headers.get("retry-after") for answer in got}


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("reset", httpx.ReadError),
        ("cut_off", httpx.RemoteProtocolError),
        ("timeout", httpx.ReadTimeout),
    ],
)
def test_a_fault_of_the_network_uses_up_nothing(serve, client, body, kind, error):
    with serve({kind: 1.0}) as server:
        for _ in range(3):
            with pytest.raises(error):
                client.post(f"{server.base_url}/responses", json=body, timeout=0.2)
        assert outcomes(server) == {kind: 3}
        assert server.waiting() == 48


def test_a_client_that_leaves_before_its_answer_loses_nothing(serve, client, body):
    with serve(delay=0.25) as server:
        with pytest.raises(httpx.ReadTimeout):
            client.post(f"{server.base_url}/responses", json=body, timeout=0.05)
        until(lambda: outcomes(server) == {"hung_up": 1})
        assert server.waiting() == 48


def test_a_reply_that_nobody_read_is_handed_out_again(serve, client, body):
    """The client is gone when the answer is under way; the server cannot know, and makes good."""
    with serve() as server:
        content = json.dumps(body).encode()
        head = f"POST /v1/responses HTTP/1.1\r\nhost: x\r\ncontent-length: {len(content)}\r\n\r\n"
        port = int(server.base_url.rpartition(":")[2].removesuffix("/v1"))
        with socket.create_connection(("127.0.0.1", port)) as deaf:
            deaf.sendall(head.encode() + content)
            until(lambda: server.waiting() == 47)
        got = [client.post(f"{server.base_url}/responses", json=body) for _ in range(9)]
    assert [answer.status_code for answer in got] == [200] * 8 + [400]
    assert len({answer.json()["id"] for answer in got[:8]}) == 8


def test_another_request_over_a_connection_says_that_the_reply_before_was_read(serve, client, body):
    with serve(delay=0.2) as server:
        client.post(f"{server.base_url}/responses", json=body)
        with pytest.raises(httpx.ReadTimeout):
            client.post(f"{server.base_url}/responses", json=body, timeout=0.05)
        until(lambda: outcomes(server) == {"reply": 1, "hung_up": 1})
        got = [client.post(f"{server.base_url}/responses", json=body) for _ in range(8)]
    assert [answer.status_code for answer in got] == [200] * 7 + [400]


def test_a_connection_that_ends_after_restocking_doubles_nothing(serve, client, body):
    with serve() as server:
        content = json.dumps(body).encode()
        head = f"POST /v1/responses HTTP/1.1\r\nhost: x\r\ncontent-length: {len(content)}\r\n\r\n"
        port = int(server.base_url.rpartition(":")[2].removesuffix("/v1"))
        with socket.create_connection(("127.0.0.1", port)) as dying:
            dying.sendall(head.encode() + content)
            until(lambda: server.waiting() == 47)
            assert server.restock([]) == 1
            got = [client.post(f"{server.base_url}/responses", json=body) for _ in range(8)]
        got.append(client.post(f"{server.base_url}/responses", json=body))
    assert [answer.status_code for answer in got] == [200] * 8 + [400]


def test_what_a_killed_collector_does_not_hold_goes_back(serve, client, body):
    with serve() as server:
        ids = [
            client.post(f"{server.base_url}/responses", json=body).headers["x-request-id"]
            for _ in range(8)
        ]
        assert server.restock(ids[:5]) == 3
        again = {
            client.post(f"{server.base_url}/responses", json=body).headers["x-request-id"]
            for _ in range(3)
        }
    assert again == set(ids[5:])


def test_the_quota_can_be_raised_while_it_runs(serve, client, body):
    with serve(quota=1) as server:
        ask = lambda: client.post(f"{server.base_url}/responses", json=body).status_code  # noqa: E731
        assert [ask(), ask()] == [200, 429]
        server.set_quota(None)
        assert ask() == 200


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\x16\x03\x01 a handshake of TLS \r\n\r\n",
        b"POST /v1/responses HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nab",
        b"POST /v1/responses HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999\r\n\r\n"
        + b"a" * 10**6,
        b"GET / HTTP/1.0\r\n\r\n",
        b"GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\nGET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n",
    ],
)
def test_whatever_one_client_sends_others_are_served(serve, client, body, sent):
    with serve() as server:
        port = int(server.base_url.rpartition(":")[2].removesuffix("/v1"))
        with socket.create_connection(("127.0.0.1", port)) as rude:
            rude.sendall(sent)
            assert client.post(f"{server.base_url}/responses", json=body).status_code == 200
        assert client.post(f"{server.base_url}/responses", json=body).status_code == 200


def test_requests_sent_ahead_are_answered_in_order(serve, body):
    content = json.dumps(body).encode()
    head = f"POST /v1/responses HTTP/1.1\r\nhost: x\r\ncontent-length: {len(content)}\r\n"
    with serve(delay=0.01) as server:
        port = int(server.base_url.rpartition(":")[2].removesuffix("/v1"))
        with socket.create_connection(("127.0.0.1", port), timeout=10) as eager:
            one = head.encode() + b"\r\n" + content
            last = head.encode() + b"connection: close\r\n\r\n" + content
            eager.sendall(one + one + last)
            got = b"".join(iter(lambda: eager.recv(65536), b""))
        assert got.count(b"HTTP/1.1 200") == 3
        assert outcomes(server) == {"reply": 3}


def test_it_stops_with_requests_under_way_and_leaves_no_thread(serve, body):
    before = threading.active_count()
    server = serve(delay=60.0)
    with ThreadPoolExecutor(1) as pool:
        with server:
            url = f"{server.base_url}/responses"
            asked = pool.submit(httpx.post, url, json=body, trust_env=False, timeout=30)
            until(lambda: len(server._connections) == 1)
            time.sleep(0.05)
        with pytest.raises(httpx.TransportError):
            asked.result()
    assert threading.active_count() == before
    assert server.waiting() == 48, "its books can be read afterwards"
