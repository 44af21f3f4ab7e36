"""An OpenAI-compatible server of small models on this computer, for as long as it is needed."""

from __future__ import annotations

import contextlib
import json
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from reliable_change.collect.local.extra import require_extra
from reliable_change.errors import CollectError

PATIENCE = 120.0  # seconds until a server that starts must answer
CONTEXT = 512  # tokens of prompt and reply together
PROGRAM = ("reliable_change.collect.local.tethered", "llama_cpp.server", "--config_file")


@contextlib.contextmanager
def serving(weights: Mapping[str, Path], address: str, log: Path) -> Iterator[None]:
    """Serve models at an address until the block ends.

    One model is in memory at a time: the one that was asked last. Ctrl-C does not reach the
    server, so that replies under way can land; it ends with the block, or with this process.

    Parameters
    ----------
    weights : file of each model, by the id under which it is asked for.
    address : base URL on this computer, such as "http://127.0.0.1:8629/v1".
    log : file that takes what the server says.

    Raises
    ------
    CollectError
        If the extra is missing, the port is taken, or the server does not come up.
    """
    require_extra()
    parts = urlsplit(address)
    _require_free(parts.hostname, parts.port)
    with tempfile.TemporaryDirectory() as folder, log.open("ab") as sink:
        config = Path(folder) / "config.json"
        config.write_text(json.dumps(configuration(weights, parts.hostname, parts.port)))
        process = subprocess.Popen(
            [sys.executable, "-m", *PROGRAM, str(config)],
            stdin=subprocess.PIPE,  # the tether
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            _wait(process, address, set(weights), log)
            yield
        finally:
            process.terminate()
            process.wait()
            process.stdin.close()


def configuration(weights: Mapping[str, Path], host: str, port: int) -> dict:
    """The server's settings: one thread a model, a reply never cut short by the next request.

    The server draws the seed of each request from that of the one before, from the model's seed
    on. That one is fresh in every server, so that trials collected by another, or after a
    resumption, are draws of their own and not the first ones over again.
    """
    models = [
        {
            "model": str(path),
            "model_alias": model,
            "seed": secrets.randbelow(2**31) + 1,
            "n_ctx": CONTEXT,
            "n_threads": 1,
            "n_threads_batch": 1,
            "logits_all": False,
            "verbose": False,
        }
        for model, path in weights.items()
    ]
    return {"host": host, "port": port, "interrupt_requests": False, "models": models}


def _require_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CollectError(
                f"{host}:{port} cannot be served ({error.strerror}): end what is there, or "
                "name another port in base_url, which starts another journal"
            ) from None


def _wait(process: subprocess.Popen, address: str, models: set[str], log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        if _served(address) >= models:
            return
        time.sleep(0.1)
    what = "ended" if process.poll() is not None else f"does not answer within {PATIENCE:g} s"
    raise CollectError(f"the server {what}; what it said stands in {log}")


def _served(address: str) -> set[str]:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # never by a proxy
    try:
        with direct.open(f"{address}/models", timeout=5) as answer:
            return {model["id"] for model in json.load(answer)["data"]}
    except (OSError, ValueError):
        return set()
