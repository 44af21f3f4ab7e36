"""Public benchmarks: each column layout, local files, the one call that fetches, gated homes."""

from __future__ import annotations

import csv
import hashlib
import json
import sys
import types

import pandas as pd
import pytest

from reliable_change.archive.schema import ITEMS
from reliable_change.collect.items.benchmarks import BENCHMARKS, UNAVAILABLE
from reliable_change.collect.items.load import load_benchmark, read_rows
from reliable_change.errors import CollectError
from reliable_change.published.tables import read_table
from reliable_change.scoring.instructions.scorer import Instructions
from reliable_change.scoring.mathematics.scorer import Mathematics
from reliable_change.scoring.multiple_choice import MultipleChoice
from reliable_change.scoring.verdict import Item

# Made up, each in its data set's own columns.
SUPERGPQA = {
    "uuid": "0123456789abcdef0123456789abcdef",
    "question": "Which gas makes up most of the air?",
    "options": ["Oxygen", "Nitrogen", "Argon"],
    "answer": "Nitrogen",
    "answer_letter": "B",
    "discipline": "Science",
    "field": "Atmospheric Science",
    "subfield": "Meteorology",
    "difficulty": "hard",
    "is_calculation": False,
}
MMLU_PRO = {
    "question_id": 70,
    "question": "What does a thermometer measure?",
    "options": ["Mass", "Temperature"],
    "answer": "B",
    "answer_index": 1,
    "cot_content": "",
    "category": "physics",
    "src": "made up",
}
GPQA = {
    "Record ID": "recMADEUP00000001",
    "Question": "Which particle has no charge?\n",
    "Correct Answer": "The neutron\n",
    "Incorrect Answer 1": "The proton",
    "Incorrect Answer 2": "The electron",
    "Incorrect Answer 3": "The positron",
    "Subdomain": "Physics (general)",
    "High-level domain": "Physics",
}
OMNI_MATH = {
    "domain": ["Mathematics -> Algebra -> Other"],
    "difficulty": 8.0,
    "problem": "Find the real root of $x^3 = 8$.",
    "solution": "It is 2.",
    "answer": "2",
    "source": "made_up",
}
OLYMPIAD = {
    "id": 1606,
    "question": "Solve $2x = 1$.",
    "solution": ["Halve."],
    "final_answer": ["$\\frac{1}{2}$"],
    "context": None,
    "image_1": None,
    "modality": "Text-only",
    "difficulty": "Competition",
    "is_multiple_answer": False,
    "unit": None,
    "answer_type": "Numerical",
    "error": None,
    "question_type": "Open-ended",
    "subfield": "Algebra",
    "subject": "Math",
    "language": "English",
}
OLYM_MATH = {
    "problem": "How many sides has a square?",
    "answer": "4",
    "subject": "Geometry",
    "unique_id": "MADE-UP-1-EN",
}
IFBENCH = {
    "key": "0",
    "prompt": "Write about rain. Use no commas.",
    "instruction_id_list": ["punctuation:no_comma"],
    "kwargs": [{"N": None, "keyword": None}],
}
IFEVAL = IFBENCH | {"key": 1000}
IFEVAL_PP = IFBENCH | {"key": "1000:ct_alteration:1"}
ROWS = {
    "SuperGPQA": SUPERGPQA,
    "SuperGPQA hard": SUPERGPQA,
    "GPQA Diamond": GPQA,
    "MMLU-Pro": MMLU_PRO,
    "Omni-MATH": OMNI_MATH,
    "Omni-MATH hard": OMNI_MATH,
    "OlymMATH": OLYM_MATH,
    "OlympiadBench text math": OLYMPIAD,
    "IFBench": IFBENCH,
    "IFEval": IFEVAL,
    "IFEval++": IFEVAL_PP,
}
SCORERS = {"multiple_choice": MultipleChoice, "math": Mathematics, "instruction": Instructions}


def jsonl(folder, *rows, name="rows.jsonl"):
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", BENCHMARKS)
def test_each_layout_makes_an_item_that_its_scorer_accepts(name, tmp_path):
    loaded = load_benchmark(name, path=jsonl(tmp_path, ROWS[name]))
    (item,) = loaded.items.to_dict("records")
    assert list(loaded.items.columns) == ITEMS.names
    assert item["benchmark"] == name
    extra = json.loads(item["extra"])
    scored = Item(name, item["item_id"], item["task"], item["reference"], extra, item["prompt"])
    SCORERS[item["task"]]().check(scored)


