"""Made-up screening trials with as many estimable items as Table A.2 prints."""

from __future__ import annotations

import numpy as np
import pandas as pd

from reliable_change.errors import ReliableChangeError
from reliable_change.reconstruction.placement import keyed_generator

TRIALS = 10  # K of the screening, §3.3
KEPT = 0.6  # share of the last model's trials where a screening did not complete


def screening_counts(
    items: int, estimable: int, models: int, *, rng: np.random.Generator
) -> np.ndarray:
    """Draw correct counts of which exactly `estimable` items are estimable.

    An item is estimable when some model's accuracy lies in [0.1, 0.9]; here it is the first
    model's, so that a later model's missing trials cannot change it.

    Parameters
    ----------
    items, estimable, models : int
        Items, how many of them shall be estimable, and models.
    rng : numpy.random.Generator
        Draws the counts.

    Returns
    -------
    array of int, shape (items, models)
        Correct trials of 10. An item that is not estimable is at 0 or at 10 with every model,
        one time in ten at the other end with the last.

    Raises
    ------
    ReliableChangeError
        More items shall be estimable than there are.

    Examples
    --------
    >>> counts = screening_counts(30, 13, 3, rng=np.random.default_rng(0))
    >>> int(((counts >= 1) & (counts <= 9)).any(axis=1).sum())
    13
    """
    if not 0 <= estimable <= items:
        raise ReliableChangeError(f"{estimable} estimable items of {items}: check Table A.2")
    first = 1 + np.floor(9 * rng.random(items)).astype(int)
    shift = np.floor(7 * rng.random((items, models))).astype(int) - 3
    shift[:, 0] = 0
    between = np.clip(first[:, None] + shift, 0, TRIALS)
    extreme = np.repeat(np.where(rng.random(items) < 0.75, TRIALS, 0)[:, None], models, axis=1)
    flips = rng.random(items) < 0.1
    extreme[flips, -1] = TRIALS - extreme[flips, -1]
    chosen = rng.random(items).argsort().argsort() < estimable
    return np.where(chosen[:, None], between, extreme)


def screening_trials(
    candidate: str, items: int, estimable: int, models: list[str], *, complete: bool = True
) -> pd.DataFrame:
    """Make the screening trials of one candidate benchmark.

    Parameters
    ----------
    candidate : str
        Its name; the trials depend on it and on nothing else but what is given here.
    items, estimable : int
        As printed in Table A.2.
    models : list of str
        In release order.
    complete : bool
        If not, some four in ten of the last model's trials are left out at random: the paper
        says that a screening did not complete, but not what it lacks.

    Returns
    -------
    pandas.DataFrame
        benchmark, item_id, model, trial, category (correct or wrong), correct.

    Examples
    --------
    >>> screening_trials("quiz", 30, 13, ["a", "b"]).groupby("model").size().to_dict()
    {'a': 300, 'b': 300}
    """
    rng = keyed_generator("screening", candidate)
    counts = screening_counts(items, estimable, len(models), rng=rng)
    shape = (items, len(models), TRIALS)
    correct = rng.random(shape).argsort(axis=2).argsort(axis=2) < counts[:, :, None]
    item, model, trial = (axis.ravel() for axis in np.indices(shape))
    found = pd.DataFrame(
        {
            "benchmark": candidate,
            "item_id": [f"{candidate}-{i + 1:02d}" for i in item],
            "model": np.array(models, dtype=object)[model],
            "trial": trial,
            "category": np.where(correct.ravel(), "correct", "wrong"),
            "correct": correct.ravel(),
        }
    )
    left_out = (model == len(models) - 1) & (rng.random(found.shape[0]) >= KEPT)
    return found if complete else found[~left_out].reset_index(drop=True)
