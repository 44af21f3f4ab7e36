from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import LinearConstraint

from reliable_change.errors import ReliableChangeError
from reliable_change.reconstruction.constraints import stack
from reliable_change.reconstruction.program import choose, solve_binary

SIZES = np.array([5, 4, 3, 2, 1])


def rows(number, total):
    return stack([(np.ones(5), number, number), (SIZES, total, total)], 5)


def test_groups_get_what_they_ask_for_and_share_nothing():
    found = choose(None, {"a": rows(2, 9), "b": rows(2, 3)}, cost=np.ones((2, 5)), what="toy")
    assert {name: SIZES[chosen].tolist() for name, chosen in found.items()} == {
        "a": [5, 4],
        "b": [2, 1],
    }


def test_conditions_on_all_groups_together_hold():
    groups = {"a": stack([(np.ones(5), 1, 1)], 5), "b": stack([(np.ones(5), 1, 1)], 5)}
    shared = stack([(SIZES, 9, 9)], 5)
    found = choose(shared, groups, cost=np.ones((2, 5)), what="toy")
    assert sorted(np.concatenate(list(found.values())).tolist()) == [0, 1]


def test_use_all_leaves_no_candidate_out():
    groups = {"a": stack([(SIZES, 6, 6)], 5), "b": stack([(SIZES, 0, 15)], 5)}
    found = choose(None, groups, cost=np.ones((2, 5)), what="toy", use_all=True)
    assert sorted(np.concatenate(list(found.values())).tolist()) == [0, 1, 2, 3, 4]


def test_the_cheapest_is_found_when_no_gap_is_left():
    cost = np.array([[3.0, 1.0, 0.0, 2.0, 0.5]])
    found = choose(None, {"a": rows(2, 6)}, cost=cost, what="toy", gap=0.0)
    assert SIZES[found["a"]].tolist() == [4, 2] or cost[0, found["a"]].sum() == 3.0
    assert cost[0, found["a"]].sum() == 3.0


def test_what_cannot_be_is_an_error_that_names_it():
    with pytest.raises(ReliableChangeError, match="toy: no solution found.*infeasible"):
        choose(None, {"a": rows(2, 10)}, cost=np.ones((1, 5)), what="toy")


def test_running_out_of_time_is_an_error_too():
    rng = np.random.default_rng(1)
    sizes = rng.integers(10**6, size=(6, 60))
    hard = LinearConstraint(sizes, sizes.sum(axis=1) // 2, sizes.sum(axis=1) // 2)
    with pytest.raises(ReliableChangeError, match="hard: no solution found.*[Tt]ime"):
        solve_binary(np.ones(60), [hard], what="hard", time_limit=0.2)


def test_forbidden_variables_stay_zero():
    one = LinearConstraint(np.ones((1, 3)), 1, 1)
    allowed = np.array([0, 0, 1])
    chosen = solve_binary(np.array([0.0, 0.0, 1.0]), [one], what="toy", allowed=allowed)
    assert chosen.tolist() == [False, False, True]
