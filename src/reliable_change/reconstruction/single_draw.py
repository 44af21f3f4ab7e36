"""Which trial's outcome the single draw meets: one 0 or 1 per item and model (B.3, B.4)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
from scipy import sparse
from scipy.optimize import LinearConstraint

from reliable_change.paths import PUBLISHED
from reliable_change.published.tables import read_table
from reliable_change.reconstruction.program import solve_binary
from reliable_change.reconstruction.targets import FLIPS, BenchmarkTarget
from reliable_change.stats.classification import CLASSES, classify

SIGNS = (1, -1)  # a flip to correct, a flip to wrong
Flips = tuple[int, int]


def class_flips(folder: Path = PUBLISHED) -> dict[str, Flips]:
    """Printed flips to correct and to wrong of every class, over all cells (Table B.4)."""
    table = read_table("table_b4", folder).set_index("class")
    return {name: tuple(table.loc[name, FLIPS].astype(int)) for name in CLASSES}


def solve_draws(
    targets: Sequence[BenchmarkTarget],
    counts: Sequence[np.ndarray],
    by_class: dict[str, Flips],
    *,
    rng: np.random.Generator,
    **options: float,
) -> list[np.ndarray]:
    """
    Choose one outcome per item and model so that the flips print as in Tables B.3 and B.4.

    Parameters
    ----------
    targets : sequence of BenchmarkTarget
    counts : sequence of ndarray of int, shape (items, models)
        Correct trials of each benchmark's items, in the order of ``targets``.
    by_class : dict
        Flips to correct and to wrong of every class, over all cells; see :func:`class_flips`.
    rng : numpy.random.Generator
        The outcomes are as likely as the counts make them, tilted no more than the printed flips
        demand: each pattern costs its negative log-likelihood plus Gumbel noise.
    **options
        ``time_limit`` and ``gap`` of :func:`~reliable_change.reconstruction.program.solve_binary`.

    Returns
    -------
    list of ndarray of int, shape (items, models)
        0 or 1; never 1 where no trial is correct, never 0 where all are.

    Raises
    ------
    ReliableChangeError
        If no choice of outcomes has the printed flips.
    """
    patterns = np.array(list(product((0, 1), repeat=counts[0].shape[1])))
    likelihood = np.concatenate(
        [_likelihood(c / t.trials, patterns) for t, c in zip(targets, counts, strict=True)]
    )
    rows, wanted = _flip_rows(targets, counts, by_class, patterns)
    one_each = sparse.kron(sparse.eye(len(likelihood)), np.ones((1, len(patterns))), "csr")
    with np.errstate(divide="ignore"):
        cost = rng.gumbel(size=likelihood.shape) - np.log(likelihood)
    possible = likelihood > 0
    cost = np.where(possible, cost - cost.min(axis=1, keepdims=True), 0)
    chosen = solve_binary(
        cost.ravel(),
        [LinearConstraint(one_each, 1, 1), LinearConstraint(rows, wanted, wanted)],
        what="single draw (Tables B.3 and B.4)",
        allowed=possible.ravel().astype(int),
        **{"gap": 0.02, **options},
    )
    drawn = patterns[chosen.reshape(likelihood.shape).argmax(axis=1)]
    return np.split(drawn, np.cumsum([*map(len, counts)])[:-1])


def _likelihood(passing: np.ndarray, patterns: np.ndarray) -> np.ndarray:
    """Chance of every pattern for every item, shape (items, patterns)."""
    p = passing[:, None, :]
    return np.where(patterns == 1, p, 1 - p).prod(axis=2)


def _flip_rows(
    targets: Sequence[BenchmarkTarget],
    counts: Sequence[np.ndarray],
    by_class: dict[str, Flips],
    patterns: np.ndarray,
) -> tuple[sparse.csr_matrix, np.ndarray]:
    """Flips per cell and per class as rows over (item, pattern), and what they must come to."""
    start = np.cumsum([0, *map(len, counts)])
    shape = (start[-1], len(patterns))
    in_class = {(name, sign): np.zeros(shape) for name in by_class for sign in SIGNS}
    rows, wanted = [], []
    for target, k, first in zip(targets, counts, start[:-1], strict=True):
        mine = slice(first, first + len(k))
        for edge, cell in target.cells.items():
            source, to = target.ends(edge)
            step = patterns[:, to] - patterns[:, source]
            found = classify(k[:, source], target.trials, k[:, to], target.trials).classes
            for sign, printed in zip(SIGNS, (cell.to_correct, cell.to_wrong), strict=True):
                row = np.zeros(shape)
                row[mine] = step == sign
                rows.append(row.ravel())
                wanted.append(printed)
                for name in by_class:
                    in_class[name, sign][mine] += np.outer(found == name, step == sign)
    rows += [row.ravel() for row in in_class.values()]
    wanted += [flips for name in by_class for flips in by_class[name]]
    return sparse.csr_matrix(np.array(rows)), np.array(wanted)
