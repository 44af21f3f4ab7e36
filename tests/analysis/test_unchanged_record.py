"""Halves of each model's trials against a slow reading, and a drift that is planted."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reliable_change.analysis import unchanged_record
from reliable_change.archive import files
from reliable_change.archive.read import read_archive
from reliable_change.archive.simulate import simulate_archive
from reliable_change.errors import NotInArchive

KEY = ["benchmark", "item_id", "model"]


@pytest.mark.parametrize("rows", [7, 2**18])
def test_halves_are_the_first_and_the_last_scored_trials(uneven_k_dir, rows, monkeypatch):
    monkeypatch.setitem(files.BATCH_ROWS, "scores", rows)
    archive = read_archive(uneven_k_dir)
    scores = archive.scores().astype(dict.fromkeys(KEY, object))
    scores = scores[scores["category"].notna() & (scores["category"] != "api_error")]
    found = unchanged_record.halves(archive).set_index(KEY)
    sizes = set()
    for key, group in scores.groupby(KEY):
        verdicts = group.sort_values("trial")["correct"].astype(bool).tolist()
        half = len(verdicts) // 2
        sizes.add(len(verdicts) % 2)
        expected = [half, sum(verdicts[:half]), sum(verdicts[len(verdicts) - half :])]
        assert found.loc[key].tolist() == expected
    assert sizes == {0, 1}


def test_the_table_has_a_line_for_each_benchmark_and_model_in_order(simulated):
    table = unchanged_record.table(simulated, unchanged_record.halves(simulated))
    pairs = [(b, m) for b in simulated.manifest.benchmarks for m in simulated.manifest.models]
    assert list(zip(table["benchmark"], table["model"], strict=True)) == pairs
    assert table["items"].tolist() == [30] * 3 + [20] * 3
    assert (table["differ"] == table["first_only"] + table["last_only"]).all()
    assert (table[["p_disagreement", "p_drift"]] > 0.001).all(axis=None)


def test_a_drift_between_early_and_late_trials_is_seen():
    halves = pd.DataFrame(
        {
            "benchmark": "b",
            "item_id": [str(i) for i in range(30)],
            "model": "m",
            "n_half": 10,
            "k_first": 8,
            "k_second": 3,
        }
    )

    class One:
        class manifest:  # noqa: N801
            benchmarks, models = ("b",), ("m",)

    table = unchanged_record.table(One, halves)
    assert table["first_only"].tolist() == [30]
    assert table["p_drift"].iloc[0] < 1e-8


def test_one_trial_an_item_cannot_be_checked_and_says_so(tmp_path):
    folder = tmp_path / "once"
    rng = np.random.default_rng(0)
    simulate_archive(folder, rng=rng, benchmarks={"quiz": 5}, models=["a", "b"], trials=1)
    archive = read_archive(folder)
    with pytest.raises(NotInArchive, match="one trial an item"):
        unchanged_record.table(archive, unchanged_record.halves(archive))
