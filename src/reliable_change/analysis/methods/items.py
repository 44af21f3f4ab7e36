"""Methods that decide item by item, on the cells of one archive."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from tqdm import tqdm

from reliable_change.analysis.cells import Cell, Values, as_text_values, iterate_cells
from reliable_change.analysis.methods.counting import (
    DRAWS,
    Counts,
    called,
    clustered_share,
    fewer_trials,
    halves,
    scored_items,
    trial_numbers,
)
from reliable_change.analysis.single_draw import draw_trials
from reliable_change.archive.read import Archive
from reliable_change.stats.dealing import shuffled_labels
from reliable_change.stats.methods import Method

KEY = ["edge", "benchmark", "item_id"]


def called_regressed(
    archive: Archive,
    methods: Sequence[Method],
    *,
    seed: int,
    counts: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Which items each method calls regressed.

    A method of a single trial gets the trial that `analysis.single_draw` draws, keyed to the item.

    Returns
    -------
    DataFrame
        edge, benchmark, item_id and a column of bool for each method by its name; a row for each
        testable item of each cell.
    """
    rng = np.random.default_rng(seed)
    drawn = draw_trials(archive, seed=seed, counts=counts)
    frames = []
    pairs = zip(iterate_cells(archive, counts), iterate_cells(archive, drawn), strict=True)
    for cell, single in pairs:
        kept = (cell.n_source > 0) & (cell.n_target > 0)
        frame = pd.DataFrame(
            {"edge": cell.edge, "benchmark": cell.benchmark, "item_id": cell.item_id[kept]}
        )
        once = scored_items(single)
        for method in methods:
            chosen = once if method.trials == 1 else scored_items(cell)
            frame[method.name] = method.call(*chosen, rng).regressed
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def call_counts(calls: pd.DataFrame, methods: Sequence[Method]) -> pd.DataFrame:
    """How many items each method calls regressed, and how many of those the first calls too.

    Returns
    -------
    DataFrame
        method, regressed (item–edge pairs), percent (of the testable ones), also (called by the
        first method too), only (by the first and not by this one), alone (by no other method).
    """
    names = [method.name for method in methods]
    found = calls[names].to_numpy(dtype=bool)
    first, votes = found[:, 0], found.sum(axis=1)
    rows = [
        {
            "method": name,
            "regressed": int(mine.sum()),
            "percent": 100 * mine.mean() if len(mine) else float("nan"),
            "also": int((mine & first).sum()),
            "only": int((first & ~mine).sum()),
            "alone": int((mine & (votes == 1)).sum()),
        }
        for name, mine in zip(names, found.T, strict=True)
    ]
    return pd.DataFrame(rows)


def overlap(calls: pd.DataFrame, methods: Sequence[Method]) -> pd.DataFrame:
    """For each pair of methods, how many items both call regressed.

    Returns
    -------
    DataFrame
        method, other, both, of (items that `method` calls).
    """
    names = [method.name for method in methods]
    found = calls[names].to_numpy(dtype=np.int64)
    both = found.T @ found
    return pd.DataFrame(
        [
            (name, other, int(both[i, j]), int(both[i, i]))
            for i, name in enumerate(names)
            for j, other in enumerate(names)
        ],
        columns=["method", "other", "both", "of"],
    )


