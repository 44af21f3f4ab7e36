"""The loose reading: counts that print all of §4.3, and which trials get it."""

from __future__ import annotations

import dataclasses
from itertools import product

import numpy as np
import pytest

from reliable_change.errors import ReliableChangeError
from reliable_change.paths import PUBLISHED
from reliable_change.published.tables import read_table
from reliable_change.reconstruction.loose import (
    loose_only_counts,
    loose_verdicts,
    prints_as,
    read_gap,
)

N = 15000


def table_e8() -> dict[str, dict[str, int]]:
    table = read_table("table_e8").query("benchmark == 'IFBench'").set_index("model")
    return table[["correct", "format_failure"]].astype(int).to_dict()


def unprinted(correct: dict[str, int], loose: dict[str, int]) -> list[str]:
    """What of §4.3 does not print, worked out with nothing but round()."""
    m54, m55, sol = correct
    points = {
        "R 5.4": (loose[m54], 1, 6.3),
        "R 5.5": (loose[m55], 1, 5.1),
        "R Sol": (loose[sol], 1, 9.0),
        "ΔR 5.4→5.5": (loose[m55] - loose[m54], 1, -1.2),
        "ΔR 5.5→Sol": (loose[sol] - loose[m55], 1, 3.9),
        "ΔR 5.4→Sol": (loose[sol] - loose[m54], 1, 2.7),
        "strict": (correct[sol] - correct[m55], 1, -3.9),
        "loose": (correct[sol] + loose[sol] - correct[m55] - loose[m55], 2, -0.04),
    }
    return [name for name, (k, d, text) in points.items() if round(100 * k / N, d) != text]


def test_every_number_prints_and_two_trials_differ_from_the_format_failures():
    e8 = table_e8()
    found = loose_only_counts(e8["correct"], e8["format_failure"], N, read_gap())
    assert unprinted(e8["correct"], found) == []
    assert list(found.values()) == [945, 772, 1351]
    assert unprinted(e8["correct"], e8["format_failure"]) == ["loose"]


def test_nothing_nearer_prints_everything():
    """All neighbours that differ by at most one trial in total, none of which would do."""
    e8 = table_e8()
    for shift in product((-1, 0, 1), repeat=3):
        near = {m: n + s for (m, n), s in zip(e8["format_failure"].items(), shift, strict=True)}
        if sum(map(abs, shift)) <= 1:
            assert unprinted(e8["correct"], near) != [], near


def test_numbers_that_cannot_hold_together_are_refused():
    e8 = table_e8()
    wrong = dataclasses.replace(read_gap(), loose_fall="0.14")
    with pytest.raises(ReliableChangeError, match="no counts within 12 trials"):
        loose_only_counts(e8["correct"], e8["format_failure"], N, wrong)


def test_the_claims_of_the_text_are_read():
    gap = read_gap()
    assert gap.benchmark == "IFBench"
    assert list(gap.gap.values()) == ["6.3", "5.1", "9.0"]
    assert list(gap.change.values()) == ["−1.2", "+3.9", "+2.7"]
    assert gap.fall_edge == ("gpt-5.5", "gpt-5.6-sol")
    assert (gap.strict_fall, gap.loose_fall) == ("3.9", "0.04")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("loose decline, IFBench", "loose fall, IFBench"),
        ("gap, IFBench, gpt-5.5", "gap, Omni-MATH hard, gpt-5.5"),
        ("strict decline, IFBench, gpt-5.5", "strict decline, IFBench, gpt-5.4"),
    ],
)
def test_claims_that_lack_a_quantity_are_refused(tmp_path, old, new):
    text = (PUBLISHED / "text_claims.csv").read_text(encoding="utf-8")
    (tmp_path / "text_claims.csv").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ReliableChangeError, match=r"text_claims.csv: section 4.3 should state"):
        read_gap(tmp_path)


def test_printing_follows_the_text():
    assert prints_as(585, N, "3.9")
    assert not prints_as(585, N, "+3.8")
    assert not prints_as(-585, N, "+3.9")


CATEGORY = np.array(
    [
        ["correct", "wrong", "format_failure", "refusal"],
        ["format_failure", "wrong", "correct", "truncation"],
    ]
)


@pytest.mark.parametrize(
    ("extra", "formats", "wrongs"), [(0, 0, 0), (1, 1, 0), (2, 2, 0), (3, 2, 1)]
)
def test_format_failures_pass_first_and_refusals_never(extra, formats, wrongs):
    passes = loose_verdicts(CATEGORY, extra, rng=np.random.default_rng(5))
    assert passes[CATEGORY == "correct"].all()
    assert passes[CATEGORY == "format_failure"].sum() == formats
    assert passes[CATEGORY == "wrong"].sum() == wrongs
    assert not passes[np.isin(CATEGORY, ["refusal", "truncation"])].any()


def test_more_than_could_pass_is_refused():
    with pytest.raises(ReliableChangeError, match="5 trials are to pass only loosely, but 4"):
        loose_verdicts(CATEGORY, 5, rng=np.random.default_rng(5))
