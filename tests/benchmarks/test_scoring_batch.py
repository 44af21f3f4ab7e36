"""The benchmark compares ways that agree."""

from __future__ import annotations

import pytest

from benchmarks import scoring_batch


@pytest.mark.parametrize("task", sorted(scoring_batch.SCORERS))
def test_all_ways_find_the_same(tmp_path, task):
    folder = scoring_batch.simulate(tmp_path / "small", task, texts=200, items=10)
    correct = scoring_batch.loop(folder)
    assert 0 < correct < 200
    assert scoring_batch.one(folder) == scoring_batch.two(folder) == correct
