"""Split-half reliability of a benchmark's item scores, from counts of correct trials alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from reliable_change.stats.checks import check_counts
from reliable_change.stats.dealing import random_halves

DEFINED, NEGATIVE = "defined", "negative"
NO_VARIANCE, TOO_FEW_ITEMS = "no variance", "fewer than two items with two trials"
OUTCOMES = (DEFINED, NEGATIVE, NO_VARIANCE, TOO_FEW_ITEMS)
MIN_TRIALS = 2  # a half needs one


@dataclass(frozen=True)
class Reliability:
    """How far a model's item scores would agree with those of a second, equal run.

    Each field has the shape of the counts without their last axis (a scalar for one model).
    `r` is the Spearman–Brown corrected reliability, `sd` the standard deviation of p̂ over the
    items (divisor items − 1), `sem` the standard error of measurement sd · √(1 − r), on the scale
    of p̂. `outcome` is one of `OUTCOMES`. Where it is neither "defined" nor "negative", r and sem
    are NaN. A negative r is kept: the halves then agree less than unrelated ones would, and sem
    exceeds sd. `items` is the number of items used.
    """

    r: np.ndarray
    sd: np.ndarray
    sem: np.ndarray
    items: np.ndarray
    outcome: np.ndarray


def split_half_reliability(
    k: ArrayLike,
    n: ArrayLike,
    *,
    among: ArrayLike = True,
    splits: int | None = None,
    rng: np.random.Generator | None = None,
) -> Reliability:
    """Correlate the scores of random halves of each item's trials over the items of one model.

    Parameters
    ----------
    k, n : array_like of int, shape (..., items)
        Correct and scored trials, 0 <= k <= n. Items are the last axis; leading axes are
        separate models or replications. n may differ between items.
    among : array_like of bool, shape (..., items)
        Which items to use. Items with fewer than two trials are never used.
    splits : int or None
        Number of random splits to average correlations over; None takes the ratio of the halves'
        expected covariance and variance, without a draw. They agree where there are many items.
    rng : numpy.random.Generator
        Needed with `splits`, and only then.

    Returns
    -------
    Reliability

    Raises
    ------
    ValueError
        Bad counts, `splits` below 1, or `splits` without `rng`.

    Notes
    -----
    Each item's trials are dealt to two halves of ⌊n / 2⌋; of an odd n, one trial at random sits
    out, so r is then that of n − 1 trials. How many of the k correct ones fall in a half is
    hypergeometric, so the counts are enough. The correlation of the halves' scores over the items
    is averaged over the splits, and lengthened once: r = 2 r_half / (1 + r_half).

    The ratio needs no draw. With h = ⌊n / 2⌋, V the variance of p̂ over the items and bars for
    means over them, the expected covariance of the halves is V − W, W = mean of p̂(1 − p̂)/(n − 1),
    and their expected variance V + U, U = mean of p̂(1 − p̂)(n − h)/(h (n − 1)). For an even n,
    U = W, hence r = 1 − W / V and

        SEM² = V (1 − r) = W :

    the standard error of measurement is the root mean square, over the items, of each item's own
    unbiased binomial standard error. The mean of the correlations differs from this ratio of
    means by a term of order 1 / items, however many the splits: nothing to speak of for hundreds of
    items, up to 0.1 for twenty that hardly vary.

    References
    ----------
    "Beyond the Mean", section 2, statistical framework, steps 1 and 2.
    Spearman, C. (1910). Br. J. Psychol. 3, 271–295; Brown, W. (1910), 296–322.

    Examples
    --------
    >>> found = split_half_reliability([0, 2, 5, 8, 10], 10)
    >>> round(float(found.r), 4), round(float(found.sem), 4), str(found.outcome)
    (0.9255, 0.1125, 'defined')
    >>> str(split_half_reliability([5, 5], 10).outcome)
    'no variance'
    """
    if splits is not None and (splits < 1 or rng is None):
        raise ValueError("random splits need splits >= 1 and a generator rng")
    k, n = check_counts(k, n)
    used = np.broadcast_to(among, n.shape) & (n >= MIN_TRIALS)
    n = np.where(used, n, MIN_TRIALS)  # what is not used only has to divide
    k = np.where(used, k, 0)
    p = k / n
    variance = _covariance(p, p, used)
    if splits is None:
        half = _expected_half(p, n, variance, used)
    else:
        half = np.mean([_one_split(k, n, used, rng) for _ in range(splits)], axis=0)
    return _reliability(half, variance, used.sum(axis=-1), _varies(p, used))


def _expected_half(p, n, variance, used):
    h = n // 2
    own = p * (1 - p) / (n - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (variance - _mean(own, used)) / (variance + _mean(own * (n - h) / h, used))


def _one_split(k, n, used, rng):
    """Correlation of the two halves of one random split; 0 where a half does not vary."""
    first, second, h = random_halves(k, n, rng)
    a, b = first / h, second / h
    defined = _varies(a, used) & _varies(b, used)
    scale = _covariance(a, a, used) * _covariance(b, b, used)
    return np.where(defined, _covariance(a, b, used) / np.sqrt(np.where(defined, scale, 1)), 0)


def _reliability(half, variance, items, varies) -> Reliability:
    reasons = [TOO_FEW_ITEMS, NO_VARIANCE, NEGATIVE]
    outcome = np.select([items < 2, ~varies, half < 0], reasons, default=DEFINED)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.where((items < 2) | ~varies, np.nan, 2 * half / (1 + half))
        sd = np.where(items < 2, np.nan, np.sqrt(variance))
        sem = sd * np.sqrt(1 - r)
    return Reliability(r[()], sd[()], sem[()], items, outcome[()])


def _mean(x, used):
    return np.sum(x, axis=-1, where=used) / np.maximum(used.sum(axis=-1), 1)


def _covariance(x, y, used):
    """Covariance over the last axis, divisor items − 1; 0 for a single item."""
    x = x - _mean(x, used)[..., None]
    y = y - _mean(y, used)[..., None]
    return np.sum(x * y, axis=-1, where=used) / np.maximum(used.sum(axis=-1) - 1, 1)


def _varies(x, used):
    """Whether two items differ, decided without rounding: equal fractions are equal floats."""
    low = np.min(x, axis=-1, where=used, initial=np.inf)
    return low < np.max(x, axis=-1, where=used, initial=-np.inf)
