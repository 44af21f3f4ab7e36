from __future__ import annotations

import csv
import io
from dataclasses import replace
from operator import itemgetter

import pandas as pd
import pytest

from reliable_change.published.tables import KEYS, read_table
from reliable_change.tables.layout import TableError, fill
from reliable_change.tables.layouts import CLASS_NAMES, LAYOUTS
from reliable_change.tables.phrase import write
from reliable_change.tables.to_csv import to_csv

SHOWN = {
    "gpt-5.4→gpt-5.5": "5.4→5.5",
    "gpt-5.5→gpt-5.6-sol": "5.5→Sol",
    "gpt-5.4→gpt-5.6-sol": "5.4→Sol",
    "gpt-5.4": "GPT-5.4",
    "gpt-5.5": "GPT-5.5",
    "gpt-5.6-sol": "Sol",
    **CLASS_NAMES,
}


def rows_of(layout, frame, labels):
    return list(csv.reader(io.StringIO(to_csv(fill(layout, frame, labels)))))


def as_printed(name):
    """The paper's cells in the paper's order, keys as the paper writes them."""
    for record in read_table(name).to_dict("records"):
        keys = [SHOWN.get(record[key], record[key]) for key in KEYS[name]]
        if name == "table_f9":
            benchmark, stratum, level = keys
            keys = [benchmark, level if stratum == "discipline" else f"Difficulty {level}"]
        yield keys + [record[column] for column in record if column not in KEYS[name]]


def test_there_is_a_layout_for_every_table_of_the_paper():
    assert list(LAYOUTS) == list(KEYS)


@pytest.mark.parametrize("name", list(KEYS))
def test_the_papers_numbers_come_back_as_printed_cell_for_cell(name, paper_frame, labels):
    assert rows_of(LAYOUTS[name], paper_frame(name), labels)[1:] == list(as_printed(name))


@pytest.mark.parametrize(
    ("name", "headings"),
    [
        ("table_1", "Edge,Benchmark,Δ,P+,P−,Pchg,Equiv.,Incon.,Null95"),
        ("table_a2", "Slot,Candidate,Estimable,Share (%),Outcome"),
        ("table_b3", "Edge,Benchmark,Items,K=50 rel. changes,Single-draw rel. changes,I→C,C→I"),
        ("table_b4", "K=50 classification,I→C,C→I,Unchanged,Total"),
        ("table_c5", "Edge,Benchmark,ε,P+,P−,Pchg"),
        (
            "table_d6",
            "Benchmark,Model,Mean: Input,Mean: Output,Total tokens: Mean,Total tokens: Median,"
            "Total tokens: P5,Total tokens: P95",
        ),
        ("table_d7", "Edge,Benchmark,Source,Target,Change"),
        ("table_e8", "Benchmark,Model,N,Correct,Wrong,Format,Refusal,Trunc.,API err."),
        ("table_f9", "Benchmark,Stratum,Items,5.4,5.5,Sol,Δ5.4→5.5,Δ5.5→Sol,Δ5.4→Sol"),
    ],
)
def test_headings_are_the_papers(name, headings, paper_frame, labels):
    assert rows_of(LAYOUTS[name], paper_frame(name), labels)[0] == headings.split(",")


@pytest.mark.parametrize(
    ("name", "rules", "spaces"),
    [
        ("table_1", [3, 6], []),
        ("table_a2", [4, 7], []),
        ("table_b4", [4], []),
        ("table_c5", [12, 24], [4, 8, 16, 20, 28, 32]),
        ("table_d6", [3, 6], []),
        ("table_f9", [16], [3]),
    ],
)
def test_rows_are_grouped_as_in_the_paper(name, rules, spaces, paper_frame, labels):
    rows = fill(LAYOUTS[name], paper_frame(name), labels).rows
    assert [number for number, row in enumerate(rows) if row.rule] == rules
    assert [number for number, row in enumerate(rows) if row.space] == spaces


def test_a_groups_name_stands_in_its_first_row_only(paper_frame, labels):
    rows = fill(LAYOUTS["table_c5"], paper_frame("table_c5"), labels).rows
    assert [row.repeats[:3] for row in rows[:5]] == [
        (False, False, False),
        (True, True, False),
        (True, True, False),
        (True, True, False),
        (True, False, False),
    ]
    # The first benchmark of the next edge is named again even if it were the same one.
    assert rows[12].repeats[:3] == (False, False, False)


def test_one_benchmark_is_named_for_every_edge(paper_frame, labels):
    frame = paper_frame("table_c5")
    rows = fill(LAYOUTS["table_c5"], frame[frame["benchmark"] == "IFBench"], labels).rows
    assert [row.repeats[1] for row in rows] == [False, True, True, True] * 3


