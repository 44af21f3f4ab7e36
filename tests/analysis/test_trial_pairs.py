"""Pairs, first trials and scores against a slow reading of the whole scores with pandas."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reliable_change.analysis import trial_pairs
from reliable_change.archive import files
from reliable_change.archive.read import read_archive
from reliable_change.archive.write import write_archive

KEY = ["benchmark", "item_id", "model"]


@pytest.fixture(params=["simulated", "uneven K", "uneven K, batches of 7 rows"])
def archive(request, simulated, uneven_k_dir, monkeypatch):
    if "batches" in request.param:
        monkeypatch.setitem(files.BATCH_ROWS, "scores", 7)
    return simulated if request.param == "simulated" else read_archive(uneven_k_dir)


def scored(archive) -> pd.DataFrame:
    scores = archive.scores().astype(dict.fromkeys(KEY, object))
    return scores[scores["category"].notna() & (scores["category"] != "api_error")]


def test_pairs_are_the_trials_that_both_models_have(archive):
    scores = scored(archive)
    found = trial_pairs.trial_pairs(archive)
    assert len(found) == len(archive.items) * len(archive.manifest.edges)
    edges = iter(archive.manifest.edges)
    for edge, cell in found.groupby("edge", sort=False):
        source, target = next(edges)
        assert edge == f"{source}→{target}"
        assert list(cell["benchmark"].unique()) == list(archive.manifest.benchmarks)
        sides = [scores[scores["model"] == model] for model in (source, target)]
        both = sides[0].merge(sides[1], on=["benchmark", "item_id", "trial"])
        right = both[["correct_x", "correct_y"]].astype(bool)
        both = both.assign(
            b=right["correct_x"] & ~right["correct_y"], c=~right["correct_x"] & right["correct_y"]
        )
        expected = both.groupby(["benchmark", "item_id"]).agg(
            pairs=("trial", "size"), b=("b", "sum"), c=("c", "sum")
        )
        mine = cell.set_index(["benchmark", "item_id"])[["pairs", "b", "c"]]
        expected = expected.reindex(mine.index, fill_value=0)
        pd.testing.assert_frame_equal(mine, expected, check_dtype=False)
        assert mine["b"].sum() > 0 < mine["c"].sum()


def test_the_first_right_and_wrong_trials(archive):
    scores = scored(archive)
    found = trial_pairs.first_trials(archive).set_index(KEY)
    for name, right in (("right", True), ("wrong", False)):
        chosen = scores[scores["correct"].astype(bool) == right]
        expected = chosen.groupby(KEY)["trial"].min().reindex(found.index, fill_value=-1)
        assert found[name].tolist() == expected.tolist()
        assert (found[name] == -1).any()


def test_whole_items_are_never_parted(archive):
    seen: set[int] = set()
    for trials in trial_pairs.whole_items(archive):
        here = set((trials.cell // len(archive.manifest.models)).tolist())
        assert not here & seen
        seen |= here
    assert len(seen) > 10


def test_numeric_scores_are_averaged_over_the_trials_that_have_one(tmp_path):
    items = pd.DataFrame({"benchmark": "essay", "item_id": ["a", "b"], "task": "own"})
    rows = [
        ("a", "new", 0, "correct", 0.9),
        ("a", "new", 1, "wrong", 0.4),
        ("a", "old", 0, "correct", 1.0),
        ("a", "old", 1, "wrong", None),
        ("b", "new", 0, "api_error", 0.0),
        ("b", "new", 1, "wrong", 0.25),
        ("b", "old", 0, "wrong", None),
        ("b", "old", 1, "wrong", None),
    ]
    scores = pd.DataFrame(rows, columns=["item_id", "model", "trial", "category", "score"])
    scores = scores.assign(benchmark="essay", correct=scores["category"] == "correct")
    manifest = {
        "name": "essays",
        "kind": "collected",
        "description": "Made up.",
        "models": ["old", "new"],
        "edges": [["old", "new"]],
        "benchmarks": ["essay"],
        "trials_per_item": 2,
        "complete": True,
        "created_utc": "2026-01-01T00:00:00+00:00",
        "licence": "CC0-1.0",
    }
    folder = write_archive(tmp_path / "essays", manifest, items, None, scores)
    found = trial_pairs.mean_scores(read_archive(folder)).set_index(["item_id", "model"])["score"]
    assert found["a", "new"] == pytest.approx(0.65)
    assert (found["a", "old"], found["b", "new"]) == (1.0, 0.25)
    assert np.isnan(found["b", "old"])
