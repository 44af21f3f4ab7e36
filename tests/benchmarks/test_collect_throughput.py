"""The benchmark of collection compares ways that ask for the same."""

from __future__ import annotations

from benchmarks import collect_throughput as bench


def test_both_ways_have_every_reply(tmp_path):
    archive = bench.write_replies(tmp_path / "replies", trials=2)
    for way in ("ours", "bare"):
        with bench.server(archive) as address:
            measured = bench.measure(way, address, "2")
        assert measured["replies"] == 2 * bench.ITEMS
        # No faster than the server: rounds of so many at a time.
        rounds = -(-2 * bench.ITEMS // bench.CONCURRENCY)
        assert measured["seconds"] >= rounds * bench.DELAY
        assert measured["cpu"] > 0


def test_memory_is_looked_at_on_the_way_and_at_the_end():
    held = bench.measure("remember", str(20 * bench.ITEMS))
    assert held["replies"] == 20 * bench.ITEMS
    assert 0 < held["before"] <= held["after"]
