"""Tables for authors: of the archive and settings asked for, which their captions name."""

from __future__ import annotations

import inspect

import pytest

from reliable_change.analysis.everything import recompute
from reliable_change.run.notebooks import sources
from reliable_change.run.parameters import read_parameters
from reliable_change.run.reproduce import plan
from reliable_change.run.typeset import typeset


@pytest.fixture
def tables(uneven_k_dir, tmp_path):
    """Write the tables of the small archive with further settings; the folder they are in."""

    def write(**settings: str):
        settings |= {"archive": str(uneven_k_dir), "screening": str(uneven_k_dir)}
        written = typeset(plan(settings, output=tmp_path), settings)
        assert {path.parent for path in written} == {tmp_path / "tables"}
        return tmp_path / "tables"

    return write


def test_settings_change_the_tables_and_stand_in_the_caption(tables):
    papers = {path.name: path.read_text() for path in tables(replications="5").iterdir()}
    others = {
        path.name: path.read_text()
        for path in tables(replications="5", epsilon="0.5", interval="wald").iterdir()
    }
    assert {"table_1.tex", "table_1.csv", "table_1.html", "appendices.tex"} <= papers.keys()
    assert papers["table_1.csv"] != others["table_1.csv"]
    assert "Settings: replications = 5." in papers["table_1.tex"]
    assert "Settings: epsilon = 0.5, interval = wald, replications = 5." in others["table_1.tex"]
    assert "wren-1" not in papers["table_1.csv"], "models are shown by their labels"


def test_settings_that_decide_no_table_stay_out_of_it(tables):
    fewer = {path.name: path.read_text() for path in tables(replications="5", trials="3").iterdir()}
    assert "Settings: replications = 5, trials = 3." in fewer["table_1.tex"]
    others = {
        path.name: path.read_text()
        for path in tables(replications="5", trials="3", population="analysable", real="").iterdir()
    }
    assert others == fewer


def test_every_setting_of_the_tables_is_one_of_a_notebook():
    declared = {name for path in sources() for name in read_parameters(path)}
    settings = inspect.signature(recompute).parameters.keys() - {"screened"}
    assert settings <= declared
