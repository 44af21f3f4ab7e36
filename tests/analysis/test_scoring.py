from __future__ import annotations

import pytest

from reliable_change.analysis import scoring
from reliable_change.archive.counts import item_counts
from reliable_change.archive.schema import CATEGORIES
from reliable_change.errors import NotInArchive


def test_every_model_has_all_six_categories(simulated):
    scores = simulated.scores()
    table = scoring.table(simulated, item_counts(simulated)).set_index(["benchmark", "model"])
    assert list(table.columns) == ["n", *CATEGORIES, "unscored"]
    assert len(table) == 6
    for (benchmark, model), row in table.iterrows():
        part = scores[(scores["benchmark"] == benchmark) & (scores["model"] == model)]
        expected = part["category"].value_counts()
        assert [row[c] for c in CATEGORIES] == [expected.get(c, 0) for c in CATEGORIES]
        assert row["n"] == len(part)


def test_gap_is_loose_minus_strict_over_items(simulated):
    counts = item_counts(simulated)
    gaps = scoring.gaps(simulated, counts)
    assert gaps["benchmark"].tolist() == ["form"] * 3
    assert gaps["model"].tolist() == ["old", "new", "newest"]
    part = counts[(counts["benchmark"] == "form") & (counts["model"] == "new")]
    expected = 100 * (part["correct_loose"] / part["n_loose"] - part["correct"] / part["n"]).mean()
    assert gaps.loc[1, "gap"] == pytest.approx(expected)
    assert (gaps["gap"] >= 0).all()
    assert (gaps["gap"] > 0).any()


def test_changes_of_the_gap_follow_the_edges(simulated):
    gaps = scoring.gaps(simulated, item_counts(simulated))
    changes = scoring.gap_changes(simulated, gaps).set_index("edge")
    assert changes.loc["old→newest", "gap"] == pytest.approx(
        gaps["gap"].iloc[2] - gaps["gap"].iloc[0]
    )


def test_no_loose_verdict_is_said(simulated):
    counts = item_counts(simulated).assign(n_loose=0)
    with pytest.raises(NotInArchive, match="no loose verdict"):
        scoring.gaps(simulated, counts)


def test_no_edge_between_models_with_both_readings_is_said(simulated):
    gaps = scoring.gaps(simulated, item_counts(simulated))
    with pytest.raises(NotInArchive, match="no edge between models with both readings"):
        scoring.gap_changes(simulated, gaps.iloc[[0]])
