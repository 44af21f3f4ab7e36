"""The loose reading: counts that print all of §4.3, and which trials get it."""

from __future__ import annotations

import dataclasses
from itertools import product

import numpy as np
import pytest

from reliable_change.errors import ReliableChangeError
from reliable_change.published.tables import read_table
from reliable_change.reconstruction.loose import (
    SECTION_4_3,
    loose_only_counts,
    loose_verdicts,
    prints_as,
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
    found = loose_only_counts(e8["correct"], e8["format_failure"], N, SECTION_4_3)
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
    wrong = dataclasses.replace(SECTION_4_3, loose_fall="0.14")
    with pytest.raises(ReliableChangeError, match="no counts within 12 trials"):
        loose_only_counts(e8["correct"], e8["format_failure"], N, wrong)


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
