"""Table C.5: what the practical-significance threshold ε decides (Appendix C)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from reliable_change.analysis.cells import thin
from reliable_change.analysis.classification import classify_items
from reliable_change.archive.counts import item_counts
from reliable_change.archive.read import Archive
from reliable_change.stats.classification import NOT_TESTABLE

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
    counts = item_counts(archive) if counts is None else counts
    frames = [
        _shares(classify_items(archive, epsilon=e, alpha=alpha, counts=counts), e) for e in epsilons
    ]
    rows = pd.concat(frames, ignore_index=True)
    order = {cell: number for number, cell in enumerate(_cells(frames[0]))}
    rank = [order[cell] for cell in _cells(rows)]
    return (
        rows.assign(rank=rank)
        .sort_values("rank", kind="stable")
        .drop(columns="rank")
        .reset_index(drop=True)
    )


def _cells(frame: pd.DataFrame) -> list[tuple[str, str]]:
    return list(zip(frame["edge"], frame["benchmark"], strict=True))


def _shares(items: pd.DataFrame, epsilon: float) -> pd.DataFrame:
    tested = items[items["class"] != NOT_TESTABLE]
    marks = pd.DataFrame(
        {
            "edge": tested["edge"],
            "benchmark": tested["benchmark"],
            "epsilon": epsilon,
            "improved": 100.0 * (tested["class"] == "improved"),
            "regressed": 100.0 * (tested["class"] == "regressed"),
        }
    )
    shares = marks.groupby(["edge", "benchmark", "epsilon"], sort=False).mean().reset_index()
    return shares.assign(changed=shares["improved"] + shares["regressed"])


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
        The last number of trials is the largest that any item has.
    """
    counts = item_counts(archive) if counts is None else counts
    largest = int(counts["n"].max())
    frames = []
    for trials in [*(k for k in CURVE_TRIALS if k < largest), largest]:
        for _ in range(draws if trials < largest else 1):
            thinned = thin(counts, trials, rng)
            items = classify_items(archive, epsilon=epsilon, alpha=alpha, counts=thinned)
            frames.append(_shares(items, epsilon).assign(trials=trials))
    groups = pd.concat(frames).groupby(["trials", "edge", "benchmark"], sort=False)["changed"]
    return groups.agg(mean="mean", least="min", most="max").reset_index()