def false_alarms(
    cells: Sequence[Cell],
    methods: Sequence[Method],
    *,
    draws: int = DRAWS,
    at_all: int | None = None,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """How often each method calls an item changed when labels are shuffled: nothing changed.

    Parameters
    ----------
    draws, at_all : int
        Draws for each number of trials; for all trials `at_all`, where it is given.

    Returns
    -------
    DataFrame
        method, trials, items (judged, over cells and draws), alarm (% of them called either way),
        alarm_low, alarm_high, cells (judged), any (% of them with a call), any_low, any_high. The
        bounds are 95 % intervals for endless draws from these items, with draws as clusters.
    """
    frames, numbers = [], trial_numbers(cells)
    for trials in tqdm(numbers, desc="shuffled labels", leave=False):
        times = at_all if at_all and trials == numbers[-1] else draws
        nulls = (
            shuffled_labels(*counts, rng, size=(times, counts[0].size), most=trials)
            for counts in map(scored_items, cells)
        )
        frames.append(_alarms(nulls, methods, times, rng).assign(trials=trials))
    return _trials_first(frames)


def halves_alarms(
    counts: pd.DataFrame,
    methods: Sequence[Method],
    *,
    draws: int = DRAWS,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """How often each method calls an item changed between two halves of one model's trials.

    Parameters
    ----------
    counts : DataFrame
        As `item_counts` gives it; every model on every benchmark is split.

    Returns
    -------
    DataFrame
        As `false_alarms`; trials is the largest half.
    """
    sides = [
        (side["correct"].to_numpy(), side["n"].to_numpy())
        for _, side in counts.groupby(["benchmark", "model"], observed=True, sort=False)
    ]
    split = (halves(k, n, draws, rng) for k, n in sides)
    largest = max((int(n.max()) // 2 for _, n in sides), default=0)
    return _trials_first([_alarms(split, methods, draws, rng).assign(trials=largest)])


def _alarms(nulls, methods: Sequence[Method], draws: int, rng) -> pd.DataFrame:
    tally = {method.name: np.zeros((4, draws), dtype=np.int64) for method in methods}
    for counts in nulls:
        for method in methods:
            calls = called(method.call(*counts, rng))
            items = calls.shape[1]
            wrong, any_wrong, one = calls.sum(axis=1), calls.any(axis=1), np.ones(draws, np.int64)
            tally[method.name] += (wrong, items * one, any_wrong, bool(items) * one)
    return pd.DataFrame(
        [
            {
                "method": name,
                "items": int(items.sum()),
                **clustered_share("alarm", wrong, items),
                "cells": int(cells.sum()),
                **clustered_share("any", any_wrong, cells),
            }
            for name, (wrong, items, any_wrong, cells) in tally.items()
        ]
    )


def found_again(
    cells: Sequence[Cell],
    methods: Sequence[Method],
    *,
    draws: int = DRAWS,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """How many of the first method's changes at all trials each method finds with fewer trials.

    A change is found if it is called in its direction. Trials are drawn at random without
    replacement, `draws` times.

    Returns
    -------
    DataFrame
        method, trials, changes, found (% of the changes, mean of the draws), found_low,
        found_high, calls (their mean number, either way), extra (those that are none of the
        changes), extra_low, extra_high. The bounds hold the middle 95 % of the draws: what one
        study with so many trials would see.
    """
    counts = [scored_items(cell) for cell in cells]
    truth = [methods[0].call(*table, rng) for table in counts]
    changes = int(sum(called(calls).sum() for calls in truth))
    rows = []
    for trials in tqdm(trial_numbers(cells), desc="fewer trials", leave=False):
        tally = {method.name: np.zeros((2, draws), dtype=np.int64) for method in methods}
        for table, true in zip(counts, truth, strict=True):
            fewer = fewer_trials(table, trials, draws, rng)
            for method in methods:
                tally[method.name] += _found_and_called(method, fewer, true, rng)
        rows += [_found_row(name, trials, changes, *both) for name, both in tally.items()]
    return pd.DataFrame(rows)


def found_and_alarms(
    cells: Sequence[Cell],
    methods: Sequence[Method],
    *,
    draws: int = DRAWS,
    at_all: int | None = None,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """`found_again` and `false_alarms` side by side: a row for each method and number of trials."""
    alarms = false_alarms(cells, methods, draws=draws, at_all=at_all, rng=rng)
    found = found_again(cells, methods, draws=draws, rng=rng)
    return found.merge(alarms, on=["method", "trials"], validate="one_to_one")


def text_values(found: pd.DataFrame) -> Values:
    """What the paper's text counts: the changes that all trials show."""
    return as_text_values({"reliable changes": int(found["changes"].iloc[0])})


def _found_and_called(method: Method, counts: Counts, true, rng) -> np.ndarray:
    calls = method.call(*counts, rng)
    found = (calls.regressed & true.regressed) | (calls.improved & true.improved)
    return np.array([found.sum(axis=-1), called(calls).sum(axis=-1)])


def _found_row(name: str, trials: int, changes: int, found, calls) -> dict:
    percent = 100 * found / changes if changes else np.full(found.shape, np.nan)
    extra = calls - found
    return {
        "method": name,
        "trials": trials,
        "changes": changes,
        **_middle("found", percent),
        "calls": float(calls.mean()),
        **_middle("extra", extra),
    }


def _middle(name: str, values: np.ndarray) -> dict[str, float]:
    low, high = np.quantile(values, [0.025, 0.975])
    return {name: float(values.mean()), f"{name}_low": float(low), f"{name}_high": float(high)}


def _trials_first(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    whole = pd.concat(frames, ignore_index=True)
    return whole[["method", "trials", *whole.columns.drop(["method", "trials"])]]
