"""Every cell of the transcribed tables stands in the paper's text, in its place.

The text gives the labels of edges, slots and groups apart from the rows; within a row, cells
follow one another, one a line, in the order of the columns.
"""

from __future__ import annotations

from itertools import product

import pytest

from reliable_change.published.tables import KEYS, read_table
from tests.published.printed import EDGES, MODELS

BENCHMARKS = ("SuperGPQA", "Omni-MATH hard", "IFBench")
CLASSES = {
    "improved": "Reliably improved",
    "regressed": "Reliably regressed",
    "equivalent": "Practically equivalent",
    "inconclusive": "Inconclusive",
    "total": "Total",
}
CAPTIONS = {
    "table_1": ("Table 1: Aggregate", "Null95"),
    "table_a2": ("Table A.2: Benchmark", "Outcome"),
    "table_b3": ("Table B.3: Single-draw", "C→I"),
    "table_b4": ("Table B.4: Raw", "Total"),
    "table_c5": ("Table C.5: P", "P chg"),
    "table_d6": ("Table D.6: Per-request", "P95"),
    "table_d7": ("Table D.7: Mean", "Change"),
    "table_e8": ("Table E.8: Six-category", "API err."),
    "table_f9": ("Table F.9: Mean", "∆5.4→Sol"),
}
# How each row begins where the paper prints it; None where it prints the key itself.
LABELS = {
    "model": {"gpt-5.4": "GPT-5.4", "gpt-5.5": "GPT-5.5", "gpt-5.6-sol": "Sol"},
    "class": CLASSES,
}


def body(paper: str, table: str) -> list[str]:
    """The lines after the last heading of a table's columns."""
    caption, last_heading = CAPTIONS[table]
    after = paper[paper.index(caption) :]
    start = after.index(f"\n{last_heading}\n") + len(last_heading) + 2
    return after[start:].split("\n")


def first_cell(table: str, row: dict[str, str]) -> str:
    key = KEYS[table][-1]
    if key == "level" and row["stratum"] == "difficulty":
        return f"Difficulty {row[key]}"
    return LABELS.get(key, {}).get(row[key], row[key])


@pytest.mark.parametrize("table", [name for name in KEYS if name != "table_c5"])
def test_every_row_is_printed_so(paper, table):
    frame = read_table(table)
    values = [column for column in frame.columns if column not in KEYS[table]]
    lines = iter(body(paper, table))
    for row in frame.to_dict("records"):
        printed = [next(lines) for _ in range(1 + len(values))]
        assert printed == [first_cell(table, row), *(row[column] for column in values)]


def test_every_row_of_table_c5_is_printed_so(paper):
    frame = read_table("table_c5")
    lines = iter(body(paper, "table_c5"))
    # Here the paper prints one line for the four cells of a column, cell by cell.
    for _, block in frame.groupby(["edge", "benchmark"], sort=False):
        assert next(lines) == block["benchmark"].iloc[0]
        for column in ("epsilon", "improved", "regressed", "changed"):
            assert next(lines).split() == block[column].tolist()


@pytest.mark.parametrize("table", ["table_1", "table_b3", "table_d7"])
def test_cells_stand_in_the_papers_order(table):
    rows = read_table(table)[["edge", "benchmark"]].itertuples(index=False, name=None)
    assert list(rows) == list(product(EDGES, BENCHMARKS))


def test_the_other_tables_stand_in_the_papers_order():
    rows = read_table("table_c5")[["edge", "benchmark", "epsilon"]]
    steps = ("0.10", "0.15", "0.20", "0.25")
    expected = list(product(EDGES, BENCHMARKS, steps))
    assert list(rows.itertuples(index=False, name=None)) == expected
    for table in ("table_d6", "table_e8"):
        rows = read_table(table)[["benchmark", "model"]].itertuples(index=False, name=None)
        assert list(rows) == list(product(BENCHMARKS, MODELS))
    assert read_table("table_b4")["class"].tolist() == list(CLASSES)
    slots = ["Knowledge"] * 4 + ["Mathematics"] * 3 + ["Instruction following"] * 4
    assert read_table("table_a2")["slot"].tolist() == slots
