"""The category of each incorrect trial, so that the totals are those of Table E.8."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from reliable_change.errors import ReliableChangeError


def item_weights(uniform: np.ndarray) -> np.ndarray:
    """Turn uniform numbers into heavy-tailed weights: a few items attract most of a category.

    Parameters
    ----------
    uniform : array of float in [0, 1), any shape
        One number for each item.

    Returns
    -------
    array of float, same shape
        The odds u / (1 - u) to the power 1.5: median 1, one in ten above 27, never zero.

    Examples
    --------
    >>> item_weights(np.array([0.5, 0.9])).round(6).tolist()
    [1.0, 27.0]
    """
    uniform = np.clip(uniform, 1e-9, 1 - 1e-9)
    return (uniform / (1 - uniform)) ** 1.5


def choose_trials(
    candidates: np.ndarray, count: int, weights: np.ndarray, *, rng: np.random.Generator
) -> np.ndarray:
    """Choose exactly `count` of the candidate trials, those of heavy items more often.

    Parameters
    ----------
    candidates : array of bool, shape (items, trials)
        The trials to choose from.
    count : int
        How many.
    weights : array of float, shape (items,)
        Weight of each trial of an item, positive.
    rng : numpy.random.Generator
        Draws one number for every trial, candidate or not.

    Returns
    -------
    array of bool, shape (items, trials)
        `count` of the candidates.

    Raises
    ------
    ReliableChangeError
        There are fewer candidates than `count`.

    Notes
    -----
    Weighted sampling without replacement: each trial waits for an exponential time at a rate
    that is its weight, and the first `count` are chosen.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> candidates = np.array([[True, False], [True, True]])
    >>> choose_trials(candidates, 2, np.ones(2), rng=rng).sum(), candidates.sum()
    (np.int64(2), np.int64(3))
    """
    available = int(candidates.sum())
    if count > available:
        raise ReliableChangeError(
            f"{count} trials are to be chosen of {available}; the printed categories need more "
            "incorrect trials than the correct counts leave"
        )
    waits = -np.log1p(-rng.random(candidates.shape)) / np.asarray(weights)[:, None]
    waits[~candidates] = np.inf
    chosen = np.zeros(candidates.size, dtype=bool)
    chosen[waits.ravel().argsort(kind="stable")[:count]] = True
    return chosen.reshape(candidates.shape)


def assign_categories(
    correct: np.ndarray,
    counts: Mapping[str, int],
    weights: Mapping[str, np.ndarray],
    *,
    rng: np.random.Generator,
) -> np.ndarray:
    """Give every trial a category: correct, one of those counted, or else wrong.

    Parameters
    ----------
    correct : array of bool, shape (items, trials)
        The trials that are correct.
    counts : mapping of str to int
        Trials in each category other than correct and wrong.
    weights : mapping of str to array of float, shape (items,)
        For each of those categories, how strongly an item attracts it.
    rng : numpy.random.Generator
        Chooses the trials, category after category in the order of `counts`.

    Returns
    -------
    array of str (object), shape (items, trials)
        The category of each trial; each of `counts` occurs exactly that often.

    Raises
    ------
    ReliableChangeError
        The categories need more incorrect trials than there are.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> correct = np.array([[True, False, False]])
    >>> sorted(assign_categories(correct, {"refusal": 1}, {"refusal": np.ones(1)}, rng=rng)[0])
    ['correct', 'refusal', 'wrong']
    """
    category = np.where(correct, "correct", "wrong").astype(object)
    for name, count in counts.items():
        chosen = choose_trials(category == "wrong", count, weights[name], rng=rng)
        category[chosen] = name
    return category
