from __future__ import annotations

import math

import numpy as np
import pytest

from reliable_change.analysis import classification
from reliable_change.analysis.cells import thin
from reliable_change.analysis.reach import reach, trials_needed, what_they_could_show
from reliable_change.archive.counts import item_counts
from reliable_change.stats.classification import classify


def counts_of(simulated, trials):
    return thin(item_counts(simulated), trials, np.random.default_rng(2))


@pytest.fixture(scope="module")
def few(simulated):
    items = classification.classify_items(simulated, counts=counts_of(simulated, 5))
    return reach(items, simulated.manifest)


def calls_when(moved: int, m: int, k: int, drop: int | None = None) -> int:
    """How many of m items are called when so many of them lose `drop` of their k trials."""
    lost = k if drop is None else drop
    target = np.where(np.arange(m) < moved, k - lost, k)
    return int((classify(np.full(m, k), k, target, k, epsilon=0.2, alpha=0.05).rejected).sum())


def test_fewer_items_than_it_names_are_never_called_and_so_many_are(few):
    assert len(few) == 6
    for row in few.itertuples():
        assert row.smallest_p == pytest.approx(2 / math.comb(10, 5))
        assert 1 < row.together <= row.items
        assert calls_when(row.together - 1, row.items, 5) == 0
        assert calls_when(row.together, row.items, 5) == row.together
        assert np.isnan(row.alone)
        assert calls_when(1, row.items, row.trials_needed) == 1
        assert calls_when(1, row.items, row.trials_needed - 1) == 0


def test_the_smallest_shift_of_a_lone_item_is_the_smallest_that_is_called(simulated):
    items, k = classification.classify_items(simulated), 12
    items = items[(items["n_source"] == k) & (items["n_target"] == k)]
    for row in reach(items, simulated.manifest).itertuples():
        assert row.together == 1
        drop = round(row.alone * k / 100)
        # From the edge of the scale: no table with that shift has a smaller p.
        assert calls_when(1, row.items, k, drop) == 1
        assert calls_when(1, row.items, k, drop - 1) == 0


def test_names_are_labels_and_untestable_items_are_left_out(simulated):
    items = classification.classify_items(simulated)
    first = items.index[(items["benchmark"] == "quiz")][:3]
    items.loc[first, "class"] = classification.NOT_TESTABLE
    found = reach(items, simulated.manifest)
    assert found["items"].tolist()[0] == 27
    assert found["benchmark"].tolist()[:2] == ["quiz", "form"]
    nothing = items.assign(**{"class": classification.NOT_TESTABLE})
    assert reach(nothing, simulated.manifest).empty
    assert what_they_could_show(reach(nothing, simulated.manifest)) == []


def test_a_warning_is_given_only_where_no_item_can_be_called(simulated, few):
    (said,) = what_they_could_show(few)
    assert said.startswith("In 6 of 6 cells no item can be called by itself")
    assert "0.0079" in said
    assert "not even" not in said
    every = classification.classify_items(simulated)
    assert what_they_could_show(reach(every, simulated.manifest)) == []
    two = classification.classify_items(simulated, counts=counts_of(simulated, 2))
    (never,) = what_they_could_show(reach(two, simulated.manifest))
    assert "In 6 of them not even all items together could be called." in never


@pytest.mark.parametrize("m", [1, 8, 300])
def test_trials_needed_follows_from_the_chance_of_one_table(m):
    k = trials_needed(m)
    assert 2 / math.comb(2 * k, k) <= 0.05 / m < 2 / math.comb(2 * k - 2, k - 1)
