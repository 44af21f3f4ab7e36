from __future__ import annotations

import json
import socket
import urllib.request
from pathlib import Path

import pytest

from reliable_change.collect.local import server
from reliable_change.errors import CollectError
from reliable_change.paths import ROOT

STUB = ("reliable_change.collect.local.tethered", "tests.collect.local.stub_server")
WEIGHTS = {"fine": Path("fine.gguf"), "coarse": Path("coarse.gguf")}


@pytest.fixture
def address(monkeypatch) -> str:
    """A free address, with the stub in place of the real server."""
    monkeypatch.setattr(server, "require_extra", lambda: None)
    monkeypatch.setattr(server, "PROGRAM", (*STUB, "--config_file"))
    monkeypatch.chdir(ROOT)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/v1"


def answers(address: str) -> bool:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(f"{address}/models", timeout=5) as answer:
            return {model["id"] for model in json.load(answer)["data"]} == set(WEIGHTS)
    except OSError:
        return False


def test_models_are_served_within_the_block_and_not_after(address, tmp_path):
    for _ in range(2):  # the port is free again at once
        with server.serving(WEIGHTS, address, tmp_path / "log"):
            assert answers(address)
        assert not answers(address)


def test_the_server_ends_when_the_block_fails(address, tmp_path):
    with pytest.raises(ZeroDivisionError), server.serving(WEIGHTS, address, tmp_path / "log"):
        raise ZeroDivisionError
    assert not answers(address)


def test_a_server_that_does_not_come_up_is_named_with_what_it_said(address, tmp_path):
    log = tmp_path / "log"
    weights = {"lost": Path("no such model")}
    with (
        pytest.raises(CollectError, match="the server ended; what it said stands in .*log"),
        server.serving(weights, address, log),
    ):
        pass
    assert "this model cannot be loaded" in log.read_text()


def test_a_server_that_stays_silent_is_given_up(address, tmp_path, monkeypatch):
    monkeypatch.setattr(server, "PATIENCE", 0.0)
    with (
        pytest.raises(CollectError, match="does not answer within 0 s"),
        server.serving(WEIGHTS, address, tmp_path / "log"),
    ):
        pass


def test_a_port_that_is_taken_stops_it_before_anything_is_started(address, tmp_path, monkeypatch):
    monkeypatch.setattr(server.subprocess, "Popen", None)
    port = int(address.rsplit(":", 1)[1].split("/")[0])
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        with (
            pytest.raises(CollectError, match=f"127.0.0.1:{port} cannot be served"),
            server.serving(WEIGHTS, address, tmp_path / "log"),
        ):
            pass


def test_every_model_of_every_server_starts_from_a_seed_of_its_own():
    made = [server.configuration(WEIGHTS, "127.0.0.1", 1) for _ in range(20)]
    seeds = [model["seed"] for one in made for model in one["models"]]
    assert len(set(seeds)) == len(seeds) == 40
    assert all(0 < seed < 2**32 - 1 for seed in seeds)  # these two are "the usual seed"


def test_a_reply_is_never_cut_short_or_taken_from_a_cache():
    """The server's cache of prompts restores the seed too: repeats would be one reply."""
    made = server.configuration(WEIGHTS, "127.0.0.1", 1)
    assert made["interrupt_requests"] is False
    assert not any("cache" in model for model in made["models"])
