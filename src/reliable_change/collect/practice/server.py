"""The practice server: HTTP on this machine only, in a thread of its own."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import TypeVar

import pandas as pd

from reliable_change.archive.read import Archive, read_archive
from reliable_change.collect.practice.connection import Connection
from reliable_change.collect.practice.desk import Desk
from reliable_change.collect.practice.faults import Faults
from reliable_change.collect.practice.replay import Stock
from reliable_change.errors import CollectError

HOST = "127.0.0.1"
LOG_COLUMNS = ("benchmark", "item_id", "model", "outcome")
Result = TypeVar("Result")


class PracticeServer:
    """Answers like an API with the trials of an archive, and misbehaves as told.

    Both POST /v1/chat/completions and /v1/responses; an item is found by its prompt, and its
    trials are handed out in order. A fault hits an attempt and uses up no trial, so whoever
    collects as many trials as the archive holds has exactly its texts, item by item and model
    by model. A reply that may have been lost (its connection closed before another request
    came over it) is handed out again once no other trial is left.

    Parameters
    ----------
    archive : Archive, str or path
        One with texts and prompts.
    faults : Faults
        None by default.
    delay : float
        Seconds between a request and its answer.
    seed : int
        Decides which attempts are hit; as many of each kind for any number of requests at a time.
    port : int
        0 takes any that is free.
    quota : int, optional
        Refuse everything as over quota after so many replies, until `set_quota`.
    wait : float
        Seconds that a usable Retry-After asks for.

    Raises
    ------
    NotInArchive
        An archive without texts or prompts.
    CollectError
        The port is taken.

    Examples
    --------
    >>> with PracticeServer("tests/data/uneven_k") as server:
    ...     server.base_url.startswith("http://127.0.0.1:"), server.waiting() > 400
    (True, True)
    """

    def __init__(
        self,
        archive: Archive | str | os.PathLike,
        faults: Faults | None = None,
        *,
        delay: float = 0.2,
        seed: int = 0,
        port: int = 0,
        quota: int | None = None,
        wait: float = 1.0,
    ) -> None:
        read = archive if isinstance(archive, Archive) else read_archive(archive)
        self._desk = Desk(Stock(read), faults or Faults(), seed=seed, quota=quota, wait=wait)
        self._delay, self._port = delay, port
        self._loop: asyncio.AbstractEventLoop | None = None
        self._connections: set[Connection] = set()

    @property
    def base_url(self) -> str:
        """What a client takes as its base_url."""
        return f"http://{HOST}:{self._port}/v1"

    def __enter__(self) -> PracticeServer:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self) -> PracticeServer:
        """Listen, until `stop`."""
        try:
            listening = socket.create_server((HOST, self._port), backlog=1024)
        except OSError as error:
            raise CollectError(
                f"port {self._port}: {os.strerror(error.errno or 0)}; choose another one"
            ) from None
        self._port = listening.getsockname()[1]
        started = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(listening, started)),
            name="practice server",
            daemon=True,
        )
        self._thread.start()
        started.wait()
        return self

    def stop(self) -> None:
        """Drop every connection and end; what was counted can be read afterwards."""
        if self._loop is not None:
            self._call(self._stop.set)
            self._thread.join()
            self._loop = None

    def waiting(self) -> int:
        """How many trials have not been handed out."""
        return sum(self._call(self._desk.stock.counts).values())

    def log(self) -> pd.DataFrame:
        """How every request that named an item and a model of the archive was answered.

        Returns
        -------
        DataFrame
            benchmark, item_id, model, outcome, requests; sorted. An outcome is "reply", a kind
            of fault, or "hung_up" where the client left before it was answered.
        """
        counted = self._call(lambda: sorted(self._desk.log.items()))
        rows = [(*key, count) for key, count in counted]
        return pd.DataFrame(rows, columns=[*LOG_COLUMNS, "requests"])

    def odd_replies(self) -> dict[str, str]:
        """Id → kind of each trial that went out distorted (`faults.ODD_REPLIES`)."""
        return self._call(lambda: dict(self._desk.odd))

    def set_quota(self, quota: int | None) -> None:
        """Allow so many replies in all; None is without end."""
        self._call(lambda: setattr(self._desk, "quota", quota))

    def set_faults(self, faults: Faults) -> None:
        """Misbehave in another way from now on."""
        self._call(lambda: setattr(self._desk, "faults", faults))

    def restock(self, held: Iterable[str]) -> int:
        """Take back every trial that was handed out and is not among the request ids held.

        For after a collector was killed, when only its journal says what arrived: every
        connection is dropped first. Returns how many trials were taken back.
        """
        kept = list(held)
        self._call(self._drop_connections)
        # By now the connections have put in doubt what they had sent.
        return self._call(lambda: self._desk.stock.restock(kept))

    def _drop_connections(self) -> None:
        for connection in list(self._connections):
            connection.abort()

    def _call(self, function: Callable[[], Result]) -> Result:
        """Call a function in the server's loop, where nothing else happens meanwhile."""
        loop = self._loop
        if loop is None:
            return function()

        async def called() -> Result:
            return function()

        return asyncio.run_coroutine_threadsafe(called(), loop).result()

    async def _serve(self, listening: socket.socket, started: threading.Event) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await self._loop.create_server(self._connected, sock=listening)
        started.set()
        await self._stop.wait()
        server.close()
        self._drop_connections()
        await asyncio.sleep(0)  # lets the connections note that they are lost

    def _connected(self) -> Connection:
        return Connection(self._desk, self._delay, self._connections)
