"""A share counted over clusters whose members hang together."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv

from reliable_change.stats.checks import check_counts, check_level
from reliable_change.stats.intervals import Interval


def korn_graubard(k: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> Interval:
    """Interval for a share over clusters: Clopper–Pearson at the number of members they are worth.

    Parameters
    ----------
    k, n : array_like of int, shape (clusters,)
        Successes and members of each cluster, 0 <= k <= n. Empty clusters have no say.
    confidence : float
        Two-sided level, strictly between 0 and 1.

    Returns
    -------
    Interval
        Bounds in [0, 1] for Σk / Σn; NaN for fewer than two clusters.

    Raises
    ------
    ValueError
        Bad counts, more than one dimension, or a confidence out of range.

    Notes
    -----
    With p = Σk / Σn, the variance of a ratio over m clusters is v = m / (m − 1) · Σ(k_i − p n_i)² /
    (Σn)², and the design effect D = v Σn / (p (1 − p)), taken as 1 where it is less or where p
    is 0 or 1. The bounds are those of Clopper and Pearson for Σn / D members, which need not be a
    whole number. Clusters are independent; Korn and Graubard's factor for few of them is left out.

    References
    ----------
    Korn, E. L., & Graubard, B. I. (1998). Surv. Methodol. 24, 193–201.

    Examples
    --------
    >>> [round(float(bound), 3) for bound in korn_graubard([9, 1, 8, 0], 10)]
    [0.063, 0.894]
    """
    k, n = check_counts(k, n)
    tail = (1 - check_level("confidence", confidence)) / 2
    if k.ndim != 1:
        raise ValueError("counts of clusters must form one dimension")
    m, members = np.count_nonzero(n), n.sum()
    if m < 2:
        return Interval(np.float64(np.nan), np.float64(np.nan))
    p = k.sum() / members
    chance = p * (1 - p) * members
    spread = m / (m - 1) * np.sum((k - p * n) ** 2)
    worth = members / max(1, spread / chance) if chance else members
    x, rest = p * worth, (1 - p) * worth
    low = betaincinv(x, rest + 1, tail) if x else 0.0
    high = betaincinv(x + 1, rest, 1 - tail) if rest else 1.0
    return Interval(np.float64(low), np.float64(high))
