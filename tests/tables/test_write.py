from __future__ import annotations

import re

import pytest

from reliable_change.published.tables import KEYS
from reliable_change.tables.layout import TableError
from reliable_change.tables.write import write_tables


def test_every_table_in_three_formats_and_two_documents(tmp_path, paper_frames, labels):
    paths = write_tables(tmp_path / "a" / "b", paper_frames, labels, "default", True)
    expected = [f"{name}.{ending}" for name in KEYS for ending in ("tex", "csv", "html")]
    expected += ["appendices.tex", "appendices_standalone.tex"]
    assert [path.name for path in paths] == expected
    # Nothing half-written is left beside them.
    assert sorted(p.name for p in (tmp_path / "a" / "b").iterdir()) == sorted(expected)


def test_appendices_take_in_the_tables_in_the_papers_order(tmp_path, paper_frames, labels):
    write_tables(tmp_path, paper_frames, labels, "default", True)
    text = (tmp_path / "appendices.tex").read_text(encoding="utf-8")
    taken = re.findall(r"^\\input\{\\tablesfolder/(\w+)\}$", text, re.M)
    assert taken == [name for name in KEYS if name != "table_1"]
    assert re.findall(r"\\section\{(.*)\}", text) == [
        "Benchmark screening",
        "Single-draw comparison",
        "Sensitivity to the practical-significance threshold",
        "Token consumption",
        "Response category breakdown",
        "Difficulty stratification",
    ]
    assert "a synthetic reconstruction" in text.splitlines()[0]


def test_every_reference_has_its_label(tmp_path, paper_frames, labels):
    write_tables(tmp_path, paper_frames, labels, "default", False)
    texts = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.glob("*.tex")}
    referred = re.findall(r"\\ref\{([^}]*)\}", texts["appendices.tex"])
    made = [name for text in texts.values() for name in re.findall(r"\\label\{([^}]*)\}", text)]
    assert len(referred) == 8
    assert sorted(made) == sorted([*referred, "tab:1"])


def test_a_missing_table_is_said_to_be_missing_and_keeps_its_number(tmp_path, paper_frames, labels):
    del paper_frames["table_b4"], paper_frames["table_f9"]
    paths = write_tables(tmp_path, paper_frames, labels, "mine", False)
    assert not any(path.name.startswith(("table_b4", "table_f9")) for path in paths)
    text = (tmp_path / "appendices.tex").read_text(encoding="utf-8")
    assert "table_b4" not in text
    assert "This archive has no data for the paper's Table B.4." in text
    assert "This archive has no data for the paper's Table F.9." in text
    assert text.count(r"\stepcounter{table}") == 2


def test_without_table_1_the_standalone_document_does_not_ask_for_it(
    tmp_path, paper_frames, labels
):
    write_tables(tmp_path, {"table_d7": paper_frames["table_d7"]}, labels, "mine", False)
    text = (tmp_path / "appendices_standalone.tex").read_text(encoding="utf-8")
    assert "table_1" not in text
    assert r"\input{appendices}" in text


def test_a_real_archive_is_never_called_synthetic(tmp_path, paper_frames, labels):
    for path in write_tables(tmp_path, paper_frames, labels, "mine", False):
        assert "synthetic" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("ending", ["tex", "html"])
def test_a_table_can_come_from_another_archive(ending, tmp_path, paper_frames, labels):
    write_tables(
        tmp_path,
        paper_frames,
        labels,
        "main",
        False,
        sources={"table_a2": ("screening", True)},
        note="Settings: seed = 7.",
    )
    for name in KEYS:
        text = (tmp_path / f"{name}.{ending}").read_text(encoding="utf-8")
        other = name == "table_a2"
        assert f"Settings: seed = 7. Data: {'screening' if other else 'main'}" in text
        assert ("synthetic" in text) == other


def test_writing_again_replaces(tmp_path, paper_frames, labels):
    write_tables(tmp_path, paper_frames, labels, "first", False)
    write_tables(tmp_path, paper_frames, labels, "second", False)
    assert "first" not in (tmp_path / "table_d7.tex").read_text(encoding="utf-8")


def test_nothing_is_written_if_one_table_does_not_fit(tmp_path, paper_frames, labels):
    paper_frames["table_f9"] = paper_frames["table_f9"].drop(columns="items")
    with pytest.raises(TableError, match="table_f9"):
        write_tables(tmp_path / "new", paper_frames, labels, "mine", False)
    assert not (tmp_path / "new").exists()


def test_an_unknown_table_is_named(tmp_path, paper_frames, labels):
    with pytest.raises(TableError, match="no layout for 'table_x'; there are table_1"):
        write_tables(tmp_path, {"table_x": paper_frames["table_1"]}, labels, "mine", False)


def test_a_source_cannot_leave_its_comment(tmp_path, paper_frames, labels):
    write_tables(tmp_path, paper_frames, labels, "x\n\\input{evil}", False)
    for path in tmp_path.glob("*.tex"):
        assert r"\input{evil}" not in path.read_text(encoding="utf-8")
