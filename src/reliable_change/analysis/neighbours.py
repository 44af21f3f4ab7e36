"""What the neighbours' printed numbers imply of each other: their part of the ledger.

Every value is derived from other numbers that the same paper states. Where those are rounded,
the value is the `Range` that they allow; none is narrowed by looking at the printed result.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np
import pandas as pd
from scipy.special import ndtri, stdtr

from reliable_change.analysis.cells import Values
from reliable_change.published.neighbours import neighbour_ledger, stated_numbers
from reliable_change.published.numbers import Range, parse, rounded_from
from reliable_change.stats.intervals import wilson
from reliable_change.stats.paired import mcnemar_exact, paired_gain
from reliable_change.stats.reliable_change_index import CONSERVATIVE, THRESHOLD

Stated = Mapping[tuple[str, str, str], str]
DOMAINS = ("Physics", "Law", "Psychology", "Economics")
ENDS = ("low", "high")
SHARES = ("improved", "no_change", "deteriorated")


def recompute(stated: Stated) -> Values:
    """Derive what can be derived of 002, 003 and 004 from what they state.

    Parameters
    ----------
    stated : mapping
        (table, row, column) → printed text, as `published.neighbours.stated_numbers` gives it.

    Returns
    -------
    dict
        (table, row, column) → number or `Range`, as the ledger takes it.

    Examples
    --------
    >>> from reliable_change.published.neighbours import stated_numbers
    >>> recompute(stated_numbers())["003", "worked example", "(c − b)² / n"]
    Fraction(27, 25)
    """
    parts = (index_results, index_text, worked_example, paired_tests, trimming)
    return {place: value for part in parts for place, value in part(stated).items()}


def ledger(paper: str | None = None) -> pd.DataFrame:
    """The neighbours' part of the ledger: of one of `published.neighbours.PAPERS`, or of all.

    Examples
    --------
    >>> ledger("003")["verdict"].value_counts().to_dict()
    {'reproduced': 6, 'not computable': 4}
    """
    return neighbour_ledger(recompute(stated_numbers()), paper)


def index_results(stated: Stated) -> Values:
    """002's results file: thresholds from the two errors, shares and intervals from counts.

    The file names no interval. Wilson's is taken for every share, as everywhere in this project;
    it was not chosen for agreeing.
    """
    table = "002 results"
    found = _compared_pairs(stated, table)
    for pair in ("llama", "qwen"):
        values = _one_pair(stated, table, pair)
        found |= {(table, pair, column): value for column, value in values.items()}
    return found


def _one_pair(stated: Stated, table: str, pair: str) -> dict[str, object]:
    # The file keeps four decimals of a share and drops a zero at the end: 0.058 is 0.0580.
    sems = (rounded_from(f"{float(stated[table, pair, f'sem_v{i}']):.4f}") for i in (1, 2))
    s_diff = rounded_from(stated[table, pair, "s_diff"])
    least = rounded_from(stated[table, pair, "min_delta_p"])
    bounds = (rounded_from(stated[table, pair, f"aggregate_delta_ci {end}"]) for end in ENDS)
    trials = _count(stated, "002 text", "design", "trials per item")
    counts = {name: _count(stated, table, pair, f"n_{name}") for name in SHARES}
    n = sum(counts.values())
    values: dict[str, object] = {
        "n_items": n,
        "s_diff": _span(math.hypot, *sems),
        "min_delta_p": _span(lambda s: THRESHOLD * s, s_diff),
        "min_delta_samples": _span(lambda p: math.floor(p * trials) + 1, least),
        "aggregate_delta": _span(lambda low, high: (low + high) / 2, *bounds),
    }
    for name, count in counts.items():
        values |= _share(f"prop_{name}", f"ci_{name}", count, n)
    values |= _conservative(stated, table, pair, counts)
    positive = _count(stated, table, pair, "n_any_positive_delta")
    return values | _share("breadth_ratio", "breadth_ratio_ci", counts["improved"], positive)


def _conservative(stated: Stated, table: str, pair: str, counts: dict[str, int]) -> dict:
    """The conservative counts that follow: all where the same number of trials exceeds both bounds.

    Shifts are whole trials, so the classes are then the same. Elsewhere only what is left of n.
    """
    trials = _count(stated, "002 text", "design", "trials per item")
    s_diff = rounded_from(stated[table, pair, "s_diff"])
    usual, strict = (
        _span(lambda s, z=z: math.floor(z * s * trials) + 1, s_diff)
        for z in (THRESHOLD, CONSERVATIVE)
    )
    changed = [f"n_{name}_conservative" for name in ("improved", "deteriorated")]
    left = sum(counts.values()) - sum(_count(stated, table, pair, name) for name in changed)
    found: dict[str, object] = {"n_no_change_conservative": left}
    if usual == strict:
        found |= {name: counts[name.split("_")[1]] for name in changed}
    return found


def _compared_pairs(stated: Stated, table: str) -> Values:
    """Rates of reliable change, their pooled z test, and the p of the correlation."""
    changed, n = (
        [
            sum(_count(stated, table, pair, f"n_{name}") for name in names)
            for pair in ("llama", "qwen")
        ]
        for names in (("improved", "deteriorated"), SHARES)
    )
    rates = [k / size for k, size in zip(changed, n, strict=True)]
    both = sum(changed) / sum(n)
    z = (rates[0] - rates[1]) / math.sqrt(both * (1 - both) * sum(1 / size for size in n))
    pairs = _count(stated, table, "cross_correlation", "n_items")
    r = rounded_from(stated[table, "cross_correlation", "pearson_r"])
    return {
        (table, "h3", "llama_reliable_change_rate"): rates[0],
        (table, "h3", "qwen_reliable_change_rate"): rates[1],
        (table, "h3", "z_statistic"): z,
        (table, "h3", "p_value"): math.erfc(abs(z) / math.sqrt(2)),
        (table, "cross_correlation", "p_value"): _span(lambda r: _correlation_p(r, pairs), r),
    }


def index_text(stated: Stated) -> Values:
    """002's summary, from the counts of its results file."""
    table = "002 text"
    n = _count(stated, table, "design", "items of each domain") * len(DOMAINS)
    trials = _count(stated, table, "design", "trials per item")
    found: Values = {
        (table, "design", "items"): n,
        (table, "design", "threshold of the index"): float(ndtri(0.975)),
    }
    for pair in ("llama", "qwen"):
        counts = {name: _count(stated, "002 results", pair, f"n_{name}") for name in SHARES}
        tested = sum(counts.values())
        unchanged = n - tested + counts["no_change"]
        median = rounded_from(stated[table, pair, "median absolute change"])
        found |= {
            (table, pair, "no reliable change, all items"): 100 * unchanged / n,
            (table, pair, "improved"): 100 * counts["improved"] / tested,
            (table, pair, "deteriorated"): 100 * counts["deteriorated"] / tested,
            (table, pair, "trials in the median change"): _span(lambda p: p * trials, median),
        }
    return found


