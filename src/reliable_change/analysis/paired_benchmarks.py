"""One decision from several benchmarks, and scores that are not just right or wrong (004)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from reliable_change.analysis.paired_tests import CELL
from reliable_change.stats.aggregation import any_of_three, max_drop_monte_carlo, standardised_drop
from reliable_change.stats.classification import NOT_TESTABLE
from reliable_change.stats.permutation import paired_permutation


def aggregate(
    cells: pd.DataFrame, *, alpha: float = 0.05, draws: int = 100_000, rng: np.random.Generator
) -> pd.DataFrame:
    """One decision per edge from all its benchmarks: pooled, max-drop, Fisher, any of the three.

    Parameters
    ----------
    cells : DataFrame
        From `table`.
    alpha : float
        Level of each of the three tests; the rule as a whole has at most three times that.
    draws : int
        Of max-drop's Monte Carlo null.
    rng : numpy.random.Generator
        For these draws.

    Returns
    -------
    DataFrame
        edge, tasks, without_flips (tasks in which nothing changed), b, c, pooled, max_drop
        (exact), drawn, drawn_low, drawn_high (by Monte Carlo, with its exact 95 % error bar),
        fisher (p-values, one-sided), worst (the task of the largest standardised degradation),
        flagged.
    """
    rows = []
    for edge, tasks in cells.groupby("edge", sort=False):
        b, c = tasks["b"].to_numpy(), tasks["c"].to_numpy()
        found = any_of_three(b, c, alpha)
        drawn = max_drop_monte_carlo(b, c, draws=draws, rng=rng)
        rows.append(
            {
                "edge": edge,
                "tasks": len(tasks),
                "without_flips": int(np.sum(b + c == 0)),
                "b": b.sum(),
                "c": c.sum(),
                "pooled": float(found.pooled),
                "max_drop": float(found.max_drop),
                "drawn": drawn.p,
                "drawn_low": drawn.low,
                "drawn_high": drawn.high,
                "fisher": float(found.fisher),
                "worst": tasks["benchmark"].iloc[standardised_drop(b, c).argmax()]
                if np.any(b + c)
                else "–",
                "flagged": "yes" if found.rejected else "no",
            }
        )
    return pd.DataFrame(rows)


def permutation_table(
    items: pd.DataFrame,
    scores: pd.DataFrame,
    *,
    draws: int = 9999,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """The paired permutation test on each cell's scores that are not just right or wrong.

    Parameters
    ----------
    items, scores : DataFrame
        From `verdicts` and `mean_scores`. A benchmark with numeric scores on both sides is tested
        on their means, any other on p̂, the share of an item's trials that are correct. p̂ is that
        of the counts in `items`, which may have been thinned; scores always are of all trials.

    Returns
    -------
    DataFrame
        edge, benchmark, tested ("score, all trials" or p̂), items, difference (in points for p̂),
        p_worse, worse_low, worse_high (error bar of a drawn p), p, exact (yes or no).
    """
    tested = items[items["flip"] != NOT_TESTABLE]
    sides = tested["edge"].str.split("→")
    tested = tested.assign(source=sides.str[0], target=sides.str[1])
    by_model = scores.astype({"benchmark": object, "item_id": object, "model": object})
    for side in ("source", "target"):
        score = by_model.rename(columns={"model": side, "score": f"score_{side}"})
        tested = tested.merge(score, on=["benchmark", "item_id", side], how="left")
    rows = []
    for (edge, benchmark), cell in tested.groupby(CELL, sort=False):
        scored = cell[["score_source", "score_target"]].dropna()
        if len(scored):
            kind, (source, target) = "score, all trials", scored.to_numpy().T
        else:
            kind = "p̂"
            source = 100 * (cell["k_source"] / cell["n_source"]).to_numpy()
            target = 100 * (cell["k_target"] / cell["n_target"]).to_numpy()
        settings = {"draws": draws, "rng": rng}
        worse = paired_permutation(source, target, alternative="worse", **settings)
        two = paired_permutation(source, target, **settings)
        rows.append(
            {
                "edge": edge,
                "benchmark": benchmark,
                "tested": kind,
                "items": len(source),
                "difference": two.difference,
                "p_worse": worse.p,
                "worse_low": worse.low,
                "worse_high": worse.high,
                "p": two.p,
                "exact": "yes" if two.exact else "no",
            }
        )
    return pd.DataFrame(rows)
