"""Methods in worlds where it is known which items changed: what each misses and invents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from tqdm import tqdm

from reliable_change.analysis.methods.counting import TRIALS, called, clustered_share, share
from reliable_change.stats.cell_methods import CellMethod
from reliable_change.stats.known_truth import draw_trials, plant
from reliable_change.stats.methods import Method
from reliable_change.stats.rules import Calls

WORLDS, ITEMS = 300, 300
SHARE, SIZE = 0.10, 0.40  # planted regressions, and as many improvements, of 40 points
SIZES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
TOSSED = "gains or losses by a coin"
KINDS = {
    "nothing changed": (0.0, 0.0),
    "as many gains as losses": (SHARE, SHARE),
    "losses only": (SHARE, 0.0),
    TOSSED: (SHARE, SHARE),
}
BENCHMARKS = 3  # that the items of an edge are of


def misses_and_alarms(
    methods: Sequence[Method],
    trials: Sequence[int] = TRIALS,
    *,
    size: float = SIZE,
    worlds: int = WORLDS,
    items: int = ITEMS,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """What each method finds of planted changes, and calls of unchanged items, by trials.

    Parameters
    ----------
    methods : sequence of Method
    trials : sequence of int
        Numbers of trials of each item on each side.
    size : float
        Of the planted changes: 10 % of the items lose it, 10 % gain it.
    worlds, items : int
        How many cells, of how many items each. Everything is drawn anew for each number of trials.

    Returns
    -------
    DataFrame
        method, trials, planted, found (% of the planted changes called in their direction),
        found_low, found_high, unchanged, alarm (% of the unchanged items called either way),
        alarm_low, alarm_high, wrong (% of the calls that are not planted changes; NaN without a
        call), wrong_low, wrong_high, any (% of the worlds where nothing changed with any call),
        any_low, any_high. Bounds are 95 % intervals: exact for any, and else with worlds as
        clusters, since a method that looks at a whole cell ties its items together.
    """
    rows = []
    for number in tqdm(trials, desc="worlds", leave=False):
        world = plant(worlds, items, regressed=SHARE, improved=SHARE, size=size, rng=rng)
        still = plant(worlds, items, regressed=0, improved=0, rng=rng)
        counts, null = (draw_trials(chosen, number, rng) for chosen in (world, still))
        for method in methods:
            row = {"method": method.name, "trials": int(number)}
            row |= _judged(method.call(*counts, rng), world.direction)
            invented = called(method.call(*null, rng)).any(axis=1)
            rows.append(row | share("any", int(invented.sum()), worlds))
    return pd.DataFrame(rows)


def _judged(calls: Calls, direction: np.ndarray) -> dict:
    found = (calls.regressed & (direction < 0)) | (calls.improved & (direction > 0))
    right, total = found.sum(axis=1), called(calls).sum(axis=1)
    planted, unchanged = (direction != 0).sum(axis=1), (direction == 0).sum(axis=1)
    alarms = (called(calls) & (direction == 0)).sum(axis=1)
    return {
        "planted": int(planted.sum()),
        **clustered_share("found", right, planted),
        "unchanged": int(unchanged.sum()),
        **clustered_share("alarm", alarms, unchanged),
        **clustered_share("wrong", total - right, total),
    }


def found_by_size(
    methods: Sequence[Method],
    trials: int,
    sizes: Sequence[float] = SIZES,
    *,
    worlds: int = WORLDS // 3,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """What each method finds of planted changes of several sizes, at one number of trials.

    Returns
    -------
    DataFrame
        method, trials, size (points), planted, found, found_low, found_high, as in
        `misses_and_alarms`.
    """
    rows = []
    for size in sizes:
        world = plant(worlds, ITEMS, regressed=SHARE, improved=SHARE, size=size, rng=rng)
        counts = draw_trials(world, trials, rng)
        for method in methods:
            judged = _judged(method.call(*counts, rng), world.direction)
            kept = {name: judged[name] for name in ("planted", "found", "found_low", "found_high")}
            rows.append({"method": method.name, "trials": trials, "size": 100 * size, **kept})
    return pd.DataFrame(rows)


def cells_called_worse(
    methods: Sequence[CellMethod],
    trials: Sequence[int] = TRIALS,
    *,
    size: float = SIZE,
    worlds: int = WORLDS,
    items: int = ITEMS,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """How often each method of cells calls a cell worse, in four kinds of world.

    An edge has three benchmarks of ``items / 3`` items, each planted alike. Where there are as many
    gains as losses, the true Δ of these items is zero although a tenth of them got worse. Where a
    coin decides for each change, Δ is zero on average over worlds, but not of the items of one.

    Returns
    -------
    DataFrame
        world, method, trials, cells, worse (% of them), worse_low, worse_high (95 %, the three
        cells of an edge as a cluster: Holm's correction ties them together).
    """
    benchmark = np.repeat(np.arange(BENCHMARKS), items // BENCHMARKS)
    rows = []
    for kind, shares in KINDS.items():
        shares = dict(zip(("regressed", "improved"), shares, strict=True), size=size)
        for number in tqdm(trials, desc=kind, leave=False):
            world = plant(
                worlds * BENCHMARKS,
                items // BENCHMARKS,
                **shares,
                tossed=kind == TOSSED,
                rng=rng,
            )
            k_s, n, k_t, _ = draw_trials(world, number, rng)
            n = np.tile(n, BENCHMARKS)
            k_s, k_t = (k.reshape(worlds, benchmark.size) for k in (k_s, k_t))
            for method in methods:
                worse = method.call(k_s, n, k_t, n, benchmark, rng).regressed
                row = {"world": kind, "method": method.name, "trials": int(number)}
                row |= {"cells": worse.size}
                row |= clustered_share("worse", worse.sum(axis=1), np.full(worlds, BENCHMARKS))
                rows.append(row)
    return pd.DataFrame(rows)
