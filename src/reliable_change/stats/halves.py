"""Whether two halves of one model's trials agree, as two runs of an unchanged record should."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import hypergeom

from reliable_change.stats.checks import check_counts, distinct
from reliable_change.stats.paired import majority_flips, mcnemar_exact


class HalvesAgree(NamedTuple):
    """Verdicts that differ between the halves, how many should, and two exact p-values."""

    items: int
    lost: int
    gained: int
    expected: float
    p_disagreement: float
    p_drift: float


def halves_agree(k_first: ArrayLike, k_second: ArrayLike, n_half: ArrayLike) -> HalvesAgree:
    """Test that the first and the second half of every item's trials are interchangeable.

    Parameters
    ----------
    k_first, k_second : array_like of int, shape (n_items,)
        Correct trials of each half, 0 <= k <= n_half.
    n_half : array_like of int
        Trials of each half, the same for both; items with none have no say.

    Returns
    -------
    HalvesAgree
        `lost` items are right by majority in the first half and not in the second, `gained` the
        reverse (`majority_flips`); `expected` is how many items should differ. `p_disagreement` is
        the chance of at least lost + gained of them, `p_drift` the two-sided exact McNemar p that
        the differences go both ways alike. All are 1 or 0 where no item has trials.

    Raises
    ------
    ValueError
        Bad counts, or not one dimension.

    Notes
    -----
    If nothing varied but chance, each item's correct trials would fall into the halves at random:
    the first half has a hypergeometric number of them. So item i differs with a known chance
    q_i, and the number of differing items is Poisson–binomial. Its distribution is found from its
    characteristic function, right to about 10⁻¹² in absolute terms. With one trial a half, q_i is 0
    or 1 and disagreement cannot be seen; drift still can. Items near one half differ by chance
    anyway, so it takes steady items that change to be seen. A small p_disagreement or p_drift says
    that something unrecorded varies between early and late trials.

    References
    ----------
    003, "The check". Hong, Y. (2013). Comput. Stat. Data Anal. 59, 41–51, equation 7.

    Examples
    --------
    >>> found = halves_agree([5, 4, 3, 5, 4, 5], [1, 1, 1, 0, 2, 2], 5)
    >>> found.lost, found.gained, round(found.expected, 2)
    (6, 0, 3.74)
    >>> round(found.p_disagreement, 4), found.p_drift
    (0.024, 0.03125)
    """
    first, n, second, _ = check_counts(k_first, n_half, k_second, n_half)
    if first.ndim != 1:
        raise ValueError("counts of halves must form one dimension: the items of one benchmark")
    first, second, n = (x[n > 0] for x in (first, second, n))
    lost, gained = (int(flips.sum()) for flips in majority_flips(first, n, second, n))
    sizes, where = distinct([first + second, n])
    chance = np.array([_chance_to_differ(*map(int, row)) for row in sizes])
    counts = np.bincount(where, minlength=len(sizes))
    differing = _poisson_binomial(chance, counts)
    p = float(np.clip(differing[lost + gained :].sum(), 0, 1))
    expected = float(np.sum(chance * counts))
    return HalvesAgree(len(n), lost, gained, expected, p, float(mcnemar_exact(lost, gained)))


def _chance_to_differ(k: int, n: int) -> float:
    """Chance that two halves of n trials, with k correct in both together, differ in majority."""
    first = np.arange(max(0, k - n), min(k, n) + 1)
    differs = (2 * first > n) != (2 * (k - first) > n)
    return float(np.sum(hypergeom.pmf(first, 2 * n, k, n)[differs]))


def _poisson_binomial(chance: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Distribution of the number of successes, `counts` trials having each `chance`.

    scipy.stats.poisson_binom takes one chance a trial, and time in the square of their number.
    """
    size = int(counts.sum()) + 1
    turn = np.exp(-2j * np.pi * np.arange(size) / size)
    transform = np.ones(size, dtype=complex)
    for q, times in zip(chance, counts, strict=True):
        transform *= (1 - q + q * turn) ** int(times)
    return np.clip(np.fft.ifft(transform).real, 0, 1)
