from __future__ import annotations

import numpy as np
import pytest

from reliable_change.analysis import classification
from reliable_change.archive.counts import item_counts


@pytest.fixture(scope="module")
def items(simulated):
    return classification.classify_items(simulated)


@pytest.fixture(scope="module")
def table(simulated, items):
    return classification.table(items, classification.simulate_null(simulated, seed=4))


def test_shares_of_a_cell_add_up_and_delta_is_a_difference_of_means(simulated, table):
    total = table["changed"] + table["equivalent"] + table["inconclusive"]
    assert total.to_numpy() == pytest.approx(100)
    assert (table["improved"] + table["regressed"]).to_numpy() == pytest.approx(table["changed"])
    counts = item_counts(simulated)
    p_hat = (counts["correct"] / counts["n"]).groupby([counts["benchmark"], counts["model"]]).mean()
    for row in table.itertuples():
        source, target = row.edge.split("→")
        expected = 100 * (p_hat[row.benchmark, target] - p_hat[row.benchmark, source])
        assert row.delta == pytest.approx(expected)


def test_planted_changes_are_found_in_both_directions(table):
    assert (table["improved"] > 0).any()
    assert (table["regressed"] > 0).any()


def test_an_untestable_item_is_counted_apart_and_leaves_the_shares(simulated, items):
    counts = item_counts(simulated)
    edge, benchmark = items[["edge", "benchmark"]].iloc[0]
    victim = (counts["item_id"] == items["item_id"].iloc[0]) & (counts["benchmark"] == benchmark)
    victim &= counts["model"] == edge.split("→")[0]
    counts = counts.assign(
        n=counts["n"].where(~victim, 0), correct=counts["correct"].where(~victim, 0)
    )
    found = classification.classify_items(simulated, counts=counts)
    assert found["class"].iloc[0] == "not testable"
    assert np.isnan(found["difference"].iloc[0])
    null = classification.simulate_null(simulated, counts=counts, replications=10)
    row = classification.table(found, null).iloc[0]
    assert (row["items"], row["not_testable"]) == (29, 1)


def test_every_class_has_a_column_even_if_empty(items):
    counts = classification.class_counts(items)
    assert list(counts.columns[2:]) == [
        "improved", "regressed", "equivalent", "inconclusive", "not testable",
    ]  # fmt: skip
    assert (counts.iloc[:, 2:].sum(axis=1) == [30, 20] * 3).all()


def test_the_null_is_seeded_and_each_cell_has_its_own_stream(simulated):
    first, again, other = (
        classification.simulate_null(simulated, seed=s, replications=5000, alpha=0.5, epsilon=0.1)
        for s in (1, 1, 2)
    )
    same = [np.array_equal(first[c].changed, again[c].changed) for c in first]
    differ = [not np.array_equal(first[c].changed, other[c].changed) for c in first]
    assert all(same)
    assert any(differ)


def test_the_nulls_distribution_adds_up(simulated):
    null = classification.simulate_null(simulated, replications=2000, alpha=0.5, epsilon=0.1)
    shown = classification.null_distribution(null)
    assert shown.groupby(["edge", "benchmark"])["proportion"].sum().to_numpy() == pytest.approx(1)
    assert (shown["changed"] > 0).any()


def test_the_interval_cannot_touch_the_reliable_classes(simulated):
    choice = classification.interval_choice(simulated)
    reliable = choice.groupby(["edge", "benchmark"])[["improved", "regressed"]].nunique()
    assert (reliable == 1).all(axis=None)
    assert choice["interval"].nunique() == 4


def test_changed_items_list_every_reliable_item_worst_first(simulated, items):
    changed = classification.changed_items(simulated, items)
    expected = items[items["class"].isin(["improved", "regressed"])]
    assert len(changed) == len(expected) > 0
    assert changed["difference"].is_monotonic_increasing
    assert (changed["class"].iloc[0], changed["class"].iloc[-1]) == ("regressed", "improved")
