"""Notebook 02 from end to end: on an archive of its own, and on one that has nothing to replay."""

from __future__ import annotations

import re

import nbformat
import pandas as pd
import pytest

from reliable_change.paths import NOTEBOOKS
from reliable_change.run.execute import Job, execute
from reliable_change.run.notebooks import unrun, write
from tests.collect.made_up import write_made_up

NAME = "02_collection"


@pytest.fixture
def shown(tmp_path):
    """Everything that the notebook shows with some parameters."""

    def run(**parameters) -> str:
        source = write(unrun(NOTEBOOKS / f"{NAME}.py"), tmp_path / "source" / f"{NAME}.ipynb")
        outcome = execute(Job(NAME, source, tmp_path / "out", NOTEBOOKS, parameters))
        assert outcome.error is None
        executed = nbformat.read(tmp_path / "out" / "notebooks" / f"{NAME}.ipynb", as_version=4)
        outputs = [o for c in executed.cells if c.cell_type == "code" for o in c.outputs]
        return "\n".join(o.get("text", "") or o.data.get("text/html", "") for o in outputs)

    return run


def test_it_proves_a_collection_of_any_archive_with_texts(shown, tmp_path):
    source = write_made_up(tmp_path / "made_up", items=4, trials=8)
    said = shown(source=str(source), slice_items=1, slice_trials=8, api="chat")
    checked = re.findall(r">(yes|no)</td>", said)
    assert checked == ["yes"] * 9
    drawn = pd.read_csv(tmp_path / "out" / "figures" / "faults.csv")
    assert drawn["requests"].sum() > 0


def test_without_texts_it_says_so_in_one_line_and_passes_over(shown):
    said = shown(source="reconstruction")
    assert said.count("Not in this archive") == 1
    assert said.endswith("has no prompts to find items by\n")
