"""Methods that decide for a whole cell, on the cells of one archive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
import pandas as pd

from reliable_change.analysis.cells import Cell
from reliable_change.analysis.methods.counting import (
    DRAWS,
    Counts,
    clustered_share,
    scored_items,
    trial_numbers,
)
from reliable_change.stats.cell_methods import CellMethod, differences
from reliable_change.stats.dealing import shuffled_labels

VERDICTS = {(True, False): "worse", (False, True): "better", (True, True): "both"}


def cell_verdicts(
    cells: Sequence[Cell], methods: Sequence[CellMethod], *, rng: np.random.Generator
) -> pd.DataFrame:
    """What each method says of each cell.

    Returns
    -------
    DataFrame
        edge, benchmark, delta (points, mean over testable items), and a column for each method by
        its name: worse, better, both (only where single items speak) or –.
    """
    columns = ["edge", "benchmark", "delta", *(method.name for method in methods)]
    frames = [pd.DataFrame(columns=columns)]
    for edge, benchmarks, counts, item_benchmark in _edges(cells):
        delta = 100 * differences(*counts)
        frame = pd.DataFrame(
            {
                "edge": edge,
                "benchmark": benchmarks,
                "delta": [delta[item_benchmark == name].mean() for name in benchmarks],
            }
        )
        for method in methods:
            calls = method.call(*counts, item_benchmark, rng)
            pairs = zip(calls.regressed.tolist(), calls.improved.tolist(), strict=True)
            frame[method.name] = [VERDICTS.get(pair, "–") for pair in pairs]
        frames.append(frame)
    return pd.concat(frames[1:] or frames, ignore_index=True)


def cell_alarms(
    cells: Sequence[Cell],
    methods: Sequence[CellMethod],
    *,
    draws: int = DRAWS,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """How often each method calls a cell worse when labels are shuffled: nothing changed.

    Returns
    -------
    DataFrame
        method, nominal (% that it promises; NaN: nothing), cells (judged, over draws), alarm (% of
        them called worse), alarm_low, alarm_high (95 % interval for endless draws
        from these items, with draws as clusters).
    """
    tally = {method.name: np.zeros((2, draws), dtype=np.int64) for method in methods}
    trials = trial_numbers(cells)[-1]
    for _, _, counts, item_benchmark in _edges(cells):
        null = shuffled_labels(*counts, rng, size=(draws, counts[0].size), most=trials)
        for method in methods:
            worse = method.call(*null, item_benchmark, rng).regressed
            tally[method.name] += (worse.sum(axis=1), np.full(draws, worse.shape[1]))
    return pd.DataFrame(
        [
            {
                "method": method.name,
                "nominal": 100 * method.nominal,
                "cells": int(tally[method.name][1].sum()),
                **clustered_share("alarm", *tally[method.name]),
            }
            for method in methods
        ]
    )


def _edges(cells: Sequence[Cell]) -> Iterator[tuple[str, list[str], Counts, np.ndarray]]:
    """Each edge: its benchmarks with testable items, their counts joined, each item's benchmark."""
    for edge, group in groupby(cells, key=lambda cell: cell.edge):
        parts = [(cell.benchmark, scored_items(cell)) for cell in group]
        parts = [(benchmark, counts) for benchmark, counts in parts if counts[0].size]
        if parts:
            benchmarks, counts = zip(*parts, strict=True)
            joined = tuple(np.concatenate(column) for column in zip(*counts, strict=True))
            sizes = [table[0].size for table in counts]
            yield edge, list(benchmarks), joined, np.repeat(np.array(benchmarks), sizes)
