"""The index on archives: tables add up, what is missing is said, subsets are subsets."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reliable_change.analysis import reliable_change_index as rci
from reliable_change.analysis.cells import Cell, thin
from reliable_change.analysis.classification import classify_items
from reliable_change.archive.counts import item_counts
from reliable_change.archive.read import read_archive
from reliable_change.errors import NotInArchive
from reliable_change.stats.reliable_change_index import (
    NOT_TESTABLE,
    index_classes,
    reliable_change_index,
)


@pytest.fixture(scope="module")
def indexed(simulated):
    return rci.index_cells(simulated)


def test_each_cell_is_indexed_from_its_own_counts(simulated, indexed):
    table = rci.table(indexed)
    assert len(table) == 6
    counts = item_counts(simulated)
    for row in table.itertuples():
        source, target = (
            counts[(counts["benchmark"] == row.benchmark) & (counts["model"] == model)]
            for model in row.edge.split("→")
        )
        found = reliable_change_index(
            source["correct"], source["n"], target["correct"], target["n"]
        )
        classes = index_classes(found)
        assert row.s_diff == found.s_diff
        assert row.r_source == found.source.r
        assert row.improved == (classes == "improved").sum()
        assert row.churn == pytest.approx(
            100 * np.isin(classes, ["improved", "deteriorated"]).sum() / found.analysable.sum()
        )
        assert row.delta == pytest.approx(100 * found.difference.mean())
        assert row.outcome == "defined"


def test_the_two_views_hold_the_whole_table(indexed):
    table = rci.table(indexed)
    views = pd.concat([rci.reliability_columns(table), rci.change_columns(table)], axis=1)
    assert set(table.columns) - set(views.columns) == {"items", "undefined", "unchanged", "rises"}


def test_random_splits_stand_beside_their_limit(indexed):
    drawn = rci.drawn_splits(indexed, splits=300, seed=1)
    assert drawn["s_diff"].tolist() == rci.table(indexed)["s_diff"].tolist()
    assert (drawn["r_source"] != drawn["r_source_drawn"]).all()
    for name in ("r_source", "r_target", "s_diff"):
        assert drawn[f"{name}_drawn"].to_numpy() == pytest.approx(drawn[name].to_numpy(), abs=0.03)
    again = rci.drawn_splits(indexed, splits=300, seed=1)
    pd.testing.assert_frame_equal(drawn, again)


def test_items_carry_the_index_and_its_class(indexed):
    items = rci.index_items(indexed)
    assert len(items) == sum(cell.item_id.size for cell, _ in indexed)
    first = items[items["edge"].eq("old→new") & items["benchmark"].eq(indexed[0].cell.benchmark)]
    np.testing.assert_array_equal(first["index"], indexed[0].found.index)
    assert first["difference"].to_numpy() == pytest.approx(
        (first["p_hat_target"] - first["p_hat_source"]).to_numpy()
    )


def test_both_classifications_count_the_same_items(simulated, indexed):
    items = rci.index_items(indexed)
    crossed = rci.cross_classes(items, classify_items(simulated)).set_index("class")
    assert crossed.loc["total", "total"] == len(items)
    for name in rci.SHOWN_CLASSES:
        assert crossed.loc["total", name] == (items["index_class"] == name).sum()
    assert crossed.loc["improved", "deteriorated"] == crossed.loc["regressed", "improved"] == 0


def test_uneven_and_missing_trials_are_carried_through(uneven_k_dir):
    archive = read_archive(uneven_k_dir)
    indexed = rci.index_cells(archive)
    table = rci.table(indexed)
    assert table["not_testable"].sum() > 0
    uneven = table[table["benchmark"] == "riddles"]
    assert uneven["min_trials"].isna().all()
    items = rci.index_items(indexed)
    assert items.loc[items["index_class"] == NOT_TESTABLE, "index"].isna().all()
    crossed = rci.cross_classes(items, classify_items(archive)).set_index("class")
    assert crossed.loc["total", "total"] == (items["index_class"] != NOT_TESTABLE).sum()


def test_the_least_shift_in_trials_is_given_where_k_is_common():
    def cell(n_source, n_target):
        sizes = np.array(n_source), np.array(n_target)
        return Cell(
            "a→b", "quiz", np.array(["1", "2"]), 0 * sizes[0], sizes[0], 0 * sizes[1], sizes[1]
        )

    assert rci.common_trials(cell([5, 5], [5, 5])) == 5
    assert rci.common_trials(cell([5, 5], [5, 4])) is None


def test_one_trial_an_item_has_no_index_and_says_so(simulated):
    one = thin(item_counts(simulated), 1, np.random.default_rng(1))
    with pytest.raises(NotInArchive, match="two trials on both sides") as caught:
        rci.index_cells(simulated, counts=one)
    assert "\n" not in str(caught.value)
