"""What follows from the numbers of 003, an example, and of 004, p-values of rounded shares."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from reliable_change.analysis.cells import Values
from reliable_change.published.neighbours import Stated, stated_count
from reliable_change.published.numbers import rounded_from
from reliable_change.published.ranges import span, spread
from reliable_change.stats.paired import mcnemar_exact, paired_gain


def worked_example(stated: Stated) -> Values:
    """003's example: the gain, its paired error and its interval from b, c and n."""
    place = ("003", "worked example")
    b, c, n = (stated_count(stated, *place, name) for name in ("b", "c", "n"))
    gain, se, _, high = (float(value) for value in paired_gain(b, c, n))
    return {
        (*place, "gain"): 100 * gain,
        (*place, "b + c"): b + c,
        (*place, "(c − b)² / n"): Fraction((c - b) ** 2, n),
        (*place, "standard error"): se,
        (*place, "half width"): 100 * (high - gain),
    }


def paired_tests(stated: Stated) -> Values:
    """004's p-values and errors from N, drop and flips, and its roundings of its own numbers."""
    table = "004"

    def known(row: str, column: str) -> str:
        return stated[table, row, column]

    n = stated_count(stated, table, "leaderboard suite", "examples")
    typical = [
        stated_count(stated, table, "typical optimised model", c) for c in ("accuracy", "flips")
    ]
    accuracy, flips = (value / 100 for value in typical)
    # Both models are taken to be equally accurate, as the example does.
    ratio = 2 * accuracy * (1 - accuracy) / flips
    accuracies = [known("w4a16, 8B", name) for name in ("accuracy", "baseline accuracy")]
    found: Values = {
        (table, "typical optimised model", "naive variance over paired variance"): ratio,
        (table, "typical optimised model", "naive error over paired error"): math.sqrt(ratio),
        (table, "w4a16, 8B", "drop"): span(lambda a, b: b - a, *map(rounded_from, accuracies)),
    }
    for row in ("KV-FP8, 8B", "w4a16, 8B", "2:4 sparse, 8B base"):
        b, c = allowed_pairs(n, known(row, "flips"), known(row, "drop"))
        found[table, row, "pooled p"] = spread(mcnemar_exact(b, c, "worse"))
        share = rounded_from(known(row, "flips"))
        found[table, row, "standard error"] = span(lambda p: 100 * math.sqrt(p / 100 / n), share)
        if row == "KV-FP8, 8B":
            found[table, row, "drop in one passage"] = spread(100 * (b - c) / n)
    for row, columns in {
        "KV-FP8, 70B": ["drop"],
        "2:4 sparse, 8B base": ["drop"],
        "lossless variants, 8B": ["lowest flips", "highest flips"],
    }.items():
        found |= {(table, row, f"{c}, rounded"): rounded_from(known(row, c)) for c in columns}
    return found


def trimming(stated: Stated) -> Values:
    """004's trimming of MMLU-Pro: what is left, and the shares of flips before and after."""
    place = ("004", "trimming of MMLU-Pro")
    everything, never = (
        stated_count(stated, *place, name) for name in ("examples", "never flipped")
    )
    found: Values = {(*place, "examples left"): everything - never}
    for variant in ("w4a16", "KV-FP8"):
        for part, name in (("all", "examples"), ("trimmed", "examples left")):
            flips = stated_count(stated, *place, f"{variant}, flips on {part}")
            share = Fraction(100 * flips, stated_count(stated, *place, name))
            found[*place, f"{variant}, flip share on {part}"] = share
    return found


def allowed_pairs(n: int, flips: str, drop: str) -> tuple[np.ndarray, np.ndarray]:
    """Every pair of counts (b, c) whose share of flips and drop print as they do.

    Parameters
    ----------
    n : int
        Examples.
    flips, drop : str
        100 (b + c) / n and 100 (b − c) / n as printed, in percent. Halves may have been rounded
        either way, so both ends count.

    Returns
    -------
    b, c : ndarray of int
        Empty where no whole numbers fit.

    Examples
    --------
    >>> b, c = allowed_pairs(25282, "9.03%", "0.79%")
    >>> list(zip(b.tolist(), c.tolist()))
    [(1241, 1041), (1241, 1042), (1242, 1042)]
    """
    pairs = [
        ((m + d) // 2, (m - d) // 2)
        for m in _allowed_counts(n, flips)
        for d in _allowed_counts(n, drop)
        if (m + d) % 2 == 0 and abs(d) <= m
    ]
    b, c = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T
    return b, c


def _allowed_counts(n: int, percent: str) -> range:
    ends = rounded_from(percent)
    low, high = (n * Fraction(str(end)) / 100 for end in (ends.low, ends.high))
    return range(math.ceil(low), math.floor(high) + 1)
