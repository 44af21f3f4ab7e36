"""What follows from the neighbours' numbers, and that nothing follows from its own printed text."""

from __future__ import annotations

import csv
import math
import re
import shutil
from fractions import Fraction

import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint, proportions_ztest

from reliable_change.analysis.neighbours import recompute
from reliable_change.analysis.neighbours_paired import allowed_pairs
from reliable_change.published.ledger import judge, unexplained
from reliable_change.published.neighbours import NEIGHBOURS, neighbour_ledger, stated_numbers
from reliable_change.published.numbers import Range, format_like

VALUES = recompute(stated_numbers())
COMPUTED = neighbour_ledger(VALUES).query("verdict != 'not computable'")

# Numbers that nothing else in the same paper depends on.
UNUSED = {
    ("002 results", pair, column)
    for pair in ("llama", "qwen")
    for column in ("h1_supported", "h4_supported")
} | {
    ("002 results", "h3", "h3_supported"),
    ("002 text", "llama", "deteriorated items of high accuracy"),
    ("002 text", "llama", "improved items of low accuracy"),
    ("002 text", "both", "missed by greedy evaluation"),
    ("002 text", "both", "flagged by greedy evaluation"),
    ("002 cited", "both", "missed by a single draw, of changed items"),
    ("002 cited", "both", "falsely flagged by a single draw, of unchanged items"),
    ("004", "KV-FP8, 8B", "max-drop p"),
    ("004", "KV-FP8, 8B", "Fisher p"),
    ("004", "lossless variants, 8B", "gain on one task"),
    ("004", "w4a16, 8B", "max-drop p"),
    ("004", "w4a16, 8B", "Fisher p"),
    ("004", "w4a16, 70B", "accuracy"),
    ("004", "w4a16, 70B", "baseline accuracy"),
    ("004", "FP8, 8B", "flips"),
    ("004", "FP8, 8B", "pooled p"),
    ("004", "2:4 sparse, 8B base", "max-drop p"),
    ("004", "2:4 sparse, 8B base", "Fisher p"),
    ("004", "trimming of MMLU-Pro", "flips per run"),
    ("004", "leaderboard suite", "examples without MATH"),
}  # fmt: skip


def changed_digit(printed: str) -> str:
    """Another number of the same form, far from this one: its first digit that is no 0 changes."""
    found = re.search(r"[1-9]", printed)
    if found is None:
        return re.sub(r"\d$", "1", printed)
    return f"{printed[: found.start()]}{int(found[0]) % 9 + 1}{printed[found.end() :]}"


def nudged(printed: str) -> str:
    """A number of the same form close by: its last digit that is no 0 falls, and a 1 rises."""
    return re.sub(r"[1-9](?=[^1-9]*$)", lambda d: str(int(d[0]) - 1 if d[0] > "1" else 2), printed)


