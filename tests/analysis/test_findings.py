from __future__ import annotations

import pandas as pd
import pytest

from reliable_change.analysis import classification
from reliable_change.analysis.findings import COLUMNS, findings
from reliable_change.archive.counts import item_counts
from reliable_change.archive.read import read_archive
from reliable_change.archive.write import write_archive
from reliable_change.stats.classification import NOT_TESTABLE


@pytest.fixture(scope="module")
def found(simulated):
    return findings(simulated, replications=200, seed=4)


def test_it_says_in_numbers_of_items_what_table_1_says_in_shares(simulated, found):
    items = classification.classify_items(simulated)
    null = classification.simulate_null(simulated, replications=200, seed=4)
    table = classification.table(items, null)
    assert list(found.columns) == COLUMNS
    assert found["delta"].tolist() == table["delta"].tolist()
    for name in ("improved", "regressed", "null95"):
        shares = 100 * found[name] / found["items"]
        assert shares.to_numpy() == pytest.approx(table[name].to_numpy()), name
        assert found[name].dtype == int
    assert found["regressed"].sum() > 0
    assert found["improved"].sum() > 0
    assert (found["items"] == (items["class"] != NOT_TESTABLE).groupby(
        [items["edge"], items["benchmark"]], sort=False).sum().to_numpy()).all()  # fmt: skip


def test_settings_reach_it(simulated, found):
    assert findings(simulated, replications=50, epsilon=0.9)["regressed"].sum() == 0
    few = findings(simulated, replications=50, trials=5, seed=4)
    assert few["regressed"].sum() < found["regressed"].sum()
    again = findings(simulated, replications=50, trials=5, seed=4)
    pd.testing.assert_frame_equal(few, again)


def test_names_are_the_manifests_labels(tmp_path):
    items = pd.DataFrame({"benchmark": "quiz", "item_id": ["1", "2"]})
    trials = items.merge(pd.DataFrame({"model": ["m-1", "m-2"]}), how="cross")
    scores = pd.concat([trials.assign(trial=trial) for trial in range(20)])
    right = (scores["model"] == "m-1") | (scores["item_id"] == "2")
    scores = scores.assign(correct=right, category=right.map({True: "correct", False: "wrong"}))
    manifest = {
        "name": "two", "kind": "collected", "description": "Two items.", "models": ["m-1", "m-2"],
        "edges": [["m-1", "m-2"]], "benchmarks": ["quiz"], "trials_per_item": 20, "complete": True,
        "labels": {"quiz": "Quiz", "m-1": "One", "m-2": "Two"}, "short_labels": {"m-2": "2"},
        "created_utc": "2026-01-01T00:00:00+00:00", "licence": "CC0-1.0",
    }  # fmt: skip
    archive = read_archive(write_archive(tmp_path / "two", manifest, items, None, scores))
    assert len(item_counts(archive)) == 4
    (row,) = findings(archive, replications=20).to_dict("records")
    assert row == {
        "edge": "One→2", "benchmark": "Quiz", "items": 2, "delta": -50.0,
        "improved": 0, "regressed": 1, "null95": row["null95"],
    }  # fmt: skip
    assert 0 <= row["null95"] <= 2


def test_real_replies_give_what_an_independent_computation_found(fixtures_dir):
    found = findings(read_archive(fixtures_dir / "smollm2_sample"), replications=50)
    rows = found[["benchmark", "items", "delta", "improved", "regressed"]]
    assert rows.to_numpy().tolist() == [
        ["arithmetic", 8, pytest.approx(-5.5), 0, 0],
        ["instruction", 16, pytest.approx(-6.375), 0, 1],
        ["knowledge", 8, pytest.approx(-18.25), 0, 3],
    ]