def test_every_candidate_of_the_screening_is_known_or_says_why_not():
    candidates = set(read_table("table_a2")["candidate"])
    assert candidates == (set(BENCHMARKS) - {"Omni-MATH"}) | set(UNAVAILABLE)
    with pytest.raises(CollectError, match="judged by another model"):
        load_benchmark("ComplexBench")


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("SuperGPQA", "reference", "B"),
        ("SuperGPQA", "difficulty", "hard"),
        ("SuperGPQA", "discipline", "Science"),
        ("MMLU-Pro", "item_id", "70"),
        ("MMLU-Pro", "discipline", "physics"),
        ("Omni-MATH", "difficulty", "8.0"),
        ("Omni-MATH", "discipline", "Algebra"),
        ("OlympiadBench text math", "reference", "\\frac{1}{2}"),
        ("OlymMATH", "item_id", "MADE-UP-1-EN"),
        ("IFBench", "prompt", IFBENCH["prompt"]),
        ("IFEval", "item_id", "1000"),
        ("IFEval++", "item_id", "1000:ct_alteration:1"),
    ],
)
def test_columns_land_where_they_belong(name, field, value, tmp_path):
    loaded = load_benchmark(name, path=jsonl(tmp_path, ROWS[name]))
    assert loaded.items[field].tolist() == [value]


def test_prompts_show_the_options_and_ask_for_an_answer_line(tmp_path):
    prompt = load_benchmark("SuperGPQA", path=jsonl(tmp_path, SUPERGPQA)).items["prompt"][0]
    assert "A) Oxygen\nB) Nitrogen\nC) Argon" in prompt
    assert prompt.endswith("\nAnswer: LETTER")


def test_gpqa_puts_the_right_option_where_the_key_says_whatever_the_row_order(tmp_path):
    rows = [GPQA | {"Record ID": f"rec{number}"} for number in range(40)]
    items = load_benchmark("GPQA Diamond", path=jsonl(tmp_path, *rows)).items
    for prompt, key in zip(items["prompt"], items["reference"], strict=True):
        assert f"{key}) The neutron" in prompt
    assert set(items["reference"]) == set("ABCD")
    again = load_benchmark("GPQA Diamond", path=jsonl(tmp_path, *rows[::-1])).items
    key = ["item_id", "reference"]
    assert sorted(map(tuple, items[key].to_numpy())) == sorted(map(tuple, again[key].to_numpy()))


def test_null_arguments_are_dropped(tmp_path):
    extra = load_benchmark("IFBench", path=jsonl(tmp_path, IFBENCH)).items["extra"][0]
    assert json.loads(extra)["kwargs"] == [{}]


def test_the_hard_pool_takes_the_difficulties_from_8_up_and_compares_its_size(tmp_path):
    rows = [
        OMNI_MATH | {"difficulty": difficulty, "problem": f"Find {difficulty}."}
        for difficulty in (7.5, 8.0, 9.5)
    ]
    loaded = load_benchmark("Omni-MATH hard", path=jsonl(tmp_path, *rows))
    assert sorted(loaded.items["difficulty"]) == ["8.0", "9.5"]
    assert loaded.provenance["note"] == "the paper states a pool of 452 items"
    assert len(load_benchmark("Omni-MATH", path=jsonl(tmp_path, *rows)).items) == 3


def test_what_cannot_be_scored_is_left_out_and_counted(tmp_path):
    rows = [
        OLYMPIAD,
        OLYMPIAD | {"id": 2, "error": "1e-3"},
        OLYMPIAD | {"id": 3, "final_answer": None},
        OLYMPIAD | {"id": 4, "answer_type": "Need_human_evaluate"},
    ]
    loaded = load_benchmark("OlympiadBench text math", path=jsonl(tmp_path, *rows))
    assert loaded.items["item_id"].tolist() == ["1606"]
    assert sum(loaded.provenance["left_out"].values()) == 3
    assert (loaded.provenance["rows"], loaded.provenance["items"]) == (4, 1)


