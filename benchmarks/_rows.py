"""What benchmarks share: a row of two measurements, processor time, and the peak of memory."""

from __future__ import annotations

import resource
import tracemalloc
from collections.abc import Callable


def row(name: str, ours: float, theirs: float, note: str, scale: float = 1) -> dict:
    """Put two measurements side by side, both times `scale`; the ratio is theirs / ours."""
    return {
        "name": name,
        "ours": ours * scale,
        "theirs": theirs * scale,
        "ratio": theirs / ours,
        "note": note,
    }


def peak_memory(start: Callable[[], Callable[[int], object]], many: int = 100_000) -> dict:
    """Peak of what is allocated while replies pass by, each one different.

    `start` makes what reads a reply, given its number, from scratch.
    """
    peaks = []
    for count in (many, many // 10):
        read = start()
        tracemalloc.start()
        for number in range(count):
            read(number)
        peaks.append(tracemalloc.get_traced_memory()[1] / 1e6)
        tracemalloc.stop()
    note = f"against {many // 10:,} replies: flat if the ratio is 1"
    return row(f"{many:,} different replies (MB at peak)", *peaks, note)


def processor_seconds() -> float:
    """Processor time of this process and of those that it started and outlived."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)
