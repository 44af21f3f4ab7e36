"""The keyed draw: fixed for ever, even, and independent of everything but its key."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

from reliable_change.stats.draw import SINGLE_DRAW_SEED, draw_trial

KEY = (SINGLE_DRAW_SEED, "Omni-MATH hard", "item-é-12", "gpt-5.6-sol")


def test_the_draw_never_changes():
    assert draw_trial(*KEY, 50) == 22
    assert [draw_trial(SINGLE_DRAW_SEED, "b", str(i), "m", 50) for i in range(5)] == [
        9,
        42,
        41,
        15,
        34,
    ]


def test_every_part_of_the_key_matters():
    drawn = draw_trial(*KEY, 2**60)
    for place, other in enumerate((1, "IFBench", "item-e-12", "gpt-5.5")):
        changed = (*KEY[:place], other, *KEY[place + 1 :])
        assert draw_trial(*changed, 2**60) != drawn


def test_names_cannot_run_into_each_other():
    assert draw_trial(1, "ab", "c", "m", 2**60) != draw_trial(1, "a", "bc", "m", 2**60)
    assert draw_trial(1, 'a", "b', "c", "m", 2**60) != draw_trial(1, "a", 'b", "c', "m", 2**60)


def test_draws_are_even():
    drawn = [draw_trial(3, "b", str(i), "m", 7) for i in range(7000)]
    counts = np.bincount(drawn, minlength=7)
    assert counts.size == 7
    assert chisquare(counts).pvalue > 0.001


def test_the_only_trial_is_drawn_and_none_cannot_be():
    assert draw_trial(*KEY, 1) == 0
    with pytest.raises(ValueError, match="n = 0"):
        draw_trial(*KEY, 0)
