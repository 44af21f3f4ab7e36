"""Regression to the mean and false alarms: known worlds, and the same numbers by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from reliable_change.analysis import index_artefacts
from reliable_change.analysis.cells import Cell
from reliable_change.analysis.reliable_change_index import IndexedCell, index_cells
from reliable_change.archive.read import read_archive
from reliable_change.errors import NotInArchive
from reliable_change.stats.reliable_change_index import index_classes, reliable_change_index


def world(chance_source, chance_target, k: int, rng, edge: str = "a→b") -> IndexedCell:
    counts = [
        x
        for chance in (chance_source, chance_target)
        for x in (rng.binomial(k, chance), np.full(chance.size, k))
    ]
    names = np.array([str(i) for i in range(chance_source.size)], dtype=object)
    return IndexedCell(Cell(edge, "quiz", names, *counts), reliable_change_index(*counts))


def test_bins_hold_the_items_of_the_archive(simulated):
    indexed = index_cells(simulated)
    found = index_artefacts.by_difficulty(indexed, draws=3, seed=1)
    assert found["trials"].unique().tolist() == [12]
    for edge, rows in found.groupby("edge"):
        cells = [found for cell, found in indexed if cell.edge == edge]
        assert rows["analysable"].sum() == sum(c.analysable.sum() for c in cells)
        improved = (rows["improved"] * rows["analysable"] / 100).sum()
        assert improved == pytest.approx(sum((index_classes(c) == "improved").sum() for c in cells))


def test_without_change_sorting_by_the_score_makes_some_and_a_fresh_half_none():
    rng = np.random.default_rng(1)
    chance = rng.beta(0.5, 0.5, 20_000)
    found = index_artefacts.by_difficulty([world(chance, chance, 10, rng)], draws=5, seed=1)
    low, high = found.iloc[1], found.iloc[3]
    assert low["change"] > 1.5
    assert high["change"] < -1.5
    assert found["fresh_change"].to_numpy() == pytest.approx(np.zeros(5), abs=0.8)
    # The null has it too, so what stands beyond the null is nothing.
    assert found["null_change"].to_numpy() == pytest.approx(found["change"].to_numpy(), abs=0.8)
    assert found["null_improved"].to_numpy() == pytest.approx(found["improved"].to_numpy(), abs=1.5)


def test_the_fresh_half_shows_what_truly_moved():
    """Every item rises by 0.1: so says a fresh half in every bin, and the score itself in none."""
    rng = np.random.default_rng(2)
    chance = rng.uniform(0, 0.9, 40_000)
    found = index_artefacts.by_difficulty([world(chance, chance + 0.1, 10, rng)], draws=5, seed=1)
    # Sorted by 5 of 10 trials; the other 5 are unbiased for the same items.
    assert found["fresh_change"].to_numpy() == pytest.approx(np.full(5, 10.0), abs=0.6)
    assert found["change"].iloc[0] > 11.5
    assert found["change"].iloc[-1] < 8.5


def test_runs_are_kept_apart_and_subsets_added_up(simulated):
    indexed = index_cells(simulated)
    twice = index_artefacts.by_difficulty(indexed, [*indexed, *indexed], draws=4, seed=1)
    assert len(twice) == 2 * 15
    first, second = twice.iloc[:15], twice.iloc[15:]
    assert (second["analysable"].to_numpy() == 2 * first["analysable"].to_numpy()).all()
    np.testing.assert_allclose(first["change"], second["change"])
    assert len(index_artefacts.by_difficulty(indexed, [], draws=1)) == 15


def test_false_alarms_by_hand():
    rng = np.random.default_rng(3)
    cell = world(rng.beta(0.5, 0.5, 50), rng.beta(0.5, 0.5, 50), 6, rng)
    found = index_artefacts.false_alarms([cell])
    rci = found[found["rule"] == "RCI"].set_index("p")["chance"]
    for p in (0.0, 0.1, 0.5, 1.0):
        chance = sum(
            binom.pmf(a, 6, p) * binom.pmf(b, 6, p)
            for a in range(7)
            for b in range(7)
            if abs(a - b) / 6 > 1.96 * cell.found.s_diff
        )
        assert rci[p] == pytest.approx(100 * chance, abs=1e-9)
    assert rci[0.5] > 5  # most items are near 0 or 1, so the middle cries wolf
    fisher = found[found["rule"] == "Fisher"]
    assert fisher["chance"].max() <= 5
    assert set(found["trials"]) == {6}


def test_uneven_archives_have_curves_at_their_median_k(uneven_k_dir):
    indexed = index_cells(read_archive(uneven_k_dir))
    found = index_artefacts.false_alarms(indexed)
    numbers = [n for cell, _ in indexed for n in (*cell.n_source, *cell.n_target) if n]
    assert found["trials"].unique().tolist() == [int(np.median(numbers))]
    assert found["chance"].between(0, 100 + 1e-9).all()


def test_a_cell_without_an_error_has_no_curve():
    rng = np.random.default_rng(4)
    flat = world(np.zeros(20), np.full(20, 0.5), 6, rng)
    wavy = world(np.linspace(0, 1, 20), np.linspace(0, 1, 20), 6, rng, edge="b→c")
    found = index_artefacts.false_alarms([flat, wavy])
    assert set(found.loc[found["rule"] == "RCI", "edge"]) == {"b→c"}
    with pytest.raises(NotInArchive, match="no cell has a reliability"):
        index_artefacts.false_alarms([flat])
