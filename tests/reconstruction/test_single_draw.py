from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reliable_change.errors import ReliableChangeError
from reliable_change.reconstruction.single_draw import class_flips, solve_draws
from reliable_change.reconstruction.targets import read_targets
from reliable_change.stats.classification import classify


def draws(items, folder, *, seed=1, **changes):
    (target,) = read_targets(folder)
    cells = {edge: replace(cell, **changes) for edge, cell in target.cells.items()}
    counts = items[["correct_old", "correct_new"]].to_numpy()
    (drawn,) = solve_draws(
        [replace(target, cells=cells)],
        [counts],
        class_flips(folder),
        rng=np.random.default_rng(seed),
    )
    return target, counts, drawn


def test_flips_are_those_printed_by_cell_and_by_class(toy_items, toy_folder):
    target, counts, drawn = draws(toy_items, toy_folder)
    step = drawn[:, 1] - drawn[:, 0]
    cell = target.cells["old", "new"]
    assert ((step == 1).sum(), (step == -1).sum()) == (cell.to_correct, cell.to_wrong)
    classes = classify(counts[:, 0], target.trials, counts[:, 1], target.trials).classes
    for name, (to_correct, to_wrong) in class_flips(toy_folder).items():
        mine = step[classes == name]
        assert ((mine == 1).sum(), (mine == -1).sum()) == (to_correct, to_wrong)


def test_nothing_is_drawn_that_no_trial_is(toy_items, toy_folder):
    target, counts, drawn = draws(toy_items, toy_folder)
    assert (counts == 0).any()
    assert not drawn[counts == 0].any()
    assert drawn[counts == target.trials].all()


def test_seed_decides(toy_items, toy_folder):
    first, again, other = (draws(toy_items, toy_folder, seed=s)[2] for s in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_flips_that_contradict_each_other_are_an_error(toy_items, toy_folder):
    with pytest.raises(ReliableChangeError, match="single draw .*no solution found"):
        draws(toy_items, toy_folder, to_correct=59)
