"""Single answers against the index, and disciplines against their benchmark."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reliable_change.analysis import index_comparisons, single_draw
from reliable_change.analysis.classification import classify_items
from reliable_change.analysis.reliable_change_index import index_cells, index_items
from reliable_change.archive.counts import item_counts
from reliable_change.archive.imports.beyond_the_mean import import_trials
from reliable_change.archive.read import read_archive
from reliable_change.errors import NotInArchive


@pytest.fixture(scope="module")
def items(simulated):
    return index_items(index_cells(simulated))


def test_drawn_answers_are_counted_item_by_item(simulated, items):
    answers = single_draw.draw_trials(simulated, seed=3)
    table = index_comparisons.against_single_answers(simulated, items, answers)
    verdict = answers.set_index(["benchmark", "item_id", "model"])["correct"].to_dict()
    missed = false_flags = flips = stays = 0
    for row in items.itertuples():
        source, target = (verdict[row.benchmark, row.item_id, m] for m in row.edge.split("→"))
        if row.index_class in ("improved", "deteriorated"):
            a, b = row.p_hat_source, row.p_hat_target
            stays += a * b + (1 - a) * (1 - b)
            missed += source == target
            flips += source != target
        elif row.index_class == "no reliable change":
            false_flags += source != target
            flips += source != target
    total = table.iloc[-1]
    assert total["edge"] == "all"
    assert (total["missed"], total["false_flags"], total["flips"]) == (missed, false_flags, flips)
    assert table["missed"][:-1].sum() == missed
    assert total["missed_rate"] == pytest.approx(100 * missed / total["changed"])
    assert total["missed_mean"] == pytest.approx(100 * stays / total["changed"])


def test_the_means_over_all_draws_are_those_of_many_draws(simulated, items):
    drawn = [
        index_comparisons.against_single_answers(
            simulated, items, single_draw.draw_trials(simulated, seed=seed)
        ).iloc[-1]
        for seed in range(60)
    ]
    for rate, mean in (("missed_rate", "missed_mean"), ("false_flag_rate", "false_flag_mean")):
        seen = np.array([row[rate] for row in drawn])
        assert abs(seen.mean() - drawn[0][mean]) < 4 * seen.std() / np.sqrt(60)
    assert len({row["missed_mean"] for row in drawn}) == 1


def test_a_greedy_run_takes_the_place_of_the_draw(simulated, items):
    greedy = item_counts(simulated)
    greedy = greedy.assign(n=1, correct=(greedy["model"] == "new").astype(int))
    total = index_comparisons.against_single_answers(simulated, items, greedy).iloc[-1]
    # Everything flips between new and any other model, nothing between old and newest.
    changed = items[items["index_class"].isin(["improved", "deteriorated"])]
    assert total["missed"] == (changed["edge"] == "old→newest").sum()


def test_answers_of_other_items_are_refused(simulated, items):
    counts = item_counts(simulated)
    with pytest.raises(NotInArchive, match="exactly one"):
        index_comparisons.against_single_answers(simulated, items, counts.assign(n=12))


def test_physics_goes_against_the_total_in_the_real_files(fixtures_dir, tmp_path):
    folder = fixtures_dir / "beyond_the_mean"
    files = [folder / "llama3-8b_H.jsonl", folder / "llama3.1-8b_H.jsonl"]
    archive = read_archive(import_trials(files, tmp_path / "greedy"))
    found = index_comparisons.against_the_total(archive, classify_items(archive))
    row = found.iloc[0]
    assert found["discipline"].tolist() == ["physics"]
    assert (row["items"], row["rises"], row["falls"]) == (500, 45, 58)
    assert row["delta"] == pytest.approx(-2.6)
    assert row["total"] == pytest.approx(2.35)


class Labelled:
    """An archive of which only the items' disciplines are asked."""

    def __init__(self, disciplines):
        self.items = pd.DataFrame(
            {"benchmark": "quiz", "item_id": list("1234"), "discipline": disciplines}
        )
        self.path = type("Path", (), {"name": "toy"})


def shifts(*difference):
    return pd.DataFrame(
        {"edge": "a→b", "benchmark": "quiz", "item_id": list("1234"), "difference": difference}
    )


def test_disciplines_are_means_over_testable_items():
    archive = Labelled(["law", "law", "art", "art"])
    found = index_comparisons.against_the_total(archive, shifts(-0.1, np.nan, 0.3, 0.5))
    assert found.to_dict("records") == [
        {"edge": "a→b", "benchmark": "quiz", "total": pytest.approx(70 / 3), "discipline": "law",
         "items": 1, "delta": -10.0, "rises": 0, "falls": 1}
    ]  # fmt: skip
    assert index_comparisons.against_the_total(archive, shifts(0.1, 0.1, 0.3, 0.5)).empty


def test_items_without_disciplines_are_said_to_have_none():
    with pytest.raises(NotInArchive, match="toy names no disciplines"):
        index_comparisons.against_the_total(Labelled([None] * 4), shifts(0, 0, 0, 0))
