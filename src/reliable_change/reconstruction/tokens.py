"""Token counts of each response, whose means and percentiles print as in Table D.6."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.optimize import least_squares
from scipy.special import ndtri

from reliable_change.errors import ReliableChangeError

# Where the logarithm of the output tokens bends, as quantiles of the standard normal.
KNOTS = ndtri([0.05, 0.5, 0.8, 0.95])
# Its slope above the last of them: the longest of 25,000 replies is some four times as long as P95.
TAIL = 0.6


def apportion(weights: np.ndarray, total: int) -> np.ndarray:
    """Share out a whole number in proportion to weights, by largest remainders.

    Parameters
    ----------
    weights : array of float, shape (n,)
        Not negative, not all zero.
    total : int
        What the shares add up to.

    Returns
    -------
    array of int, shape (n,)
        Each within one of its exact share; equal remainders go to the earlier entries.

    Examples
    --------
    >>> apportion(np.array([1.0, 1.0, 2.0]), 9).tolist()
    [2, 2, 5]
    """
    shares = np.asarray(weights, dtype=float) * (total / np.sum(weights))
    whole = np.floor(shares).astype(int)
    rest = np.argsort(-(shares - whole).round(9), kind="stable")[: total - whole.sum()]
    whole[rest] += 1
    return whole


def input_shape(items: int, floor_share: float, *, rng: np.random.Generator) -> np.ndarray:
    """Draw how long an item's prompt is, relative to the mean: a floor and a skewed rest.

    Parameters
    ----------
    items : int
        How many.
    floor_share : float
        The floor, as a share of the mean, in (0, 1): what every prompt has in common.
    rng : numpy.random.Generator
        Draws one number for each item.

    Returns
    -------
    array of float, shape (items,)
        Floor plus lognormal parts (σ = 1.1), with mean 1.

    Examples
    --------
    >>> shape = input_shape(100, 0.5, rng=np.random.default_rng(0))
    >>> round(float(shape.mean()), 9), bool(shape.min() > 0.5)
    (1.0, True)
    """
    rest = np.exp(1.1 * ndtri(rng.random(items)))
    return floor_share + (1 - floor_share) * rest / rest.mean()


def effort_scores(
    correct: np.ndarray, item_effort: np.ndarray, *, rng: np.random.Generator
) -> np.ndarray:
    """Order the responses by how long they are, as evenly spread standard normal scores.

    Parameters
    ----------
    correct : array of bool, shape (items, trials)
        Incorrect responses, and those of items that often fail, tend to be longer.
    item_effort : array of float, shape (items,)
        Standard normal: how long an item's responses are with any model.
    rng : numpy.random.Generator
        Draws one number for each response.

    Returns
    -------
    array of float, shape (items, trials)
        The normal quantiles of (rank + ½) / n.

    Examples
    --------
    >>> scores = effort_scores(np.ones((2, 3)), np.zeros(2), rng=np.random.default_rng(0))
    >>> np.sort(scores.ravel()).round(2).tolist()
    [-1.38, -0.67, -0.21, 0.21, 0.67, 1.38]
    """
    noise = ndtri(rng.random(correct.shape))
    failing = 1 - correct.mean(axis=1)
    raw = 0.7 * item_effort[:, None] + 0.6 * failing[:, None] + 0.3 * (1 - correct) + 0.6 * noise
    ranks = raw.ravel().argsort(kind="stable").argsort(kind="stable")
    return ndtri((ranks + 0.5) / ranks.size).reshape(correct.shape)


def output_tokens(
    inputs: np.ndarray, effort: np.ndarray, *, total: int, percentiles: Mapping[float, int]
) -> np.ndarray:
    """Give each response output tokens, so that input + output has the sum and percentiles wanted.

    Parameters
    ----------
    inputs : array of int, shape (items,)
        Input tokens of an item, the same in each of its trials.
    effort : array of float, shape (items, trials)
        Standard normal scores: the higher, the longer the response.
    total : int
        Sum of the output tokens.
    percentiles : mapping of float to int
        The 5th, 50th and 95th percentile of input + output (keys 5, 50 and 95), interpolated
        linearly between order statistics.

    Returns
    -------
    array of int, shape (items, trials)
        At least 1 each.

    Raises
    ------
    ReliableChangeError
        No such counts were found: the inputs alone exceed a percentile, or the sum is too small.
    """
    inputs = np.broadcast_to(inputs[:, None], effort.shape)
    targets = np.array([percentiles[5], percentiles[50], percentiles[95]], dtype=float)
    curve = _fit(inputs.ravel(), effort.ravel(), total / effort.size, targets)
    rough = np.maximum(1, np.exp(_log_output(curve, effort)).round()).astype(int)
    outputs = settle(inputs + rough, int(inputs.sum()) + total, percentiles) - inputs
    if outputs.min() < 1:
        raise ReliableChangeError(
            f"output tokens: {int((outputs < 1).sum())} responses would have none; the input "
            "tokens are too long for the percentiles of the total"
        )
    return outputs


def settle(totals: np.ndarray, total: int, percentiles: Mapping[float, int]) -> np.ndarray:
    """Shift whole numbers as little as need be to make their percentiles and their sum exact.

    Parameters
    ----------
    totals : array of int, any shape
        Close to what is wanted already.
    total : int
        The sum wanted.
    percentiles : mapping of float to int
        The percentiles wanted, rising; they lie between order statistics (numpy's ``linear``).

    Returns
    -------
    array of int, same shape
        The order statistics on both sides of each percentile are equal to it; what the sum then
        lacks is shared out among the values above the highest percentile, in proportion to how
        far above they are.

    Raises
    ------
    ReliableChangeError
        The sum is smaller than these values can reach.

    Examples
    --------
    >>> settled = settle(np.arange(1, 101), 5100, {5: 6, 50: 50, 95: 95})
    >>> int(settled.sum()), np.percentile(settled, [5, 50, 95]).tolist()
    (5100, [6.0, 50.0, 95.0])
    """
    order = totals.ravel().argsort(kind="stable")
    values = totals.ravel()[order]
    top = 0
    for percent, value in percentiles.items():
        position = percent / 100 * (len(values) - 1)
        low, top = int(np.floor(position)), int(np.ceil(position))
        values[: low + 1] = np.minimum(values[: low + 1], value)
        values[top:] = np.maximum(values[top:], value)
        values[[low, top]] = value
    above = values[top + 1 :] - values[top]
    wanted = int(above.sum()) + total - int(values.sum())
    if wanted < 0 or not above.any():
        raise ReliableChangeError(
            f"tokens: a sum of {total} cannot be reached with percentiles {dict(percentiles)}"
        )
    # Of equal values the later ones get more, so that the order is kept.
    values[top + 1 :] = values[top] + apportion(above[::-1], wanted)[::-1]
    settled = np.empty_like(values)
    settled[order] = values
    return settled.reshape(totals.shape)


def _log_output(curve: np.ndarray, effort: np.ndarray) -> np.ndarray:
    """Logarithm of the output tokens: straight lines between its heights at the knots."""
    slope = (curve[1] - curve[0]) / (KNOTS[1] - KNOTS[0])
    below = np.minimum(effort - KNOTS[0], 0) * slope
    above = np.maximum(effort - KNOTS[-1], 0) * TAIL
    return np.interp(effort, KNOTS, curve) + below + above


def _fit(
    inputs: np.ndarray, effort: np.ndarray, mean_output: float, percentiles: np.ndarray
) -> np.ndarray:
    """Find heights at the knots whose totals have the percentiles and whose mean is right.

    To four decimals, coarse on purpose: `settle` makes the rest exact, and the last bits of a
    solver, which differ between machines, change no token.
    """

    def miss(curve: np.ndarray) -> np.ndarray:
        outputs = np.exp(np.clip(_log_output(curve, effort), -5, 15))
        reached = np.percentile(inputs + outputs, [5, 50, 95])
        return np.append(np.log(reached / percentiles), np.log(outputs.mean() / mean_output))

    middle, high = np.log(percentiles[1:] - np.median(inputs))
    start = np.array([middle - 1.0, middle, (middle + high) / 2, high])
    return least_squares(miss, start, diff_step=1e-3).x.round(4)
