"""Each distinct table is decided once, whatever shapes and sizes the counts have."""

from __future__ import annotations

import numpy as np
import pytest

from reliable_change.stats import lookup
from reliable_change.stats.fisher import fisher_exact
from reliable_change.stats.lookup import by_table


def random_counts(rng, shape, largest: int):
    n_s, n_t = rng.integers(0, largest + 1, (2, *shape))
    return rng.integers(0, n_s + 1), n_s, rng.integers(0, n_t + 1), n_t


@pytest.mark.parametrize("largest", [1, 7, 60])
@pytest.mark.parametrize("limit", [0, 4_000_000])
def test_results_are_those_of_the_function_itself(monkeypatch, largest, limit):
    monkeypatch.setattr(lookup, "_LARGEST", limit)  # sorting and marking
    counts = random_counts(np.random.default_rng(1), (6, 50), largest)
    np.testing.assert_array_equal(by_table(fisher_exact, *counts), fisher_exact(*counts))


def test_sizes_may_come_without_the_axis_of_replications():
    rng = np.random.default_rng(2)
    n_s, n_t = rng.integers(1, 9, 20), 5
    k_s, k_t = rng.integers(0, n_s + 1, (3, 20)), rng.integers(0, 6, (3, 20))
    found = by_table(fisher_exact, k_s, n_s, k_t, n_t)
    np.testing.assert_array_equal(found, fisher_exact(k_s, n_s, k_t, n_t))


def test_the_function_sees_each_table_once():
    seen = []

    def sees(*counts):
        seen.extend(zip(*(count.tolist() for count in counts), strict=True))
        return counts[0] > 0, counts[2] > 0

    before, after = by_table(sees, [[1, 1, 0], [1, 0, 1]], 2, [0, 0, 2], [2, 2, 3])
    assert sorted(seen) == [(0, 2, 0, 2), (0, 2, 2, 3), (1, 2, 0, 2), (1, 2, 2, 3)]
    assert before.tolist() == [[True, True, False], [True, False, True]]
    assert after.tolist() == [[False, False, True], [False, False, True]]


def test_edges():
    assert by_table(fisher_exact, [], [], [], []).shape == (0,)
    assert by_table(fisher_exact, np.empty((4, 0), int), 5, np.empty((4, 0), int), 5).shape == (
        4,
        0,
    )
    assert by_table(fisher_exact, 1, 2, 1, 2) == 1
    for k_s, k_t in ((3, 0), (-1, 0), (0, 3), (0, -1)):
        with pytest.raises(ValueError, match="0 <= k <= n"):
            by_table(fisher_exact, [k_s, 1], 2, [k_t, 1], 2)
    with pytest.raises(ValueError, match="whole"):
        by_table(fisher_exact, [0.5], 2, [1], 2)
