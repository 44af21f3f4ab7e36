"""Categories of incorrect trials: totals exact, correct trials untouched, failures clustered."""

from __future__ import annotations

import numpy as np
import pytest

from reliable_change.errors import ReliableChangeError
from reliable_change.reconstruction.categories import (
    assign_categories,
    choose_trials,
    item_weights,
)


def some_trials(seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.random((60, 50)) < rng.random(60)[:, None]


def test_totals_are_exact_and_correct_trials_stay():
    correct = some_trials()
    counts = {"format_failure": 300, "refusal": 2, "truncation": 0, "api_error": 1}
    weights = dict.fromkeys(counts, np.ones(60))
    found = assign_categories(correct, counts, weights, rng=np.random.default_rng(1))
    assert {name: int((found == name).sum()) for name in counts} == counts
    assert ((found == "correct") == correct).all()
    assert (found == "wrong").sum() == (~correct).sum() - 303


def test_all_incorrect_trials_can_be_used_up_but_no_more():
    correct = some_trials()
    left = int((~correct).sum())
    weights = {"format_failure": np.ones(60)}
    found = assign_categories(
        correct, {"format_failure": left}, weights, rng=np.random.default_rng(1)
    )
    assert not (found == "wrong").any()
    with pytest.raises(ReliableChangeError, match=f"{left + 1} trials are to be chosen of {left}"):
        assign_categories(
            correct, {"format_failure": left + 1}, weights, rng=np.random.default_rng(1)
        )


def test_one_category_leaves_fewer_for_the_next():
    counts = {"format_failure": 2, "refusal": 2}
    with pytest.raises(ReliableChangeError, match="2 trials are to be chosen of 1"):
        assign_categories(
            np.zeros((1, 3), bool),
            counts,
            dict.fromkeys(counts, np.ones(1)),
            rng=np.random.default_rng(0),
        )


def test_trials_of_heavy_items_are_chosen_more_often():
    weights = np.where(np.arange(60) < 6, 27.0, 1.0)
    chosen = choose_trials(np.ones((60, 50), bool), 600, weights, rng=np.random.default_rng(2))
    # Nearly all 300 trials of the six heavy items; of the 2,700 others what is left.
    assert chosen[:6].mean() > 0.95
    assert chosen[6:].mean() < 0.13


def test_equal_weights_choose_evenly():
    chosen = choose_trials(np.ones((60, 50), bool), 1500, np.ones(60), rng=np.random.default_rng(3))
    assert abs(chosen[:, :25].mean() - 0.5) < 4.5 * 0.5 / np.sqrt(1500)


def test_weights_are_positive_finite_and_heavy_tailed():
    weights = item_weights(np.append(np.linspace(0, 1, 1001)[:-1], [np.nextafter(1, 0)]))
    assert (weights > 0).all()
    assert np.isfinite(weights).all()
    assert np.diff(weights).min() >= 0
    top = np.sort(weights[:-1])[-100:]
    assert top.sum() > 0.8 * weights[:-1].sum()
