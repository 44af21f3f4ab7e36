"""The list of lost items, their texts, and clusters that are planted or are none."""

from __future__ import annotations

import itertools
from math import comb

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from reliable_change.analysis import paired_power, paired_tests, regressions, unchanged_record
from reliable_change.archive.counts import item_counts
from reliable_change.archive.read import read_archive
from reliable_change.archive.simulate import simulate_archive
from reliable_change.errors import NotInArchive


@pytest.fixture
def uneven(uneven_k_dir):
    return read_archive(uneven_k_dir)


def test_every_lost_item_is_listed_with_what_a_record_needs(uneven):
    items = paired_tests.verdicts(uneven)
    found = regressions.regressed_items(uneven, items)
    keys = ["edge", "benchmark", "item_id"]
    lost = items.loc[items["flip"] == "lost", keys]
    assert len(found) == len(lost) > 2
    assert set(found[keys].itertuples(index=False, name=None)) == set(
        lost.itertuples(index=False, name=None)
    )
    assert (found["source"] + "→" + found["target"] == found["edge"]).all()
    assert (found["prompt_version"] == uneven.manifest.prompt_version).all() or found[
        "prompt_version"
    ].isna().all()
    fall = found["p_hat_target"] - found["p_hat_source"]
    assert fall.is_monotonic_increasing
    assert (fall < 0).all()


def test_texts_are_those_of_the_first_right_and_the_first_wrong_trial(uneven):
    key = ["benchmark", "item_id", "model", "trial"]
    whole = uneven.responses([*key, "response_text"]).merge(
        uneven.scores([*key, "category"]), on=key
    )
    whole = whole.astype(dict.fromkeys([*key[:3], "category", "response_text"], object))
    whole = whole[whole["category"].notna() & (whole["category"] != "api_error")]
    found = regressions.regressed_items(uneven, paired_tests.verdicts(uneven))
    seen = 0
    for row in found.itertuples():
        for model, text, right in (
            (row.source, row.source_text, True),
            (row.target, row.target_text, False),
        ):
            mine = whole[
                (whole["benchmark"] == row.benchmark)
                & (whole["item_id"] == row.item_id)
                & (whole["model"] == model)
                & ((whole["category"] == "correct") == right)
            ].sort_values("trial")
            expected = mine["response_text"].iloc[0]
            if isinstance(expected, str):
                assert text == expected
                seen += 1
            else:
                assert not isinstance(text, str)
    assert seen > 2


def test_an_archive_without_texts_gives_the_list_all_the_same(tmp_path):
    folder = tmp_path / "bare"
    rng = np.random.default_rng(1)
    simulate_archive(
        folder, rng=rng, benchmarks={"q": 40}, models=["a", "b"], trials=3, changed=1.0,
        responses=False,
    )  # fmt: skip
    archive = read_archive(folder)
    found = regressions.regressed_items(archive, paired_tests.verdicts(archive))
    assert len(found) > 3
    assert found["source_text"].isna().all()
    short = regressions.shortened(found)
    assert "source_text" not in short.columns
    assert len(short) == len(found)


def test_no_lost_item_is_an_empty_list(uneven):
    items = paired_tests.verdicts(uneven).assign(flip="unchanged")
    assert regressions.regressed_items(uneven, items).empty


def test_texts_are_shown_in_one_short_line_and_kept_whole_elsewhere():
    long = "a\n" * 500
    frame = pd.DataFrame(
        {"source": ["m"], "target": ["n"], "prompt": [long], "source_text": ["b\tc"],
         "target_text": [None]}
    )  # fmt: skip
    short = regressions.shortened(frame)
    assert short["prompt"].iloc[0] == ("a " * 60)[:60] + "…"
    assert short["source_text"].iloc[0] == "b c"
    assert list(short.columns) == ["prompt", "source_text"]
    assert frame["prompt"].iloc[0] == long


class Strata:
    """Stands in for an archive of one benchmark with a stratum of two or three levels."""

    class manifest:  # noqa: N801
        strata = {"b": {"difficulty": ("x", "y")}}
        edges = (("old", "new"),)

    def __init__(self, levels):
        ids = [str(i) for i in range(len(levels))]
        self.items = pd.DataFrame({"benchmark": "b", "item_id": ids, "difficulty": levels})


def items_with(flips, right):
    return pd.DataFrame(
        {
            "edge": "old→new",
            "benchmark": "b",
            "item_id": [str(i) for i in range(len(flips))],
            "right_before": right,
            "flip": flips,
        }
    )


def test_a_clusters_p_is_the_share_of_ways_to_lose_as_many():
    """Four right in x (3 lost), five right in y (1 lost): every choice of 4 of 9 counted."""
    levels = ["x"] * 6 + ["y"] * 6
    flips = ["lost"] * 3 + ["unchanged"] * 3 + ["lost"] + ["unchanged"] * 4 + ["gained"]
    right = [True] * 4 + [False] * 2 + [True] * 5 + [False]
    found = regressions.clusters(Strata(levels), items_with(flips, right)).set_index("level")
    at_least = sum(
        sum(i < 4 for i in chosen) >= 3 for chosen in itertools.combinations(range(9), 4)
    )
    assert found.loc["x", "p"] == pytest.approx(at_least / comb(9, 4))
    assert found.loc["x", "adjusted"] == pytest.approx(2 * at_least / comb(9, 4))
    assert found["b"].tolist() == [3, 1]
    assert found["c"].tolist() == [0, 1]
    assert found["expected"].tolist() == pytest.approx([4 * 4 / 9, 4 * 5 / 9])
    assert found["share"].tolist() == [75, 20]


