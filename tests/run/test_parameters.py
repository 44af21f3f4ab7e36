"""Settings: typed as declared, refused before any work when they do not fit."""

from __future__ import annotations

from pathlib import Path

import jupytext
import numpy as np
import papermill
import pytest

from reliable_change.errors import ParameterError
from reliable_change.run.notebooks import sources, unrun, write
from reliable_change.run.parameters import check, read_parameters, resolve, tagged_cells

TOYS = sorted((Path(__file__).parents[1] / "data" / "notebooks").glob("[0-9]*.py"))

DECLARED = """
k = 5
epsilon = 0.20
alpha: float = 1
label = "reconstruction"
snapshot: str | None = None
use_cache = True
"""


@pytest.fixture
def notebook(tmp_path):
    """Make a notebook whose parameters cell holds the given lines."""

    def make(cell: str = DECLARED, tags: str = '["parameters"]', name: str = "05_made") -> Path:
        path = tmp_path / f"{name}.py"
        path.write_text(f"# %% tags={tags}\n{cell.strip()}\n\n# %%\nraise SystemExit\n")
        return path

    return make


def test_names_types_and_defaults_are_read_in_order(notebook):
    declared = read_parameters(notebook())
    assert {name: (p.type, p.default, p.optional) for name, p in declared.items()} == {
        "k": (int, 5, False),
        "epsilon": (float, 0.2, False),
        "alpha": (float, 1.0, False),
        "label": (str, "reconstruction", False),
        "snapshot": (str, None, True),
        "use_cache": (bool, True, False),
    }
    assert list(declared)[:2] == ["k", "epsilon"]


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("import os", "'import os' is not of the form name = value"),
        ("k = open('file')", "k is not set to a literal"),
        ("a, b = 1, 2", "is not of the form"),
        ("k: int", "is not of the form"),
        ("k = None", "k must be a str, int, float or bool"),
        ("k = [1]", "k must be a str, int, float or bool"),
        ("k: int = 'five'", "the default of k, 'five', is not a whole number"),
        ("k: int = None", "the default of k, None, is not a whole number"),
        ("k: int = True", "the default of k, True, is not a whole number"),
        ("k = (", "cell 'parameters'"),
    ],
)
def test_anything_but_literals_is_refused(notebook, cell, said):
    with pytest.raises(ParameterError, match="05_made.py") as error:
        read_parameters(notebook(cell))
    assert said in str(error.value)


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.stem)
def test_the_tagged_cell_is_the_one_that_jupytext_finds(path):
    cells = jupytext.read(path, fmt="py:percent").cells
    theirs = [cell.source for cell in cells if "parameters" in cell.metadata.get("tags", [])]
    assert tagged_cells(path.read_text(encoding="utf-8")) == theirs
    assert len(theirs) == 1


def test_exactly_one_cell_is_tagged(notebook):
    with pytest.raises(ParameterError, match="0 cells are tagged"):
        read_parameters(notebook(tags="[]"))


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("label", "2024_08_06", "2024_08_06"),
        ("label", "007", "007"),
        ("label", "1e5", "1e5"),
        ("label", "None", "None"),
        ("label", "", ""),
        ("label", "a 'quoted' name\\", "a 'quoted' name\\"),
        ("snapshot", "None", None),
        ("snapshot", "007", "007"),
        ("k", "007", 7),
        ("k", "-3", -3),
        ("epsilon", "0.1", 0.1),
        ("epsilon", "1", 1.0),
        ("epsilon", "1e-3", 0.001),
        ("use_cache", "false", False),
        ("use_cache", "True", True),
        ("k", np.int64(9), 9),
        ("epsilon", np.float32(0.5), 0.5),
        ("epsilon", 1, 1.0),
        ("use_cache", np.bool_(False), False),
        ("label", np.str_("x"), "x"),
    ],
)
def test_values_take_the_declared_type(notebook, name, text, value):
    (resolved,) = resolve({name: text}, [notebook()]).values()
    assert resolved == {name: value}
    assert type(resolved[name]) is type(value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("k", "2024_08_06"),
        ("k", "1e5"),
        ("k", "5.0"),
        ("k", "none"),
        ("k", ""),
        ("k", 5.0),
        ("k", True),
        ("epsilon", "0,2"),
        ("epsilon", "nan"),
        ("epsilon", "1e999"),
        ("epsilon", True),
        ("epsilon", np.float64("inf")),
        ("use_cache", "0"),
        ("use_cache", "yes"),
        ("use_cache", 1),
        ("label", 7),
        ("label", None),
    ],
)
def test_values_of_another_type_are_refused(notebook, name, value):
    with pytest.raises(ParameterError, match=f"setting {name} = .*: 05_made takes"):
        resolve({name: value}, [notebook()])


def test_a_setting_reaches_only_the_notebooks_that_declare_it():
    assert resolve({"top": "4", "loud": "false"}, TOYS) == {
        "01_count": {"top": 4},
        "02_share": {"loud": False},
    }


def test_a_setting_that_none_declares_is_named_with_the_nearest(notebook):
    with pytest.raises(ParameterError) as error:
        resolve({"epsilom": "0.1"}, TOYS)
    assert "no notebook has a setting epsilom" in str(error.value)
    assert "did you mean epsilon (of 02_share)" in str(error.value)
    with pytest.raises(ParameterError, match="settings are epsilon, label, loud, step, top"):
        resolve({"zzzz": "1"}, TOYS)


def test_papermill_writes_the_values_with_their_types(notebook, tmp_path):
    """papermill's own -p would give 20240806, 7 and a text that counts as true."""
    texts = {"label": "2024_08_06", "snapshot": "007", "use_cache": "false", "k": np.int64(5)}
    path = notebook()
    (values,) = resolve(texts, [path]).values()
    source = write(unrun(path), tmp_path / "source.ipynb")
    prepared = papermill.execute_notebook(
        source, tmp_path / "prepared.ipynb", values, prepare_only=True, kernel_name="python3"
    )
    (cell,) = [c for c in prepared.cells if "injected-parameters" in c.metadata.get("tags", [])]
    injected: dict = {}
    exec(cell.source, injected)
    assert {name: injected[name] for name in texts} == {
        "label": "2024_08_06",
        "snapshot": "007",
        "use_cache": False,
        "k": 5,
    }


def test_a_notebook_checks_what_papermill_gave_it(notebook):
    path = notebook()
    values = {name: p.default for name, p in read_parameters(path).items()}
    check(path, values | {"other": object(), "epsilon": 1})
    for name, wrong in [("label", 7), ("use_cache", "false"), ("k", "5"), ("k", None)]:
        with pytest.raises(ParameterError, match=f"setting {name} = {wrong!r}"):
            check(path, values | {name: wrong})
    del values["k"]
    with pytest.raises(ParameterError, match="parameter k has no value"):
        check(path, values)