def test_one_edge_only(paper_frame, labels):
    frame = paper_frame("table_1")
    grid = fill(LAYOUTS["table_1"], frame[frame["edge"] == "gpt-5.5→gpt-5.6-sol"], labels)
    assert [row.cells[:2] for row in grid.rows] == [
        ("5.5→Sol", "SuperGPQA"),
        ("5.5→Sol", "Omni-MATH hard"),
        ("5.5→Sol", "IFBench"),
    ]
    assert not any(row.rule for row in grid.rows)


def test_models_that_share_a_label_are_not_taken_for_one():
    class SameLabel:
        def label(self, model):
            return "twin" if model != "B" else model

        short_label = label

        def edge_label(self, edge):
            return "twin→twin"

    frame = pd.DataFrame(
        {
            "edge": ["a→b", "b→c"],
            "benchmark": ["B", "B"],
            "source_mean": [1.0, 2.0],
            "target_mean": [1.0, 2.0],
            "change": [0.0, 0.0],
        }
    )
    first, second = fill(LAYOUTS["table_d7"], frame, SameLabel()).rows
    assert second.rule
    assert second.repeats[0] is False


def test_any_number_of_models_and_edges(wide_frame, labels):
    grid = fill(LAYOUTS["table_f9"], wide_frame, labels)
    headings = [write(head.heading, "plain") for head in grid.heads]
    assert headings[3:15] == [f"m{number}" for number in range(12)]
    assert headings[15:] == [f"Δm{number}→m{number + 1}" for number in range(11)]


def test_a_model_id_with_an_arrow_is_still_a_model(labels):
    frame = pd.DataFrame([{"benchmark": "B", "stratum": "s", "level": 1, "items": 1, "a→b": 50.0}])
    grid = fill(LAYOUTS["table_f9"], frame, labels)
    assert grid.rows[0].cells == ("B", "S 1", "1", "50.0")


@pytest.mark.parametrize("nothing", [None, float("nan"), pd.NA])
def test_a_missing_value_is_an_en_dash(nothing, paper_frame, labels):
    frame = paper_frame("table_1").astype({"null95": object})
    frame.loc[1, "null95"] = nothing
    cells = [row.cells[-1] for row in fill(LAYOUTS["table_1"], frame, labels).rows]
    assert cells == ["0.0", "–"] + ["0.0"] * 7


def test_a_stratum_without_a_level_is_an_en_dash(paper_frame, labels):
    frame = paper_frame("table_f9").astype({"level": object})
    frame.loc[0, "level"] = None
    assert fill(LAYOUTS["table_f9"], frame, labels).rows[0].cells[1] == "–"


def test_items_that_cannot_be_tested_are_shown_only_if_there_are_any(paper_frame, labels):
    frame = paper_frame("table_1").assign(not_testable=0)
    without = fill(LAYOUTS["table_1"], frame, labels)
    frame.loc[2, "not_testable"] = 3
    grid = fill(LAYOUTS["table_1"], frame, labels)
    assert without.notes == ()
    assert len(grid.heads) == len(without.heads) + 1
    assert [row.cells[-1] for row in grid.rows[:3]] == ["0", "0", "3"]
    assert "without a scored trial" in write(grid.notes[0], "plain")


def test_headings_name_no_k_where_trials_differ(paper_frame, labels):
    labels.trials_per_item = None
    headings = rows_of(LAYOUTS["table_b3"], paper_frame("table_b3"), labels)[0]
    assert headings[3] == "All-trial rel. changes"


def test_a_missing_column_is_named(paper_frame, labels):
    with pytest.raises(TableError, match=r"table_1: the frame has no column 'delta'; it has edge"):
        fill(LAYOUTS["table_1"], paper_frame("table_1").drop(columns="delta"), labels)


def test_a_missing_key_that_is_no_column_of_its_own_is_named(paper_frame, labels):
    with pytest.raises(TableError, match="table_f9: the frame has no column 'stratum'"):
        fill(LAYOUTS["table_f9"], paper_frame("table_f9").drop(columns="stratum"), labels)


@pytest.mark.parametrize("value", [float("inf"), "n/a"])
def test_what_is_no_number_is_named_with_its_row(value, paper_frame, labels):
    frame = paper_frame("table_d7").astype({"change": object})
    frame.loc[4, "change"] = value
    with pytest.raises(TableError, match=r"table_d7: column 'change' .*gpt-5.5→gpt-5.6-sol"):
        fill(LAYOUTS["table_d7"], frame, labels)


def test_a_frame_without_rows_has_headings_only(paper_frame, labels):
    assert len(rows_of(LAYOUTS["table_1"], paper_frame("table_1")[:0], labels)) == 1


def test_a_name_is_given_again_below_any_rule(paper_frame, labels):
    layout = replace(LAYOUTS["table_d7"], rule_at=itemgetter("benchmark"))
    rows = fill(layout, paper_frame("table_d7"), labels).rows
    assert [row.repeats[0] for row in rows[:3]] == [False, False, False]
