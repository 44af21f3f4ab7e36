"""How long the permutation null takes, beside the loop anyone would write and numpy's draws.

Everything is measured in one run, as processor time of one core. Where the other way would take
too long it is run on a part of the work and scaled up; the note says on what part.
"""

from __future__ import annotations

import tracemalloc
from time import process_time

import numpy as np
from scipy.stats import fisher_exact
from statsmodels.stats.multitest import multipletests

from reliable_change.stats.fisher import margin
from reliable_change.stats.null import permutation_null

K, EPSILON, ALPHA = 50, 0.20, 0.05
SIZES = (500, 100, 300)  # items per benchmark, three edges each
Cell = tuple[np.ndarray, np.ndarray]  # correct trials of K, source and target


def simulated_cells(seed: int = 20260817) -> list[Cell]:
    """Nine cells like the paper's: about 40 % of the items at 0 or K on both sides."""
    rng = np.random.default_rng(seed)
    cells = []
    for items in SIZES * 3:
        settled = rng.random(items) < 0.4
        source = np.where(settled, rng.random(items) < 0.6, rng.beta(0.7, 0.7, items))
        moved = np.clip(source + rng.normal(0, 0.25, items), 0, 1)
        target = np.where(settled, source, moved)
        cells.append((rng.binomial(K, source), rng.binomial(K, target)))
    return cells


def run(replications: int = 1000, many: int = 1_000_000) -> list[dict]:
    """Measure, and return one row per comparison: name, ours, theirs, ratio and note."""
    cells = simulated_cells()
    return [
        against_the_loop(cells, replications),
        against_hypergeometric_draws(cells, many),
        peak_memory(cells, many),
    ]


def ours(cells: list[Cell], replications: int) -> float:
    """Seconds for the null of all cells."""
    rng = np.random.default_rng(1)
    start = process_time()
    for source, target in cells:
        permutation_null(
            source, K, target, K, epsilon=EPSILON, alpha=ALPHA, replications=replications, rng=rng
        )
    return process_time() - start


def naive_replication(source: np.ndarray, target: np.ndarray, rng: np.random.Generator) -> int:
    """One replication of one cell, item by item, with scipy and statsmodels."""
    total = source + target
    dealt = rng.hypergeometric(total, 2 * K - total, K)
    p = [
        fisher_exact([[a, K - a], [t - a, K - t + a]]).pvalue
        for a, t in zip(dealt, total, strict=True)
    ]
    rejected = multipletests(p, alpha=ALPHA, method="fdr_bh")[0]
    return int(np.sum(rejected & (np.abs(total - 2 * dealt) >= round(EPSILON * K))))


def against_the_loop(cells: list[Cell], replications: int, part: int = 2) -> dict:
    """Nothing cached beforehand on our side; `part` replications of every cell on theirs."""
    margin.cache_clear()
    seconds = ours(cells, replications)
    rng = np.random.default_rng(2)
    start = process_time()
    for source, target in cells:
        for _ in range(part):
            naive_replication(source, target, rng)
    loop = (process_time() - start) / part * replications
    note = f"loop: {part} of {replications:,} replications of all nine cells, scaled"
    return row(f"nine-cell null, {replications:,} replications (s)", seconds, loop, note)


def against_hypergeometric_draws(cells: list[Cell], replications: int, part: int = 500) -> dict:
    """Numpy's time merely to draw what the plain simulation would need."""
    seconds = ours(cells, replications)
    rng = np.random.default_rng(3)
    start = process_time()
    for source, target in cells:
        total = source + target
        rng.hypergeometric(total, 2 * K - total, K, size=(part, total.size))
    draws = (process_time() - start) / part * replications
    note = f"numpy: only the draws, {part} of {replications:,} replications, scaled"
    return row(f"nine-cell null, {replications:,} replications (s)", seconds, draws, note)


def peak_memory(cells: list[Cell], replications: int) -> dict:
    """Peak of what is allocated, with all the replications and with a tenth of them."""
    few = replications // 10
    peaks = []
    for count in (replications, few):
        tracemalloc.start()
        ours(cells, count)
        peaks.append(tracemalloc.get_traced_memory()[1] / 1e6)
        tracemalloc.stop()
    name = f"nine-cell null, {replications:,} replications (MB at peak)"
    return row(name, *peaks, f"against {few:,} replications: flat if the ratio is 1")


def row(name: str, ours: float, theirs: float, note: str) -> dict:
    return {"name": name, "ours": ours, "theirs": theirs, "ratio": theirs / ours, "note": note}


if __name__ == "__main__":
    for line in run():
        print("{name}: {ours:.3g} against {theirs:.3g}, {ratio:.3g} times; {note}".format(**line))
