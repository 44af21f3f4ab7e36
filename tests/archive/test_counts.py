"""Counting: the quick way agrees with the plain way, and forgets nobody."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reliable_change.archive.counts import item_counts
from reliable_change.archive.read import read_archive
from reliable_change.archive.schema import CATEGORIES
from reliable_change.archive.simulate import simulate_archive
from reliable_change.errors import NotInArchive


def count_plainly(archive) -> pd.DataFrame:
    """The definition, row by row."""
    counts = {
        (item.benchmark, item.item_id, model): dict.fromkeys(
            ["n", "correct", "n_loose", "correct_loose", *CATEGORIES[1:], "unscored"], 0
        )
        for item in archive.items.itertuples()
        for model in sorted(archive.manifest.models)
    }
    for row in archive.scores().to_dict("records"):
        here = counts[row["benchmark"], row["item_id"], row["model"]]
        category = row["category"]
        if pd.isna(category):
            here["unscored"] += 1
            continue
        here[category] += 1
        if category != "api_error":
            here["n"] += 1
            here["n_loose"] += not pd.isna(row["correct_loose"])
            here["correct_loose"] += not pd.isna(row["correct_loose"]) and row["correct_loose"]
    frame = pd.DataFrame(counts.values(), index=pd.MultiIndex.from_tuples(counts))
    return frame.rename_axis(["benchmark", "item_id", "model"]).reset_index()


def test_agrees_with_the_definition_on_uneven_k(uneven_k_dir):
    archive = read_archive(uneven_k_dir)
    pd.testing.assert_frame_equal(item_counts(archive), count_plainly(archive))


@pytest.mark.parametrize("unscored", [0.0, 0.3])
def test_agrees_with_the_definition_on_simulated_trials(tmp_path, unscored):
    folder = simulate_archive(
        tmp_path / "simulated",
        rng=np.random.default_rng(5),
        benchmarks={"b": 7, "a": 4},
        models=["z", "m", "a"],
        trials=9,
        unscored=unscored,
    )
    archive = read_archive(folder)
    pd.testing.assert_frame_equal(item_counts(archive), count_plainly(archive))


def test_every_item_and_model_has_a_row_and_every_category_a_column(broken):
    """ARC-04: zeros are counts too."""
    broken.manifest(complete=False)
    for file in ("responses.parquet", "scores.parquet"):
        broken.table(file, lambda table: table.take([0, 1]))
    counts = item_counts(read_archive(broken.folder))
    assert len(counts) == 4
    assert set(CATEGORIES) <= set(counts.columns)
    assert counts["n"].tolist() == [2, 0, 0, 0]
    assert counts["refusal"].tolist() == [0, 0, 0, 0]


def test_errors_and_unscored_trials_leave_the_denominator(broken):
    broken.column(
        "scores.parquet",
        "category",
        lambda values: ["api_error" if value == "wrong" else value for value in values],
    )
    broken.column("scores.parquet", "correct_loose", lambda values: [True] * len(values))
    counts = item_counts(read_archive(broken.folder))
    for name, value in {"n": 2, "correct": 1, "n_loose": 2, "api_error": 1, "unscored": 1}.items():
        assert set(counts[name]) == {value}


def test_nothing_scored(broken):
    (broken.folder / "scores.parquet").unlink()
    broken.manifest(files=dict.fromkeys(("items.parquet", "responses.parquet"), "0" * 64))
    with pytest.raises(NotInArchive, match=r"no scores.parquet"):
        item_counts(read_archive(broken.folder, verify=False))
