"""The index against its definition, a textbook case, its edges and what 002 published."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reliable_change.stats.reliability import NO_VARIANCE, TOO_FEW_ITEMS
from reliable_change.stats.reliable_change_index import (
    CONSERVATIVE,
    DETERIORATED,
    EXCLUDED,
    IMPROVED,
    NOT_TESTABLE,
    UNCHANGED,
    UNDEFINED,
    index_classes,
    reliable_change_index,
)

COUNTS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12), st.integers(0, 12)),
    max_size=12,
).map(lambda rows: [(min(a, b), max(a, b), min(c, d), max(c, d)) for a, b, c, d in rows])


@given(COUNTS)
def test_the_index_is_its_definition(rows):
    counts = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    found = reliable_change_index(*counts)
    tested = [row for row in rows if row[1] >= 2 and row[3] >= 2]
    assert found.testable.sum() == len(tested)
    classes = index_classes(found)
    assert ((classes == NOT_TESTABLE) == ~found.testable).all()
    assert not (np.isnan(found.index) & found.testable & ~np.isnan(found.s_diff)).any()
    if np.isnan(found.s_diff) or found.s_diff == 0:
        return
    for row, index, name in zip(rows, found.index, classes, strict=True):
        if row not in tested:
            assert np.isnan(index)
            continue
        shift = row[2] / row[3] - row[0] / row[1]
        assert index == pytest.approx(shift / np.hypot(found.source.sem, found.target.sem))
        at_end = (row[0] == row[2] == 0) or (row[0] == row[1] and row[2] == row[3])
        expected = UNCHANGED if abs(index) <= 1.96 else IMPROVED if index > 0 else DETERIORATED
        assert name == (EXCLUDED if at_end else expected)


def test_a_textbook_case_by_hand():
    # Even K, so SEM² is the mean of p(1 − p) / (K − 1): source (0.16, 0.25, 0.09, 0) / 9,
    # target (0.21, 0.25, 0.16, 0.09) / 9; S_diff² = (0.125 + 0.1775) / 9.
    found = reliable_change_index([2, 5, 9, 10], 10, [7, 5, 2, 9], 10)
    assert found.s_diff == pytest.approx(np.sqrt((0.125 + 0.1775) / 9))
    assert found.index == pytest.approx(np.array([0.5, 0, -0.7, -0.1]) / 0.183333, abs=2e-3)
    assert index_classes(found).tolist() == [IMPROVED, UNCHANGED, DETERIORATED, UNCHANGED]
    # 0.5 / 0.1833 = 2.73 and 0.7 / 0.1833 = 3.82: both pass 2.58 too.
    assert index_classes(found, CONSERVATIVE).tolist() == index_classes(found).tolist()


def test_the_threshold_itself_is_no_change():
    found = reliable_change_index([2, 5, 9], 10, [7, 5, 2], 10)
    exactly = abs(float(found.index[0]))
    assert index_classes(found, exactly)[0] == UNCHANGED
    assert index_classes(found, np.nextafter(exactly, 0))[0] == IMPROVED
    with pytest.raises(ValueError, match="threshold"):
        index_classes(found, 0)


def test_floor_and_ceiling_on_both_sides_are_excluded_and_on_one_are_not():
    found = reliable_change_index([0, 10, 0, 10, 0, 4], 10, [0, 10, 10, 0, 1, 5], 10)
    assert found.analysable.tolist() == [False, False, True, True, True, True]
    assert index_classes(found)[:4].tolist() == [EXCLUDED, EXCLUDED, IMPROVED, DETERIORATED]


def test_swapping_the_sides_mirrors_the_index():
    rng = np.random.default_rng(1)
    n_s, n_t = rng.integers(2, 20, (2, 50))
    k_s, k_t = rng.binomial(n_s, 0.4), rng.binomial(n_t, 0.5)
    there = reliable_change_index(k_s, n_s, k_t, n_t)
    back = reliable_change_index(k_t, n_t, k_s, n_s)
    assert there.index == pytest.approx(-back.index)


def test_the_population_decides_the_reliability():
    counts = [0, 0, 10, 3, 6, 5], 10, [0, 0, 10, 5, 9, 4], 10
    all_items = reliable_change_index(*counts)
    fewer = reliable_change_index(*counts, population="analysable")
    alone = reliable_change_index([3, 6, 5], 10, [5, 9, 4], 10)
    assert fewer.s_diff == alone.s_diff
    assert fewer.s_diff == pytest.approx(all_items.s_diff * np.sqrt(2))
    with pytest.raises(ValueError, match="population"):
        reliable_change_index(*counts, population="some")


def test_leading_axes_are_separate_cells():
    rng = np.random.default_rng(2)
    k = rng.binomial(9, 0.4, (2, 5, 30))
    together = reliable_change_index(k[0], 9, k[1], 9)
    assert together.index.shape == (5, 30)
    assert together.s_diff.shape == (5,)
    for row in range(5):
        alone = reliable_change_index(k[0, row], 9, k[1, row], 9)
        assert together.index[row] == pytest.approx(alone.index)
    assert index_classes(together).shape == (5, 30)


def test_random_splits_come_near_the_limit():
    rng = np.random.default_rng(4)
    chance = rng.beta(0.5, 0.5, (2, 300))
    k = rng.binomial(10, chance)
    limit = reliable_change_index(k[0], 10, k[1], 10)
    drawn = reliable_change_index(k[0], 10, k[1], 10, splits=200, rng=rng)
    assert drawn.s_diff == pytest.approx(limit.s_diff, rel=0.01)


@pytest.mark.parametrize(
    ("counts", "outcome"),
    [
        (([0, 0, 0], 10, [1, 5, 9], 10), NO_VARIANCE),
        (([4], 10, [9], 10), TOO_FEW_ITEMS),
    ],
)
def test_without_a_standard_error_the_items_are_undefined(counts, outcome):
    found = reliable_change_index(*counts)
    assert found.source.outcome == outcome
    assert np.isnan(found.s_diff)
    assert set(index_classes(found)) == {UNDEFINED}


def test_all_at_floor_is_excluded_not_undefined():
    found = reliable_change_index([0, 0], 10, [0, 0], 10)
    assert index_classes(found).tolist() == [EXCLUDED, EXCLUDED]


def test_one_trial_a_side_cannot_be_split():
    found = reliable_change_index([1, 0, 1], 1, [0, 0, 1], 1)
    assert set(index_classes(found)) == {NOT_TESTABLE}
    assert found.source.outcome == TOO_FEW_ITEMS
    assert np.isnan(found.difference).all()


def test_missing_trials_leave_the_other_items_alone():
    with_gap = reliable_change_index([2, 5, 9, 0], [10, 10, 10, 0], [7, 5, 2, 3], 10)
    without = reliable_change_index([2, 5, 9], 10, [7, 5, 2], 10)
    assert with_gap.index[:3] == pytest.approx(without.index)
    assert index_classes(with_gap)[3] == NOT_TESTABLE


def test_certain_scores_make_any_shift_reliable():
    found = reliable_change_index([0, 2, 2, 0], 2, [2, 0, 2, 0], 2)
    assert found.s_diff == 0
    assert found.index.tolist() == [np.inf, -np.inf, 0, 0]


def published_on_analysable_items(found: dict, median_shift: float, k: int = 10) -> tuple:
    """Sum of p(1 − p) over both sides if SEM were of the analysable items, and its least value.

    With an even K, (K − 1) SEM² is the mean of p(1 − p). Every unchanged item has a side that is
    neither 0 nor 1. Half of the changed ones shift by at most the median, d; whoever shifts by
    less than 1 has p(1 − p) of at least d(1 − d) in all, or of the least on the grid below it.
    """
    given = found["n_items"] * (k - 1) * (found["sem_v1"] ** 2 + found["sem_v2"] ** 2)
    changed = found["n_improved"] + found["n_deteriorated"]
    shifts = np.arange(found["min_delta_samples"], round(median_shift * k) + 1) / k
    least = np.min(shifts * (1 - shifts))
    return given, found["n_no_change"] * (k - 1) / k**2 + changed // 2 * least


@pytest.mark.parametrize(("pair", "median_shift"), [("llama", 0.5), ("qwen", 0.9)])
def test_the_published_errors_cannot_be_those_of_the_analysable_items(
    fixtures_dir, pair, median_shift
):
    published = json.loads((fixtures_dir / "beyond_the_mean" / "btm_results.json").read_text())[
        pair
    ]
    given, least = published_on_analysable_items(published, median_shift)
    assert given < 0.85 * least
    # Over all 2,000 items there is room.
    assert given * 2000 / published["n_items"] > least


def test_the_published_errors_give_the_published_difference(fixtures_dir):
    published = json.loads((fixtures_dir / "beyond_the_mean" / "btm_results.json").read_text())
    for pair in ("llama", "qwen"):
        errors = published[pair]["sem_v1"], published[pair]["sem_v2"]
        # The two SEMs are themselves rounded to four decimals.
        assert np.hypot(*errors) == pytest.approx(published[pair]["s_diff"], abs=1e-4)
