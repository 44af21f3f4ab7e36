"""Ranges of what follows from rounded numbers, against values in between."""

from __future__ import annotations

import math

import numpy as np

from reliable_change.published.numbers import Range
from reliable_change.published.ranges import span, spread


def test_a_steady_function_stays_within_its_span_and_reaches_both_ends():
    sides = Range(0.05, 0.06), Range(-0.2, 0.1)
    found = span(lambda a, b: math.exp(b) / a, *sides)
    grid = [np.linspace(side.low, side.high, 41) for side in sides]
    values = np.exp(grid[1])[None, :] / grid[0][:, None]
    assert (found.low, found.high) == (values.min(), values.max())


def test_what_roundings_do_not_move_is_one_number():
    assert span(math.floor, Range(2.1, 2.9)) == 2
    assert span(math.floor, Range(0.9, 1.1)) == Range(0, 1)
    assert spread([]) is None
