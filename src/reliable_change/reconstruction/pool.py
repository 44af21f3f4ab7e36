"""Candidate items: plausible correct counts of all models, from which the solver chooses."""

from __future__ import annotations

import numpy as np


def draw_pool(
    size: int, models: int, trials: int, *, level: float, settled: float, rng: np.random.Generator
) -> np.ndarray:
    """
    Draw plausible items, as many times more as the solver is to have a choice.

    Parameters
    ----------
    size, models, trials : int
        Number of candidates, of models, and of trials per item and model.
    level : float
        Share of correct trials over the benchmark, from 0 to 1: how many settled items are right.
    settled : float
        Share of items that are near 0 or near all trials correct for every model, from 0 to 1.
    rng : numpy.random.Generator
        Source of all randomness.

    Returns
    -------
    ndarray of int, shape (size, models)
        Correct trials, from 0 to ``trials``. Equal candidates occur as often as they were drawn,
        and each may be chosen once: frequent items are frequent in what is chosen, too.

    Notes
    -----
    Three kinds of item: *settled* (every model near 0 or near 1), *drifting* (any pass
    probability, small shifts between models on the logit scale) and *changed* (as drifting, but
    one model has a pass probability of its own). The last two are drawn equally often.

    Examples
    --------
    >>> pool = draw_pool(10, 3, 50, level=0.5, settled=0.8, rng=np.random.default_rng(1))
    >>> pool.shape, int(pool.min()) >= 0, int(pool.max()) <= 50
    ((10, 3), True, True)
    """
    kind = rng.choice(3, size=size, p=[settled, (1 - settled) / 2, (1 - settled) / 2])
    passing = np.empty((size, models))
    for number, maker in enumerate((_settled, _drifting, _changed)):
        chosen = kind == number
        passing[chosen] = maker(int(chosen.sum()), models, level, rng)
    return rng.binomial(trials, passing)


def _settled(n: int, models: int, level: float, rng: np.random.Generator) -> np.ndarray:
    """Pass probabilities near 0 or 1: most of these items never fail, or never succeed."""
    off = rng.beta(0.2, 20, size=(n, 1)) * rng.uniform(0, 2, size=(n, models))
    right = rng.random((n, 1)) < level
    return np.where(right, 1 - off, off)


def _drifting(n: int, models: int, level: float, rng: np.random.Generator) -> np.ndarray:
    """One ability of the family, and a small shift for every model."""
    base = rng.normal(_logit(level), 2.2, size=(n, 1))
    return _expit(base + rng.normal(0, 0.6, size=(n, models)))


def _changed(n: int, models: int, level: float, rng: np.random.Generator) -> np.ndarray:
    """As drifting, with one model's pass probability drawn anew."""
    passing = _drifting(n, models, level, rng)
    odd = rng.integers(models, size=n)
    passing[np.arange(n), odd] = rng.beta(0.5, 0.5, size=n)
    return passing


def _logit(p: float) -> float:
    p = np.clip(p, 0.01, 0.99)
    return float(np.log(p / (1 - p)))


def _expit(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))
