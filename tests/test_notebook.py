from __future__ import annotations

import pandas as pd
import pytest

from reliable_change import notebook as nb
from reliable_change.errors import NotInArchive, ParameterError


@pytest.fixture(autouse=True)
def _output(tmp_path, monkeypatch):
    monkeypatch.setenv("RELIABLE_CHANGE_OUTPUT", str(tmp_path))


def lacking(*_):
    raise NotInArchive("the archive has no strata")


def test_what_is_absent_is_said_once_and_then_passed_on(capsys):
    absent = nb.ask(lacking)
    assert nb.ask(len, absent) is absent
    assert nb.ask(max, 1, key=absent) is absent
    assert capsys.readouterr().out == "Not in this archive: the archive has no strata\n"


def test_asking_gives_the_answer_and_other_errors_are_not_hidden():
    assert nb.ask(sorted, [2, 1], reverse=True) == [2, 1]
    with pytest.raises(ZeroDivisionError):
        nb.ask(divmod, 1, 0)


def test_an_absent_table_draws_and_shows_nothing(tmp_path, capsys):
    absent = nb.Absent("no tokens")
    nb.figure("tokens", lacking, absent)
    nb.table("table_d6", absent, None)
    nb.rows(absent)
    assert list(tmp_path.iterdir()) == []
    assert capsys.readouterr().out == ""


def test_a_mean_of_counts_has_fewer_decimals_than_a_reliability(monkeypatch):
    shown = []
    monkeypatch.setattr(nb, "display", lambda html: shown.append(html.data))
    nb.rows(pd.DataFrame({"r": [0.5], "improved": [143.9]}), decimals=3, improved=1)
    assert ">0.500<" in shown[0]
    assert ">143.9<" in shown[0]


def test_an_empty_table_is_a_line(tmp_path, capsys):
    empty = pd.DataFrame({"class": [], "total": []})
    nb.rows(empty)
    nb.figure("classes", lacking, empty)
    said = capsys.readouterr().out
    assert said == "No row in this table\nFigure classes: nothing to draw\n"
    assert list(tmp_path.iterdir()) == []


def test_rows_that_rest_on_nothing_are_not_drawn(monkeypatch):
    kept = []
    monkeypatch.setattr(nb, "save_figure", lambda drawn, name, data, folder: kept.append(data))
    frame = pd.DataFrame({"class": ["improved", "regressed"], "total": [0, 3]})
    nb.figure("classes", lambda data: data, frame, rests_on="total")
    assert kept[0]["class"].to_list() == ["regressed"]


def test_the_ledger_lists_claims_of_its_tables_present_or_not(tmp_path, capsys):
    frame = pd.DataFrame({"class": ["improved"], "total": [255]})
    nb.ledger("06_single_draw", {"table_b4": frame, "table_d7": nb.Absent("no tokens")})
    part = pd.read_csv(tmp_path / "ledger" / "06_single_draw.csv", dtype=str, keep_default_na=False)
    assert set(part["table"]) == {"table_b4", "table_d7"}
    improved = part[(part["table"] == "table_b4") & (part["row"] == "improved")].set_index("column")
    assert improved.loc["total", "verdict"] == "reproduced"
    assert set(part.loc[part["table"] == "table_d7", "verdict"]) == {"not computable"}
    assert "Table B.4" in capsys.readouterr().out


def test_a_parameter_of_the_wrong_type_stops_a_notebook_at_the_top():
    values = {"archive": "reconstruction", "epsilon": "0.2", "alpha": 0.05, "seed": 1}
    with pytest.raises(ParameterError, match="epsilon"):
        nb.start("05_sensitivity", values)


def test_a_synthetic_archive_is_introduced_as_such(tmp_path, monkeypatch):
    import numpy as np

    from reliable_change.archive.read import read_archive
    from reliable_change.archive.simulate import simulate_archive

    shown = []
    monkeypatch.setattr(nb, "display", lambda thing: shown.append(thing.data))
    folder = tmp_path / "made"
    rng = np.random.default_rng(0)
    simulate_archive(folder, rng=rng, benchmarks={"b": 2}, models=["x", "y"], trials=2)
    nb.introduce(read_archive(folder))
    assert "Synthetic data." in shown[0]


def test_the_first_cell_can_be_run_again(capsys):
    values = {"archive": "reconstruction"}
    values["archive"] = nb.start("07_token_costs", values)
    assert nb.start("07_token_costs", values).path == values["archive"].path


def test_a_neighbours_ledger_is_shown_and_kept_out_of_the_papers(tmp_path, monkeypatch, capsys):
    shown = []
    monkeypatch.setattr(nb, "display", lambda thing: shown.append(thing.data))
    nb.neighbours("004")
    said = capsys.readouterr().out
    assert "004" in said
    assert "002" not in said
    assert "6,428" in shown[1]
    assert "the text does not say which examples went" in shown[1]
    nb.neighbours("003")
    assert len(shown) == 3  # nothing differs, so there is no table of differences
    assert list(tmp_path.iterdir()) == []
