"""What the comparisons count alike: a cell's testable items, calls, and shares with intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reliable_change.analysis.cells import Cell, thin_arrays
from reliable_change.stats.clustered import korn_graubard
from reliable_change.stats.dealing import random_halves
from reliable_change.stats.intervals import Interval, clopper_pearson
from reliable_change.stats.rules import Calls

TRIALS = (1, 5, 10, 25, 50)
DRAWS = 200
Counts = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def scored_items(cell: Cell) -> Counts:
    """Counts of the items of a cell that have a scored trial on both sides."""
    kept = (cell.n_source > 0) & (cell.n_target > 0)
    return tuple(count[kept] for count in cell.counts)


def trial_numbers(cells: Sequence[Cell], wanted: Sequence[int] = TRIALS) -> list[int]:
    """The wanted numbers of trials that are below the largest of the cells, and that one.

    Where no trial is scored, that is 1.
    """
    largest = max((int(max(c.n_source.max(), c.n_target.max())) for c in cells), default=0)
    largest = max(largest, 1)
    return [*(k for k in wanted if k < largest), largest]


def fewer_trials(counts: Counts, trials: int, draws: int, rng: np.random.Generator) -> Counts:
    """Counts of at most `trials` trials of each item, drawn `draws` times without replacement.

    Returns
    -------
    k_source, n_source, k_target, n_target
        k of shape (draws, items), n of shape (items,).
    """
    k_s, n_s, k_t, n_t = counts
    source, target = (
        thin_arrays(np.broadcast_to(k, (draws, k.size)), n, trials, rng)
        for k, n in ((k_s, n_s), (k_t, n_t))
    )
    return *source, *target


def halves(k: np.ndarray, n: np.ndarray, draws: int, rng: np.random.Generator) -> Counts:
    """Deal one model's trials to two halves at random; of an odd number one sits out.

    Items with fewer than two trials are left out. Shapes as in `fewer_trials`.
    """
    k, n = k[n >= 2], n[n >= 2]
    first, second, half = random_halves(np.broadcast_to(k, (draws, k.size)), n, rng)
    return first, half, second, half


def called(calls: Calls) -> np.ndarray:
    """Whether an item is called either way."""
    return calls.regressed | calls.improved


def share(name: str, count: int, of: int) -> dict[str, float]:
    """A share in percent with its exact 95 % interval, as columns of a table.

    Examples
    --------
    >>> {key: round(value, 2) for key, value in share("found", 5, 10).items()}
    {'found': 50.0, 'found_low': 18.71, 'found_high': 81.29}
    """
    return _columns(name, count, of, clopper_pearson(count, of))


def clustered_share(name: str, counts: np.ndarray, of: np.ndarray) -> dict[str, float]:
    """`share` of what is counted in cells, worlds or edges that are independent as wholes only.

    A method that looks at a whole cell calls its items together or not at all, so that they are
    worth less than as many items of their own. See `korn_graubard`.

    Parameters
    ----------
    counts, of : numpy.ndarray of int, shape (cells,)
        Items that count, and items, of each.

    Examples
    --------
    >>> found = clustered_share("found", np.array([5, 0, 5, 0]), np.array([5, 5, 5, 5]))
    >>> {key: round(value, 2) for key, value in found.items()}
    {'found': 50.0, 'found_low': 3.87, 'found_high': 96.13}
    """
    return _columns(name, int(np.sum(counts)), int(np.sum(of)), korn_graubard(counts, of))


def _columns(name: str, count: int, of: int, interval: Interval) -> dict[str, float]:
    low, high = (100 * float(bound) for bound in interval)
    value = 100 * count / of if of else float("nan")
    return {name: value, f"{name}_low": low, f"{name}_high": high}
