"""What was spent, what is under way, and whether one more request can be paid."""

from __future__ import annotations

from collections.abc import Mapping

from reliable_change.collect.plan import Plan
from reliable_change.collect.prices import cost_range, need, spent
from reliable_change.collect.records import Reply, Usage
from reliable_change.errors import CollectError


class Budget:
    """Keeps the cost of a collection under a limit, by an estimate of what is under way.

    A request is estimated by what the model's replies cost so far on average, two standard
    errors added, or by the most that the price table assumes while hardly any are known. So a
    single long reply may pass the limit by what it costs above that.

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

    @property
    def is_idle(self) -> bool:
        """True if no request is under way."""
        return self._under_way == 0

    def reserve(self, model: str, prompt: str) -> bool:
        """Count a request as under way, if the limit allows it; False if it does not."""
        if self.limit is not None:
            prices, cap = self._plan.prices, self._plan.settings.max_output_tokens
            needed = need(self._usage.get(model, Usage()), len(prompt), prices.output_tokens, cap)
            each = cost_range(prices.models[model], needed).high
            if self.cost + (self._under_way + 1) * each > self.limit:
                return False
        self._under_way += 1
        return True

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
