"""Counts and rates of a cell: against what 002 published, by hand, and where nothing is left."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from scipy.stats import norm

from reliable_change.stats.index_summary import change_by_bin, summarise_change
from reliable_change.stats.reliability import Reliability
from reliable_change.stats.reliable_change_index import (
    CONSERVATIVE,
    THRESHOLD,
    ReliableChange,
    reliable_change_index,
)


def summary_of(*counts, trials=None):
    return summarise_change(reliable_change_index(*counts), trials)


def test_the_published_summaries_come_out_of_their_own_counts(fixtures_dir):
    """Items with the published S_diff and counts give the published shares and thresholds."""
    results = json.loads((fixtures_dir / "beyond_the_mean" / "btm_results.json").read_text())
    side = Reliability(*map(np.float64, (1, 1, 1, 1)), "defined")
    for pair in ("llama", "qwen"):
        said = results[pair]
        strong = said["n_improved_conservative"], said["n_deteriorated_conservative"]
        small = said["n_any_positive_delta"] - said["n_improved"]
        index = np.repeat(
            [3.0, 2.2, -3.0, -2.2, 1.0, 0.0],
            [
                strong[0],
                said["n_improved"] - strong[0],
                strong[1],
                said["n_deteriorated"] - strong[1],
                small,
                said["n_no_change"] - small,
            ],
        )
        s_diff = np.float64(said["s_diff"])
        all_of_them = np.full(index.size, True)
        found = summarise_change(
            ReliableChange(index * s_diff, index, all_of_them, all_of_them, s_diff, side, side), 10
        )
        assert found.analysable == said["n_items"]
        assert round(found.improved / found.analysable, 4) == said["prop_improved"]
        assert found.improved_conservative == strong[0]
        assert found.deteriorated_conservative == strong[1]
        assert round(found.churn, 4) == results["h3"][f"{pair}_reliable_change_rate"]
        assert round(found.breadth, 4) == said["breadth_ratio"]
        # S_diff is itself rounded to four decimals.
        assert found.min_difference == pytest.approx(said["min_delta_p"], abs=1.5e-4)
        assert found.min_trials == said["min_delta_samples"]


def test_every_item_is_counted_once():
    rng = np.random.default_rng(1)
    n_s, n_t = rng.integers(0, 12, (2, 400))
    chance = rng.choice([0, 0.1, 0.95], (2, 400))
    k_s, k_t = rng.binomial([n_s, n_t], chance)
    found = summary_of(k_s, n_s, k_t, n_t)
    of_analysable = found.improved + found.unchanged + found.deteriorated
    assert min(found.not_testable, found.excluded, found.improved, found.deteriorated) > 0
    assert found.not_testable + found.excluded + of_analysable == found.items == 400
    assert found.analysable == of_analysable
    assert found.churn == (found.improved + found.deteriorated) / of_analysable
    assert found.churn_of_testable == pytest.approx(
        found.churn * of_analysable / (400 - found.not_testable)
    )
    assert found.min_trials is None


def test_both_thresholds_are_those_of_a_normal_deviate():
    assert round(norm.ppf(0.975), 2) == THRESHOLD
    assert round(norm.ppf(0.995), 2) == CONSERVATIVE


def test_an_example_by_hand():
    # S_diff = √(1.44 / 45) = 0.17889: 1.96 S_diff = 0.3506, 2.58 S_diff = 0.4615.
    found = summary_of([0, 2, 5, 8, 8], 10, [0, 7, 5, 2, 9], 10, trials=10)
    assert dataclasses.asdict(found) == pytest.approx(
        {
            "items": 5, "not_testable": 0, "excluded": 1, "undefined": 0, "analysable": 4,
            "improved": 1, "unchanged": 2, "deteriorated": 1, "improved_conservative": 1,
            "deteriorated_conservative": 1, "churn": 0.5, "churn_of_testable": 0.4, "rises": 2,
            "breadth": 0.5, "median_change": 0.55, "min_difference": 1.96 * np.sqrt(1.44 / 45),
            "min_trials": 4,
        }
    )  # fmt: skip


def test_undefined_is_counted_and_gives_no_rates():
    found = summary_of([0, 0, 0], 10, [1, 5, 9], 10, trials=10)
    assert (found.undefined, found.analysable, found.improved) == (3, 3, 0)
    assert np.isnan([found.churn, found.churn_of_testable, found.breadth]).all()
    assert np.isnan([found.median_change, found.min_difference]).all()
    assert found.min_trials is None


@pytest.mark.parametrize("counts", [([], 10, [], 10), ([0, 0], 10, [0, 0], 10), ([1], 1, [0], 1)])
def test_a_cell_without_analysable_items(counts):
    found = summary_of(*counts)
    assert found.analysable == found.improved == found.rises == 0
    assert np.isnan(found.churn)


def test_one_trial_is_enough_where_scores_are_certain():
    assert summary_of([0, 2, 2], 2, [2, 0, 2], 2, trials=2).min_trials == 1


EDGES = [0, 0.2, 0.6, 1]


def test_bins_hold_their_lower_edge_and_the_last_both():
    k = [0, 2, 6, 10, 1]
    found = reliable_change_index(k, 10, [5, 2, 6, 9, 4], 10)
    binned = change_by_bin(found, np.array(k) / 10, EDGES)
    assert binned.testable.tolist() == binned.analysable.tolist() == [2, 1, 2]
    assert binned.low.tolist() == EDGES[:-1]
    assert binned.high.tolist() == EDGES[1:]
    assert binned.mean_change == pytest.approx([0.4, 0, -0.05])


def test_bins_leave_out_what_is_not_testable():
    found = reliable_change_index([0, 0, 5, 1], [10, 10, 10, 1], [0, 9, 5, 0], 10)
    binned = change_by_bin(found, [0, 0, 0.5, np.nan], EDGES)
    assert binned.testable.tolist() == [2, 1, 0]
    assert binned.analysable.tolist() == [1, 1, 0]
    assert binned.mean_change[:2] == pytest.approx([0.45, 0])
    assert binned.improved.tolist() == [1, 0, 0]
    assert np.isnan(binned.mean_change[2])


@pytest.mark.parametrize("edges", [[0], [0, 0.5], [0.1, 1], [0, 0.6, 0.4, 1], [0, 0.5, 0.5, 1]])
def test_edges_must_rise_from_0_to_1(edges):
    found = reliable_change_index([1, 2], 3, [1, 2], 3)
    with pytest.raises(ValueError, match="edges"):
        change_by_bin(found, [0.3, 0.6], edges)