def test_a_problem_that_comes_twice_is_one_item_and_an_id_for_two_is_an_error(tmp_path):
    loaded = load_benchmark("Omni-MATH", path=jsonl(tmp_path, OMNI_MATH, OMNI_MATH))
    assert len(loaded.items) == 1
    assert loaded.provenance["left_out"] == {"the same problem again": 1}
    two = jsonl(tmp_path, IFEVAL, IFEVAL | {"prompt": "Write about snow."})
    with pytest.raises(CollectError, match="two items have the id '1000'"):
        load_benchmark("IFEval", path=two)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"options": None}, "no letter of its 0 options"),
        ({"options": "Oxygen"}, "'options' holds str"),
        ({"answer_letter": "Z"}, "no letter of its 3 options"),
        ({"question": None}, "'question' holds NoneType"),
    ],
)
def test_a_row_in_another_layout_is_named(change, message, tmp_path):
    path = jsonl(tmp_path, SUPERGPQA, SUPERGPQA | {"uuid": "x"} | change)
    with pytest.raises(CollectError, match=rf"SuperGPQA, row 1: .*{message}"):
        load_benchmark("SuperGPQA", path=path)


def test_a_missing_column_is_named(tmp_path):
    row = {key: value for key, value in SUPERGPQA.items() if key != "uuid"}
    with pytest.raises(CollectError, match="no column 'uuid'; it has question, options"):
        load_benchmark("SuperGPQA", path=jsonl(tmp_path, row))


def test_the_checksum_is_the_files(tmp_path):
    path = jsonl(tmp_path, SUPERGPQA)
    provenance = load_benchmark("SuperGPQA", path=path, revision="v1").provenance
    assert provenance["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (provenance["file"], provenance["revision"]) == ("rows.jsonl", "v1")


def test_all_kinds_of_file_give_the_same_item(tmp_path):
    files = [jsonl(tmp_path, GPQA)]
    files.append(tmp_path / "rows.json")
    files[-1].write_text(json.dumps([GPQA]), encoding="utf-8")
    files.append(tmp_path / "rows.parquet")
    pd.DataFrame([GPQA]).to_parquet(files[-1])
    files.append(tmp_path / "rows.csv")
    with files[-1].open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, GPQA)
        writer.writeheader()
        writer.writerow(GPQA)
    items = [load_benchmark("GPQA Diamond", path=path).items for path in files]
    for other in items[1:]:
        pd.testing.assert_frame_equal(items[0], other)


def test_texts_stay_texts(tmp_path):
    """ARC-03: nothing becomes a number, or missing, on its way in."""
    path = tmp_path / "rows.csv"
    path.write_bytes(b'answer,problem\n1E5,"a\rb"\nNone,007\nNA,nan\n')
    rows = list(read_rows(path))
    assert [row["answer"] for row in rows] == ["1E5", "None", "NA"]
    assert [row["problem"] for row in rows] == ["a\rb", "007", "nan"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("rows.jsonl", b'{"a": 1}\n{"a', "cannot be read"),
        ("rows.jsonl", b"\xff\xfe", "cannot be read"),
        ("rows.parquet", b"no parquet", "cannot be read"),
        ("rows.xlsx", b"", "give a .jsonl"),
        ("rows.jsonl", b"", "none of its 0 rows"),
    ],
)
def test_a_bad_file_is_one_clear_line(name, content, message, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(CollectError, match=message) as raised:
        load_benchmark("IFEval", path=path)
    assert "\n" not in str(raised.value)


def fake_hub(monkeypatch, answer):
    asked = []

    def load_dataset(home, config, *, split, revision):
        asked.append((home, config, split, revision))
        if isinstance(answer, Exception):
            raise answer
        return answer

    module = types.ModuleType("datasets")
    module.load_dataset = load_dataset
    monkeypatch.setitem(sys.modules, "datasets", module)
    return asked


@pytest.mark.parametrize("name", BENCHMARKS)
def test_fetching_is_one_call_with_the_home_and_the_revision(name, monkeypatch):
    asked = fake_hub(monkeypatch, [ROWS[name]])
    loaded = load_benchmark(name, revision="abc")
    benchmark = BENCHMARKS[name]
    assert asked == [(benchmark.home, benchmark.config, benchmark.split, "abc")]
    assert loaded.provenance["home"] == benchmark.home
    assert len(loaded.provenance["sha256"]) == 64


def test_a_gated_home_asks_for_a_token_of_ones_own(monkeypatch):
    fake_hub(monkeypatch, PermissionError("hf_secret is not allowed"))
    with pytest.raises(CollectError, match="export your own token as HF_TOKEN") as raised:
        load_benchmark("GPQA Diamond")
    assert "hf_secret" not in str(raised.value)
    with pytest.raises(CollectError, match="check the network, or give a local file"):
        load_benchmark("IFEval")


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(CollectError, match=r"\.\[benchmarks\]"):
        load_benchmark("IFEval")
