"""One decision from several benchmarks: pooled, largest drop, Fisher's method (004)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc

from reliable_change.stats.checks import check_counts, check_level
from reliable_change.stats.monte_carlo import MonteCarlo, monte_carlo_p
from reliable_change.stats.paired import mcnemar_exact, upper_tail

# A statistic is compared through the smallest count that reaches it; two that are equal as
# fractions differ by less than this many counts, two that are not by more (up to 10^5 a task).
_TIE = 1e-9
_BLOCK = 2**21


class Aggregated(NamedTuple):
    """One-sided p-values of the three tests, and whether any of them rejects."""

    pooled: np.ndarray
    max_drop: np.ndarray
    fisher: np.ndarray
    rejected: np.ndarray


def pooled(b: ArrayLike, c: ArrayLike) -> np.ndarray:
    """p that the target is no worse, from the regressions and fixes of all tasks added up.

    Parameters
    ----------
    b, c : array_like of int, shape (..., n_tasks)
        Regressions and fixes of each task. To ask whether the target is better, swap them; this
        holds for every function here.

    Returns
    -------
    numpy.ndarray of float, shape (...)
        One-sided exact McNemar p of the sums: most powerful when all tasks fall a little.

    Raises
    ------
    ValueError
        Counts are missing, not whole or negative, or there is no task.

    Examples
    --------
    >>> pooled([6, 3], [0, 3]).round(4).item()
    0.073
    """
    b, c = _tasks(b, c)
    return mcnemar_exact(b.sum(axis=-1), c.sum(axis=-1), "worse")


def standardised_drop(b: ArrayLike, c: ArrayLike) -> np.ndarray:
    """Standardised degradation (b − c) / √(b + c) of each task, in standard errors.

    Returns
    -------
    numpy.ndarray of float, in the shape of the counts
        −inf for a task without a changed verdict, which has no statistic.

    Examples
    --------
    >>> standardised_drop([6, 3, 0], [3, 1, 0]).tolist()
    [1.0, 1.0, -inf]
    """
    b, c = _tasks(b, c)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(b + c > 0, (b - c) / np.sqrt(b + c), -np.inf)


def max_drop(b: ArrayLike, c: ArrayLike) -> np.ndarray:
    """p of the largest standardised degradation over the tasks, exactly.

    Parameters
    ----------
    b, c : array_like of int, shape (..., n_tasks)
        Regressions and fixes of each task.

    Returns
    -------
    numpy.ndarray of float, shape (...)
        P(max >= observed) in (0, 1]; 1 where no task has a changed verdict. Most powerful when one
        task falls and the others do not.

    Raises
    ------
    ValueError
        As for `pooled`.

    Notes
    -----
    Under the null, b_t is binomial(b_t + c_t, 1/2) in each task, independently. So the
    maximum needs no simulation: P(max >= z) = 1 − Π P(z_t < z). 004 draws instead; see
    `max_drop_monte_carlo`, whose error bar should hold this value. Equal statistics of tasks of
    different size count as ties.

    Examples
    --------
    >>> max_drop([6, 3], [0, 3]).round(9).item()  # two tasks of six: 1 − (63/64)²
    0.031005859
    """
    b, c = _tasks(b, c)
    observed = standardised_drop(b, c).max(axis=-1, keepdims=True)
    m = b + c
    reached = np.where(m > 0, observed, 0.0)
    reached = np.where(np.isfinite(reached), reached, 0.0)
    least = np.ceil((m + reached * np.sqrt(m)) / 2 - _TIE).astype(np.int64)
    tail = np.where(m > 0, upper_tail(least, m), 0.0)
    with np.errstate(divide="ignore"):
        p = -np.expm1(np.log1p(-tail).sum(axis=-1))
    return np.where(m.any(axis=-1), p, 1.0)


def max_drop_monte_carlo(
    b: ArrayLike, c: ArrayLike, *, draws: int, rng: np.random.Generator, confidence: float = 0.95
) -> MonteCarlo:
    """p of the largest standardised degradation as 004 finds it, by binomial draws.

    Parameters
    ----------
    b, c : array_like of int, shape (n_tasks,)
        Regressions and fixes of each task.
    draws : int
        At least 1; the smallest p that can come out is 1 / (draws + 1).
    rng : numpy.random.Generator
        The only source of chance.
    confidence : float
        Of the error bar (exact, Clopper–Pearson), strictly between 0 and 1.

    Returns
    -------
    MonteCarlo
        See `monte_carlo_p`. Ties count as at least as extreme.

    Raises
    ------
    ValueError
        Bad counts, not one dimension, or no draw.

    Examples
    --------
    >>> found = max_drop_monte_carlo([6, 3], [0, 3], draws=9999, rng=np.random.default_rng(1))
    >>> bool(found.low < max_drop([6, 3], [0, 3]) < found.high)
    True
    """
    b, c = _tasks(b, c)
    if b.ndim != 1:
        raise ValueError("the tasks of one comparison must form one dimension")
    observed = standardised_drop(b, c).max()
    m, exceed = b + c, 0
    threshold = observed - abs(observed) * 1e-12 if np.isfinite(observed) else observed
    for start in range(0, draws, block := max(1, _BLOCK // len(m))):
        drawn = rng.binomial(m, 0.5, (min(block, draws - start), len(m)))
        exceed += int(np.sum(standardised_drop(drawn, m - drawn).max(axis=-1) >= threshold))
    return monte_carlo_p(exceed, draws, confidence)


def fisher_combined(p: ArrayLike) -> np.ndarray:
    """Fisher's method: one p from independent p-values, along the last axis.

    Parameters
    ----------
    p : array_like of float, shape (..., n_tasks)
        In [0, 1]; a task where nothing could be seen has p = 1, and 0 is a p too small for a float.

    Returns
    -------
    numpy.ndarray of float, shape (...)
        P(χ² >= −2 Σ ln p) with 2 n_tasks degrees of freedom.

    Raises
    ------
    ValueError
        A p outside [0, 1] or missing, or no task.

    Notes
    -----
    The χ² law holds for p-values that are uniform under the null. Those of an exact test on counts
    are discrete and larger than uniform ones, so the combined p is conservative, the more so
    the fewer changed verdicts a task has. A task with none still counts its two degrees of
    freedom, as in 004.

    References
    ----------
    Fisher, R. A. (1925). Statistical Methods for Research Workers, section 21.1.

    Examples
    --------
    >>> fisher_combined([0.05, 0.05]).round(5).item()
    0.01748
    """
    p = np.asarray(p, dtype=float)
    if p.ndim == 0 or p.shape[-1] == 0:
        raise ValueError("there is no task to combine")
    if not np.all((p >= 0) & (p <= 1)):
        raise ValueError("p-values must lie in [0, 1]")
    with np.errstate(divide="ignore"):
        return np.asarray(chdtrc(2 * p.shape[-1], -2 * np.log(p).sum(axis=-1)))


def any_of_three(b: ArrayLike, c: ArrayLike, alpha: float = 0.05) -> Aggregated:
    """004's rule: flag a degradation where the pooled, max-drop or Fisher test rejects at `alpha`.

    Parameters
    ----------
    b, c : array_like of int, shape (..., n_tasks)
        Regressions and fixes of each task.
    alpha : float
        Level of each test, strictly between 0 and 1; p <= alpha rejects.

    Returns
    -------
    Aggregated
        Arrays of shape (...). Flags at most 3 · alpha of comparisons in which nothing changed
        (Bonferroni); less in practice, since the three look at the same counts.

    Raises
    ------
    ValueError
        As for `pooled`, or `alpha` is out of range.

    Examples
    --------
    >>> found = any_of_three([9, 3], [0, 3])
    >>> [value.round(4).item() for value in found[:3]], found.rejected.item()
    ([0.0176, 0.002, 0.0098], True)
    """
    b, c = _tasks(b, c)
    alpha = check_level("alpha", alpha)
    ps = pooled(b, c), max_drop(b, c), fisher_combined(mcnemar_exact(b, c, "worse"))
    return Aggregated(*ps, np.any([p <= alpha for p in ps], axis=0))


def _tasks(b: ArrayLike, c: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    b, _, c, _ = check_counts(b, b, c, c)
    if b.ndim == 0 or b.shape[-1] == 0:
        raise ValueError("there is no task to combine")
    return b, c
