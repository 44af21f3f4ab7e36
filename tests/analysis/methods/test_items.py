"""Methods on archives: uneven, missing and real ones; rates against exact ones."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import hypergeom

from reliable_change.analysis.cells import Cell, iterate_cells
from reliable_change.analysis.classification import classify_items
from reliable_change.analysis.methods import items
from reliable_change.analysis.single_draw import flips
from reliable_change.archive.counts import item_counts
from reliable_change.archive.read import read_archive
from reliable_change.stats.methods import PAPER, item_methods

METHODS = item_methods()
NAMES = [method.name for method in METHODS]


@pytest.fixture(scope="module")
def cells(simulated):
    return list(iterate_cells(simulated))


def test_what_is_called_is_what_other_notebooks_say(simulated):
    calls = items.called_regressed(simulated, METHODS, seed=3)
    classes = classify_items(simulated)
    assert list(calls.columns) == [*items.KEY, *NAMES]
    assert calls[items.KEY].equals(classes[items.KEY])
    np.testing.assert_array_equal(calls[PAPER], classes["class"] == "regressed")
    flipped = flips(simulated, classes, seed=3).merge(calls, on=items.KEY, validate="one_to_one")
    np.testing.assert_array_equal(
        flipped["Single draw flips"], flipped["flip"] == "correct_to_incorrect"
    )
    assert calls["Single draw flips"].any()


def test_a_real_archive_has_its_four_regressions(fixtures_dir):
    archive = read_archive(fixtures_dir / "smollm2_sample")
    counts = items.call_counts(items.called_regressed(archive, METHODS, seed=1), METHODS)
    counts = counts.set_index("method")
    assert counts.loc[PAPER, ["regressed", "also", "only"]].tolist() == [4, 4, 0]
    assert counts.loc["Any drop", "regressed"] == 23
    assert counts.loc[PAPER, "percent"] == pytest.approx(100 * 4 / 32)


def test_counts_and_overlap_by_hand():
    calls = pd.DataFrame([[1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0]], columns=NAMES[:3]).astype(
        bool
    )
    counts = items.call_counts(calls, METHODS[:3])
    assert counts["regressed"].tolist() == [2, 2, 0]
    assert counts["also"].tolist() == [2, 1, 0]
    assert counts["only"].tolist() == [0, 1, 2]
    assert counts["alone"].tolist() == [1, 1, 0]
    both = items.overlap(calls, METHODS[:3])
    assert both["both"].tolist() == [2, 1, 0, 1, 2, 0, 0, 0, 0]
    assert both["of"].tolist() == [2, 2, 2, 2, 2, 2, 0, 0, 0]


def test_alarms_of_a_rule_of_single_items_have_their_exact_rate():
    """Under shuffled labels, the chance that the mean falls or rises is a hypergeometric sum."""
    rng = np.random.default_rng(9)
    k_s, k_t = rng.integers(0, 13, (2, 30))
    n = np.full(30, 12)
    cell = Cell("a→b", "quiz", np.arange(30).astype(str), k_s, n, k_t, n)
    method = METHODS[NAMES.index("Any drop")]
    found = items.false_alarms([cell, cell], [method], draws=400, rng=np.random.default_rng(1))
    assert found["trials"].tolist() == [1, 5, 10, 12]
    assert set(found["items"]) == {2 * 400 * 30}
    assert set(found["cells"]) == {2 * 400}
    for row in found.itertuples():
        first = np.arange(row.trials + 1)
        chances = []
        for total in k_s + k_t:
            seen = hypergeom(24, total, row.trials).pmf(first)
            same = [
                hypergeom(24 - row.trials, total - a, row.trials).pmf(a) if chance > 0 else 0
                for a, chance in zip(first, seen, strict=True)
            ]
            chances.append(1 - seen @ np.array(same))
        assert row.alarm_low < 100 * np.mean(chances) < row.alarm_high


def test_when_nothing_changed_the_papers_method_is_nearly_silent(simulated, cells):
    shuffled = items.false_alarms(cells, METHODS, draws=50, rng=np.random.default_rng(2))
    halved = items.halves_alarms(
        item_counts(simulated), METHODS, draws=50, rng=np.random.default_rng(3)
    )
    assert set(halved["trials"]) == {6}
    for table in (shuffled[shuffled["trials"] == 12], halved):
        table = table.set_index("method")
        assert table.loc[PAPER, "any_low"] < 5
        assert table.loc["Any drop", "any"] == 100
        assert (table["alarm_low"] <= table["alarm"]).all()
        assert (table["alarm"] <= table["alarm_high"]).all()


def test_all_trials_find_every_change_and_nothing_else(cells):
    found = items.found_again(cells, METHODS, draws=20, rng=np.random.default_rng(4))
    paper = found[found["method"] == PAPER].set_index("trials")
    changes = classify_total(cells)
    assert changes > 0
    assert (found["changes"] == changes).all()
    assert paper.loc[12, ["found", "found_low", "found_high"]].tolist() == [100, 100, 100]
    assert paper.loc[12, "extra"] == 0
    assert paper["found"].is_monotonic_increasing
    assert paper.loc[1, "calls"] == 0
    assert (found["found_low"] <= found["found"]).all()
    single = found[found["method"] == "Single draw flips"]["found"]
    assert single.max() - single.min() < 15, "more trials are no help to one draw"
    np.testing.assert_allclose(
        found["calls"], found["extra"] + found["found"] * found["changes"] / 100, atol=1e-9
    )


def classify_total(cells) -> int:
    calls = [METHODS[0].call(*cell.counts, None) for cell in cells]
    return int(sum((c.regressed | c.improved).sum() for c in calls))


def test_both_are_joined_row_by_row(cells):
    joined = items.found_and_alarms(
        cells, METHODS, draws=5, at_all=9, rng=np.random.default_rng(10)
    )
    rng = np.random.default_rng(10)
    alarms = items.false_alarms(cells, METHODS, draws=5, at_all=9, rng=rng)
    most = alarms["trials"].max()
    judged = alarms[alarms["method"] == METHODS[0].name].set_index("trials")["cells"]
    assert judged[most] * 5 == judged.drop(most).max() * 9
    found = items.found_again(cells, METHODS, draws=5, rng=rng)
    pd.testing.assert_frame_equal(joined[found.columns], found)
    pd.testing.assert_frame_equal(joined[alarms.columns], alarms)
    changes = classify_total(cells)
    assert items.text_values(joined) == {("text", "reliable changes", "value"): changes}


def test_uneven_and_missing_trials(uneven_k_dir):
    archive = read_archive(uneven_k_dir)
    counts = item_counts(archive)
    cells = list(iterate_cells(archive, counts))
    testable = sum(((c.n_source > 0) & (c.n_target > 0)).sum() for c in cells)
    assert testable < sum(c.n_source.size for c in cells), "some item is not testable"
    calls = items.called_regressed(archive, METHODS, seed=1, counts=counts)
    assert len(calls) == testable
    alarms = items.false_alarms(cells, METHODS, draws=20, rng=np.random.default_rng(5))
    assert set(alarms["items"]) == {20 * testable}
    items.halves_alarms(counts, METHODS, draws=20, rng=np.random.default_rng(6))
    found = items.found_again(cells, METHODS, draws=20, rng=np.random.default_rng(7))
    assert len(found) == len(METHODS) * found["trials"].nunique()


def test_without_a_change_there_is_no_share_to_find():
    cell = Cell(
        "a→b", "quiz", np.array(["x", "y"]), *map(np.array, ([5, 9], [9, 9], [5, 9], [9, 9]))
    )
    found = items.found_again([cell], METHODS, draws=5, rng=np.random.default_rng(8))
    assert (found["changes"] == 0).all()
    assert found["found"].isna().all()


def test_same_seed_same_numbers(cells):
    tables = [
        items.found_again(cells, METHODS, draws=5, rng=np.random.default_rng(seed))
        for seed in (1, 1, 2)
    ]
    pd.testing.assert_frame_equal(tables[0], tables[1])
    assert not tables[0].equals(tables[2])
