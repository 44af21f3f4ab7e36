"""Notebooks on disk: the same source gives the same notebook, and twins hold no times."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from reliable_change.run.notebooks import KERNELSPEC, sources, twin, unrun, write

TOYS = Path(__file__).parents[1] / "data" / "notebooks"


def test_sources_are_the_numbered_ones_in_order():
    assert [path.name for path in sources(TOYS)] == ["01_count.py", "02_share.py"]


def test_unrun_twice_is_the_same_and_names_this_environments_kernel():
    first, second = (unrun(TOYS / "foreign_kernel.py") for _ in range(2))
    assert nbformat.writes(first) == nbformat.writes(second)
    assert first.metadata == {"kernelspec": KERNELSPEC}
    assert all(cell.execution_count is None for cell in first.cells if cell.cell_type == "code")


def test_twin_keeps_outputs_and_tags_and_drops_the_rest():
    executed = unrun(TOYS / "01_count.py")
    executed.metadata["papermill"] = {"duration": 3.2, "start_time": "now"}
    executed.metadata["language_info"] = {"name": "python", "version": "3.11.7"}
    for number, cell in enumerate(c for c in executed.cells if c.cell_type == "code"):
        cell.metadata["papermill"] = {"duration": 0.1}
        cell.metadata["execution"] = {"iopub.execute_input": "now"}
        cell.execution_count = number + 1
        cell.outputs = [nbformat.v4.new_output("stream", text="out\n")]
    kept = twin(executed)
    text = nbformat.writes(kept)
    assert "papermill" not in text
    assert "iopub" not in text
    assert "3.11.7" not in text
    assert [cell.metadata for cell in kept.cells] == [{}, {"tags": ["parameters"]}, {}, {}, {}]
    assert [cell.outputs[0].text for cell in kept.cells[1:]] == ["out\n"] * 4
    assert "papermill" in executed.metadata, "the executed copy itself is left as it is"


def test_write_leaves_no_half_notebook(tmp_path, monkeypatch):
    path = tmp_path / "a.ipynb"
    write(unrun(TOYS / "01_count.py"), path)
    before = path.read_bytes()

    def fail_half_way(notebook, file):
        Path(file).write_text('{"cells": [')
        raise OSError("disk full")

    monkeypatch.setattr(nbformat, "write", fail_half_way)
    with pytest.raises(OSError, match="disk full"):
        write(unrun(TOYS / "02_share.py"), path)
    assert path.read_bytes() == before
