"""Counts and levels that the statistics refuse."""

from __future__ import annotations

import numpy as np
import pytest

from reliable_change.stats.checks import check_counts, check_level


@pytest.mark.parametrize(
    ("k", "n", "message"),
    [
        ([3], [2], "0 <= k <= n"),
        ([-1], [2], "0 <= k <= n"),
        ([0], [-1], "0 <= k <= n"),
        ([0.5], [2], "whole numbers"),
        ([float("nan")], [2], "whole numbers"),
        ([1], [float("inf")], "whole numbers"),
        (["1"], [2], "must be numbers"),
        ([1, 2], [1, 2, 3], "shape mismatch"),
    ],
)
def test_bad_counts_are_refused(k, n, message):
    with pytest.raises(ValueError, match=message):
        check_counts(k, n)


def test_whole_floats_and_single_numbers_pass():
    k, n = check_counts(np.array([1.0, 2.0]), 5)
    assert k.dtype == n.dtype == np.int64
    assert n.tolist() == [5, 5]


def test_no_items_are_no_error():
    assert [x.shape for x in check_counts([], [], [], 50)] == [(0,)] * 4


@pytest.mark.parametrize("value", [0, 1, -0.1, 5, float("nan")])
def test_levels_lie_strictly_between_0_and_1(value):
    with pytest.raises(ValueError, match="alpha must lie strictly between 0 and 1"):
        check_level("alpha", value)
