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
from reliable_change.stats.index_null import permuted_index_null
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


def test_null_rates_are_those_of_each_cell(indexed):
    rates = rci.null_rates(indexed, replications=300, seed=5)
    assert len(rates) == 3 * len(indexed)
    cell = indexed[1].cell
    row = rates[(rates["edge"] == cell.edge) & (rates["benchmark"] == cell.benchmark)].iloc[0]
    again = permuted_index_null(
        *cell.counts, replications=300, rng=np.random.default_rng([5, 1, 0])
    )
    assert row["rate"] == 100 * again.rate().mean
    assert row["items"] == again.fired.mean()
    assert row["any"] == 100 * (again.fired > 0).mean()
    table = rci.table(indexed)
    permuted = rates[rates["null"] == "labels permuted"]
    found = (table["improved"] + table["deteriorated"]).tolist()
    assert permuted["found"].tolist() == found
    assert (rates["low"] <= rates["rate"]).all()


def test_fewer_trials_are_subsets_of_the_same_items(simulated, indexed):
    subsets = rci.fewer_trials(simulated, indexed, 5, draws=3, seed=4)
    assert len(subsets) == 3
    for subset in subsets:
        for (fewer, _), (whole, _) in zip(subset, indexed, strict=True):
            assert (fewer.n_source == np.minimum(whole.n_source, 5)).all()
            assert (fewer.k_source <= whole.k_source).all()
    again = rci.fewer_trials(simulated, indexed, 5, draws=1, seed=4)
    assert (again[0][0].cell.k_source == subsets[0][0].cell.k_source).all()
    assert any((subsets[0][i].cell.k_source != subsets[1][i].cell.k_source).any() for i in range(6))


def test_the_table_of_subsets_holds_their_means(simulated, indexed):
    subsets = rci.fewer_trials(simulated, indexed, 5, draws=3, seed=4)
    table = rci.fewer_trials_table(subsets, seed=1)
    each = [rci.table(subset) for subset in subsets]
    assert table["analysable"].tolist() == pytest.approx(
        np.mean([one["analysable"] for one in each], axis=0).tolist()
    )
    assert table["churn_low"].tolist() == np.min([one["churn"] for one in each], axis=0).tolist()
    assert table["null_rate"].between(0, 100).all()


def test_as_many_trials_as_there_are_leave_nothing_out(simulated, indexed):
    with pytest.raises(NotInArchive, match="more than 12 trials"):
        rci.fewer_trials(simulated, indexed, 12)
