"""
Solve for the correct counts and single draws of every item: ``data/reconstruction/items.csv``.

Run as ``python -m reliable_change.reconstruction.solve``.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from reliable_change.errors import ReliableChangeError
from reliable_change.paths import PUBLISHED, RECONSTRUCTION
from reliable_change.reconstruction.check import require
from reliable_change.reconstruction.constraints import Rows, benchmark_rows, stack, stratum_rows
from reliable_change.reconstruction.pool import draw_pool
from reliable_change.reconstruction.program import choose
from reliable_change.reconstruction.single_draw import class_flips, solve_draws
from reliable_change.reconstruction.targets import (
    BenchmarkTarget,
    StratumTarget,
    flip_rates,
    read_targets,
)

SEED = 20260817
ATTEMPTS = 5
POOL_LEAST = 4000  # candidates for a small benchmark; a large one has eight times its items
SMALL = 0.1  # a stratum below this share of the items is filled on its own, before the others
Report = Callable[[str], None]


def solve(
    folder: Path = PUBLISHED, *, seed: int = SEED, report: Report = lambda line: None
) -> pd.DataFrame:
    """
    Find items that satisfy every printed number that correct counts and single draws decide.

    Parameters
    ----------
    folder : Path
        The published tables.
    seed : int
        Same seed, same HiGHS: same items.
    report : callable
        Given one line per step.

    Returns
    -------
    pandas.DataFrame
        One row per item: benchmark, item_id, the stratum columns of Table F.9 (empty where a
        benchmark has none), ``correct_<model>`` and ``drawn_<model>``.

    Raises
    ------
    ReliableChangeError
        If a program has no solution, or none is found in time, at every attempt.
    """
    targets, rates = read_targets(folder), flip_rates(folder)
    solved = [_with_retries(target, rates, seed, report) for target in targets]
    counts = [counts for counts, _ in solved]
    drawn = solve_draws(targets, counts, class_flips(folder), rng=np.random.default_rng(seed))
    report("single draws: solved")
    columns = list(dict.fromkeys(column for target in targets for column in target.strata))
    frames = [
        _frame(target, k, labels, d, columns)
        for target, (k, labels), d in zip(targets, solved, drawn, strict=True)
    ]
    return pd.concat(frames, ignore_index=True)


def choose_items(
    target: BenchmarkTarget, rates: dict[str, tuple[float, float]], *, rng: np.random.Generator
) -> np.ndarray:
    """
    Choose a benchmark's correct counts, shape (items, models), to satisfy all but the strata.

    The order is random. Raises as :func:`~reliable_change.reconstruction.program.choose`.
    """
    every = target.items * target.trials * len(target.models)
    equivalent = np.mean([cell.equivalent for cell in target.cells.values()]) / target.items
    pool = draw_pool(
        max(POOL_LEAST, 8 * target.items),
        len(target.models),
        target.trials,
        level=sum(target.correct.values()) / every,
        settled=0.9 * equivalent,
        rng=rng,
    )
    number = stack([(np.ones(len(pool)), target.items, target.items)], len(pool))
    shared = benchmark_rows(pool, target, rates)
    cost = rng.random((1, len(pool)))
    chosen = choose(shared, {"all": number}, cost=cost, what=target.name)["all"]
    return pool[rng.permutation(chosen)]


def label_items(
    counts: np.ndarray,
    target: BenchmarkTarget,
    strata: tuple[StratumTarget, ...],
    *,
    rng: np.random.Generator,
) -> np.ndarray:
    """
    Share the items out among the levels of one stratum column, as Table F.9 prints them.

    Small strata first, each on its own, smallest first; then the others at once.

    Returns
    -------
    ndarray of str, shape (items,)
    """
    labels = np.full(len(counts), "", dtype=object)
    size = SMALL * target.items
    small = sorted((s for s in strata if s.items < size), key=lambda s: s.items)
    large = [s for s in strata if s.items >= size]
    for batch in [*([s] for s in small), large]:
        free = np.flatnonzero(labels == "")
        groups = {s.level: stratum_rows(counts[free], target, s) for s in batch}
        found = _share_out(groups, len(free), batch is large, target.name, rng)
        for level, members in found.items():
            labels[free[members]] = level
    return labels


def _share_out(
    groups: dict[str, Rows], n: int, use_all: bool, name: str, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    what = f"{name}, {', '.join(groups)}"
    return choose(None, groups, cost=rng.random((len(groups), n)), what=what, use_all=use_all)


def _with_retries(
    target: BenchmarkTarget, rates: dict[str, tuple[float, float]], seed: int, report: Report
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Counts and labels of one benchmark; a pool that leads nowhere is drawn anew."""
    for attempt in range(1, ATTEMPTS + 1):
        rng = np.random.default_rng([seed, attempt])
        begun = time.perf_counter()
        try:
            counts = choose_items(target, rates, rng=rng)
            report(f"{target.name}: counts solved in {time.perf_counter() - begun:.0f} s")
            begun = time.perf_counter()
            labels = {
                column: label_items(counts, target, strata, rng=rng)
                for column, strata in target.strata.items()
            }
        except ReliableChangeError as error:
            report(f"attempt {attempt} of {ATTEMPTS}: {error}")
            continue
        report(f"{target.name}: strata solved in {time.perf_counter() - begun:.0f} s")
        return counts, labels
    raise ReliableChangeError(
        f"{target.name}: no solution in {ATTEMPTS} attempts; try another --seed, "
        "and check the transcription in data/published"
    )


def _frame(
    target: BenchmarkTarget,
    counts: np.ndarray,
    labels: dict[str, np.ndarray],
    drawn: np.ndarray,
    columns: list[str],
) -> pd.DataFrame:
    """The rows of one benchmark."""
    stem = target.name.replace(" ", "-")
    table = {
        "benchmark": target.name,
        "item_id": [f"{stem}-{i:04d}" for i in range(1, len(counts) + 1)],
        **{column: labels.get(column, "") for column in columns},
        **{f"correct_{m}": counts[:, i] for i, m in enumerate(target.models)},
        **{f"drawn_{m}": drawn[:, i] for i, m in enumerate(target.models)},
    }
    return pd.DataFrame(table)


def write_items(items: pd.DataFrame, path: Path) -> Path:
    """Write beside and rename, so that a broken run leaves the old file as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".csv.part")
    items.to_csv(beside, index=False, lineterminator="\n")
    return beside.replace(path)


def main(argv: list[str] | None = None) -> int:
    """Command line: solve, check, write; 1 and one clear line if that fails."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, default=RECONSTRUCTION / "items.csv")
    options = parser.parse_args(argv)
    try:
        items = solve(seed=options.seed, report=lambda line: print(line, flush=True))
        require(items)
    except ReliableChangeError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"every constraint holds; wrote {write_items(items, options.out)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