def worked_example(stated: Stated) -> Values:
    """003's example: the gain, its paired error and its interval from b, c and n."""
    place = ("003", "worked example")
    b, c, n = (_count(stated, *place, name) for name in ("b", "c", "n"))
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

    n = _count(stated, table, "leaderboard suite", "examples")
    typical = [_count(stated, table, "typical optimised model", c) for c in ("accuracy", "flips")]
    accuracy, flips = (value / 100 for value in typical)
    # Both models are taken to be equally accurate, as the example does.
    ratio = 2 * accuracy * (1 - accuracy) / flips
    accuracies = [known("w4a16, 8B", name) for name in ("accuracy", "baseline accuracy")]
    found: Values = {
        (table, "typical optimised model", "naive variance over paired variance"): ratio,
        (table, "typical optimised model", "naive error over paired error"): math.sqrt(ratio),
        (table, "w4a16, 8B", "drop"): _span(lambda a, b: b - a, *map(rounded_from, accuracies)),
    }
    for row in ("KV-FP8, 8B", "w4a16, 8B", "2:4 sparse, 8B base"):
        b, c = allowed_pairs(n, known(row, "flips"), known(row, "drop"))
        found[table, row, "pooled p"] = _range(mcnemar_exact(b, c, "worse"))
        share = rounded_from(known(row, "flips"))
        found[table, row, "standard error"] = _span(lambda p: 100 * math.sqrt(p / 100 / n), share)
        if row == "KV-FP8, 8B":
            found[table, row, "drop in one passage"] = _range(100 * (b - c) / n)
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
    everything, never = (_count(stated, *place, name) for name in ("examples", "never flipped"))
    found: Values = {(*place, "examples left"): everything - never}
    for variant in ("w4a16", "KV-FP8"):
        for part, name in (("all", "examples"), ("trimmed", "examples left")):
            flips = _count(stated, *place, f"{variant}, flips on {part}")
            share = Fraction(100 * flips, _count(stated, *place, name))
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


def _count(stated: Stated, table: str, row: str, column: str) -> int:
    return int(parse(stated[table, row, column]))


def _share(share: str, interval: str, k: int, n: int) -> dict[str, object]:
    low, high = (float(bound) for bound in wilson(k, n))
    return {share: k / n, f"{interval} low": low, f"{interval} high": high}


def _correlation_p(r: float, n: int) -> float:
    t = abs(r) * math.sqrt((n - 2) / (1 - r * r))
    return 2 * float(stdtr(n - 2, -t))


def _span(function: Callable, *ranges: Range) -> object:
    """Values of a function that rises or falls steadily in each argument, over their ranges.

    A single number where the roundings make no difference.
    """
    corners = itertools.product(*((each.low, each.high) for each in ranges))
    return _range([function(*corner) for corner in corners])


def _range(values) -> object:
    """From the least to the largest; that number where they are the same, None where none is."""
    values = [float(value) for value in values]
    if not values:
        return None
    low, high = min(values), max(values)
    return low if low == high else Range(low, high)
