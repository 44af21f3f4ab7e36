"""The benchmark compares ways that agree."""

from __future__ import annotations

from benchmarks import archive


def test_both_ways_count_and_check_the_same(tmp_path):
    folder = archive.simulate(tmp_path / "small", items=12, trials=20)
    assert archive.count(folder) == archive.group(folder) > 0
    assert archive.check(folder) == archive.duplicates(folder) == 0


def test_one_way_is_measured_in_a_process_of_its_own(tmp_path):
    folder = archive.simulate(tmp_path / "small", items=12, trials=20)
    measured = archive.measure("count", folder)
    assert measured["correct"] == archive.group(folder)
    assert measured["seconds"] > 0
    assert measured["megabytes"] >= 0
