"""The transcribed tables: all there, all text, in the paper's own signs."""

from __future__ import annotations

import re

import pytest

from reliable_change.paths import PUBLISHED
from reliable_change.published.tables import (
    KEYS,
    label,
    read_table,
    read_text,
    row_name,
    table_claims,
)

# Cells that are to be reproduced, by table: rows times columns that are no key.
CELLS = {
    "table_1": 9 * 7,
    "table_a2": 11 * 3,
    "table_b3": 9 * 5,
    "table_b4": 5 * 4,
    "table_c5": 36 * 3,
    "table_d6": 9 * 6,
    "table_d7": 9 * 3,
    "table_e8": 9 * 7,
    "table_f9": 20 * 7,
}
PRINTED = re.compile(r"[+−]?\d+(\.\d+)?|\d+/30|Selected|Not selected|Incomplete")


def test_there_is_one_file_for_each_table():
    assert {path.stem for path in PUBLISHED.glob("table_*.csv")} == set(KEYS) == set(CELLS)


@pytest.mark.parametrize("name", KEYS)
def test_every_cell_is_printed_text_with_its_key(name):
    frame = read_table(name)
    keys, values = list(KEYS[name]), frame.columns.difference(KEYS[name])
    assert list(frame.columns[: len(keys)]) == keys
    assert not frame[keys].duplicated().any()
    assert frame[keys].ne("").all(axis=None)
    assert len(frame) * len(values) == CELLS[name]
    for cell in frame[values].to_numpy().ravel():
        assert PRINTED.fullmatch(cell), cell


@pytest.mark.parametrize("name", KEYS)
def test_each_column_of_numbers_has_one_number_of_decimals(name):
    frame = read_table(name)
    for column in frame.columns.difference([*KEYS[name], "outcome"]):
        decimals = {len(cell.partition(".")[2]) for cell in frame[column]}
        assert len(decimals) == 1, column


def test_changes_have_a_sign_unless_they_are_zero_and_nothing_else_has_one():
    signed = {"table_1": ["delta"], "table_d7": ["change"]}
    signed["table_f9"] = [column for column in read_table("table_f9") if "→" in column]
    for name in KEYS:
        frame = read_table(name)
        for column in frame.columns.difference(KEYS[name]):
            with_sign = frame[column].str[0].isin(["+", "−"])
            if column in signed.get(name, []):
                assert (with_sign | (frame[column] == "0.0")).all()
            else:
                assert not with_sign.any()


def test_labels_are_the_papers():
    assert [label(name) for name in KEYS] == [
        *("Table 1", "Table A.2", "Table B.3", "Table B.4", "Table C.5"),
        *("Table D.6", "Table D.7", "Table E.8", "Table F.9"),
    ]


def test_a_table_that_the_paper_lacks_is_named():
    with pytest.raises(KeyError, match="no table 'table_2'; the paper's tables are table_1, "):
        read_table("table_2")


def test_reading_keeps_what_looks_like_numbers_or_nothing(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y\n007,\n1.50,NA\n−0.0,null\n", encoding="utf-8")
    frame = read_text(path)
    assert frame["x"].tolist() == ["007", "1.50", "−0.0"]
    assert frame["y"].tolist() == ["", "NA", "null"]


def test_a_row_is_named_by_its_keys():
    assert row_name(("IFBench", 8.0, "a")) == "IFBench | 8.0 | a"


def test_every_cell_is_a_claim_with_its_place():
    claims = table_claims()
    assert claims["claim"].is_unique
    assert claims.groupby("table").size().to_dict() == CELLS
    for claim in claims.to_dict("records"):
        assert claim["claim"] == f"{claim['table']}/{claim['row']}/{claim['column']}"
        assert claim["place"] == label(claim["table"])
        keys = dict(zip(KEYS[claim["table"]], claim["row"].split(" | "), strict=True))
        frame = read_table(claim["table"])
        chosen = frame[[all(row[k] == v for k, v in keys.items()) for _, row in frame.iterrows()]]
        assert chosen[claim["column"]].tolist() == [claim["printed"]]


def test_claims_of_some_tables_come_from_the_folder_given(tmp_path):
    text = (PUBLISHED / "table_b4.csv").read_text(encoding="utf-8")
    (tmp_path / "table_b4.csv").write_text(text.replace("1868", "1869"), encoding="utf-8")
    claims = table_claims(["table_b4"], tmp_path).set_index("claim")["printed"]
    assert claims["table_b4/equivalent/total"] == "1869"
    assert len(claims) == CELLS["table_b4"]
