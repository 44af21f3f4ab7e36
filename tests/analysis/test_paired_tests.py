"""Regressions and fixes of cells: counted by hand, real counts, and ties and gaps."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reliable_change.analysis import paired_benchmarks, paired_power, paired_tests, trial_pairs
from reliable_change.analysis.cells import thin
from reliable_change.archive.counts import item_counts
from reliable_change.archive.read import read_archive
from reliable_change.errors import NotInArchive
from reliable_change.stats.paired import clustered_gain, mcnemar_exact, paired_gain


def by_hand(archive):
    """b and c of each cell, a verdict being right when more than half of the trials are."""
    counts = item_counts(archive)
    counts = counts[counts["n"] > 0]
    rows = counts[["benchmark", "item_id", "model", "correct", "n"]].itertuples(index=False)
    right = {tuple(key): 2 * correct > n for *key, correct, n in rows}
    found = {}
    for source, target in archive.manifest.edges:
        for benchmark, item in archive.items[["benchmark", "item_id"]].itertuples(index=False):
            sides = [right.get((benchmark, item, model)) for model in (source, target)]
            cell = found.setdefault((f"{source}→{target}", benchmark), [0, 0, 0, 0])
            cell[0] += None not in sides
            cell[1] += None in sides
            cell[2] += sides == [True, False]
            cell[3] += sides == [False, True]
    return found


@pytest.mark.parametrize("kind", ["simulated", "uneven"])
def test_the_table_counts_as_by_hand(kind, simulated, uneven_k_dir):
    archive = simulated if kind == "simulated" else read_archive(uneven_k_dir)
    table = paired_tests.table(paired_tests.verdicts(archive))
    found = {
        tuple(row[:2]): list(row[2:])
        for row in table[
            ["edge", "benchmark", "items", "not_testable", "b", "c"]
        ].itertuples(index=False)
    }  # fmt: skip
    assert found == by_hand(archive)
    assert sum(cell[2] for cell in found.values()) > 0
    gain = paired_gain(table["b"], table["c"], table["items"])
    np.testing.assert_allclose(table["gain"], 100 * gain.gain)
    np.testing.assert_allclose(table["low"], 100 * gain.low)
    np.testing.assert_allclose(table["p"], mcnemar_exact(table["b"], table["c"]))


def test_items_without_a_trial_on_one_side_are_set_apart(uneven_k_dir):
    archive = read_archive(uneven_k_dir)
    items = paired_tests.verdicts(archive)
    gaps = (items["n_source"] == 0) | (items["n_target"] == 0)
    assert gaps.any()
    assert (items.loc[gaps, "flip"] == "not testable").all()
    assert not (items.loc[~gaps, "flip"] == "not testable").any()


def test_the_real_greedy_runs_lost_141_and_gained_188(greedy):
    (cell,) = paired_tests.table(paired_tests.verdicts(greedy)).to_dict("records")
    assert (cell["items"], cell["b"], cell["c"]) == (2000, 141, 188)
    assert cell["gain"] == pytest.approx(100 * (0.4070 - 0.3835))


def test_at_one_trial_a_side_pairs_are_items(greedy):
    (pairs,) = paired_tests.pair_table(trial_pairs.trial_pairs(greedy)).to_dict("records")
    assert (pairs["pairs"], pairs["b"], pairs["c"]) == (2000, 141, 188)
    assert pairs["times"] == pytest.approx(1)
    assert pairs["se"] == pytest.approx(pairs["naive_se"])


def test_pairs_take_items_as_clusters_and_are_wider_for_it(simulated):
    pairs = trial_pairs.trial_pairs(simulated)
    table = paired_tests.pair_table(pairs)
    for row in table.itertuples():
        cell = pairs[(pairs["edge"] == row.edge) & (pairs["benchmark"] == row.benchmark)]
        clustered = clustered_gain(cell["b"], cell["c"], cell["pairs"])
        assert row.se == pytest.approx(100 * float(clustered.se))
        assert 11 * row.items < row.pairs <= 12 * row.items
    assert (table["times"] > 1.5).all()


def test_cells_without_a_pair_have_no_row_of_pairs_and_keep_that_of_items(simulated):
    pairs = trial_pairs.trial_pairs(simulated)
    pairs[["pairs", "b", "c"]] = 0
    table = paired_tests.pair_table(pairs)
    assert table.empty
    cells = paired_tests.table(paired_tests.verdicts(simulated))
    rows = paired_tests.readings(cells, table)
    assert rows["b"].tolist() == cells["b"].tolist()
    assert rows["pair_gain"].isna().all()


def test_the_gain_of_pairs_is_the_change_of_the_mean(simulated):
    counts = item_counts(simulated)
    share = (counts["correct"] / counts["n"]).groupby([counts["benchmark"], counts["model"]]).mean()
    # API errors leave some trials without a partner, so this holds closely and not exactly.
    for row in paired_tests.pair_table(trial_pairs.trial_pairs(simulated)).itertuples():
        source, target = row.edge.split("→")
        change = share[row.benchmark, target] - share[row.benchmark, source]
        assert row.gain == pytest.approx(100 * change, abs=1)


class TestBenchmarks:
    """Several benchmarks together, and scores that are not binary."""

    def test_the_drawn_p_brackets_the_exact_one(self, simulated):
        cells = paired_tests.table(paired_tests.verdicts(simulated))
        found = paired_benchmarks.aggregate(cells, draws=20000, rng=np.random.default_rng(1))
        assert found["edge"].tolist() == list(cells["edge"].unique())
        assert (found["drawn_low"] - 0.01 <= found["max_drop"]).all()
        assert (found["max_drop"] <= found["drawn_high"] + 0.01).all()
        assert found["b"].tolist() == cells.groupby("edge", sort=False)["b"].sum().tolist()

    def test_a_planted_fall_is_flagged_and_its_task_named(self):
        cells = pd.DataFrame(
            {"edge": "a→b", "benchmark": ["x", "y", "z"], "b": [9, 15, 0], "c": [8, 1, 0]}
        )
        (found,) = paired_benchmarks.aggregate(
            cells, draws=1000, rng=np.random.default_rng(1)
        ).to_dict("records")
        assert (found["worst"], found["flagged"], found["without_flips"]) == ("y", "yes", 1)

    def test_nothing_changed_anywhere_flags_nothing(self):
        cells = pd.DataFrame({"edge": "a→b", "benchmark": ["x", "y"], "b": [0, 0], "c": [0, 0]})
        (found,) = paired_benchmarks.aggregate(
            cells, draws=10, rng=np.random.default_rng(1)
        ).to_dict("records")
        assert (found["worst"], found["flagged"], found["pooled"]) == ("–", "no", 1)

    def test_single_trials_give_mcnemars_p_within_the_error_bar(self, greedy):
        items = paired_tests.verdicts(greedy)
        scores = trial_pairs.mean_scores(greedy)
        (found,) = paired_benchmarks.permutation_table(
            items, scores, rng=np.random.default_rng(2)
        ).to_dict("records")
        assert (found["tested"], found["exact"]) == ("p̂", "no")
        assert found["difference"] == pytest.approx(2.35)
        exact = float(mcnemar_exact(141, 188, "worse"))
        assert found["worse_low"] <= exact <= found["worse_high"]

    def test_numeric_scores_are_tested_where_there_are_any(self, simulated):
        items = paired_tests.verdicts(simulated)
        scores = trial_pairs.mean_scores(simulated)
        quiz = (scores["benchmark"] == "quiz").to_numpy()
        rng = np.random.default_rng(3)
        made = rng.normal(size=len(scores)) - 2 * (scores["model"] == "newest").to_numpy()
        scores["score"] = np.where(quiz, made, np.nan)
        found = paired_benchmarks.permutation_table(items, scores, draws=999, rng=rng)
        assert found["tested"].tolist() == ["score, all trials", "p̂"] * 3
        assert found.loc[2, "p_worse"] == found.loc[4, "p_worse"] == 0.001  # to newest
        assert found.loc[0, "p_worse"] > 0.01
        counts = item_counts(simulated)
        thinned = paired_tests.verdicts(simulated, thin(counts, 1, np.random.default_rng(4)))
        rng = np.random.default_rng(3)
        fewer = paired_benchmarks.permutation_table(thinned, scores, draws=99, rng=rng)
        same = fewer["difference"] == found["difference"]
        assert same.tolist() == [True, False] * 3, "p̂ follows the thinned counts, scores do not"


class TestPower:
    """What drop the items could show, and what trimming keeps."""

    def test_power_is_shown_for_drops_that_can_be(self, simulated):
        cells = paired_tests.table(paired_tests.verdicts(simulated))
        table = paired_power.power_table(cells, (1.0, 5.0, 99.0))
        assert set(table["drop"]) == {1.0, 5.0}
        assert (table.groupby("edge")["power"].diff().dropna() > 0).all()
        assert (table.groupby("edge")["needed"].diff().dropna() < 0).all()
        curve = paired_power.power_curve(cells, (5.0,))
        assert (curve.groupby("edge")["asymptotic"].diff().dropna() >= 0).all()
        assert set(curve["observed"]) == {50}

    def test_without_flips_there_is_no_power_to_show(self):
        cells = pd.DataFrame({"edge": "a→b", "benchmark": ["x"], "items": [9], "b": [0], "c": [0]})
        assert paired_power.power_table(cells).empty
        with pytest.raises(NotInArchive, match="no verdict changes"):
            paired_power.power_curve(cells)
