"""Subsets and halves of trials have the distributions that they claim."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta, chisquare, hypergeom

from reliable_change.analysis.cells import Cell
from reliable_change.analysis.methods import counting

COUNTS = (np.array([5, 0, 9]), np.array([8, 6, 9]), np.array([2, 3, 0]), np.array([4, 7, 9]))
DRAWS = 20_000


def follows(seen: np.ndarray, distribution) -> bool:
    counts = np.bincount(seen, minlength=11)[:11]
    expected = DRAWS * distribution.pmf(np.arange(11))
    kept = expected > 5
    assert counts[expected < 1e-9].sum() == 0
    return (
        chisquare(counts[kept], expected[kept] * counts[kept].sum() / expected[kept].sum())[1]
        > 1e-3
    )


def test_fewer_trials_are_drawn_without_replacement():
    k_s, n_s, k_t, n_t = counting.fewer_trials(COUNTS, 5, DRAWS, np.random.default_rng(1))
    assert n_s.tolist() == [5, 5, 5]
    assert n_t.tolist() == [4, 5, 5]
    assert follows(k_s[:, 0], hypergeom(8, 5, 5))
    assert follows(k_t[:, 1], hypergeom(7, 3, 5))
    assert (k_s[:, 1] == 0).all()
    assert (k_s[:, 2] == 5).all()
    assert (k_t[:, 0] == 2).all(), "all four are kept"


def test_halves_are_of_one_model_and_equally_long():
    k, n = np.array([5, 3, 1, 0]), np.array([8, 7, 1, 0])
    first, half, second, other = counting.halves(k, n, DRAWS, np.random.default_rng(4))
    assert half.tolist() == other.tolist() == [4, 3]
    assert (first[:, 0] + second[:, 0] == 5).all()
    assert follows(first[:, 0], hypergeom(8, 5, 4))
    assert follows(second[:, 1], hypergeom(7, 3, 3))
    assert follows(first[:, 1] + second[:, 1], hypergeom(7, 3, 6)), "one of seven sits out"


def test_items_that_are_not_testable_are_left_out():
    cell = Cell(
        "a→b",
        "quiz",
        np.array(["x", "y", "z"]),
        *map(np.array, ([1, 0, 2], [2, 0, 2], [1, 1, 0], [2, 2, 0])),
    )
    assert [count.tolist() for count in counting.scored_items(cell)] == [[1], [2], [1], [2]]


def test_numbers_of_trials_end_with_the_largest_there_is():
    cell = Cell("a→b", "quiz", np.array(["x"]), *map(np.array, ([1], [7], [1], [12])))
    assert counting.trial_numbers([cell]) == [1, 5, 10, 12]
    assert counting.trial_numbers([cell], (12, 20)) == [12]


def test_intervals_are_exact():
    found = counting.share("x", 3, 40)
    assert found["x_low"] == pytest.approx(100 * beta.ppf(0.025, 3, 38))
    assert found["x_high"] == pytest.approx(100 * beta.ppf(0.975, 4, 37))
    assert np.isnan(list(counting.share("x", 0, 0).values())).all()
