"""What holds for every committed notebook, and toys that show each rule being broken."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import jupytext
import nbformat
import pytest
from nbformat import NotebookNode

from reliable_change.paths import NOTEBOOKS
from reliable_change.run.notebooks import KERNELSPEC, sources, twin, unrun
from reliable_change.run.parameters import read_parameters

MOST_LINES, MOST_IN_A_CELL = 60, 15
SOURCES = sources()
FOLDERS = "home|Users|root|tmp|work|opt|mnt|var"
ABSOLUTE = re.compile(rf"(?<![\w./:~$<-])/(?:{FOLDERS})/|\b[A-Z]:\\")


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def outputs(notebook: NotebookNode) -> list[NotebookNode]:
    return [output for cell in code_cells(notebook) for output in cell.outputs]


def as_its_source(notebook: NotebookNode, source: Path) -> bool:
    """The twin has the cells of its source: kinds, texts and tags."""
    theirs = jupytext.read(source, fmt="py:percent").cells
    return [(c.cell_type, c.source, c.metadata.get("tags", [])) for c in notebook.cells] == [
        (c.cell_type, c.source, c.metadata.get("tags", [])) for c in theirs
    ]


def names_this_kernel(notebook: NotebookNode, source: Path) -> bool:
    """Twin and source name python3, not a kernel of somebody's computer."""
    named = jupytext.read(source, fmt="py:percent").metadata.get("kernelspec")
    return notebook.metadata.get("kernelspec") == named == KERNELSPEC


def is_thin(notebook: NotebookNode, source: Path) -> bool:
    """At most 60 lines of code, none of its cells long."""
    lines = [len(cell.source.splitlines()) for cell in code_cells(notebook)]
    return sum(lines) <= MOST_LINES and max(lines) <= MOST_IN_A_CELL


def defines_nothing(notebook: NotebookNode, source: Path) -> bool:
    """No function and no class: these belong into the package, where they are tested."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    trees = [ast.parse(cell.source) for cell in code_cells(notebook)]
    return not any(isinstance(node, kinds) for tree in trees for node in ast.walk(tree))


def opens_with_its_aim(notebook: NotebookNode, source: Path) -> bool:
    """The first cell: number as in the name, what is reproduced, and from which data."""
    first = notebook.cells[0]
    return (
        first.cell_type == "markdown"
        and first.source.startswith(f"# {source.stem[:2]} ")
        and "eproduces" in first.source
        and re.search(r"\b(archive|data)\b", first.source) is not None
    )


def declares_parameters(notebook: NotebookNode, source: Path) -> bool:
    """One tagged cell that names the archive; screening and practice take their own."""
    mine = {"01_screening": "screening", "02_collection": "source"}.get(source.stem, "archive")
    return mine in read_parameters(source)


def was_executed_in_order(notebook: NotebookNode, source: Path) -> bool:
    """nbval has something to compare: counts 1 to n, and outputs."""
    counts = [cell.execution_count for cell in code_cells(notebook)]
    return counts == list(range(1, len(counts) + 1)) and len(outputs(notebook)) > 0


def ran_without_a_word_of_trouble(notebook: NotebookNode, source: Path) -> bool:
    """No error and nothing on stderr, which nbval does not compare."""
    return not any(
        output.output_type == "error" or output.get("name") == "stderr"
        for output in outputs(notebook)
    )


def says_when_data_is_synthetic(notebook: NotebookNode, source: Path) -> bool:
    """The committed results come from reconstructions, and the notebook shows that.

    Only the texts that are replayed for practice are real, and that is shown, too.
    """
    said = "**Data:** replies collected" if source.stem == "02_collection" else "Synthetic data"
    shown = [output.get("data", {}).get("text/markdown", "") for output in outputs(notebook)]
    return any(said in text for text in shown)


def holds_no_times_and_versions(notebook: NotebookNode, source: Path) -> bool:
    """Only tags and the kernel's name: the rest changes with every run."""
    kept = all(set(cell.metadata) <= {"tags"} for cell in notebook.cells)
    return kept and set(notebook.metadata) == {"kernelspec", "language_info"}


def names_no_place(notebook: NotebookNode, source: Path) -> bool:
    """Neither code nor output names a folder of somebody's computer."""
    texts = [cell.source for cell in notebook.cells]
    for output in outputs(notebook):
        shown = output.get("data", {})
        texts += [output.get("text", ""), shown.get("text/plain", ""), shown.get("text/html", "")]
    return not any(ABSOLUTE.search(text) for text in texts)


RULES: list[Callable[[NotebookNode, Path], bool]] = [
    as_its_source,
    names_this_kernel,
    is_thin,
    defines_nothing,
    opens_with_its_aim,
    declares_parameters,
    was_executed_in_order,
    ran_without_a_word_of_trouble,
    says_when_data_is_synthetic,
    holds_no_times_and_versions,
    names_no_place,
]


