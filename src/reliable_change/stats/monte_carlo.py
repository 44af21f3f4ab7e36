"""What a p-value from random draws is worth."""

from __future__ import annotations

from typing import NamedTuple

from reliable_change.stats.intervals import clopper_pearson


class MonteCarlo(NamedTuple):
    """A p-value estimated from draws, and bounds for the one that endless draws would give."""

    p: float
    low: float
    high: float
    exceed: int
    draws: int


def monte_carlo_p(exceed: int, draws: int, confidence: float = 0.95) -> MonteCarlo:
    """p from the number of draws under the null that are at least as extreme as what was seen.

    Parameters
    ----------
    exceed, draws : int
        0 <= exceed <= draws, at least one draw.
    confidence : float
        Of the error bar, strictly between 0 and 1.

    Returns
    -------
    MonteCarlo
        p = (exceed + 1) / (draws + 1), never 0: the observed arrangement is one of those that the
        null allows. `low` and `high` are the exact (Clopper–Pearson) bounds for the share
        that endless draws would give, which may lie below p when nothing exceeds.

    Raises
    ------
    ValueError
        No draw, or counts that do not fit.

    References
    ----------
    Phipson, B., & Smyth, G. K. (2010). Stat. Appl. Genet. Mol. Biol. 9, article 39.

    Examples
    --------
    >>> found = monte_carlo_p(0, 999)
    >>> found.p, found.low, round(found.high, 4)
    (0.001, 0.0, 0.0037)
    """
    if draws < 1:
        raise ValueError(f"at least one draw is needed, not {draws}")
    low, high = clopper_pearson(exceed, draws, confidence)
    return MonteCarlo((exceed + 1) / (draws + 1), float(low), float(high), int(exceed), int(draws))
