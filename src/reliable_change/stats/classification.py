"""The paper's class of every item of one cell: one edge on one benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from reliable_change.stats.checks import check_counts, distinct
from reliable_change.stats.fisher import fisher_exact
from reliable_change.stats.intervals import difference_interval
from reliable_change.stats.multiplicity import benjamini_hochberg

CLASSES = ("improved", "regressed", "equivalent", "inconclusive")
NOT_TESTABLE = "not testable"

Epsilon = str | float | Decimal | Fraction


@dataclass(frozen=True)
class Classification:
    """Classes of a cell's items and what they rest on, each array in the order of the items.

    `classes` holds one of `CLASSES` or `NOT_TESTABLE`; `p` is unadjusted, `adjusted` is
    Benjamini–Hochberg's; `difference`, `low` and `high` are p_target − p_source and its interval,
    as proportions. An item that is not testable has NaN in all of them and is not rejected.
    """

    classes: np.ndarray
    p: np.ndarray
    adjusted: np.ndarray
    rejected: np.ndarray
    difference: np.ndarray
    low: np.ndarray
    high: np.ndarray


def classify(
    k_source: ArrayLike,
    n_source: ArrayLike,
    k_target: ArrayLike,
    n_target: ArrayLike,
    *,
    epsilon: Epsilon = 0.20,
    alpha: float = 0.05,
    interval: str = "newcombe",
    confidence: float = 0.95,
) -> Classification:
    """Classify the items of one cell as improved, regressed, equivalent or inconclusive.

    Parameters
    ----------
    k_source, k_target : array_like of int, shape (items,)
        Correct trials, 0 <= k <= n.
    n_source, n_target : array_like of int, shape (items,) or a single number
        Scored trials; may differ between sides and items. 0 on a side: not testable.
    epsilon : str, float, Decimal or Fraction
        Smallest difference of proportions that matters, in (0, 1]; see `meets_epsilon`.
    alpha : float
        False discovery rate within the cell.
    interval, confidence
        Method and level of the interval; see `difference_interval`.

    Returns
    -------
    Classification

    Raises
    ------
    ValueError
        Bad counts, or a parameter out of range.

    Notes
    -----
    Reliable: rejected by Fisher's test under Benjamini–Hochberg, and |difference| >= epsilon,
    compared exactly; the sign gives improved or regressed. Otherwise equivalent, if the interval
    lies strictly inside (−epsilon, epsilon); else inconclusive. Items not testable are no
    hypotheses and belong in no share.

    References
    ----------
    "What Aggregate Scores Miss", section 3.6. The paper does not name its interval.

    Examples
    --------
    >>> result = classify([50, 5, 50, 20, 0], [50, 50, 50, 50, 0], [30, 40, 50, 25, 9], 50)
    >>> result.classes.tolist()
    ['regressed', 'improved', 'equivalent', 'inconclusive', 'not testable']
    """
    epsilon = exact_epsilon(epsilon)
    counts = check_counts(k_source, n_source, k_target, n_target)
    k_s, n_s, k_t, n_t = counts
    p = fisher_exact(*counts)
    rejected, adjusted = benjamini_hochberg(p, alpha)
    low, high = difference_interval(*counts, method=interval, confidence=confidence)
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = np.where(np.isnan(p), np.nan, k_t / n_t - k_s / n_s)
    reliable = rejected & meets_epsilon(*counts, epsilon)
    conditions = [
        np.isnan(p),
        reliable & (k_t * n_s > k_s * n_t),
        reliable,
        (low > -float(epsilon)) & (high < float(epsilon)),
    ]
    names = [NOT_TESTABLE, "improved", "regressed", "equivalent"]
    classes = np.select(conditions, names, default="inconclusive")
    return Classification(classes, p, adjusted, rejected, difference, low, high)


def meets_epsilon(
    k_source: ArrayLike,
    n_source: ArrayLike,
    k_target: ArrayLike,
    n_target: ArrayLike,
    epsilon: Epsilon,
) -> np.ndarray:
    """Whether |k_target / n_target − k_source / n_source| >= epsilon, decided in whole numbers.

    Returns
    -------
    numpy.ndarray of bool
        False where a side has no trial.

    Raises
    ------
    ValueError
        Bad counts, or `epsilon` outside (0, 1].

    Notes
    -----
    Cross-multiplied: |k_target · n_source − k_source · n_target| >= epsilon · n_source · n_target,
    so that 10 of 50 trials meet 0.20 exactly, whatever floats make of 0.3 − 0.1.

    Examples
    --------
    >>> meets_epsilon([5, 5, 2], [50, 50, 10], [15, 14, 20], [50, 50, 50], 0.2).tolist()
    [True, False, True]
    """
    epsilon = exact_epsilon(epsilon)
    k_s, n_s, k_t, n_t = check_counts(k_source, n_source, k_target, n_target)
    pairs, where = distinct([n_s.ravel(), n_t.ravel()])
    needed = [-(-epsilon.numerator * int(a) * int(b) // epsilon.denominator) for a, b in pairs]
    needed = np.array(needed, dtype=np.int64)[where].reshape(n_s.shape)
    return (np.abs(k_t * n_s - k_s * n_t) >= needed) & (n_s > 0) & (n_t > 0)


def exact_epsilon(epsilon: Epsilon) -> Fraction:
    """The decimal that `epsilon` was written as, as a fraction.

    A float stands for the shortest decimal that prints as it: 0.2 is 1/5, not the binary number
    nearest to it.

    Raises
    ------
    ValueError
        Not a number, or outside (0, 1].

    Examples
    --------
    >>> exact_epsilon(0.2), exact_epsilon("0.20")
    (Fraction(1, 5), Fraction(1, 5))
    """
    try:
        value = Fraction(str(epsilon))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"epsilon must be a decimal number, not {epsilon!r}") from None
    if not 0 < value <= 1:
        raise ValueError(f"epsilon must lie in (0, 1], not {epsilon!r}")
    return value