def test_there_are_notebooks_and_nothing_else():
    assert len(SOURCES) >= 7
    twins = {path.stem for path in NOTEBOOKS.glob("*.ipynb")}
    assert twins == {path.stem for path in SOURCES} == {p.stem for p in NOTEBOOKS.glob("*.py")}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_the_rule_holds(source, rule):
    notebook = nbformat.read(source.with_suffix(".ipynb"), as_version=4)
    nbformat.validate(notebook)
    assert rule(notebook, source), rule.__doc__


def test_notebooks_agree_on_what_a_setting_is():
    """A setting reaches several notebooks, so its type and default are the same in each."""
    declared: dict[str, set] = {}
    for source in SOURCES:
        for name, parameter in read_parameters(source).items():
            declared.setdefault(name, set()).add(parameter)
    assert {name: found for name, found in declared.items() if len(found) > 1} == {}


GOOD = """\
# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 07 Toy: what it shows
# Reproduces nothing, from the archive named below.

# %% tags=["parameters"]
archive = "reconstruction"

# %%
print("done")
"""


@pytest.fixture
def toy(tmp_path):
    """A source and its executed twin that keep every rule, the source changed as asked."""

    def make(old: str = "", new: str = "") -> tuple[NotebookNode, Path]:
        assert old in GOOD
        path = tmp_path / "07_toy.py"
        path.write_text(GOOD.replace(old, new) if old else GOOD)
        notebook = twin(unrun(path))
        for number, cell in enumerate(code_cells(notebook), 1):
            cell.execution_count = number
        said = {"text/markdown": "> **Synthetic data.** Made up."}
        notebook.cells[1].outputs = [nbformat.v4.new_output("display_data", data=said)]
        notebook.cells[2].outputs = [nbformat.v4.new_output("stream", text="done\n")]
        return notebook, path

    return make


def broken_rules(notebook: NotebookNode, source: Path) -> set[str]:
    return {rule.__name__ for rule in RULES if not rule(notebook, source)}


def test_the_toy_keeps_every_rule(toy):
    assert broken_rules(*toy()) == set()


@pytest.mark.parametrize(
    ("old", "new", "broken"),
    [
        ('print("done")', "\n".join(["print()"] * 16), {"is_thin"}),
        ('print("done")', "\n\n# %%\n".join(["print()\n" * 10] * 7), {"is_thin"}),
        ('print("done")', "def f():\n    pass", {"defines_nothing"}),
        ('print("done")', "if True:\n    class C:\n        pass", {"defines_nothing"}),
        ("# # 07 Toy", "# # 08 Toy", {"opens_with_its_aim"}),
        ("Reproduces nothing", "Shows nothing", {"opens_with_its_aim"}),
        ("from the archive named", "from what is named", {"opens_with_its_aim"}),
        ('archive = "reconstruction"', "k = 3", {"declares_parameters"}),
        ("name: python3", "name: conda-env-py37-py", {"names_this_kernel"}),
        ('print("done")', 'print(open("/' + 'home/me/a.csv"))', {"names_no_place"}),
    ],
)
def test_a_source_that_breaks_a_rule_is_seen(toy, old, new, broken):
    notebook, source = toy(old, new)
    for number, cell in enumerate(code_cells(notebook), 1):
        cell.execution_count = number
    assert broken_rules(notebook, source) == broken


def strip_outputs(notebook: NotebookNode) -> None:
    for cell in code_cells(notebook):
        cell.outputs = []


def add_output(kind: str, **content) -> Callable[[NotebookNode], None]:
    return lambda notebook: notebook.cells[2].outputs.append(
        nbformat.v4.new_output(kind, **content)
    )


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        (lambda nb: nb.cells[2].update(source="print('other')"), {"as_its_source"}),
        (lambda nb: nb.cells.pop(), {"as_its_source"}),
        (lambda nb: nb.cells[1].metadata.pop("tags"), {"as_its_source"}),
        (lambda nb: nb.cells[2].update(execution_count=7), {"was_executed_in_order"}),
        (lambda nb: nb.cells[2].update(execution_count=None), {"was_executed_in_order"}),
        (strip_outputs, {"was_executed_in_order", "says_when_data_is_synthetic"}),
        (
            add_output("error", ename="E", evalue="", traceback=[]),
            {"ran_without_a_word_of_trouble"},
        ),
        (
            add_output("stream", name="stderr", text="Warning: old"),
            {"ran_without_a_word_of_trouble"},
        ),
        (lambda nb: nb.cells[1].update(outputs=[]), {"says_when_data_is_synthetic"}),
        (lambda nb: nb.metadata.update(papermill={}), {"holds_no_times_and_versions"}),
        (lambda nb: nb.cells[2].metadata.update(papermill={}), {"holds_no_times_and_versions"}),
        (add_output("stream", text="in /" + "tmp/x\n"), {"names_no_place"}),
    ],
)
def test_a_twin_that_breaks_a_rule_is_seen(toy, change, broken):
    notebook, source = toy()
    change(notebook)
    assert broken_rules(notebook, source) == broken


def test_a_screening_notebook_must_take_screening(toy):
    notebook, source = toy()
    renamed = source.rename(source.with_name("01_screening.py"))
    assert not declares_parameters(notebook, renamed)
