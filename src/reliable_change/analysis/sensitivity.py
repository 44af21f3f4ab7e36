"""Table C.5: what the practical-significance threshold ε decides (Appendix C)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from reliable_change.analysis.cells import Cell, iterate_cells, thin_arrays
from reliable_change.archive.read import Archive
from reliable_change.stats.classification import (
    NOT_TESTABLE,
    Classification,
    classify,
    exact_epsilon,
    meets_epsilon,
)

RELIABLE = ("improved", "regressed")
PAPER_EPSILONS = (0.10, 0.15, 0.20, 0.25)
CURVE_EPSILONS = tuple(number / 100 for number in range(2, 72, 2))
CURVE_TRIALS = (2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 75, 100, 150, 200)


def table(
    archive: Archive,
    epsilons: Sequence[float] = PAPER_EPSILONS,
    *,
    alpha: float = 0.05,
    counts: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Shares of reliable items in each cell for each ε, with the test held fixed.

    Parameters
    ----------
    epsilons : sequence of float
        Thresholds in (0, 1], each compared exactly as a decimal.

    Returns
    -------
    DataFrame
        edge, benchmark, epsilon, improved, regressed, changed (percent of testable items),
        in the order of the cells, then of `epsilons`.
    """
    cells = list(iterate_cells(archive, counts))
    tests = [classify(*cell.counts, alpha=alpha) for cell in cells]
    rows = [
        {
            "edge": cell.edge,
            "benchmark": cell.benchmark,
            "epsilon": epsilon,
            **_shares(found, meets_epsilon(*cell.counts, exact_epsilon(epsilon))),
        }
        for cell, found in zip(cells, tests, strict=True)
        for epsilon in epsilons
    ]
    return pd.DataFrame(rows)


def _shares(found: Classification, large: np.ndarray) -> dict[str, float]:
    """Percent of the testable items that are rejected and whose shift is large, by sign."""
    testable = max(int((found.classes != NOT_TESTABLE).sum()), 1)
    reliable = found.rejected & large
    improved = 100.0 * int((reliable & (found.difference > 0)).sum()) / testable
    regressed = 100.0 * int((reliable & (found.difference < 0)).sum()) / testable
    changed = 100.0 * int(reliable.sum()) / testable
    return {"improved": improved, "regressed": regressed, "changed": changed}


def trials_curve(
    archive: Archive,
    *,
    epsilon: float = 0.20,
    alpha: float = 0.05,
    draws: int = 20,
    rng: np.random.Generator,
    counts: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Share of reliably changed items that fewer trials of the same items would have shown.

    Parameters
    ----------
    draws : int
        How many times the trials are drawn, without replacement, for each number of them.

    Returns
    -------
    DataFrame
        trials, edge, benchmark, mean, least, most: the changed share (percent) over the draws.
        The last number of trials is the largest that any item has. Without testable items, a
        cell has no rows.
    """
    cells = [
        cell
        for cell in iterate_cells(archive, counts)
        if np.any((cell.n_source > 0) & (cell.n_target > 0))
    ]
    largest = max((int(max(c.n_source.max(), c.n_target.max())) for c in cells), default=0)
    rows = []
    for trials in [*(k for k in CURVE_TRIALS if k < largest), largest]:
        for cell in cells:
            shares = [
                _changed_share(cell, trials, epsilon, alpha, rng)
                for _ in range(draws if trials < largest else 1)
            ]
            spread = (float(np.mean(shares)), min(shares), max(shares))
            rows.append((trials, cell.edge, cell.benchmark, *spread))
    return pd.DataFrame(rows, columns=["trials", "edge", "benchmark", "mean", "least", "most"])


def _changed_share(cell: Cell, trials: int, epsilon: float, alpha: float, rng) -> float:
    source = thin_arrays(cell.k_source, cell.n_source, trials, rng)
    target = thin_arrays(cell.k_target, cell.n_target, trials, rng)
    found = classify(*source, *target, epsilon=epsilon, alpha=alpha)
    return _shares(found, np.isin(found.classes, RELIABLE))["changed"]
