from __future__ import annotations

import pandas as pd
import pytest

from reliable_change.errors import ReliableChangeError
from reliable_change.reconstruction import solve as module
from reliable_change.reconstruction.check import problems, read_items
from reliable_change.reconstruction.solve import main, solve, write_items


def test_a_small_paper_is_solved_from_its_tables_alone(toy_items, toy_folder):
    lines = []
    items = solve(toy_folder, seed=5, report=lines.append)
    assert problems(items, toy_folder) == []
    assert not items[["correct_old", "correct_new"]].equals(
        toy_items[["correct_old", "correct_new"]]
    )
    assert lines[-1] == "single draws: solved"
    assert items.item_id.is_unique


def test_a_paper_that_contradicts_itself_is_given_up_with_one_clear_line(
    toy_folder, tmp_path, monkeypatch
):
    monkeypatch.setattr(module, "ATTEMPTS", 2)
    for path in toy_folder.iterdir():
        (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    table = pd.read_csv(tmp_path / "table_e8.csv", dtype=str)
    table["correct"] = table.n  # all correct, yet some items changed
    table.to_csv(tmp_path / "table_e8.csv", index=False)
    lines = []
    with pytest.raises(ReliableChangeError, match="Toy: no solution in 2 attempts"):
        solve(tmp_path, report=lines.append)
    assert len(lines) == 2


def test_files_are_written_beside_and_renamed(tmp_path, toy_items):
    path = write_items(toy_items, tmp_path / "new" / "items.csv")
    assert [p.name for p in path.parent.iterdir()] == ["items.csv"]
    assert read_items(path).astype(str).equals(toy_items.astype(str))


def test_nothing_is_written_unless_the_check_passes(monkeypatch, tmp_path, toy_items, capsys):
    monkeypatch.setattr(module, "solve", lambda **_: toy_items)
    monkeypatch.setattr(module, "require", _refuse)
    assert main(["--out", str(tmp_path / "items.csv")]) == 1
    assert capsys.readouterr().err == "it does not hold\n"
    assert list(tmp_path.iterdir()) == []


def _refuse(items):
    raise ReliableChangeError("it does not hold")
