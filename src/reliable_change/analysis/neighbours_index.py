"""What follows from the numbers of 002, "Beyond the Mean", and of its published results file."""

from __future__ import annotations

import math

from scipy.special import ndtri, stdtr

from reliable_change.analysis.cells import Values
from reliable_change.published.neighbours import Stated, stated_count
from reliable_change.published.numbers import rounded_from
from reliable_change.published.ranges import span
from reliable_change.stats.intervals import wilson
from reliable_change.stats.reliable_change_index import CONSERVATIVE, THRESHOLD

DOMAINS = ("Physics", "Law", "Psychology", "Economics")
ENDS = ("low", "high")
SHARES = ("improved", "no_change", "deteriorated")
CHANGED = ("improved", "deteriorated")
PAIRS = ("llama", "qwen")


def index_results(stated: Stated) -> Values:
    """002's results file: thresholds from the two errors, shares and intervals from counts.

    The file names no interval. Wilson's is taken for every share, as everywhere in this project;
    it was not chosen for agreeing.
    """
    table = "002 results"
    found = _compared_pairs(stated, table)
    for pair in PAIRS:
        values = _one_pair(stated, table, pair)
        found |= {(table, pair, column): value for column, value in values.items()}
    return found


def _one_pair(stated: Stated, table: str, pair: str) -> dict[str, object]:
    # The file keeps four decimals of a share and drops a zero at the end: 0.058 is 0.0580.
    sems = (rounded_from(f"{float(stated[table, pair, f'sem_v{i}']):.4f}") for i in (1, 2))
    s_diff = rounded_from(stated[table, pair, "s_diff"])
    least = rounded_from(stated[table, pair, "min_delta_p"])
    bounds = (rounded_from(stated[table, pair, f"aggregate_delta_ci {end}"]) for end in ENDS)
    trials = stated_count(stated, "002 text", "design", "trials per item")
    counts = {name: stated_count(stated, table, pair, f"n_{name}") for name in SHARES}
    n = sum(counts.values())
    values: dict[str, object] = {
        "n_items": n,
        "s_diff": span(math.hypot, *sems),
        "min_delta_p": span(lambda s: THRESHOLD * s, s_diff),
        "min_delta_samples": span(lambda p: math.floor(p * trials) + 1, least),
        "aggregate_delta": span(lambda low, high: (low + high) / 2, *bounds),
    }
    for name, count in counts.items():
        values |= _share(f"prop_{name}", f"ci_{name}", count, n)
    values |= _conservative(stated, table, pair, counts)
    positive = stated_count(stated, table, pair, "n_any_positive_delta")
    return values | _share("breadth_ratio", "breadth_ratio_ci", counts["improved"], positive)


def _conservative(stated: Stated, table: str, pair: str, counts: dict[str, int]) -> dict:
    """The conservative counts that follow: all where the same number of trials exceeds both bounds.

    Shifts are whole trials, so the classes are then the same. Elsewhere only what is left of n.
    """
    trials = stated_count(stated, "002 text", "design", "trials per item")
    s_diff = rounded_from(stated[table, pair, "s_diff"])
    usual, strict = (
        span(lambda s, z=z: math.floor(z * s * trials) + 1, s_diff)
        for z in (THRESHOLD, CONSERVATIVE)
    )
    changed = [f"n_{name}_conservative" for name in CHANGED]
    left = sum(counts.values()) - sum(stated_count(stated, table, pair, name) for name in changed)
    found: dict[str, object] = {"n_no_change_conservative": left}
    if usual == strict:
        found |= {name: counts[name.split("_")[1]] for name in changed}
    return found


def _compared_pairs(stated: Stated, table: str) -> Values:
    """Rates of reliable change, their pooled z test, and the p of the correlation."""
    changed, n = (
        [sum(stated_count(stated, table, pair, f"n_{name}") for name in names) for pair in PAIRS]
        for names in (CHANGED, SHARES)
    )
    rates = [k / size for k, size in zip(changed, n, strict=True)]
    both = sum(changed) / sum(n)
    z = (rates[0] - rates[1]) / math.sqrt(both * (1 - both) * sum(1 / size for size in n))
    pairs = stated_count(stated, table, "cross_correlation", "n_items")
    r = rounded_from(stated[table, "cross_correlation", "pearson_r"])
    return {
        (table, "h3", "llama_reliable_change_rate"): rates[0],
        (table, "h3", "qwen_reliable_change_rate"): rates[1],
        (table, "h3", "z_statistic"): z,
        (table, "h3", "p_value"): math.erfc(abs(z) / math.sqrt(2)),
        (table, "cross_correlation", "p_value"): span(lambda r: _correlation_p(r, pairs), r),
    }


def index_text(stated: Stated) -> Values:
    """002's summary, from the counts of its results file."""
    table = "002 text"
    n = _all_items(stated)
    trials = stated_count(stated, table, "design", "trials per item")
    found: Values = {
        (table, "design", "items"): n,
        (table, "design", "threshold of the index"): float(ndtri(0.975)),
    }
    for pair in PAIRS:
        counts = {name: stated_count(stated, "002 results", pair, f"n_{name}") for name in SHARES}
        tested = sum(counts.values())
        unchanged = n - tested + counts["no_change"]
        median = rounded_from(stated[table, pair, "median absolute change"])
        found |= {
            (table, pair, "no reliable change, all items"): 100 * unchanged / n,
            (table, pair, "improved"): 100 * counts["improved"] / tested,
            (table, pair, "deteriorated"): 100 * counts["deteriorated"] / tested,
            (table, pair, "trials in the median change"): span(lambda p: p * trials, median),
        }
    return found


def index_cited(stated: Stated) -> Values:
    """The churn that the paper (001) cites of 002: changed by the rule it states, of all items."""
    n = _all_items(stated)
    counts = {
        pair: [stated_count(stated, "002 results", pair, f"n_{name}") for name in CHANGED]
        for pair in PAIRS
    }
    return {("002 cited", p, "churn, of all items"): 100 * sum(counts[p]) / n for p in PAIRS}


def _all_items(stated: Stated) -> int:
    return stated_count(stated, "002 text", "design", "items of each domain") * len(DOMAINS)


def _share(share: str, interval: str, k: int, n: int) -> dict[str, object]:
    low, high = (float(bound) for bound in wilson(k, n))
    return {share: k / n, f"{interval} low": low, f"{interval} high": high}


def _correlation_p(r: float, n: int) -> float:
    t = abs(r) * math.sqrt((n - 2) / (1 - r * r))
    return 2 * float(stdtr(n - 2, -t))
