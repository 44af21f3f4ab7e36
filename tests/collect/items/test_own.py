"""Items of one's own: every text as it was written, and a clear line for what is wrong."""

from __future__ import annotations

import csv
import json

import pytest

from reliable_change.collect.items.own import read_own_items
from reliable_change.errors import CollectError

ITEM = {"benchmark": "quiz", "item_id": "007", "task": "math", "prompt": "2 + 2?"}
HEADING = "benchmark,item_id,task,prompt,reference\n"


def json_lines(path, *items):
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return path


def the_one(path):
    items, notices = read_own_items(path)
    assert (len(items), notices) == (1, ())
    return items.iloc[0].to_dict()


@pytest.mark.parametrize("text", ["007", "18_19", "1E5", "None", "NA", "nan", "null", "a\rb", ""])
def test_texts_of_json_lines_stay_as_they_are(tmp_path, text):
    item = ITEM | {"item_id": f"0{text}", "reference": text}
    found = the_one(json_lines(tmp_path / "own.jsonl", item))
    assert (found["item_id"], found["reference"]) == (f"0{text}", text)


@pytest.mark.parametrize("number", ["9007199254740993", "1E5", "0.10", "7"])
def test_numbers_of_json_lines_are_taken_as_written(tmp_path, number):
    line = json.dumps(ITEM | {"item_id": "N"}).replace('"N"', number)
    (tmp_path / "own.jsonl").write_text(f"{line}\n")
    assert the_one(tmp_path / "own.jsonl")["item_id"] == number


@pytest.mark.parametrize(
    "text", ["007", "1E5", "None", "NA", "nan", "a\rb", "a\r\nb", "a\nb", ' "']
)
def test_texts_of_csv_stay_as_they_are(tmp_path, text):
    path = tmp_path / "own.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([[*ITEM, "reference"], [*ITEM.values(), text]])
    assert the_one(path)["reference"] == text


def test_a_bare_carriage_return_needs_no_quotes(tmp_path):
    """As pandas writes it on Python before 3.11.9."""
    (tmp_path / "own.csv").write_bytes(f"{HEADING}quiz,1,math,a\rb,\r\nquiz,2,math,c,d\n".encode())
    items, _ = read_own_items(tmp_path / "own.csv")
    assert items["prompt"].tolist() == ["a\rb", "c"]
    assert items["reference"].tolist() == [None, "d"]


def test_other_columns_go_into_extra(tmp_path):
    extra = {"options": ["red", "blue"], "kwargs": [{"N": 3, "x": 0.5}], "seed": 9007199254740993}
    found = the_one(
        json_lines(tmp_path / "own.jsonl", ITEM | extra | {"extra": {"a": 1}, "b": None})
    )
    assert json.loads(found["extra"]) == extra | {"a": 1}
    assert found["difficulty"] is None
    with (tmp_path / "own.csv").open("w", newline="") as file:
        row = ITEM | {"options": '["red", "blue"]', "topic": "7", "extra": '{"a": 1}', "void": ""}
        csv.writer(file).writerows([row, row.values()])
    found = the_one(tmp_path / "own.csv")
    assert json.loads(found["extra"]) == {"a": 1, "options": ["red", "blue"], "topic": "7"}


def test_a_byte_order_mark_and_blank_lines_are_no_matter(tmp_path):
    line = json.dumps(ITEM)
    (tmp_path / "own.jsonl").write_text(f"\ufeff{line}\r\n\n  \n", encoding="utf-8")
    assert the_one(tmp_path / "own.jsonl")["benchmark"] == "quiz"
    (tmp_path / "own.csv").write_text(f"\ufeff{HEADING}\nquiz,1,math,é,\n\n", encoding="utf-8")
    assert the_one(tmp_path / "own.csv")["prompt"] == "é"


@pytest.mark.parametrize("torn", [b'{"item_id": "2", "pro', b'{"prompt": "\xc3', b"{"])
def test_only_a_torn_last_line_is_left_out(tmp_path, torn):
    path = tmp_path / "own.jsonl"
    good = json.dumps(ITEM).encode()
    path.write_bytes(good + b"\n" + torn)
    items, notices = read_own_items(path)
    assert len(items) == 1
    assert notices == ("own.jsonl: line 2 was cut off and is left out",)
    for content in (good + b"\n" + torn + b"\n", torn + b"\n" + good):
        path.write_bytes(content)
        with pytest.raises(CollectError, match=r"own.jsonl: line [12]: is no JSON"):
            read_own_items(path)
    path.write_bytes(good)  # whole, though without a line break
    assert the_one(path)["item_id"] == "007"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[1]", "line 1: is no JSON object"),
        ('{"item_id": "1", "item_id": "2"}', "a name stands twice"),
        ('{"item_id": "1", "x": NaN}', "NaN is no JSON"),
        ('{"item_id": "1", "x": 1e999}', "too large a number"),
        ("[" * 100_000, "line 1: is no JSON"),
        (json.dumps(ITEM | {"prompt": " "}), "column 'prompt' is missing or empty"),
        (json.dumps(ITEM | {"task": None}), "column 'task' is missing or empty"),
        (json.dumps(ITEM | {"item_id": True}), "column 'item_id' is no text"),
        (json.dumps(ITEM | {"reference": ["4"]}), "column 'reference' is no text"),
        (json.dumps(ITEM | {"prompt": "x \ud835"}), "half a surrogate pair"),
        (json.dumps(ITEM | {"a": 1, "extra": {"a": 2}}), "'a' stands in 'extra' too"),
        (json.dumps(ITEM | {"extra": "a"}), "'extra' is no JSON object"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, line, said):
    (tmp_path / "own.jsonl").write_text(f"{line}\n")
    with pytest.raises(CollectError) as caught:
        read_own_items(tmp_path / "own.jsonl")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "holds no item"),
        (HEADING.encode() + b"quiz,1,math,a,b,c\n", "line 2: has 6 cells, the heading 5"),
        (b"a,a\n1,2\n", "line 1: names a column twice"),
        (HEADING.encode() + b'quiz,1,math,"a,b\n', "is no CSV"),
        (HEADING.encode() + b"quiz,1,math,\xff,b\n", "line 2: is no UTF-8"),
        (b"benchmark,item_id,task,prompt,options\nquiz,1,math,a,red\n", "'options' is no JSON"),
        (HEADING.encode() + b"quiz,1,math,a,\nquiz,1,math,b,\n", "on line 2 and on line 3"),
    ],
)
def test_a_wrong_csv_is_named(tmp_path, content, said):
    (tmp_path / "own.csv").write_bytes(content)
    with pytest.raises(CollectError) as caught:
        read_own_items(tmp_path / "own.csv")
    assert said in str(caught.value)


def test_half_a_pair_in_a_reference_is_kept_as_archives_keep_it(tmp_path):
    path = json_lines(tmp_path / "own.jsonl", ITEM | {"reference": "x \ud835"})
    assert the_one(path)["reference"] == "x \ufffd{d835}"


def test_what_cannot_be_read_is_said(tmp_path):
    for name, said in {
        "own.txt": "are read from .jsonl or .csv",
        "own.csv": "cannot be read",
    }.items():
        with pytest.raises(CollectError, match=said):
            read_own_items(tmp_path / name)
