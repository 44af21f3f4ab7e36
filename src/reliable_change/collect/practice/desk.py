"""What the practice server does with a request, without any network: order, answer, record."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reliable_change.collect.practice import answers
from reliable_change.collect.practice.answers import Answer
from reliable_change.collect.practice.bodies import API_OF, prompt_of
from reliable_change.collect.practice.faults import ODD_REPLIES, Faults, draw
from reliable_change.collect.practice.replay import Cell, Stock, Stored

REPLY, HUNG_UP = "reply", "hung_up"


@dataclass(frozen=True)
class Order:
    """One request that was understood: whose, and what chance has decided for it."""

    api: str
    request: Mapping[str, Any]
    cell: Cell
    number: int
    fault: str | None
    form: int


class Desk:
    """Takes orders, answers them, and keeps count of both.

    Parameters
    ----------
    stock : Stock
        What can be handed out.
    faults : Faults
        How often which fault.
    seed : int
        Decides which requests they hit.
    quota : int, optional
        After so many replies every request is refused as over quota, until `quota` is changed.
    wait : float
        Seconds that a usable Retry-After asks for.
    """

    def __init__(
        self, stock: Stock, faults: Faults, *, seed: int, quota: int | None, wait: float
    ) -> None:
        self.stock, self.faults, self.seed = stock, faults, seed
        self.quota, self.wait = quota, wait
        # (benchmark, item_id, model, outcome) → how often; an outcome is a kind of fault,
        # "reply", or "hung_up" where the client left before it could be answered.
        self.log: Counter[tuple[str, str, str, str]] = Counter()
        self.odd: dict[str, str] = {}  # id → kind of each trial that went out distorted
        self._replies = 0
        self._numbers: Counter[Cell] = Counter()
        self._undone: dict[Cell, deque[int]] = {}

    def order(self, method: str, target: str, body: bytes) -> Order | Answer:
        """Understand a request, or say in an answer why not."""
        api = API_OF.get(target.partition("?")[0])
        if api is None or method != "POST":
            known = " and ".join(API_OF)
            return answers.refused(404, f"This practice server has only POST {known}.", None)
        try:
            request = json.loads(body)
            model, prompt = request["model"], prompt_of(api, request)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return answers.refused(400, "The body is not a JSON object with a model.", None)
        if request.get("stream"):
            return answers.refused(400, "This practice server does not stream.", None)
        if not isinstance(model, str) or model not in self.stock.models:
            message = f"The model {model!r} is not in this archive."
            return answers.refused(404, message, "model_not_found")
        item = self.stock.items.get(prompt or "")
        if item is None:
            return answers.refused(
                400, "No item of this archive has this prompt.", "unknown_prompt"
            )
        return self._drawn(api, request, (*item, model))

    def answer(self, order: Order) -> tuple[Answer, Stored | None]:
        """Answer an order: the answer, and the trial that it hands out, if any."""
        if self.quota is not None and self._replies >= self.quota:
            self._undo(order, "quota")
            return answers.faulty("quota", 0, order.api, order.request, self.wait), None
        if order.fault is not None and order.fault not in ODD_REPLIES:
            self.log[(*order.cell, order.fault)] += 1
            spoilt = answers.faulty(order.fault, order.form, order.api, order.request, self.wait)
            return spoilt, None
        stored = self.stock.take(order.cell)
        if stored is None:
            message = "All trials of this item and model are handed out; ask for fewer (K)."
            return answers.refused(400, message, "no_more_trials"), None
        self._replies += 1
        self.log[(*order.cell, order.fault or REPLY)] += 1
        sent = stored
        if order.fault is not None:
            self.odd[stored.id] = order.fault
            sent = answers.distorted(order.fault, stored)
        return answers.whole(order.api, sent, order.request), stored

    def hung_up(self, order: Order) -> None:
        """Take note that a client left before its answer: what was drawn is for the next one."""
        self._undo(order, HUNG_UP)

    def _drawn(self, api: str, request: Mapping[str, Any], cell: Cell) -> Order:
        undone = self._undone.get(cell)
        number = undone.popleft() if undone else self._numbers[cell]
        if number == self._numbers[cell]:
            self._numbers[cell] += 1
        share, form = draw(self.seed, cell, number)
        return Order(api, request, cell, number, self.faults.at(share), form)

    def _undo(self, order: Order, outcome: str) -> None:
        self.log[(*order.cell, outcome)] += 1
        self._undone.setdefault(order.cell, deque()).append(order.number)
