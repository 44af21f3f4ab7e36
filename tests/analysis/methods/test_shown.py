"""Sentences and wide tables say what the numbers say, and change with them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from reliable_change.analysis.methods import shown
from reliable_change.stats.cell_methods import cell_methods
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


NO_ALARMS = pd.DataFrame(columns=["method", "nominal", "alarm", "alarm_low", "alarm_high"])


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
    said = shown.what_the_archive_says("mine", found, NO_ALARMS)
    assert said[0] == f"mine: 12 changes at K = 50 by {PAPER}."
    assert len(said) == 3
    assert said[1].startswith(f"With 5 trials {PAPER} finds 10 % of them")
    assert said[1].endswith(f"{PAPER} finds most: 10 %."), "wild finds more and has more alarms"
    none = shown.what_the_archive_says("mine", found.assign(changes=0), NO_ALARMS)
    assert len(none) == 2


def test_a_test_that_oversteps_its_promise_is_named():
    columns = ["method", "nominal", "alarm", "alarm_low", "alarm_high"]
    rows = [("a", 2.5, 4.56, 3.63, 5.64), ("b", 2.5, 3.0, 2.4, 3.6), ("c", np.nan, 50, 49, 51)]
    alarms = pd.DataFrame(rows, columns=columns)
    found = table(paper=[0, 10, 100]).assign(changes=0)
    said = shown.what_the_archive_says("mine", found, alarms)
    assert said[-1].endswith("worse by a (4.6 % [3.6, 5.6], at most 2.5 % promised).")
    calm = shown.what_the_archive_says("mine", found.assign(changes=12), alarms[1:])
    assert "no test calls more" in calm[-1]


def test_the_cells_sentences_follow_the_numbers():
    methods = cell_methods()
    names = [method.name for method in methods]
    values = {"nothing changed": [48, 0, 4, 3, 1, 2], "losses only": [99, 85, 95, 70, 70, 100]}
    values["as many gains as losses"] = [47, 0, 3, 0, 1, 97]
    values["gains or losses by a coin"] = [50, 7, 28, 3, 4, 96]
    table = pd.DataFrame(
        [
            (world, name, trials, value if trials == 50 else value / 1.1)
            for world, row in values.items()
            for name, value in zip(names, row, strict=True)
            for trials in (10, 50)
        ],
        columns=["world", "method", "trials", "worse"],
    )
    first, second, coin, third = shown.what_the_cells_say(table, methods)
    assert "Any drop of Δ calls 48 % of the unchanged cells worse, the tests at most 4.0 %" in first
    assert "at most 3.0 % of the cells worse" in second
    assert "(Any item (Fisher + BH + ε)) in 97 % of them" in second
    assert coin.startswith("Where a coin decides for each change whether it is a gain or a loss")
    assert "7 % of the cells are called worse by z-test of responses, 28 % by McNemar" in coin
    assert "on pairs, 3 % by Clustered pairs and 4 % by Bootstrap + Holm" in coin
    assert third.endswith(
        "worse by z-test of responses from 50, McNemar on pairs from 10 and "
        "Any item (Fisher + BH + ε) from 10 trials on."
    )


def test_wide_tables_have_a_row_for_each_method_in_order():
    long = table(b=[1, 2, 3], a=[4, 5, np.nan])
    wide = shown.side_by_side(long, "found", 0)
    assert wide.columns.tolist() == ["method", "K = 1", "K = 5", "K = 50"]
    assert wide.to_numpy().tolist() == [
        ["b", "1 [0, 2]", "2 [1, 3]", "3 [2, 4]"],
        ["a", "4 [3, 5]", "5 [4, 6]", "–"],
    ]


def test_sizes_may_stand_where_trials_do():
    long = table(a=[4, 5, 6]).rename(columns={"trials": "size"})
    wide = shown.side_by_side(long, "found", 0, across="size", head="{:g} points")
    assert wide.columns.tolist() == ["method", "1 points", "5 points", "50 points"]


def test_rows_may_be_told_apart_by_more():
    long = pd.concat([table(b=[1, 2, 3]).assign(world=world) for world in ("still", "moved")])
    wide = shown.side_by_side(long.reset_index(), "found", 0, down=("world", "method"))
    assert wide[["world", "method"]].to_numpy().tolist() == [["still", "b"], ["moved", "b"]]
    assert wide["K = 5"].tolist() == ["2 [1, 3]"] * 2


def test_both_ways_to_have_no_change_stand_side_by_side():
    long = table(b=[1, 2, 3], a=[4, 5, 6])
    long = long.assign(alarm_low=0.0, alarm_high=9.0, **{"any": 7.0})
    halved = long[long["trials"] == 5].assign(alarm=8.0)
    found = shown.when_nothing_changed(long, halved)
    assert found.iloc[1].tolist() == [
        "a",
        "0.60 [0.00, 9.00]",
        "7.0 [0.0, 1.0]",
        "8.00 [0.00, 9.00]",
        "7.0 [0.0, 1.0]",
    ]


def test_rules_are_in_words():
    rules = shown.rules(item_methods(0.3, 0.01))
    assert rules["rule"].iloc[0].endswith("at 0.01 within the cell; shift at least 0.3")
    assert rules.notna().all().all()
