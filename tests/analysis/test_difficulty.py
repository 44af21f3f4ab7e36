from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy import stats

from reliable_change.analysis import difficulty
from reliable_change.archive.counts import item_counts
from reliable_change.errors import NotInArchive


@pytest.fixture(scope="module")
def items(simulated):
    return difficulty.stratified(simulated)


def test_strata_cover_each_item_once_in_the_manifests_order(simulated, items):
    assert items.groupby("benchmark").size().to_dict() == {"quiz": 30, "form": 20}
    for benchmark, strata in simulated.manifest.strata.items():
        for stratum, order in strata.items():
            part = items[(items["benchmark"] == benchmark) & (items["stratum"] == stratum)]
            assert list(dict.fromkeys(part["level"])) == [
                x for x in order if x in set(part["level"])
            ]


def test_table_holds_means_over_items(simulated, items):
    table = difficulty.table(simulated, items).set_index(["benchmark", "stratum", "level"])
    counts = item_counts(simulated).merge(
        simulated.items[["benchmark", "item_id", "difficulty"]], on=["benchmark", "item_id"]
    )
    for (benchmark, _, level), row in table.iterrows():
        part = counts[(counts["benchmark"] == benchmark) & (counts["difficulty"] == level)]
        old = part[part["model"] == "old"]
        assert row["items"] == len(old)
        assert row["old"] == pytest.approx(100 * (old["correct"] / old["n"]).mean())
        assert row["old→new"] == pytest.approx(row["new"] - row["old"])


def test_interval_is_students(simulated, items):
    changes = difficulty.changes(simulated, items)
    row = changes.iloc[0]
    part = items[(items["benchmark"] == row["benchmark"]) & (items["level"] == row["level"])]
    source, target = row["edge"].split("→")
    expected = stats.ttest_1samp(part[target] - part[source], 0).confidence_interval(0.95)
    assert (row["low"], row["high"]) == pytest.approx((expected.low, expected.high))


def test_one_item_has_no_interval(simulated, items):
    changes = difficulty.changes(simulated, items.head(1))
    assert np.isnan(changes[["low", "high"]]).all(axis=None)
    assert changes["items"].tolist() == [1, 1, 1]


def test_an_archive_without_strata_says_so(simulated):
    bare = dataclasses.replace(simulated.manifest, strata={})
    with pytest.raises(NotInArchive, match="declares no strata"):
        difficulty.stratified(dataclasses.replace(simulated, manifest=bare))
