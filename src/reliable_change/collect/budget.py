"""What was spent, what is under way, and whether one more request can be paid."""

from __future__ import annotations

import math
from collections.abc import Mapping

from reliable_change.collect.plan import Plan
from reliable_change.collect.prices import SPREAD, cost, need, spent
from reliable_change.collect.records import Reply, Usage
from reliable_change.errors import CollectError

# Replies counted for each request under way, from which on the longest are among them.
KNOWN = 10


class Budget:
    """Keeps the cost of a collection under a limit, by an estimate of what is under way.

    Long replies are under way for long, so those under way are longer than replies are on average:
    each is expected to have E[x²]/E[x] output tokens, two standard deviations of their sum added,
    or the most that the price table assumes while few are counted (`KNOWN`). Where one more does
    not fit, all have to land before another is sent: replacing the quick ones would leave nothing
    but long ones under way. So replies pass the limit only if they are longer than foreseen, by
    what they cost above that.

    Parameters
    ----------
    plan : its price table and the cap on output tokens.
    limit : in the table's currency; None is no limit.
    usage : what each model's stored replies used, those of earlier runs included.

    Raises
    ------
    CollectError
        If there is a limit and no price table.
    """

    def __init__(self, plan: Plan, limit: float | None, usage: Mapping[str, Usage]) -> None:
        if limit is not None and plan.prices is None:
            raise CollectError("limits: a limit of cost needs a price table; add [prices]")
        self.limit = limit
        self.cost = spent(plan.prices, usage)
        self._plan = plan
        self._usage = dict(usage)
        self._under_way = 0
        self._landing = False  # until nothing is under way

    @property
    def is_idle(self) -> bool:
        """True if no request is under way."""
        return self._under_way == 0

    def reserve(self, model: str, prompt: str) -> bool:
        """Count a request as under way, if the limit allows it; False if it does not."""
        if self.limit is not None:
            if self._landing and self._under_way:
                return False
            most = self._most(model, prompt, self._under_way + 1)
            self._landing = self.cost + most > self.limit
            if self._landing:
                return False
        self._under_way += 1
        return True

    def _most(self, model: str, prompt: str, number: int) -> float:
        """What a number of requests that are under way may cost together."""
        prices, cap = self._plan.prices, self._plan.settings.max_output_tokens
        used = self._usage.get(model, Usage())
        needed = need(used, len(prompt), prices.output_tokens, cap)
        output = number * needed.output_tokens.high
        if needed.measured and used.output_tokens:
            mean, square = used.output_tokens / used.counted, used.output_squares / used.counted
            each = square / mean
            if used.counted < KNOWN * number:  # the quick ones came first
                each = max(each, prices.output_tokens[1])
            output = number * each + SPREAD * math.sqrt(number * max(square - mean**2, 0.0))
        if cap is not None:
            output = min(output, number * cap)
        return cost(prices.models[model], number * needed.input_tokens.high, output)

    def release(self) -> None:
        """Say that a request is over."""
        self._under_way -= 1

    def add(self, model: str, reply: Reply) -> None:
        """Count a stored reply."""
        if self.cost is None:
            return
        counts = (reply.input_tokens, reply.output_tokens)
        used = Usage(replies=1)
        if None not in counts:
            used = Usage(1, 1, *counts, reply.reasoning_tokens or 0, float(counts[1]) ** 2)
        self._usage[model] = self._usage.get(model, Usage()) + used
        self.cost = spent(self._plan.prices, self._usage)
