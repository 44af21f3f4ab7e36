"""Halves of each model's trials against a slow reading, and a drift that is planted."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from reliable_change.analysis import unchanged_record
from reliable_change.archive import files
from reliable_change.archive.read import read_archive
from reliable_change.archive.simulate import simulate_archive
from reliable_change.archive.write import write_archive
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


def with_times(folder, times):
    """An archive of eight shuffled trials each, with `times` of a trial by its number."""
    rng = np.random.default_rng(5)
    plain = read_archive(
        simulate_archive(
            folder / "plain", rng=rng, benchmarks={"quiz": 12}, models=["a", "b"], trials=8
        )
    )
    responses = plain.responses()
    responses["created_utc"] = [times[trial] for trial in responses["trial"]]
    manifest = json.loads((plain.path / "manifest.json").read_text(encoding="utf-8"))
    manifest = {name: value for name, value in manifest.items() if name != "files"}
    return read_archive(
        write_archive(folder / "timed", manifest, plain.items, responses, plain.scores())
    )


def test_halves_are_first_and_last_in_time_where_the_archive_knows_it(tmp_path):
    hours = [3, 7, 0, 6, 1, 5, 2, 4]
    archive = with_times(tmp_path, [f"2026-01-01T0{hour}:00:00+00:00" for hour in hours])
    found = unchanged_record.halves(archive, unchanged_record.moments(archive)).set_index(KEY)
    for key, group in archive.scores().astype(dict.fromkeys(KEY, object)).groupby(KEY):
        in_time = group.assign(hour=[hours[t] for t in group["trial"]]).sort_values("hour")
        right = in_time["correct"].astype(bool).tolist()
        assert found.loc[key].tolist() == [4, sum(right[:4]), sum(right[4:])]
    by_number = unchanged_record.halves(archive).set_index(KEY)
    assert (found != by_number).any(axis=None)


@pytest.mark.parametrize("missing", [None, "some day"])
def test_one_response_without_a_time_is_no_order_in_time(tmp_path, missing):
    times = [f"2026-01-01T0{hour}:00:00+00:00" for hour in range(7)]
    archive = with_times(tmp_path, [*times, missing])
    when = unchanged_record.moments(archive)
    assert when is None
    assert unchanged_record.order_of_halves(archive, when) == (
        "Halves by number of the trial: not every response has a time."
    )


def test_the_order_that_was_used_is_said(tmp_path):
    timed = with_times(tmp_path, [f"2026-01-01T0{hour}:00:00+00:00" for hour in range(8)])
    manifest = json.loads((timed.path / "manifest.json").read_text(encoding="utf-8"))
    del manifest["files"]
    textless = write_archive(tmp_path / "textless", manifest, timed.items, None, timed.scores())
    said = [
        unchanged_record.order_of_halves(archive, unchanged_record.moments(archive))
        for archive in (timed, read_archive(textless))
    ]
    assert said == [
        "Halves by time.",
        "Halves by number of the trial: the archive has no responses, so no times.",
    ]


def test_times_of_several_zones_are_one_order(tmp_path):
    times = [f"2026-01-01T12:00:00+0{zone}:00" for zone in range(8)]  # the last is the earliest
    archive = with_times(tmp_path, times)
    found = unchanged_record.halves(archive, unchanged_record.moments(archive))
    by_number = unchanged_record.halves(archive)
    np.testing.assert_array_equal(found["k_first"], by_number["k_second"])
    np.testing.assert_array_equal(found["k_second"], by_number["k_first"])
