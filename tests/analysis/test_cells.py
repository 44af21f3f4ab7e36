from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reliable_change.analysis.cells import accuracy, iterate_cells, thin
from reliable_change.archive.counts import item_counts


def test_cells_come_edge_by_edge_in_the_manifests_order(simulated):
    cells = [(cell.edge, cell.benchmark) for cell in iterate_cells(simulated)]
    edges = ["→".join(edge) for edge in simulated.manifest.edges]
    assert cells == [(e, b) for e in edges for b in simulated.manifest.benchmarks]


def test_counts_of_a_cell_are_those_of_the_scores(simulated):
    cell = next(iterate_cells(simulated))
    scores = simulated.scores()
    source = scores[(scores["model"] == "old") & (scores["benchmark"] == cell.benchmark)]
    kept = source[source["category"].notna() & (source["category"] != "api_error")]
    by_item = kept.groupby("item_id")["correct"].agg(["sum", "size"])
    assert cell.k_source.tolist() == [by_item.loc[i, "sum"] for i in cell.item_id]
    assert cell.n_source.tolist() == [by_item.loc[i, "size"] for i in cell.item_id]


def test_an_item_absent_on_one_side_stays_with_no_trials(simulated):
    counts = item_counts(simulated)
    first = counts.loc[counts["benchmark"] == "quiz", "item_id"].iloc[0]
    gone = (
        (counts["item_id"] == first) & (counts["model"] == "new") & (counts["benchmark"] == "quiz")
    )
    for cell in iterate_cells(simulated, counts[~gone]):
        if cell.benchmark == "quiz":
            at = cell.item_id.tolist().index(first)
            sides = dict(
                zip(cell.edge.split("→"), (cell.n_source[at], cell.n_target[at]), strict=True)
            )
            assert sides.get("new", 0) == 0
            assert len(cell.item_id) == 30


def test_accuracy_is_the_mean_of_item_shares_not_of_trials():
    counts = pd.DataFrame(
        {
            "benchmark": ["b", "b", "b"],
            "item_id": ["1", "2", "3"],
            "model": ["m", "m", "m"],
            "n": [10, 2, 0],
            "correct": [10, 0, 0],
        }
    )
    assert accuracy(counts)["accuracy"].tolist() == [50.0]


def test_thinning_keeps_what_is_certain_and_draws_the_rest():
    counts = pd.DataFrame({"n": [50, 50, 50, 4], "correct": [0, 50, 25, 2]})
    thinned = thin(counts, 10, np.random.default_rng(0))
    assert thinned["n"].tolist() == [10, 10, 10, 4]
    assert thinned["correct"].iloc[[0, 1, 3]].tolist() == [0, 10, 2]
    drawn = [thin(counts, 10, np.random.default_rng(s))["correct"].iloc[2] for s in range(400)]
    # Hypergeometric (50, 25, 10): mean 5, variance 2.04.
    assert np.mean(drawn) == pytest.approx(5, abs=4 * np.sqrt(2.04 / 400))
    assert thin(counts, None, np.random.default_rng(0)) is counts


def test_thinning_to_nothing_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        thin(pd.DataFrame({"n": [3], "correct": [1]}), 0, np.random.default_rng(0))
