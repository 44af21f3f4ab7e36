"""Miettinen and Nurminen's score interval for the difference between two proportions."""

from __future__ import annotations

import numpy as np

from reliable_change.stats.checks import distinct


def miettinen_nurminen(
    k_s: np.ndarray, n_s: np.ndarray, k_t: np.ndarray, n_t: np.ndarray, z: float
) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of the differences p_target − p_source that the score test does not reject.

    Parameters
    ----------
    k_s, n_s, k_t, n_t : numpy.ndarray of int, one dimension
        Checked counts, n >= 1. Each distinct table is solved once.
    z : float
        Critical value of the normal distribution, above 0.

    Returns
    -------
    low, high : numpy.ndarray of float
        Within [−1, 1]. The statistic falls as the difference grows, so each bound is found by
        bisection between the observed difference and the end of the range, to the last bit or so.

    Notes
    -----
    Agrees with the eight examples that Newcombe prints and with R's PropCIs. statsmodels 0.15 does
    not: its restricted fit has a wrong coefficient (its issue 10269), and it fails at 0 and n.

    References
    ----------
    Miettinen, O., & Nurminen, M. (1985). Stat. Med. 4, 213–226.
    Newcombe, R. G. (1998). Stat. Med. 17, 873–890, table II, method 6.

    Examples
    --------
    >>> zero, fifty = np.array([0]), np.array([50])
    >>> low, high = miettinen_nurminen(zero, fifty, zero, fifty, 1.959964)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([-0.072], [0.072])
    """
    tables, where = distinct([k_s, n_s, k_t, n_t])
    k_s, n_s, k_t, n_t = tables.T
    observed = k_t / n_t - k_s / n_s
    bounds = []
    for end in (-1.0, 1.0):
        kept, lost = observed, np.full(observed.shape, end)
        for _ in range(60):
            middle = (kept + lost) / 2
            accepted = np.abs(score_statistic(k_s, n_s, k_t, n_t, middle)) <= z
            kept, lost = np.where(accepted, middle, kept), np.where(accepted, lost, middle)
        bounds.append(kept[where])
    return bounds[0], bounds[1]


def score_statistic(k_s, n_s, k_t, n_t, difference):
    """Standardised distance of the observed difference from a hypothetical one.

    0 where both agree (there the variance may be 0 as well), infinite where the hypothesis allows
    no variance at all.

    Examples
    --------
    >>> float(score_statistic(10, 50, 20, 50, 0.0).round(4))
    2.1712
    """
    distance = k_t / n_t - k_s / n_s - difference
    source = restricted_source(k_s, n_s, k_t, n_t, difference)
    target = np.clip(source + difference, 0, 1)
    trials = n_s + n_t
    variance = source * (1 - source) / n_s + target * (1 - target) / n_t
    spread = np.sqrt(variance * trials / (trials - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(distance == 0, 0.0, distance / spread)


def restricted_source(k_s, n_s, k_t, n_t, difference):
    """Most likely p_source among those with p_target = p_source + difference.

    The likelihood equation is a cubic with one root in the allowed range, which the trigonometric
    solution gives in closed form.

    Examples
    --------
    >>> float(restricted_source(10, 50, 20, 50, 0.0).round(6))
    0.3
    """
    trials = n_s + n_t
    # cubic · p³ + square · p² + linear · p + constant = 0
    cubic = trials
    square = (n_t + 2 * n_s) * difference - trials - k_s - k_t
    linear = (n_s * difference - trials - 2 * k_s) * difference + k_s + k_t
    constant = k_s * difference * (1 - difference)
    shift = square / (3 * cubic)
    q = shift**3 - square * linear / (6 * cubic**2) + constant / (2 * cubic)
    radius = np.copysign(np.sqrt(np.maximum(shift**2 - linear / (3 * cubic), 0)), q)
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = np.where(radius == 0, 1.0, np.clip(q / radius**3, -1, 1))
    root = 2 * radius * np.cos((np.pi + np.arccos(cosine)) / 3) - shift
    return np.clip(root, np.maximum(0, -difference), np.minimum(1, 1 - difference))
