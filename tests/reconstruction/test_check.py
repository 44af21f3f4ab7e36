from __future__ import annotations

import re
import shutil

import pandas as pd
import pytest

from reliable_change.errors import ReliableChangeError
from reliable_change.paths import PUBLISHED, RECONSTRUCTION
from reliable_change.published.tables import KEYS, read_table, table_claims
from reliable_change.reconstruction.check import (
    BEYOND_COUNTS,
    TABLES,
    problems,
    read_items,
    require,
)


@pytest.fixture
def items() -> pd.DataFrame:
    """The committed items, a fresh copy for every test."""
    return read_items(RECONSTRUCTION / "items.csv")


def test_the_committed_items_satisfy_every_printed_number(items):
    assert problems(items) == []
    require(items)


def test_columns_and_ids_are_plain(items):
    models = read_table("table_e8").model.unique()
    assert list(items.columns) == [
        *("benchmark", "item_id", "difficulty", "discipline"),
        *(f"correct_{m}" for m in models),
        *(f"drawn_{m}" for m in models),
    ]
    assert items.item_id.map(lambda i: bool(re.fullmatch(r"[A-Za-z-]+-\d{4}", i))).all()
    assert set(items.loc[items.benchmark == "Omni-MATH hard", "discipline"]) == {""}
    assert set(items.loc[items.benchmark == "IFBench", "difficulty"]) == {""}
    assert "8.0" in set(items.difficulty)


def test_most_items_of_supergpqa_are_settled_under_every_model(items):
    counts = items[items.benchmark == "SuperGPQA"].filter(like="correct_")
    assert ((counts <= 2) | (counts >= 48)).all(axis=1).mean() > 0.6
    assert not counts.isin([0, 50]).all(axis=None)


@pytest.mark.parametrize("row", [0, 250, 550, 899])
@pytest.mark.parametrize("model", ["gpt-5.4", "gpt-5.5", "gpt-5.6-sol"])
@pytest.mark.parametrize("step", [-1, 1])
def test_one_trial_more_or_less_is_noticed(items, row, model, step):
    items.loc[row, f"correct_{model}"] += step
    assert problems(items)


def test_two_trials_that_keep_the_sum_are_noticed_by_the_classes(items):
    """A reliable item pulled back and another pushed up: E.8 stands, Table 1 does not."""
    column = "correct_gpt-5.5"
    ifbench = items[items.benchmark == "IFBench"]
    shift = ifbench[column] - ifbench["correct_gpt-5.4"]
    improved, middle = shift.idxmax(), ifbench[column].sub(25).abs().idxmin()
    moved = min(20, 50 - items.loc[middle, column])
    items.loc[improved, column] -= moved
    items.loc[middle, column] += moved
    found = problems(items)
    assert found
    assert not any("Table E.8" in line for line in found)


def test_a_draw_that_flips_another_way_is_noticed(items):
    inner = items["correct_gpt-5.5"].between(1, 49)
    row = items.index[inner][0]
    items.loc[row, "drawn_gpt-5.5"] ^= 1
    assert any(line.startswith("Table B.3") for line in problems(items))


def test_an_impossible_draw_is_named(items):
    row = items.index[items["correct_gpt-5.4"] == 0][0]
    items.loc[row, "drawn_gpt-5.4"] = 1
    name = items.loc[row, "item_id"]
    with pytest.raises(ReliableChangeError, match=f"item {name}, gpt-5.4: 0 of 50 cannot draw 1"):
        require(items)


def test_an_id_used_twice_is_named(items):
    items.loc[1, "item_id"] = items.loc[0, "item_id"]
    assert problems(items) == [f"item {items.loc[0, 'item_id']} occurs twice"]


def test_labels_that_change_places_are_noticed(items):
    first, second = (items.index[items.discipline == d][0] for d in ("Sociology", "Agronomy"))
    items.loc[[first, second], "discipline"] = ["Agronomy", "Sociology"]
    assert any("Sociology" in line for line in problems(items))


def test_no_printed_number_is_left_out(items, tmp_path):
    """With every value of the tables altered, every one of them is reported."""
    folder = shutil.copytree(PUBLISHED, tmp_path / "published")
    trials = read_table("table_e8").n[0], read_table("table_b3")["items"][0]
    for name in TABLES:
        table = read_table(name)
        for column in set(table.columns) - set(KEYS[name]):
            table[column] = "999" if "." not in table[column][0] else "999.9"
        if name == "table_e8":  # K is read from these two; items are compared in F.9 too
            table["n"] = trials[0]
        if name == "table_b3":
            table["items"] = trials[1]
        table.to_csv(folder / f"{name}.csv", index=False)
    claims = table_claims(list(TABLES), folder)
    kept = claims.column.isin(BEYOND_COUNTS) | claims.printed.isin(trials)
    assert len(problems(items, folder)) == (~kept).sum() + 12
    # 12: n and items of the other benchmarks, for which the altered value is wrong as well.
