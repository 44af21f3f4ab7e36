"""Values that follow from numbers known only in rounded form."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

from reliable_change.published.numbers import Range


def span(function: Callable[..., float], *ranges: Range) -> float | Range | None:
    """Values of a function that rises or falls steadily in each argument, over their ranges.

    A single number where the roundings make no difference.

    Examples
    --------
    >>> span(lambda a, b: b - a, Range(1, 2), Range(4, 5))
    Range(low=2.0, high=4.0)
    """
    corners = itertools.product(*((each.low, each.high) for each in ranges))
    return spread(function(*corner) for corner in corners)


def spread(values: Iterable[float]) -> float | Range | None:
    """From the least to the largest; that number where they are the same, None where none is.

    Examples
    --------
    >>> spread([3, 1, 2]), spread([2, 2.0]), spread([])
    (Range(low=1.0, high=3.0), 2.0, None)
    """
    values = [float(value) for value in values]
    if not values:
        return None
    low, high = min(values), max(values)
    return low if low == high else Range(low, high)
