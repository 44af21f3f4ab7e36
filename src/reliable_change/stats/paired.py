"""Paired verdicts of two models: regressions b, fixes c, and what they say of the difference."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, ndtri

from reliable_change.stats.checks import check_counts, check_level
from reliable_change.stats.intervals import clopper_pearson

ALTERNATIVES = ("two-sided", "worse", "better")


class Flips(NamedTuple):
    """Items whose verdict changes: `lost` (right, then wrong) and `gained`, boolean arrays."""

    lost: np.ndarray
    gained: np.ndarray


class Gain(NamedTuple):
    """Accuracy of the target minus that of the source, as a fraction, with its paired error."""

    gain: np.ndarray
    se: np.ndarray
    low: np.ndarray
    high: np.ndarray


class Share(NamedTuple):
    """A proportion with the bounds of its interval."""

    share: np.ndarray
    low: np.ndarray
    high: np.ndarray


def majority_flips(
    k_source: ArrayLike, n_source: ArrayLike, k_target: ArrayLike, n_target: ArrayLike
) -> Flips:
    """Which items change their verdict, when an item is right if more than half its trials are.

    Parameters
    ----------
    k_source, k_target : array_like of int
        Correct trials, 0 <= k <= n.
    n_source, n_target : array_like of int
        Trials; may differ between sides and items. All four broadcast together.

    Returns
    -------
    Flips
        Boolean arrays in the broadcast shape; b and c are their sums.

    Raises
    ------
    ValueError
        Bad counts (see `fisher_exact`), or an item without a trial on a side: it has no verdict
        there, so it must be left out by the caller, who says so.

    Notes
    -----
    Half of the trials exactly is no majority and counts as wrong. At one trial a side the verdict
    is the trial's.

    Examples
    --------
    >>> lost, gained = majority_flips([1, 3, 2, 1], [1, 5, 4, 2], [0, 2, 3, 0], [1, 5, 4, 2])
    >>> lost.tolist(), gained.tolist()
    ([True, True, False, False], [False, False, True, False])
    """
    k_s, n_s, k_t, n_t = check_counts(k_source, n_source, k_target, n_target)
    if np.any((n_s == 0) | (n_t == 0)):
        raise ValueError("an item without a trial on one side has no verdict; leave it out")
    before, after = 2 * k_s > n_s, 2 * k_t > n_t
    return Flips(before & ~after, ~before & after)


def mcnemar_exact(b: ArrayLike, c: ArrayLike, alternative: str = "two-sided") -> np.ndarray:
    """p of the exact McNemar test that a changed verdict is as often a loss as a gain.

    Parameters
    ----------
    b, c : array_like of int
        Items right before and wrong after (regressions), and the reverse (fixes), that broadcast
        together. Items on which both agree play no part.
    alternative : {"two-sided", "worse", "better"}
        "worse": b is larger than chance allows, 004's test for a degradation; "better": c is.

    Returns
    -------
    numpy.ndarray of float
        p in [0, 1], in the broadcast shape; exactly 1 where nothing is discordant, and 0 only where
        it is too small for a float (below 10⁻³²³).

    Raises
    ------
    ValueError
        Counts are missing, not whole or negative, or the alternative is unknown.

    Notes
    -----
    Given b + c, b is binomial(b + c, 1/2) under the null. "worse" is P(X >= b), "better" P(X >= c),
    two-sided twice the smaller of the two and at most 1. The tail is a regularised incomplete beta
    function, so a tiny p keeps its relative precision.

    References
    ----------
    McNemar, Q. (1947). Psychometrika 12, 153–157. One-sided exact form: 004, section "Key
    Contributions", 1.

    Examples
    --------
    >>> mcnemar_exact([0, 5, 6, 5, 3], [0, 5, 0, 0, 9]).tolist()
    [1.0, 1.0, 0.03125, 0.0625, 0.14599609375]
    >>> mcnemar_exact([6, 0], [0, 6], "worse").tolist()
    [0.015625, 1.0]
    """
    if alternative not in ALTERNATIVES:
        raise ValueError(f"unknown alternative {alternative!r}: one of {', '.join(ALTERNATIVES)}")
    b, c = _discordant(b, c)
    if alternative == "worse":
        return upper_tail(b, b + c)
    if alternative == "better":
        return upper_tail(c, b + c)
    return np.minimum(1, 2 * upper_tail(np.maximum(b, c), b + c))


def upper_tail(k: ArrayLike, m: ArrayLike) -> np.ndarray:
    """P(X >= k) for X binomial(m, 1/2); `k` may be any whole number, `m` at least 0.

    Examples
    --------
    >>> upper_tail([-1, 0, 5, 6, 7], 6).tolist()
    [1.0, 1.0, 0.109375, 0.015625, 0.0]
    """
    k, m = np.asarray(k), np.asarray(m)
    tail = betainc(np.clip(k, 1, np.maximum(m, 1)), np.maximum(m - k, 0) + 1, 0.5)
    return np.select([k <= 0, k > m], [1.0, 0.0], tail)


def degradation_probability(b: ArrayLike, c: ArrayLike, confidence: float = 0.95) -> Share:
    """Share b / (b + c) of losses among the changed verdicts, with its exact interval.

    Parameters
    ----------
    b, c : array_like of int
        As in `mcnemar_exact`.
    confidence : float
        Two-sided level of the Clopper–Pearson interval, strictly between 0 and 1.

    Returns
    -------
    Share
        Each in [0, 1]; NaN where nothing is discordant. The target is worse exactly when the true
        value exceeds 1/2 (004).

    Raises
    ------
    ValueError
        Counts are missing, not whole or negative, or the confidence is out of range.

    Examples
    --------
    >>> [round(float(value), 4) for value in degradation_probability(12, 30)]
    [0.2857, 0.1572, 0.4458]
    """
    b, c = _discordant(b, c)
    with np.errstate(invalid="ignore"):
        share = np.true_divide(b, b + c)
    return Share(share, *clopper_pearson(b, b + c, confidence))


def paired_gain(b: ArrayLike, c: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> Gain:
    """Accuracy gain (c − b) / n of one verdict per item, with its paired standard error.

    Parameters
    ----------
    b, c : array_like of int
        As in `mcnemar_exact`.
    n : array_like of int
        Items with a verdict on both sides, b + c <= n. All broadcast together.
    confidence : float
        Two-sided level, strictly between 0 and 1.

    Returns
    -------
    Gain
        Fractions in [−1, 1]; the interval gain ± z · se is clipped to that. NaN where n = 0.

    Raises
    ------
    ValueError
        Counts are missing, not whole, negative or b + c > n, or the confidence is out of range.

    Notes
    -----
    se = √(b + c − (c − b)² / n) / n (003). Where that is zero, because nothing changed or every
    item changed alike, n equal draws are no certainty: `se` is NaN, and the bounds follow from the
    exact (Clopper–Pearson) bound u on the share of items that do otherwise than those seen:
    (−u, u) when nothing changed, (−1, 2u − 1) when all were lost, (1 − 2u, 1) when all were gained.

    Examples
    --------
    >>> [round(float(value), 4) for value in paired_gain(12, 30, 300)]
    [0.06, 0.0213, 0.0182, 0.1018]
    >>> [round(float(value), 4) for value in paired_gain(0, 0, 300)]
    [0.0, nan, -0.0122, 0.0122]
    """
    b, c = _discordant(b, c)
    changed, n, b, c = check_counts(b + c, n, b, c + b)
    c = c - b
    with np.errstate(invalid="ignore", divide="ignore"):
        gain = (c - b) / n
        se = np.sqrt(changed - (c - b) * gain) / n
    cases = [changed == 0, b == n, c == n]
    se = np.where(np.any(cases, axis=0), np.nan, se)
    low, high = _bounds(gain, se, confidence)
    _, unseen = clopper_pearson(0, n, confidence)
    low = np.select(cases, [-unseen, np.full_like(unseen, -1), 1 - 2 * unseen], low)
    high = np.select(cases, [unseen, 2 * unseen - 1, np.ones_like(unseen)], high)
    return Gain(*map(np.asarray, (gain, se, low, high)))


def clustered_gain(b: ArrayLike, c: ArrayLike, pairs: ArrayLike, confidence: float = 0.95) -> Gain:
    """Accuracy gain over pairs of trials, with a standard error that takes items as clusters.

    Parameters
    ----------
    b, c : array_like of int, shape (..., items)
        Pairs of trials (trial t of the source, trial t of the target) of each item that are right
        then wrong, and wrong then right.
    pairs : array_like of int, shape (..., items)
        Pairs of each item, b + c <= pairs. Items without a pair weigh nothing.
    confidence : float
        Two-sided level, strictly between 0 and 1.

    Returns
    -------
    Gain
        Without the axis of items: gain = Σ(c − b) / Σ pairs. `se` and the bounds are NaN where the
        items give no variance: fewer than two of them have a pair, or all move alike.

    Raises
    ------
    ValueError
        As for `paired_gain`, or there is no axis of items.

    Notes
    -----
    The trials of an item resemble each other, so n pairs are worth less than n items, and
    `paired_gain` of the pooled pairs is too narrow. Here se = √Σ(d_i − gain · pairs_i)² / Σ pairs
    with d_i = c_i − b_i: the sandwich estimate for a ratio, items drawn independently, no
    small-sample factor. With one pair an item it is the formula of `paired_gain` exactly.

    References
    ----------
    Liang, K.-Y., & Zeger, S. L. (1986). Biometrika 73, 13–22, with working independence.

    Examples
    --------
    >>> [round(float(value), 4) for value in clustered_gain([5, 0, 0], [0, 5, 0], [5, 5, 5])]
    [0.0, 0.4714, -0.9239, 0.9239]
    >>> round(float(paired_gain(5, 5, 15).se), 4)
    0.2108
    """
    b, c = _discordant(b, c)
    if b.ndim == 0:
        raise ValueError("counts of pairs need an axis of items: those of one cell")
    _, pairs = check_counts(b + c, pairs)
    total, items = pairs.sum(axis=-1), np.count_nonzero(pairs, axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        gain = (c - b).sum(axis=-1) / total
        residual = c - b - gain[..., None] * pairs
        se = np.sqrt(np.sum(residual**2, axis=-1)) / total
    se = np.where((items < 2) | (se < 1e-12), np.nan, se)
    return Gain(*map(np.asarray, (gain, se, *_bounds(gain, se, confidence))))


def _discordant(b: ArrayLike, c: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    b, _, c, _ = check_counts(b, b, c, c)
    return b, c


def _bounds(gain, se, confidence):
    half = float(ndtri((1 + check_level("confidence", confidence)) / 2)) * se
    return np.clip(gain - half, -1, 1), np.clip(gain + half, -1, 1)
