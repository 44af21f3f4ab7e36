"""Methods that decide for a whole cell: is the aggregate of a benchmark worse on this edge?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from reliable_change.stats.bootstrap import RESAMPLES, stratified_bootstrap
from reliable_change.stats.checks import check_level
from reliable_change.stats.classification import Epsilon
from reliable_change.stats.methods import PAPER, item_methods, pair_trials
from reliable_change.stats.multiplicity import holm
from reliable_change.stats.paired import clustered_gain, mcnemar_exact
from reliable_change.stats.rules import Calls, unpaired_z

_ROUNDING = 1e-12


@dataclass(frozen=True)
class CellMethod:
    """A way to decide which cells of one edge changed.

    ``call(k_source, n_source, k_target, n_target, benchmark, rng)`` takes counts of shape
    (..., items) over all benchmarks of an edge and the benchmark of each item, shape (items,). It
    returns `Calls` of shape (..., benchmarks), in order of first appearance. `nominal` is the
    chance that it promises of calling an unchanged cell regressed; NaN where it promises none.
    """

    name: str
    call: Callable[..., Calls]
    rule: str
    source: str
    nominal: float = float("nan")


def cell_methods(
    epsilon: Epsilon = 0.20, alpha: float = 0.05, resamples: int = RESAMPLES
) -> tuple[CellMethod, ...]:
    """All methods that decide for a whole cell.

    Parameters
    ----------
    epsilon, alpha
        As for `item_methods`.
    resamples : int
        Of the bootstrap.

    Examples
    --------
    >>> methods = {method.name: method for method in cell_methods()}
    >>> counts = [50, 25, 9, 9], 50, [30, 24, 9, 9], 50
    >>> methods["Any drop of Δ"].call(*counts, ["a", "a", "b", "b"], None).regressed.tolist()
    [True, False]
    """
    alpha = check_level("alpha", alpha)
    a = f"{alpha:g}"
    paper = next(method for method in item_methods(epsilon, alpha) if method.name == PAPER)
    return (
        CellMethod("Any drop of Δ", aggregate_drop, "mean p̂ falls, by whatever", "common practice"),
        CellMethod(
            "z-test of responses",
            partial(responses_z, alpha=alpha),
            f"unpaired z-test of the two shares of correct responses, two-sided p ≤ {a}",
            "common practice",
            alpha / 2,
        ),
        CellMethod(
            "McNemar on pairs",
            partial(pooled_pairs, alpha=alpha),
            f"exact one-sided McNemar test on all pairs of trials, p ≤ {a}",
            "When LLMs get significantly worse",
            alpha,
        ),
        CellMethod(
            "Clustered pairs",
            partial(clustered_pairs, alpha=alpha),
            f"gain over pairs of trials, items as clusters, off zero: two-sided p ≤ {a}",
            "Count the Regressions, errors clustered by item",
            alpha / 2,
        ),
        CellMethod(
            "Bootstrap + Holm",
            partial(bootstrap_holm, alpha=alpha, resamples=resamples),
            f"items resampled within each benchmark, Holm over the edge's, two-sided p ≤ {a}",
            "Toloka 2026, as What Aggregate Scores Miss describes it",
            alpha / 2,
        ),
        CellMethod(
            f"Any item ({PAPER})",
            partial(any_item, method=paper),
            "at least one item reliably regressed",
            "What Aggregate Scores Miss, §3.6",
        ),
    )


def aggregate_drop(k_s, n_s, k_t, n_t, benchmark, rng=None) -> Calls:
    """The mean difference of p̂ over a benchmark's testable items falls, or rises, at all.

    Examples
    --------
    >>> aggregate_drop([1, 2, 3], 4, [1, 1, 3], 4, ["a", "a", "b"]).regressed.tolist()
    [True, False]
    """
    delta = sums(np.nan_to_num(differences(k_s, n_s, k_t, n_t)), benchmark)
    return Calls(delta < -_ROUNDING, delta > _ROUNDING)


def responses_z(k_s, n_s, k_t, n_t, benchmark, rng=None, *, alpha: float) -> Calls:
    """`unpaired_z` on all responses of a benchmark, as if each were an item of its own.

    Examples
    --------
    >>> responses_z([40, 25], 50, [20, 25], 50, ["a", "b"], alpha=0.05).regressed.tolist()
    [True, False]
    """
    testable = (np.asarray(n_s) > 0) & (np.asarray(n_t) > 0)
    counts = (sums(np.where(testable, count, 0), benchmark) for count in (k_s, n_s, k_t, n_t))
    return unpaired_z(*(np.rint(count).astype(np.int64) for count in counts), alpha=alpha)


def pooled_pairs(k_s, n_s, k_t, n_t, benchmark, rng, *, alpha: float) -> Calls:
    """McNemar's exact one-sided tests on the pairs of trials of all items of a benchmark.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> pooled_pairs([40, 25], 50, [20, 25], 50, ["a", "b"], rng, alpha=0.05).regressed.tolist()
    [True, False]
    """
    k_s, n_s, k_t, n_t = np.broadcast_arrays(k_s, n_s, k_t, n_t)
    pairs = pair_trials(k_s, n_s, k_t, n_t, rng)
    b, c = (np.rint(sums(count, benchmark)).astype(np.int64) for count in pairs)
    worse, better = (mcnemar_exact(b, c, side) <= alpha for side in ("worse", "better"))
    return Calls(worse, better)


def clustered_pairs(k_s, n_s, k_t, n_t, benchmark, rng, *, alpha: float) -> Calls:
    """`clustered_gain` of each benchmark: its interval at 1 − alpha lies on one side of zero.

    No call where the items give no variance, as when all move alike. Of few items it calls too
    many: 3 to 4 % of cells of 8 unchanged items, half of them settled, where 2.5 % are promised.

    Examples
    --------
    >>> counts = [40, 30, 35, 25], 50, [20, 20, 20, 24], 50
    >>> rng = np.random.default_rng(1)
    >>> clustered_pairs(*counts, ["a", "a", "a", "b"], rng, alpha=0.05).regressed.tolist()
    [True, False]
    """
    k_s, n_s, k_t, n_t = np.broadcast_arrays(k_s, n_s, k_t, n_t)
    pairs = (*pair_trials(k_s, n_s, k_t, n_t, rng), np.minimum(n_s, n_t))
    bounds = [
        clustered_gain(*(count[..., member] for count in pairs), 1 - alpha)[2:]
        for member in members(benchmark)
    ]
    low, high = np.stack(bounds, axis=-1)
    return Calls(high < 0, low > 0)


def bootstrap_holm(k_s, n_s, k_t, n_t, benchmark, rng, *, alpha: float, resamples: int) -> Calls:
    """`stratified_bootstrap` with the benchmarks of the edge as strata, rejected by Holm at alpha.

    Examples
    --------
    >>> k_s, k_t = [40, 30, 45, 38, 25, 20], [30, 20, 41, 33, 20, 25]
    >>> counts, names = (k_s, 50, k_t, 50), ["a"] * 4 + ["b"] * 2
    >>> rng = np.random.default_rng(1)
    >>> bootstrap_holm(*counts, names, rng, alpha=0.05, resamples=999).regressed.tolist()
    [True, False]
    """
    difference = differences(k_s, n_s, k_t, n_t)
    found = stratified_bootstrap(difference, benchmark, resamples=resamples, rng=rng)
    rejected = np.apply_along_axis(lambda p: holm(p, alpha).rejected, -1, found.p)
    return Calls(rejected & (found.delta < 0), rejected & (found.delta > 0))


def any_item(k_s, n_s, k_t, n_t, benchmark, rng, *, method) -> Calls:
    """A method of items as one of cells: some item of the benchmark is called.

    `regressed` and `improved` may then both hold: that is what an aggregate cannot say.

    Examples
    --------
    >>> counts = [50, 25, 9, 9], 50, [30, 45, 9, 9], 50
    >>> any_item(*counts, list("aabb"), None, method=item_methods()[0])
    Calls(regressed=array([ True, False]), improved=array([ True, False]))
    """
    counts = np.broadcast_arrays(k_s, n_s, k_t, n_t)
    found = [
        method.call(*(count[..., member] for count in counts), rng) for member in members(benchmark)
    ]
    return Calls(
        *(
            np.stack([part.any(axis=-1) for part in parts], axis=-1)
            for parts in zip(*found, strict=True)
        )
    )


def differences(k_s, n_s, k_t, n_t) -> np.ndarray:
    """p̂_target − p̂_source of each item, NaN where a side has no trial.

    Examples
    --------
    >>> differences([1, 0], [2, 0], [2, 1], 2).tolist()
    [0.5, nan]
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        difference = np.true_divide(k_t, n_t) - np.true_divide(k_s, n_s)
    return np.where(np.isfinite(difference), difference, np.nan)


def sums(values: np.ndarray, benchmark) -> np.ndarray:
    """Sum over the items of each benchmark, along the last axis, in order of first appearance.

    Examples
    --------
    >>> sums(np.array([[1, 2, 3], [4, 5, 6]]), ["b", "a", "b"]).tolist()
    [[4.0, 2.0], [10.0, 5.0]]
    """
    values, _ = np.broadcast_arrays(values, benchmark)
    return values @ np.array(members(benchmark), dtype=float).T


def members(benchmark) -> list[np.ndarray]:
    """Which items are of each benchmark, in order of first appearance.

    Examples
    --------
    >>> [mine.tolist() for mine in members(["b", "a", "b"])]
    [[True, False, True], [False, True, False]]
    """
    benchmark = np.asarray(benchmark)
    return [benchmark == name for name in dict.fromkeys(benchmark.tolist())]
