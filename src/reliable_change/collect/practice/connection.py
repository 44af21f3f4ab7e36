"""One connection to the practice server: HTTP by h11, requests one after the other."""

from __future__ import annotations

import asyncio
import socket
import struct

import h11

from reliable_change.collect.practice.answers import CUT_OFF, HANG, RESET, Answer
from reliable_change.collect.practice.desk import Desk, Order
from reliable_change.collect.practice.replay import Stored

LONGEST_BODY = 2**24  # bytes


class Connection(asyncio.Protocol):
    """Reads requests, takes them to the desk, and sends the answer after a delay.

    A trial that was sent counts as read once another request comes over the same connection;
    one whose connection ends before is put in doubt.
    """

    def __init__(self, desk: Desk, delay: float, connections: set[Connection]) -> None:
        self._desk, self._delay, self._connections = desk, delay, connections
        self._http = h11.Connection(h11.SERVER)
        self._request: h11.Request | None = None
        self._body = bytearray()
        self._order: Order | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._sent: Stored | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._connections.add(self)

    def connection_lost(self, error: Exception | None) -> None:
        self._connections.discard(self)
        if self._timer is not None:
            self._timer.cancel()
        if self._order is not None:
            self._desk.hung_up(self._order)
        if self._sent is not None:
            self._desk.stock.doubt(self._sent)

    def data_received(self, data: bytes) -> None:
        self._http.receive_data(data)
        self._read()

    def abort(self) -> None:
        """End the connection at once, with a reset."""
        linger = struct.pack("ii", 1, 0)
        sock = self._transport.get_extra_info("socket")
        if sock is not None and not self._transport.is_closing():
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self._transport.abort()

    def _read(self) -> None:
        try:
            while self._order is None:
                event = self._http.next_event()
                if event is h11.NEED_DATA or event is h11.PAUSED:
                    return
                if isinstance(event, h11.Request):
                    self._request, self._sent = event, None
                    self._body.clear()
                elif isinstance(event, h11.Data):
                    self._body += event.data
                    if len(self._body) > LONGEST_BODY:
                        self.abort()
                        return
                elif isinstance(event, h11.EndOfMessage):
                    self._ask()
                else:
                    self._transport.close()
                    return
        except h11.RemoteProtocolError:
            self.abort()

    def _ask(self) -> None:
        assert self._request is not None
        method, target = self._request.method.decode("ascii"), self._request.target.decode("ascii")
        asked = self._desk.order(method, target, bytes(self._body))
        if isinstance(asked, Answer):
            self._send(asked)
        else:
            self._order = asked
            self._timer = asyncio.get_running_loop().call_later(self._delay, self._fill)

    def _fill(self) -> None:
        assert self._order is not None
        order, self._order, self._timer = self._order, None, None
        answer, self._sent = self._desk.answer(order)
        self._send(answer)
        self._read()

    def _send(self, answer: Answer) -> None:
        if answer.ending == RESET:
            self.abort()
        elif answer.ending != HANG:
            self._write(answer)

    def _write(self, answer: Answer) -> None:
        length = len(answer.body)
        headers = [("content-type", answer.content_type), ("content-length", str(length))]
        headers += answer.headers
        sent = self._http.send(h11.Response(status_code=answer.status, headers=headers))
        if answer.ending == CUT_OFF:
            sent += self._http.send(h11.Data(answer.body[: length // 2]))
        else:
            sent += self._http.send(h11.Data(answer.body)) + self._http.send(h11.EndOfMessage())
        self._transport.write(sent)
        if answer.ending == CUT_OFF or self._http.our_state is h11.MUST_CLOSE:
            self._transport.close()
        else:
            self._http.start_next_cycle()
