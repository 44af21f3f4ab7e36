"""Stratified bootstrap over items: is the aggregate change of a stratum more than chance?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from reliable_change.stats.checks import check_level
from reliable_change.stats.multiplicity import holm

RESAMPLES = 2000
_CHUNK = 4_000_000  # weights held at a time, about 32 MB
_ROUNDING = 1e-12  # a resampled mean this close to 0 is 0


@dataclass(frozen=True)
class StratifiedBootstrap:
    """Aggregate change of each stratum and what resampling its items says of it.

    `strata` (strata,) in order of first appearance; `items` the number that were resampled. The
    other fields have shape (..., strata): `delta`, the mean difference; `low` and `high`, its
    percentile interval; `p`, two-sided; `adjusted`, Holm's over the strata. NaN for a stratum of
    fewer than two items, where resampling says nothing.
    """

    strata: np.ndarray
    items: np.ndarray
    delta: np.ndarray
    low: np.ndarray
    high: np.ndarray
    p: np.ndarray
    adjusted: np.ndarray


def stratified_bootstrap(
    difference: ArrayLike,
    stratum: ArrayLike,
    *,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    rng: np.random.Generator,
) -> StratifiedBootstrap:
    """Test whether the mean difference of each stratum is zero, by resampling items within it.

    Parameters
    ----------
    difference : array_like of float, shape (..., items)
        p̂_target − p̂_source of each item. NaN marks an item that is not testable and is left out;
        it must be so in all replications. Leading axes are replications, which share resamples.
    stratum : array_like, shape (items,)
        The stratum of each item: a benchmark, or any label.
    resamples : int
        Number of resamples, at least 1.
    confidence : float
        Level of the percentile interval.
    rng : numpy.random.Generator
        The only source of chance.

    Returns
    -------
    StratifiedBootstrap

    Raises
    ------
    ValueError
        Shapes that do not fit, an item missing in some replications only, or a parameter out of
        range.

    Notes
    -----
    Each resample draws as many items of a stratum as it has, with replacement. The p-value turns
    the percentile interval round: with b resampled means at or below 0 and a at or above,
    p = 2 (min(a, b) + 1) / (resamples + 1), at most 1. It is never 0, and a mean within 1e-12 of 0
    counts on both sides. Only items are resampled, not their trials: the spread of p̂ over trials
    is part of the spread over items. Where few items move at all the interval is too narrow: if all
    n of them moved the same way, every resample does. Of simulated unchanged strata of 8 to 100
    items, half of them settled, 3 to 5 % are called worse at 5 % two-sided, most with the fewest
    items, where 2.5 % are promised; a test holds this. Holm's correction runs over the strata.

    References
    ----------
    Toloka (2026), an evaluation of 711 workflows, as "What Aggregate Scores Miss", section 2,
    describes it: stratified bootstrap and Holm-corrected tests. Details are ours.
    Efron, B., & Tibshirani, R. (1993). An Introduction to the Bootstrap, chapters 13 and 15.

    Examples
    --------
    >>> found = stratified_bootstrap(
    ...     [-0.2, -0.1, -0.3, -0.2, 0.1, -0.1, 0.0, 0.0], list("aaaabbbb"),
    ...     rng=np.random.default_rng(1),
    ... )
    >>> found.strata.tolist(), found.delta.round(3).tolist(), found.adjusted.round(3).tolist()
    (['a', 'b'], [-0.2, 0.0], [0.002, 1.0])
    """
    difference, stratum = np.asarray(difference, dtype=float), np.asarray(stratum)
    tail = (1 - check_level("confidence", confidence)) / 2
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, not {resamples!r}")
    if difference.ndim == 0 or stratum.shape != difference.shape[-1:]:
        raise ValueError("one stratum is needed for each item, along the last axis")
    shape = difference.shape[:-1]
    rows = difference.reshape(-1, stratum.size)
    kept = ~np.isnan(rows).any(axis=0)
    if np.any(kept != ~np.isnan(rows).all(axis=0)):
        raise ValueError("an item is missing in some replications and not in others")
    strata = list(dict.fromkeys(stratum.tolist()))
    members = [kept & (stratum == name) for name in strata]
    found = [_one_stratum(rows[:, member], resamples, tail, rng) for member in members]
    delta, low, high, p = np.stack(found, axis=-1)
    adjusted = np.array([holm(row).adjusted for row in p])
    results = (result.reshape(*shape, len(strata)) for result in (delta, low, high, p, adjusted))
    return StratifiedBootstrap(
        np.array(strata), np.array([member.sum() for member in members]), *results
    )


def _one_stratum(rows: np.ndarray, resamples: int, tail: float, rng) -> np.ndarray:
    """Mean, interval and p of each row, shape (4, rows)."""
    items = rows.shape[1]
    if items < 2:
        return np.full((4, len(rows)), np.nan)
    means = np.empty((len(rows), resamples))
    step = max(1, _CHUNK // items)
    for start in range(0, resamples, step):
        weights = resample_weights(items, min(step, resamples - start), rng)
        means[:, start : start + len(weights)] = rows @ weights.T / items
    at_or_below = np.sum(means <= _ROUNDING, axis=1)
    at_or_above = np.sum(means >= -_ROUNDING, axis=1)
    p = 2 * (np.minimum(at_or_below, at_or_above) + 1) / (resamples + 1)
    low, high = np.quantile(means, [tail, 1 - tail], axis=1)
    return np.stack([rows.mean(axis=1), low, high, np.minimum(p, 1)])


def resample_weights(items: int, resamples: int, rng: np.random.Generator) -> np.ndarray:
    """How often each item is drawn in each resample: multinomial, equal chances.

    Returns
    -------
    numpy.ndarray of float, shape (resamples, items)
        Rows sum to `items`.

    Examples
    --------
    >>> resample_weights(4, 2, np.random.default_rng(1)).sum(axis=1).tolist()
    [4.0, 4.0]
    """
    drawn = rng.integers(items, size=(resamples, items))
    drawn += items * np.arange(resamples)[:, None]
    counts = np.bincount(drawn.ravel(), minlength=resamples * items)
    return counts.reshape(resamples, items).astype(float)