@pytest.fixture
def altered(tmp_path):
    """The folder of the neighbours with one place printed otherwise."""

    def alter(place: tuple[str, str, str], printed: str):
        folder = shutil.copytree(NEIGHBOURS, tmp_path / "neighbours", dirs_exist_ok=True)
        with (NEIGHBOURS / "claims.csv").open(encoding="utf-8", newline="") as file:
            claims = list(csv.DictReader(file))
        for claim in claims:
            if (claim["table"], claim["row"], claim["column"]) == place:
                claim["printed"] = printed
        with (folder / "claims.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, claims[0].keys())
            writer.writeheader()
            writer.writerows(claims)
        return folder

    return alter


@pytest.mark.parametrize("claim", COMPUTED.to_dict("records"), ids=lambda claim: claim["claim"])
def test_no_number_is_computed_from_its_own_printed_text(claim, altered):
    place = (claim["table"], claim["row"], claim["column"])
    folder = altered(place, changed_digit(claim["printed"]))
    ledger = neighbour_ledger(recompute(stated_numbers(folder)), folder=folder).set_index("claim")
    found = ledger.loc[claim["claim"]]
    assert found["recomputed"] == judge(VALUES[place], found["printed"])[0]
    assert found["verdict"] == "differs"


def test_every_input_moves_what_depends_on_it_and_the_others_are_these():
    still = set()
    texts = stated_numbers()
    derived = set(COMPUTED[["table", "row", "column"]].itertuples(index=False, name=None))
    for place, printed in texts.items():
        moved = recompute(texts | {place: nudged(printed)})
        if place not in derived and moved == VALUES:
            still.add(place)
    assert still == UNUSED


def test_no_difference_is_without_a_listed_reason_and_each_reason_has_its_difference():
    ledger = neighbour_ledger(VALUES)
    assert unexplained(ledger, NEIGHBOURS).empty
    differs = ledger[ledger["verdict"] == "differs"]
    assert differs["note"].ne("").all()
    assert set(differs[["claim", "recomputed"]].itertuples(index=False, name=None)) == {
        ("002-results-28", "0.6529"),
        ("002-results-29", "0.7365"),
        ("002-results-58", "0.8577"),
        ("002-results-59", "0.9230"),
        ("002-text-05", "70%"),
        ("002-cited-02", "30"),
        ("002-cited-06", "30"),
        ("004-09", "0.787% to 0.791%"),
        ("004-42", "6,428"),
    }


def test_an_error_of_four_decimals_is_known_to_four_where_the_file_drops_a_zero():
    """0.058 stands for 0.0580: all other shares of the file have four decimals."""
    found = VALUES["002 results", "llama", "s_diff"]
    assert (found.low, found.high) == pytest.approx(
        (math.hypot(0.05795, 0.06225), math.hypot(0.05805, 0.06235))
    )


def test_the_mean_change_is_the_middle_of_its_interval():
    found = VALUES["002 results", "llama", "aggregate_delta"]
    assert (found.low, found.high) == pytest.approx((0.0345, 0.0346))


def test_conservative_counts_follow_where_both_thresholds_ask_for_as_many_trials():
    def counts(pair, values):
        names = ("improved", "no_change", "deteriorated")
        return [values.get(("002 results", pair, f"n_{name}_conservative")) for name in names]

    assert counts("qwen", VALUES) == [306, 92, 254]  # 1.96 and 2.58 times 0.0548: two trials
    assert counts("llama", VALUES) == [None, 952 - 220 - 206, None]  # two trials and three
    coarse = stated_numbers() | {("002 results", "qwen", "s_diff"): "0.0852"}
    assert counts("qwen", recompute(coarse)) == [None, 92, None]


def test_the_cited_churn_is_of_all_items_by_the_rule_that_002_states():
    """591 and 560 of 2,000 items; the lower end that 001 cites is what the stricter counts give."""
    churn = {pair: VALUES["002 cited", pair, "churn, of all items"] for pair in ("llama", "qwen")}
    assert churn == {"llama": pytest.approx(29.55), "qwen": pytest.approx(28)}
    texts = stated_numbers()
    strict = sum(
        int(texts["002 results", "llama", f"n_{name}_conservative"])
        for name in ("improved", "deteriorated")
    )
    assert format_like(100 * strict / 2000, texts["002 cited", "llama", "churn, of all items"]) == (
        "21"
    )


@pytest.mark.parametrize(("k", "n"), [(321, 952), (361, 952), (270, 952), (306, 652), (92, 652)])
def test_shares_have_the_intervals_of_statsmodels(k, n):
    low, high = proportion_confint(k, n, method="wilson")
    place = next(p for p, v in VALUES.items() if v == k / n)
    column = place[2].replace("prop", "ci")
    assert VALUES[(*place[:2], f"{column} low")] == pytest.approx(low)
    assert VALUES[(*place[:2], f"{column} high")] == pytest.approx(high)


def test_only_wilsons_interval_gives_all_printed_bounds_of_the_shares():
    """Five methods that one might have meant, each held against the twelve bounds alike."""
    texts, agreed = stated_numbers(), {}
    for method in ("wilson", "normal", "beta", "agresti_coull", "jeffreys"):
        agreed[method] = 0
        for pair in ("llama", "qwen"):
            counts = {
                name: int(texts["002 results", pair, f"n_{name}"])
                for name in ("improved", "no_change", "deteriorated")
            }
            for name, k in counts.items():
                bounds = proportion_confint(k, sum(counts.values()), method=method)
                for end, bound in zip(("low", "high"), bounds, strict=True):
                    printed = texts["002 results", pair, f"ci_{name} {end}"]
                    agreed[method] += format_like(bound, printed) == printed
    assert agreed["wilson"] == 12
    assert max(count for method, count in agreed.items() if method != "wilson") < 12


def test_the_pooled_z_is_that_of_statsmodels():
    z, p = proportions_ztest([591, 560], [952, 652])
    assert VALUES["002 results", "h3", "z_statistic"] == pytest.approx(z)
    assert VALUES["002 results", "h3", "p_value"] == pytest.approx(p, rel=1e-6)


def test_the_correlation_has_the_p_of_students_t():
    r, n = 0.1127, 431
    t = r * ((n - 2) / (1 - r**2)) ** 0.5
    found = VALUES["002 results", "cross_correlation", "p_value"]
    assert found.low < 2 * stats.t.sf(t, n - 2) < found.high


def test_allowed_pairs_are_all_that_print_so_and_no_others():
    """By enumeration at a small N, rounding half up, half down and half to even."""
    n = 60
    texts = [("25.0%", "5.0%"), ("12%", "-2%"), ("50%", "10%"), ("1.67%", "1.67%"), ("25%", "6.7%")]
    for flips, drop in texts:
        b, c = allowed_pairs(n, flips, drop)
        target = [Fraction(text.rstrip("%")) for text in (flips, drop)]
        half = [Fraction(1, 2 * 10 ** len(x.partition(".")[2].rstrip("%"))) for x in (flips, drop)]
        expected = {
            (i, j)
            for i in range(n + 1)
            for j in range(n + 1 - i)
            if abs(Fraction(100 * (i + j), n) - target[0]) <= half[0]
            and abs(Fraction(100 * (i - j), n) - target[1]) <= half[1]
        }
        assert set(zip(b.tolist(), c.tolist(), strict=True)) == expected


@pytest.mark.parametrize("printed", ["12%", "13%"])
def test_a_half_counts_either_way(printed):
    """25 of 200 are 12.5 %: half to even prints 12, half up 13."""
    b, c = allowed_pairs(200, printed, "1%")
    assert 25 in b + c


def test_roundings_that_no_counts_meet_allow_no_pair():
    b, c = allowed_pairs(7, "50.00%", "10.00%")
    assert b.size == c.size == 0


def test_the_range_of_p_is_that_of_every_allowed_pair():
    found = VALUES["004", "KV-FP8, 8B", "pooled p"]
    ps = [stats.binomtest(b, b + c, alternative="greater").pvalue
          for b, c in [(1241, 1041), (1241, 1042), (1242, 1042)]]  # fmt: skip
    assert (found.low, found.high) == pytest.approx((min(ps), max(ps)))
    assert isinstance(found, Range)


@pytest.mark.parametrize("row", ["KV-FP8, 8B", "w4a16, 8B", "2:4 sparse, 8B base"])
def test_each_printed_p_is_that_of_an_allowed_pair_and_not_only_between_them(row):
    texts = stated_numbers()
    b, c = allowed_pairs(25282, texts["004", row, "flips"], texts["004", row, "drop"])
    printed = [
        f"{stats.binomtest(int(i), int(i + j), alternative='greater').pvalue:.2e}"
        for i, j in zip(b, c, strict=True)
    ]
    assert printed.count(texts["004", row, "pooled p"]) == 1
