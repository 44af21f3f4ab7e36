"""The benchmark compares ways that agree."""

from __future__ import annotations

from benchmarks import collect_journal
from reliable_change.collect.journal import Journal


def test_both_ways_find_the_same_left(tmp_path):
    rows = 4 * 100
    collect_journal.fill(tmp_path, rows)
    assert collect_journal.write_lines(tmp_path / "rows.jsonl", rows) > 0
    plan = collect_journal.plan_of(rows)
    assert collect_journal.resume(tmp_path, plan) == collect_journal.read_lines(tmp_path, plan) == 0
    larger = collect_journal.plan_of(rows + 200)
    left = collect_journal.resume(tmp_path, larger)
    assert left == collect_journal.read_lines(tmp_path, larger) == 200
    with Journal.open(tmp_path, plan) as journal:
        assert journal.counts() == dict.fromkeys(collect_journal.MODELS, rows // 2)


def test_one_way_is_measured_in_a_process_of_its_own(tmp_path):
    assert collect_journal.store(tmp_path, 100) > 0
    measured = collect_journal.measure("resume", tmp_path, 100)
    assert measured["left"] == 0
    assert measured["seconds"] > 0
