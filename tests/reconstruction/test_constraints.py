from __future__ import annotations

import numpy as np
import pytest

from reliable_change.paths import RECONSTRUCTION
from reliable_change.reconstruction.check import read_items
from reliable_change.reconstruction.constraints import (
    benchmark_rows,
    edge_features,
    rejection_rows,
    stack,
    stratum_rows,
)
from reliable_change.reconstruction.targets import flip_rates, read_targets
from reliable_change.stats.classification import classify


def toy(toy_items, toy_folder):
    (target,) = read_targets(toy_folder)
    return toy_items[["correct_old", "correct_new"]].to_numpy(), target


def holds(rows, counts):
    value = rows.matrix @ counts
    return (rows.low <= value) & (value <= rows.high)


def test_features_are_the_classes_of_the_classification(toy_items, toy_folder):
    counts, target = toy(toy_items, toy_folder)
    found = classify(counts[:, 0], target.trials, counts[:, 1], target.trials)
    feature = edge_features(counts, target, ("old", "new"))
    assert found.rejected.any()
    assert np.array_equal(feature.rejected, found.rejected)
    for name in ("improved", "regressed", "equivalent", "inconclusive"):
        assert np.array_equal(feature.in_class(name), found.classes == name)


def test_the_items_behind_the_tables_satisfy_their_rows(toy_items, toy_folder):
    counts, target = toy(toy_items, toy_folder)
    rows = benchmark_rows(counts, target, flip_rates(toy_folder))
    assert holds(rows, np.ones(len(counts))).all()
    for stratum in target.strata["difficulty"]:
        mine = (toy_items.difficulty == stratum.level).to_numpy().astype(int)
        assert holds(stratum_rows(counts, target, stratum), mine).all()


def test_every_missing_item_breaks_a_row(toy_items, toy_folder):
    counts, target = toy(toy_items, toy_folder)
    rows = benchmark_rows(counts, target, flip_rates(toy_folder))
    for item in np.flatnonzero(counts.sum(axis=1)):
        chosen = np.ones(len(counts))
        chosen[item] = 0
        assert not holds(rows, chosen).all()


def test_rejection_rows_hold_exactly_if_benjamini_hochberg_stops_there(toy_items, toy_folder):
    """Items just above the bound (6 against 14 of 20, p = 0.026) are rejected if there are many."""
    items, target = toy(toy_items, toy_folder)
    cell = target.cells["old", "new"]
    stopping = []
    for extra in range(26):
        settled = np.flatnonzero(items[:, 0] == items[:, 1])[:extra]
        counts = np.concatenate([np.delete(items, settled, axis=0), np.tile([6, 14], (extra, 1))])
        found = classify(counts[:, 0], target.trials, counts[:, 1], target.trials).rejected
        stopping.append(found.sum() == cell.rejected)
        feature = edge_features(counts, target, ("old", "new"))
        rows = stack(rejection_rows(feature, cell, target.items), len(counts))
        assert holds(rows, np.ones(len(counts))).all() == stopping[-1]
    assert stopping[0]
    assert not stopping[-1]


def test_the_committed_items_satisfy_every_row():
    """Also those on ordinary single draws, which no printed number demands."""
    items, rates = read_items(RECONSTRUCTION / "items.csv"), flip_rates()
    for target in read_targets():
        mine = items[items.benchmark == target.name]
        counts = mine[[f"correct_{m}" for m in target.models]].to_numpy()
        assert holds(benchmark_rows(counts, target, rates), np.ones(len(counts))).all()


def test_no_rows_are_rows_too():
    assert stack([], 7).matrix.shape == (0, 7)
    with pytest.raises(ValueError, match="reshape"):
        stack([(np.ones(3), 0, 1)], 7)
