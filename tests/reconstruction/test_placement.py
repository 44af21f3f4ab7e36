"""Placing correct trials: sums and drawn verdicts exact, the rest left to chance."""

from __future__ import annotations

import numpy as np
import pytest

from reliable_change.errors import ReliableChangeError
from reliable_change.reconstruction.placement import keyed_generator, place_correct

TRIALS = 50


def random_items(seed: int, items: int = 400) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Counts with both ends among them, a verdict that each can draw, and where it is drawn."""
    rng = np.random.default_rng(seed)
    correct = rng.integers(0, TRIALS + 1, items)
    correct[:20], correct[20:40] = 0, TRIALS
    drawn = rng.random(items) * TRIALS < correct
    return correct, drawn, rng.integers(0, TRIALS, items)


@pytest.mark.parametrize("seed", range(3))
def test_counts_and_drawn_verdicts_hold(seed):
    correct, drawn, at = random_items(seed)
    placed = place_correct(correct, drawn, at, trials=TRIALS, rng=np.random.default_rng(seed))
    assert placed.shape == (400, TRIALS)
    assert placed.sum(axis=1).tolist() == correct.tolist()
    assert placed[np.arange(400), at].tolist() == drawn.tolist()
    assert 0 < drawn.sum() < 400


def test_the_other_trials_are_placed_evenly():
    """With 26 correct and the first of them drawn, each other trial is correct 25 times in 49."""
    n = 20_000
    placed = place_correct(
        np.full(n, 26), np.ones(n, bool), np.zeros(n, int), trials=TRIALS, rng=keyed_generator("t")
    )
    share = placed.mean(axis=0)
    assert share[0] == 1
    deviation = np.sqrt(25 / 49 * 24 / 49 / n)
    assert np.abs(share[1:] - 25 / 49).max() < 4.5 * deviation


@pytest.mark.parametrize(
    ("correct", "drawn"), [(0, True), (TRIALS, False), (-1, False), (TRIALS + 1, True)]
)
def test_an_impossible_draw_is_named(correct, drawn):
    with pytest.raises(ReliableChangeError, match=rf"row 1: {correct} correct of 50 trials"):
        place_correct(
            np.array([1, correct]),
            np.array([True, drawn]),
            np.array([0, 0]),
            trials=TRIALS,
            rng=keyed_generator("t"),
        )


def test_the_key_alone_decides():
    def draw(*key: str) -> list[float]:
        return keyed_generator(*key).random(3).tolist()

    first = draw("placement", "quiz", "m")
    np.random.default_rng(1).random(7)
    assert draw("placement", "quiz", "m") == first
    others = [draw("placement", "quiz"), draw("placement", "quizm"), draw("quiz", "placement", "m")]
    assert first not in others
    assert len({tuple(other) for other in others}) == 3


def test_the_stream_is_the_one_the_archive_was_built_from():
    """Should numpy ever change it, this says so before the committed archive seems wrong."""
    assert keyed_generator("stream").random(2).round(12).tolist() == [
        0.789769030675,
        0.528562600166,
    ]