def test_levels_without_items_right_before_have_no_share_and_no_cluster():
    found = regressions.clusters(
        Strata(["x", "y", "z"]), items_with(["gained", "lost", "unchanged"], [False, True, True])
    ).set_index("level")
    assert list(found.index) == ["x", "y", "z"]
    assert np.isnan(found.loc["x", "share"])
    assert found.loc["x", "p"] == 1


def test_clusters_are_called_no_more_often_than_they_should_be_when_loss_is_random():
    rng = np.random.default_rng(5)
    archive = Strata(["x"] * 40 + ["y"] * 40)
    right = rng.random(80) < 0.7
    least = []
    for _ in range(400):
        flips = np.where(right & (rng.random(80) < 0.3), "lost", "unchanged")
        least.append(regressions.clusters(archive, items_with(flips, right))["adjusted"].min())
    called = int(np.sum(np.array(least) <= 0.05))
    assert stats.binomtest(called, 400, 0.05, "greater").pvalue > 0.001


def test_a_planted_cluster_is_found_and_needs_strata(uneven):
    archive = Strata(["x"] * 40 + ["y"] * 40)
    flips = ["lost"] * 15 + ["unchanged"] * 63 + ["lost"] * 2
    found = regressions.clusters(archive, items_with(flips, [True] * 80)).set_index("level")
    assert found.loc["x", "adjusted"] < 0.01 < found.loc["y", "adjusted"]
    archive.manifest = type("Bare", (), {"strata": {}})
    archive.path = uneven.path
    with pytest.raises(NotInArchive, match="no strata"):
        regressions.clusters(archive, items_with(flips, [True] * 80))


def test_physics_goes_against_the_total_on_the_real_greedy_runs(greedy):
    items = paired_tests.verdicts(greedy)
    found = regressions.clusters(greedy, items).set_index("level")
    assert (found.loc["physics", "b"], found.loc["physics", "c"]) == (58, 45)
    assert (found["b"].sum(), found["c"].sum()) == (141, 188)
    assert (found.drop("physics")["c"] > found.drop("physics")["b"]).all()
    assert found.loc["physics", "adjusted"] < 1e-6


def test_real_lost_items_have_the_texts_of_both_models(greedy):
    found = regressions.regressed_items(greedy, paired_tests.verdicts(greedy))
    assert len(found) == 141
    assert found[["source_text", "target_text"]].notna().all(axis=None)
    assert (found["source_text"] != found["target_text"]).all()


def test_failed_trials_are_counted_once_on_lost_or_other_items(uneven):
    items, counts = paired_tests.verdicts(uneven), item_counts(uneven)
    found = regressions.failures(items, counts)
    for edge, cell in found.groupby("edge"):
        model = counts[counts["model"] == edge.split("→")[1]]
        for category, part in cell.groupby("category"):
            assert (part["lost_items"] + part["other_items"]).sum() == model[category].sum()
    shares = found.groupby(["edge", "benchmark"])[["lost_share", "other_share"]].sum()
    assert set(shares.to_numpy().round(9).ravel()) <= {0.0, 100.0}


class TestTrimming:
    """What is kept of the signal when items that do not flip are left out."""

    def test_changed_verdicts_alone_keep_the_ratio_to_the_last_digit(self, simulated):
        items = paired_tests.verdicts(simulated)
        found = paired_power.trimming(simulated, items, unchanged_record.halves(simulated))
        wide = found.pivot(index="edge", columns="kept", values="snr")
        assert (wide["all"] == wide["verdict changes"]).all()
        kept = found.pivot(index="edge", columns="kept", values="items")
        assert (kept["unsteady in the first half"] < kept["all, second halves"]).all()

    def test_the_guess_is_made_from_first_halves_and_judged_by_second_ones(self, simulated):
        halves = unchanged_record.halves(simulated)
        found = paired_power.trimming(simulated, paired_tests.verdicts(simulated), halves)
        source, target = (
            halves[halves["model"] == model].set_index(["benchmark", "item_id"])
            for model in ("old", "new")
        )
        expected = {"all, second halves": [0, 0, 0], "unsteady in the first half": [0, 0, 0]}
        for key, row in source.iterrows():
            other = target.loc[key]
            sides = [2 * half["k_second"] > half["n_half"] for half in (row, other)]
            for kept in expected:
                if kept.startswith("all") or 0 < row["k_first"] < row["n_half"]:
                    expected[kept][0] += 1
                    expected[kept][1] += sides == [True, False]
                    expected[kept][2] += sides == [False, True]
        part = found[found["edge"] == "old→new"].set_index("kept")
        for kept, counts in expected.items():
            assert part.loc[kept, ["items", "b", "c"]].tolist() == counts

    def test_an_archive_of_single_trials_has_no_halves(self, greedy):
        items = paired_tests.verdicts(greedy)
        found = paired_power.trimming(greedy, items, unchanged_record.halves(greedy))
        assert found["kept"].tolist() == ["all", "verdict changes"]
        assert found["snr"].tolist() == pytest.approx([(141 - 188) / np.sqrt(329)] * 2)

    def test_without_flips_there_is_no_ratio(self, simulated):
        items = paired_tests.verdicts(simulated).assign(flip="unchanged")
        found = paired_power.trimming(simulated, items, unchanged_record.halves(simulated))
        assert found.loc[found["kept"].isin(["all", "verdict changes"]), "snr"].isna().all()
