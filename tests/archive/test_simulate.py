"""Simulated archives: valid, seeded, plainly synthetic, with effects where they were planted."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reliable_change.archive.counts import item_counts
from reliable_change.archive.read import read_archive
from reliable_change.archive.simulate import LEVELS, simulate_archive
from reliable_change.errors import ArchiveError

SHAPE = {"benchmarks": {"maths": 30, "rules": 20}, "models": ["old", "mid", "new"], "trials": 12}


@pytest.fixture
def simulate(tmp_path):
    def run(name="simulated", seed=1, **options):
        rng = np.random.default_rng(seed)
        return read_archive(simulate_archive(tmp_path / name, rng=rng, **(SHAPE | options)))

    return run


def test_it_says_that_it_is_simulated_and_is_complete(simulate):
    archive = simulate()
    assert archive.manifest.kind == "reconstruction"
    assert archive.manifest.description.startswith("Simulated")
    assert archive.manifest.complete
    assert archive.manifest.models == ("old", "mid", "new")
    assert archive.manifest.edges == (("old", "mid"), ("old", "new"), ("mid", "new"))
    assert len(archive.scores()) == len(archive.responses()) == 50 * 3 * 12


def test_same_seed_same_bytes_and_the_global_state_is_untouched(simulate):
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    one, other, third = simulate("one"), simulate("other"), simulate("third", 2)
    for file in ("items.parquet", "responses.parquet", "scores.parquet"):
        assert one.manifest.files[file] == other.manifest.files[file]
        assert one.manifest.files[file] != third.manifest.files[file]
    assert (np.random.get_state()[1] == state).all()  # noqa: NPY002


def test_scores_do_not_depend_on_responses(simulate):
    one, other = simulate("one"), simulate("other", responses=False)
    assert one.manifest.files["scores.parquet"] == other.manifest.files["scores.parquet"]
    assert "responses.parquet" not in other.manifest.files


def test_chunks_do_not_show(simulate, monkeypatch):
    monkeypatch.setattr("reliable_change.archive.simulate.CHUNK_ROWS", 100)
    archive = simulate()
    assert len(archive.scores()) == 50 * 3 * 12
    assert archive.missing.empty


def test_difficulty_loose_verdicts_tokens_and_texts(simulate):
    archive = simulate(texts=True, benchmarks={"maths": 400, "rules": 100})
    items = archive.items
    assert set(items["difficulty"]) == set(LEVELS)
    counts = item_counts(archive).merge(items[["item_id", "difficulty"]], on="item_id")
    share = counts.groupby("difficulty")[["correct", "n"]].sum().eval("correct / n")
    assert share["easy"] > share["middle"] > share["hard"]
    by_benchmark = counts.groupby("benchmark").sum(numeric_only=True)
    assert by_benchmark.loc["maths", "n_loose"] == 0
    rules = by_benchmark.loc["rules"]
    assert rules["n_loose"] == rules["n"]
    assert rules["correct"] < rules["correct_loose"] < rules["correct"] + rules["format_failure"]
    assert (by_benchmark[["format_failure", "refusal", "truncation", "api_error"]] > 0).all(
        axis=None
    )
    responses = archive.responses()
    assert (responses["input_tokens"] > 0).all()
    assert (responses["output_tokens"] >= responses["reasoning_tokens"]).all()
    assert responses["response_text"].notna().all()


def test_planted_changes_and_planted_nulls(simulate):
    shifts = {}
    for changed in (0.0, 0.5):
        archive = simulate(
            str(changed), changed=changed, trials=100, benchmarks={"maths": 300}, responses=False
        )
        counts = item_counts(archive)
        share = counts.assign(share=counts["correct"] / counts["n"])
        wide = share.pivot_table(index="item_id", columns="model", values="share")
        shifts[changed] = {
            (source, target): (wide[target] - wide[source]).abs()
            for source, target in archive.manifest.edges
        }
    for shift in shifts[0.0].values():
        assert shift.max() < 0.35  # five standard errors of a difference
    moved = {edge: shift.mean() for edge, shift in shifts[0.5].items()}
    assert (shifts[0.5]["old", "mid"] > 0.35).mean() > 0.05
    # Moves add up from release to release, whatever the order of the alphabet.
    assert moved["old", "new"] > max(moved["old", "mid"], moved["mid", "new"])


def test_unscored_trials_and_strata_of_ones_own(simulate):
    strata = {"maths": {"discipline": ["algebra", "logic"]}}
    archive = simulate(unscored=0.2, strata=strata, edges=[("old", "new")])
    unscored = item_counts(archive)["unscored"].sum() / len(archive.scores())
    assert 0.15 < unscored < 0.25
    maths = archive.items["benchmark"] == "maths"
    assert set(archive.items.loc[maths, "discipline"]) == {"algebra", "logic"}
    assert archive.items.loc[~maths, "discipline"].isna().all()
    assert archive.manifest.edges == (("old", "new"),)


def test_replacing_is_asked_for(simulate):
    first = simulate()
    with pytest.raises(ArchiveError, match="exists"):
        simulate()
    second = simulate(seed=2, replace=True)
    assert not pd.DataFrame.equals(first.items, second.items)
