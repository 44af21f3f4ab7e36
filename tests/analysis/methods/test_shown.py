"""Sentences and wide tables say what the numbers say, and change with them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from reliable_change.analysis.methods import shown
from reliable_change.stats.methods import PAPER, item_methods


def table(**found: list[float]) -> pd.DataFrame:
    """Methods with what they find at 1, 5 and 50 trials; alarms a tenth of it, but the paper's."""
    rows = []
    for name, values in found.items():
        name = PAPER if name == "paper" else name
        for trials, value in zip((1, 5, 50), values, strict=True):
            alarm = 0.5 if name == PAPER else value / 10
            rows.append((name, trials, value, value - 1, value + 1, alarm, alarm * 5, 0.0, 1.0))
    columns = ["method", "trials", "found", "found_low", "found_high", "alarm", "wrong"]
    return pd.DataFrame(rows, columns=[*columns, "any_low", "any_high"])


def test_the_worlds_sentences_follow_the_numbers():
    said = shown.what_the_worlds_say(
        table(paper=[0, 3, 95], sharp=[0, 8, 60], dull=[40, 30, 20], wild=[5, 60, 90]), 0.4
    )
    text = "\n".join(said)
    assert f"With 50 trials, {PAPER} finds 95.0 % of the planted changes of 40 points" in text
    assert "5 (wild); 50 (Fisher + BH + ε and sharp); never: dull." in text
    assert "sharp finds most: 8.0 %" in text
    assert "find fewer: dull." in text
    assert "wrong for sharp and wild" in text
    other = "\n".join(shown.what_the_worlds_say(table(paper=[0, 60, 70]), 0.3))
    assert "find fewer" not in other
    assert "no method is wrong" in other
    assert "5 (Fisher + BH + ε)." in other


def test_the_archives_sentences_follow_the_numbers():
    found = table(paper=[0, 10, 100], sharp=[0, 9, 90], wild=[50, 60, 100]).assign(changes=12)
    said = shown.what_the_archive_says("mine", found, found)
    assert said[0] == f"mine: 12 changes at 50 trials by {PAPER}."
    assert len(said) == 2
    assert said[1].startswith(f"With 5 trials {PAPER} finds 10 % of them")
    none = shown.what_the_archive_says("mine", found.assign(changes=0), found)
    assert len(none) == 1


def test_wide_tables_have_a_row_for_each_method_in_order():
    long = table(b=[1, 2, 3], a=[4, 5, np.nan])
    wide = shown.by_trials(long, "found", 0)
    assert wide.columns.tolist() == ["method", "K = 1", "K = 5", "K = 50"]
    assert wide.to_numpy().tolist() == [
        ["b", "1 [0, 2]", "2 [1, 3]", "3 [2, 4]"],
        ["a", "4 [3, 5]", "5 [4, 6]", "–"],
    ]


def test_rules_are_in_words():
    rules = shown.rules(item_methods(0.3, 0.01))
    assert rules["rule"].iloc[0].endswith("at 0.01 within the cell; shift at least 0.3")
    assert rules.notna().all().all()
