"""The benchmark compares ways that agree, on replies that pass and fail, strictly and loosely."""

from __future__ import annotations

import numpy as np

from benchmarks.scoring_instruction import bare_loop, judged, package_loop, trials


def test_all_ways_find_the_same():
    work = trials(80, np.random.default_rng(1))
    found = judged(work)
    assert found == bare_loop(work) == package_loop(work)
    assert set(found) == {(True, True), (False, True), (False, False)}
