from __future__ import annotations

import pandas as pd
import pytest

from reliable_change.commands.closing import cell_lines, one_line, say_what_changed

CELLS = [
    {"edge": "old→new", "benchmark": "quiz", "items": 30, "delta": 1.3, "improved": 4,
     "regressed": 2, "null95": 0},
    {"edge": "old→new", "benchmark": "essay", "items": 8, "delta": -12.5, "improved": 0,
     "regressed": 10, "null95": 1},
]  # fmt: skip


@pytest.fixture
def output(tmp_path):
    (tmp_path / "tables").mkdir()
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "04_classification.ipynb").write_text("{}")
    pd.DataFrame(CELLS).to_csv(tmp_path / "tables" / "findings.csv", index=False)
    (tmp_path / "tables" / "changed_items.csv").write_text("edge\n")
    return tmp_path


def test_each_cell_is_a_line_and_the_files_to_open_are_named(output, capsys):
    say_what_changed(output)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "  old→new  quiz   delta +1.3   improved 4  regressed 2   of 30"
    assert lines[2] == "  old→new  essay  delta −12.5  improved 0  regressed 10  of 8"
    assert lines[3].endswith("notebooks/04_classification.ipynb")
    assert lines[4].endswith("tables/changed_items.csv")
    assert len(lines) == 5


@pytest.mark.parametrize(("together", "warns"), [(1, False), (3, True)])
def test_too_few_trials_are_said(output, capsys, together, warns):
    row = {"items": 8, "smallest_p": 0.0079, "together": together, "trials_needed": 6}
    pd.DataFrame([row]).to_csv(output / "tables" / "reach.csv", index=False)
    say_what_changed(output)
    assert ("no item can be called by itself" in capsys.readouterr().out) == warns


def test_a_cell_without_items_has_no_delta_and_no_cell_is_said():
    nothing = pd.DataFrame(CELLS).assign(delta=float("nan"))
    assert cell_lines(nothing).count("delta –") == 2
    assert cell_lines(nothing[:0]) == "  no item has a scored trial of both models"


def test_what_was_not_written_is_not_named(tmp_path, capsys):
    say_what_changed(tmp_path)
    assert capsys.readouterr().out == ""


def test_the_ledger_is_one_line(tmp_path):
    total = {"place": "Total", "claims": 3, "reproduced": 1, "differs": 2}
    said = one_line(pd.DataFrame([total, total | {"differs": 7}]), tmp_path)
    assert "7 differs of 3 claims" in said
    assert "\n" not in said
