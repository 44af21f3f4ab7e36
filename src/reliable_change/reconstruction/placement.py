"""Which of an item's trials are correct, so that one fixed seed draws the printed flips."""

from __future__ import annotations

import json
from hashlib import blake2b

import numpy as np

from reliable_change.errors import ReliableChangeError


def keyed_generator(*key: str) -> np.random.Generator:
    """Make a Generator that depends on its key alone, hence on no order of work.

    Parameters
    ----------
    *key : str
        What the numbers are for and whose they are, as in ("placement", "IFBench", "gpt-5.4").

    Returns
    -------
    numpy.random.Generator
        Seeded by a hash of the key. The reconstruction asks it for uniform numbers only: of all
        that numpy draws, those are the least likely to change with its version.

    Examples
    --------
    >>> keyed_generator("a", "b").random() == keyed_generator("a", "b").random()
    True
    >>> keyed_generator("a", "b").random() == keyed_generator("ab").random()
    False
    """
    digest = blake2b(json.dumps(key).encode("utf-8"), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))


def place_correct(
    correct: np.ndarray,
    drawn: np.ndarray,
    drawn_trial: np.ndarray,
    *,
    trials: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Place each item's correct trials at random, save that the drawn trial has its verdict.

    Parameters
    ----------
    correct : array of int, shape (items,)
        Correct trials of an item, 0 to `trials`.
    drawn : array of bool, shape (items,)
        Whether the trial that the single draw picks is correct.
    drawn_trial : array of int, shape (items,)
        That trial, in [0, trials).
    trials : int
        Trials per item.
    rng : numpy.random.Generator
        Places the other correct trials, every arrangement being equally likely.

    Returns
    -------
    array of bool, shape (items, trials)
        Row sums are `correct`; entry (i, drawn_trial[i]) is drawn[i].

    Raises
    ------
    ReliableChangeError
        A count is out of range, or its verdict cannot be drawn from it: a correct one from no
        correct trial, or an incorrect one from none incorrect.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> placed = place_correct(np.array([2]), np.array([True]), np.array([3]), trials=5, rng=rng)
    >>> int(placed.sum()), bool(placed[0, 3])
    (2, True)
    """
    correct, drawn, drawn_trial = (np.asarray(a) for a in (correct, drawn, drawn_trial))
    impossible = (correct < drawn) | (correct > trials - ~drawn.astype(bool))
    if impossible.any():
        row = int(np.flatnonzero(impossible)[0])
        raise ReliableChangeError(
            f"item in row {row}: {correct[row]} correct of {trials} trials cannot draw a trial "
            f"that is {'correct' if drawn[row] else 'incorrect'}; mend its count or its draw"
        )
    # The `correct` smallest numbers of a row are its correct trials; the drawn trial gets one
    # smaller or larger than any.
    order = rng.random((len(correct), trials))
    order[np.arange(len(correct)), drawn_trial] = np.where(drawn, -1.0, 2.0)
    return order.argsort(axis=1).argsort(axis=1) < correct[:, None]
