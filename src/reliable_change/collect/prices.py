"""What requests cost: the user's own price table, what replies used, and what others will."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from reliable_change.collect.records import Usage
from reliable_change.errors import CollectError

# Prices are stated per so many tokens.
PER = 1_000_000
# Rule of thumb for English text, used where nothing was counted yet.
CHARACTERS_A_TOKEN = 4
# Output tokens of a reply, few and many, where nothing was counted yet and the user says nothing.
OUTPUT_TOKENS = (200, 4_000)
# Standard errors either side of a mean that was measured.
SPREAD = 2.0
# Counted replies from which on their mean says more than the assumption.
ENOUGH = 5


class Price(NamedTuple):
    """Of one model: per million input and output tokens, in the table's currency."""

    input: float
    output: float


class Range(NamedTuple):
    """From low to high."""

    low: float
    high: float

    def __mul__(self, factor: float) -> Range:
        return Range(self.low * factor, self.high * factor)


@dataclass(frozen=True)
class Prices:
    """The user's price table: a price for each model, and how long replies are assumed to be.

    Raises
    ------
    CollectError
        If a price is below zero or no number, or the assumption is no range.
    """

    models: Mapping[str, Price]
    currency: str = "USD"
    output_tokens: tuple[float, float] = field(default=OUTPUT_TOKENS)

    def __post_init__(self) -> None:
        for model, price in self.models.items():
            if not all(math.isfinite(value) and value >= 0 for value in price):
                raise CollectError(f"prices: of {model!r} is {tuple(price)}; give what it costs")
        low, high = self.output_tokens
        if not 0 <= low <= high < math.inf:
            raise CollectError(f"prices: output_tokens are {[low, high]}; give few, then many")


class Need(NamedTuple):
    """What one request of a kind needs: tokens in and out, and whether they were measured."""

    input_tokens: Range
    output_tokens: Range
    measured: bool


def cost(price: Price, input_tokens: float, output_tokens: float) -> float:
    """Return what tokens cost; reasoning tokens are output tokens.

    >>> cost(Price(input=2.5, output=10.0), 1000, 500)
    0.0075
    """
    return (price.input * input_tokens + price.output * output_tokens) / PER


def spent(prices: Prices | None, usage: Mapping[str, Usage]) -> float | None:
    """Return what the stored replies of each model cost; None without a price table.

    A reply without token counts is taken to have cost what the model's counted ones did on
    average, or the most that is assumed where none was counted: a budget must not be passed
    because a server keeps silent. Tries that failed are not counted, as they came without
    tokens; a vendor may bill some of them.

    >>> table = Prices({"new": Price(1.0, 10.0)})
    >>> spent(table, {"new": Usage(replies=2, counted=1, input_tokens=1000, output_tokens=100)})
    0.004
    """
    if prices is None:
        return None
    total = 0.0
    for model, used in usage.items():
        if model not in prices.models:
            continue  # of an earlier plan: its price is not known any more
        price = prices.models[model]
        total += cost(price, used.input_tokens, used.output_tokens)
        silent = used.replies - used.counted
        if silent and used.counted:
            mean = cost(price, used.input_tokens, used.output_tokens) / used.counted
            total += silent * mean
        elif silent:
            total += silent * cost(price, 0, prices.output_tokens[1])
    return total


def need(usage: Usage, characters: float, assumed: tuple[float, float], cap: int | None) -> Need:
    """Say what one more request will need.

    Parameters
    ----------
    usage : what like requests used (the same benchmark and model).
    characters : mean length of the prompts to come.
    assumed : output tokens where fewer than `ENOUGH` replies were counted, few and many.
    cap : the cap on output tokens, None if there is none.

    Returns
    -------
    Need
        Measured: the mean input, and the mean output more or less two standard errors of it.
        Assumed: a token for each four characters of prompt, and the assumed output.

    Examples
    --------
    >>> need(Usage(), 400, (200, 4000), cap=1000)
    Need(input_tokens=Range(low=100.0, high=100.0), output_tokens=Range(low=200, high=1000), \
measured=False)
    """
    most = math.inf if cap is None else cap
    n = usage.counted
    if n < ENOUGH:
        tokens = characters / CHARACTERS_A_TOKEN
        output = Range(*(min(count, most) for count in assumed))
        return Need(Range(tokens, tokens), output, False)
    mean = usage.output_tokens / n
    variance = max(usage.output_squares / n - mean**2, 0.0) * n / (n - 1)
    margin = SPREAD * math.sqrt(variance / n)
    tokens = usage.input_tokens / n
    output = Range(max(mean - margin, 0.0), mean + margin)
    return Need(Range(tokens, tokens), output, True)


def cost_range(price: Price, needed: Need) -> Range:
    """Return what one such request costs, low to high."""
    return Range(
        *(cost(price, needed.input_tokens[end], needed.output_tokens[end]) for end in (0, 1))
    )
