"""Each way in which an archive can be wrong gives one line: file, column, rows, what to do."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

from reliable_change.archive.read import read_archive
from reliable_change.errors import ArchiveError


def with_value(row, value):
    return lambda values: [*values[:row], value, *values[row + 1 :]]


def take(*rows):
    return lambda table: table.take(list(rows))


def cut_short(folder, file):
    path = folder / file
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def damage_pages(folder, file):
    """Keep the footer whole and destroy the data before it."""
    path = folder / file
    content = path.read_bytes()
    path.write_bytes(content[:4] + b"\x55" * 400 + content[404:])


# name: (how to break the small archive, what the one line must say)
CASES = {
    "key twice": (
        lambda b: b.table("scores.parquet", take(0, 1, 1, 2)),
        ["scores.parquet", "'trial'", '"quiz" "007" "new"', "stands twice", "rows 1, 2"],
    ),
    "key twice, far apart": (
        lambda b: b.table("scores.parquet", take(*range(16), 3)),
        ["scores.parquet", "'trial'", "trial 3 of", "stands twice", "rows 3, 16"],
    ),
    "not sorted": (
        lambda b: b.table("scores.parquet", take(*range(8, 16), *range(8))),
        ["scores.parquet", "'trial'", "not sorted", "row 8,", "sort them"],
    ),
    "responses not sorted": (
        lambda b: b.table("responses.parquet", take(1, 0)),
        ["responses.parquet", "not sorted", "row 1,"],
    ),
    "unknown model": (
        lambda b: b.column("scores.parquet", "model", with_value(5, "newer")),
        ["scores.parquet", "'model'", '"newer"', "not in manifest.json", "row 5,"],
    ),
    "unknown item": (
        lambda b: b.column("responses.parquet", "item_id", with_value(15, "18_20")),
        ["responses.parquet", "'item_id'", '"18_20"', "not in items.parquet", "row 15,"],
    ),
    "unknown benchmark": (
        lambda b: b.column("scores.parquet", "benchmark", with_value(2, "Quiz")),
        ["scores.parquet", "'benchmark'", '"Quiz"', "row 2,"],
    ),
    "missing trial though complete": (
        lambda b: b.table("scores.parquet", take(*range(7), *range(8, 16))),
        ["scores.parquet", "'trial'", "complete", '"007" "old"', "3 of 4 trials"],
    ),
    "missing cell though complete": (
        lambda b: b.table("responses.parquet", take(*range(12))),
        ["responses.parquet", "complete", '"18_19" "old"', "0 of 4 trials"],
    ),
    "gap though complete": (
        lambda b: b.column("scores.parquet", "trial", with_value(15, 7)),
        ["scores.parquet", "complete", "highest being 7"],
    ),
    "gap though complete and uneven": (
        lambda b: (
            b.manifest(trials_per_item=None),
            b.table("scores.parquet", take(0, *range(2, 16))),
        ),
        ["scores.parquet", "complete", "3 of 4 trials", "its own highest"],
    ),
    "null in a key": (
        lambda b: b.column("scores.parquet", "item_id", with_value(1, None)),
        ["scores.parquet", "'item_id'", "is missing", "row 1,"],
    ),
    "null trial": (
        lambda b: b.column("responses.parquet", "trial", with_value(4, None)),
        ["responses.parquet", "'trial'", "is missing", "row 4,"],
    ),
    "NaN trial": (
        lambda b: b.column(
            "scores.parquet", "trial", lambda v: pa.array([float("nan"), *map(float, v[1:])])
        ),
        ["scores.parquet", "'trial'", "type double", "integers"],
    ),
    "negative trial": (
        lambda b: b.column("scores.parquet", "trial", with_value(0, -1)),
        ["scores.parquet", "'trial'", "below 0", "row 0,"],
    ),
    "null in an item's key": (
        lambda b: b.column("items.parquet", "item_id", with_value(1, None)),
        ["items.parquet", "'item_id'", "is missing", "row 1,"],
    ),
    "item twice": (
        lambda b: b.table("items.parquet", take(0, 1, 0)),
        ["items.parquet", "'item_id'", '"007"', "stands twice", "rows 0, 2"],
    ),
    "item of an unknown benchmark": (
        lambda b: b.column("items.parquet", "benchmark", with_value(1, "quizz")),
        ["items.parquet", "'benchmark'", '"quizz"', "not in manifest.json", "row 1,"],
    ),
    "benchmark without items": (
        lambda b: b.manifest(benchmarks=["quiz", "exam"]),
        ["items.parquet", "'benchmark'", 'no item of "exam"'],
    ),
    "unknown level of a stratum": (
        lambda b: (
            b.manifest(strata={"quiz": {"difficulty": ["easy"]}}),
            b.column("items.parquet", "difficulty", with_value(0, "hard")),
        ),
        ["items.parquet", "'difficulty'", '"hard"', "row 0,"],
    ),
    "stratum that is no column": (
        lambda b: b.manifest(strata={"quiz": {"colour": ["red"]}}),
        ["items.parquet", "'colour'", "no column"],
    ),
    "extra is no JSON": (
        lambda b: b.column("items.parquet", "extra", lambda v: ["{}", "{'a': 1}"]),
        ["items.parquet", "'extra'", "JSON", "row 1,"],
    ),
    "parquet cut short": (
        lambda b: cut_short(b.folder, "scores.parquet"),
        ["scores.parquet", "cannot be read as parquet", "cut short"],
    ),
    "parquet empty": (
        lambda b: (b.folder / "responses.parquet").write_bytes(b""),
        ["responses.parquet", "cannot be read as parquet"],
    ),
    "pages damaged": (
        lambda b: damage_pages(b.folder, "scores.parquet"),
        ["scores.parquet", "cannot be read as parquet", "changed since the manifest"],
    ),
    "text that is no UTF-8": (
        lambda b: b.column(
            "items.parquet",
            "prompt",
            lambda v: pa.array([b"ok", b"\xff\xfe"], pa.binary()).view(pa.string()),
        ),
        ["items.parquet", "'prompt'", "UTF8"],
    ),
    "integer too large": (
        lambda b: b.column(
            "responses.parquet",
            "trial",
            lambda v: pa.array([2**63 + value for value in v], pa.uint64()),
        ),
        ["responses.parquet", "'trial'", "cannot be read as int64"],
    ),
    "wrong checksum": (
        lambda b: b.manifest(files={**sums(b), "scores.parquet": "0" * 64}),
        ["scores.parquet", "sha256", "manifest.json", "again"],
    ),
    "missing file": (
        lambda b: (b.folder / "responses.parquet").unlink(),
        ["responses.parquet", "no such file", "manifest.json lists it"],
    ),
    "unlisted file": (
        lambda b: b.manifest(files={k: v for k, v in sums(b).items() if k != "scores.parquet"}),
        ["scores.parquet", "does not list it"],
    ),
    "no items": (
        lambda b: (
            (b.folder / "items.parquet").unlink(),
            b.manifest(files={k: v for k, v in sums(b).items() if k != "items.parquet"}),
        ),
        ["items.parquet", "is missing"],
    ),
    "stray parquet": (
        lambda b: (
            (b.folder / "tables.parquet").write_bytes(b"x"),
            b.manifest(files={**sums(b), "tables.parquet": "0" * 64}),
        ),
        ["tables.parquet", "no file of an archive"],
    ),
    "number for text": (
        lambda b: b.column(
            "scores.parquet", "item_id", lambda v: pa.array(range(len(v)), pa.int64())
        ),
        ["scores.parquet", "'item_id'", "type int64", "text"],
    ),
    "text for true or false": (
        lambda b: b.column("scores.parquet", "correct", lambda v: pa.array(map(str, v))),
        ["scores.parquet", "'correct'", "type string", "true or false"],
    ),
    "float for tokens": (
        lambda b: b.column("responses.parquet", "input_tokens", lambda v: pa.array([1.5] * 16)),
        ["responses.parquet", "'input_tokens'", "type double", "integers"],
    ),
    "column missing": (
        lambda b: b.table("scores.parquet", lambda t: t.drop_columns(["category"])),
        ["scores.parquet", "'category'", "is missing", "text"],
    ),
    "column not in the schema": (
        lambda b: b.table("items.parquet", lambda t: t.append_column("topic", t["task"])),
        ["items.parquet", "'topic'", "not in the schema", "'extra'"],
    ),
    "column twice": (
        lambda b: b.table("scores.parquet", lambda t: t.append_column("score", t["score"])),
        ["scores.parquet", "'score'", "stands 2 times"],
    ),
    "category not among the six": (
        lambda b: b.column("scores.parquet", "category", with_value(2, "Correct")),
        ["scores.parquet", "'category'", '"Correct"', "row 2,", "format_failure"],
    ),
    "correct though wrong": (
        lambda b: b.column("scores.parquet", "correct", with_value(1, True)),
        ["scores.parquet", "'correct'", "does not agree with category", "row 1,"],
    ),
    "not correct though correct": (
        lambda b: b.column("scores.parquet", "correct", with_value(4, False)),
        ["scores.parquet", "'correct'", "row 4,"],
    ),
    "no verdict though scored": (
        lambda b: b.column("scores.parquet", "correct", with_value(2, None)),
        ["scores.parquet", "'correct'", "row 2,"],
    ),
    "verdict though unscored": (
        lambda b: b.column("scores.parquet", "correct", with_value(3, False)),
        ["scores.parquet", "'correct'", "row 3,"],
    ),
    "unscored without a reason": (
        lambda b: b.column("scores.parquet", "unscored_reason", lambda v: [None] * 16),
        ["scores.parquet", "'unscored_reason'", "rows 3, 7, 11 …"],
    ),
    "score without a response": (
        lambda b: (
            b.manifest(complete=False),
            b.table("responses.parquet", take(*range(9), *range(10, 15))),
        ),
        ["scores.parquet", "'trial'", 'trial 1 of "quiz" "18_19" "new"', "rows 9, 15"],
    ),
    "manifest is no JSON": (
        lambda b: (b.folder / "manifest.json").write_text('{"name": "small",'),
        ["manifest.json", "not valid JSON", "line 1"],
    ),
    "manifest is no UTF-8": (
        lambda b: (b.folder / "manifest.json").write_bytes(b'{"name": "\xff"}'),
        ["manifest.json", "not valid JSON"],
    ),
    "manifest is gone": (
        lambda b: (b.folder / "manifest.json").unlink(),
        ["manifest.json", "no such file"],
    ),
    "manifest lacks a key": (
        lambda b: b.drop_key("trials_per_item"),
        ["manifest.json", "'trials_per_item'", "missing", "whole number"],
    ),
    "manifest key of a wrong type": (
        lambda b: b.manifest(complete="yes"),
        ["manifest.json", "'complete'", '"yes"', "true or false"],
    ),
}


def sums(broken):
    return json.loads((broken.folder / "manifest.json").read_text())["files"]


@pytest.mark.parametrize("name", CASES)
def test_one_clear_line(broken, name):
    read_archive(broken.folder)  # whole before it is broken
    break_it, expected = CASES[name]
    break_it(broken)
    with pytest.raises(ArchiveError) as caught:
        read_archive(broken.folder)
    line = str(caught.value)
    assert "\n" not in line
    assert len(line) < 600
    assert str(broken.folder) in line
    for words in expected:
        assert words in line


def test_the_rows_tell_before_the_checksum_does(broken):
    """A file changed by hand: the line says what is wrong and that the file was changed."""
    before = sums(broken)
    broken.column("scores.parquet", "category", with_value(2, "Correct"))
    broken.manifest(files=before)
    with pytest.raises(ArchiveError, match=r"'category'.*changed since .*: scores\.parquet"):
        read_archive(broken.folder)


def test_without_verify_rows_and_checksums_are_taken_on_trust(broken):
    broken.column("scores.parquet", "correct", with_value(1, True))
    broken.manifest(files=dict.fromkeys(sums(broken), "0" * 64))
    assert len(read_archive(broken.folder, verify=False).scores()) == 16
