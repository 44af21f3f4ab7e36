"""Made-up screening trials with as many estimable items as Table A.2 prints."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from reliable_change.errors import ReliableChangeError
from reliable_change.paths import PUBLISHED
from reliable_change.published.claims import text_claims
from reliable_change.reconstruction.placement import keyed_generator

KEPT = 0.6  # share of the last model's trials where a screening did not complete


def printed_trials(folder: Path = PUBLISHED) -> int:
    """Read K of the screening, which §3.3 states, from the claims of the text.

    Raises
    ------
    ReliableChangeError
        There is no such claim, or more than one.

    Examples
    --------
    >>> printed_trials()
    10
    """
    printed = text_claims(folder).query("row == 'screening: trials per item'").printed.unique()
    if len(printed) != 1:
        raise ReliableChangeError(
            f"text_claims.csv: {len(printed)} numbers for 'screening: trials per item', one is "
            "needed; restore the file"
        )
    return int(printed[0])


def screening_counts(
    items: int, estimable: int, models: int, trials: int, *, rng: np.random.Generator
) -> np.ndarray:
    """Draw correct counts of which exactly `estimable` items are estimable.

    An item is estimable when some model's accuracy lies in [0.1, 0.9]; here it is the first
    model's, so that a later model's missing trials cannot change it.

    Parameters
    ----------
    items, estimable, models, trials : int
        Items, how many of them shall be estimable, models, and trials of each.
    rng : numpy.random.Generator
        Draws the counts.

    Returns
    -------
    array of int, shape (items, models)
        Correct trials. An item that is not estimable has none or all correct with every model,
        save that with the last model one in ten stands at the other end.

    Raises
    ------
    ReliableChangeError
        More items shall be estimable than there are.

    Examples
    --------
    >>> counts = screening_counts(30, 13, 3, 10, rng=np.random.default_rng(0))
    >>> int(((counts >= 1) & (counts <= 9)).any(axis=1).sum())
    13
    """
    if not 0 <= estimable <= items:
        raise ReliableChangeError(f"{estimable} estimable items of {items}: check Table A.2")
    least = -(-trials // 10)  # the fewest correct trials that are a tenth
    first = least + np.floor((trials - 2 * least + 1) * rng.random(items)).astype(int)
    shift = np.floor(7 * rng.random((items, models))).astype(int) - 3
    shift[:, 0] = 0
    between = np.clip(first[:, None] + shift, 0, trials)
    extreme = np.repeat(np.where(rng.random(items) < 0.75, trials, 0)[:, None], models, axis=1)
    flips = rng.random(items) < 0.1
    extreme[flips, -1] = trials - extreme[flips, -1]
    chosen = rng.random(items).argsort().argsort() < estimable
    return np.where(chosen[:, None], between, extreme)


def screening_trials(
    candidate: str,
    items: int,
    estimable: int,
    models: list[str],
    trials: int,
    *,
    complete: bool = True,
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
    trials : int
        Trials of each item and model.
    complete : bool
        If not, some four in ten of the last model's trials are left out at random: the paper
        says that a screening did not complete, but not what it lacks.

    Returns
    -------
    pandas.DataFrame
        benchmark, item_id, model, trial, category (correct or wrong), correct.

    Examples
    --------
    >>> screening_trials("quiz", 30, 13, ["a", "b"], 10).groupby("model").size().to_dict()
    {'a': 300, 'b': 300}
    """
    rng = keyed_generator("screening", candidate)
    counts = screening_counts(items, estimable, len(models), trials, rng=rng)
    shape = (items, len(models), trials)
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
