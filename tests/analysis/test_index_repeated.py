"""False alarms of each cell, and subsets of its trials, against the same computed one by one."""

from __future__ import annotations

import numpy as np
import pytest

from reliable_change.analysis import index_repeated
from reliable_change.analysis import reliable_change_index as rci
from reliable_change.errors import NotInArchive
from reliable_change.stats.index_null import permuted_index_null


@pytest.fixture(scope="module")
def indexed(simulated):
    return rci.index_cells(simulated)


def test_null_rates_are_those_of_each_cell(indexed):
    rates = index_repeated.null_rates(indexed, replications=300, seed=5)
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
    subsets = index_repeated.fewer_trials(simulated, indexed, 5, draws=3, seed=4)
    assert len(subsets) == 3
    for subset in subsets:
        for (fewer, _), (whole, _) in zip(subset, indexed, strict=True):
            assert (fewer.n_source == np.minimum(whole.n_source, 5)).all()
            assert (fewer.k_source <= whole.k_source).all()
    again = index_repeated.fewer_trials(simulated, indexed, 5, draws=1, seed=4)
    assert (again[0][0].cell.k_source == subsets[0][0].cell.k_source).all()
    assert any((subsets[0][i].cell.k_source != subsets[1][i].cell.k_source).any() for i in range(6))


def test_the_table_of_subsets_holds_their_means(simulated, indexed):
    subsets = index_repeated.fewer_trials(simulated, indexed, 5, draws=3, seed=4)
    table = index_repeated.fewer_trials_table(subsets, seed=1)
    each = [rci.table(subset) for subset in subsets]
    assert table["analysable"].tolist() == pytest.approx(
        np.mean([one["analysable"] for one in each], axis=0).tolist()
    )
    assert table["churn_low"].tolist() == np.min([one["churn"] for one in each], axis=0).tolist()
    assert table["null_rate"].between(0, 100).all()


def test_as_many_trials_as_there_are_leave_nothing_out(simulated, indexed):
    with pytest.raises(NotInArchive, match="more than 12 trials"):
        index_repeated.fewer_trials(simulated, indexed, 12)
