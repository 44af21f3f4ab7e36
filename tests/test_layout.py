"""How the package is laid out: imports go down only, and everything public says what it is."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reliable_change.paths import ROOT

PACKAGE = ROOT / "src" / "reliable_change"
MODULES = sorted(PACKAGE.rglob("*.py"))

# From leaf to top. Parts on one line do not import each other.
LAYERS = [
    ("paths", "errors", "interrupts", "locks"),
    ("published",),
    ("archive",),
    ("stats",),
    ("scoring",),
    ("collect",),
    ("analysis",),
    ("reconstruction",),
    ("figures", "tables"),
    ("run",),
    ("notebook",),
    ("commands",),
    ("cli",),
]
RANK = {part: rank for rank, parts in enumerate(LAYERS) for part in parts}

# What only some parts may import, and the whole of what stats may.
ONLY_IN = {
    "openai": {"collect"},
    "papermill": {"run"},
    "nbformat": {"run"},
    "jupytext": {"run"},
    "IPython": {"notebook"},
    "matplotlib": {"figures"},
    "seaborn": {"figures"},
}
STATS_MAY_IMPORT = {"numpy", "scipy", "reliable_change", *sys.stdlib_module_names}
NEVER = {"random"}


def part_of(module: str) -> str:
    """Part of the package that a dotted name belongs to; empty for the package itself."""
    return (module.split(".") + [""])[1]


def imports(source: str, package: str) -> Iterator[str]:
    """Every module that a source imports, dotted, wherever in it the import stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: -node.level + 1 or None] if node.level else []
            base = ".".join([*parents, *([node.module] if node.module else [])])
            if base == "reliable_change":
                yield from (f"{base}.{alias.name}" for alias in node.names)
            else:
                yield base


def faults(source: str, part: str, package: str) -> list[str]:
    """What a module of one part imports that it may not."""
    found = []
    for name in imports(source, package):
        top = name.split(".")[0]
        if top == "reliable_change":
            other = part_of(name)
            if other in RANK and other != part and RANK[other] >= RANK[part]:
                found.append(f"{part} imports {name}, which is not below it")
        elif part not in ONLY_IN.get(top, {part}) or top in NEVER:
            found.append(f"{part} imports {name}")
        elif part == "stats" and top not in STATS_MAY_IMPORT:
            found.append(f"stats imports {name}")
    return found


def dotted(path: Path) -> str:
    parts = ("reliable_change", *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def name_of(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def test_every_part_has_its_place():
    parts = {part_of(dotted(path)) for path in MODULES} - {""}
    assert parts <= RANK.keys()


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_go_down_only(path):
    module = dotted(path)
    if module != "reliable_change":
        package = module if path.name == "__init__.py" else module.rpartition(".")[0]
        assert faults(path.read_text(encoding="utf-8"), part_of(module), package) == []


@pytest.mark.parametrize(
    ("part", "source"),
    [
        ("archive", "from reliable_change.stats.fisher import fisher_exact"),
        ("archive", "from reliable_change import cli"),
        ("archive", "from ..run import execute"),
        ("archive", "def late():\n    import reliable_change.analysis.cells"),
        ("figures", "from reliable_change.tables import grid"),
        ("stats", "import pandas as pd"),
        ("stats", "import reliable_change.scoring.math"),
        ("analysis", "import openai"),
        ("analysis", "from matplotlib import pyplot"),
        ("analysis", "import random"),
    ],
)
def test_the_check_sees_what_is_wrong(part, source):
    assert len(faults(source, part, f"reliable_change.{part}")) == 1


@pytest.mark.parametrize(
    ("part", "source"),
    [
        ("cli", "from reliable_change import __version__, run"),
        ("stats", "import math\nimport scipy.stats\nfrom . import fisher"),
        ("tables", "from reliable_change.tables import grid"),
    ],
)
def test_the_check_allows_what_is_right(part, source):
    assert faults(source, part, f"reliable_change.{part}") == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_and_public_names_have_docstrings(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "the module says nothing of itself"
    silent = [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    assert silent == []


@pytest.mark.parametrize("path", sorted((PACKAGE / "stats").glob("*.py")), ids=name_of)
def test_public_statistics_show_an_example(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    bare = [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and ">>>" not in (ast.get_docstring(node) or "")
    ]
    assert bare == []


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("__init__.py")), ids=name_of)
def test_packages_hold_no_code_of_their_own(path):
    _, *rest = ast.parse(path.read_text(encoding="utf-8")).body
    allowed = ["__version__ = '0.1.0'"] if path.parent == PACKAGE else []
    assert [ast.unparse(statement) for statement in rest] == allowed


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_nothing_here_looks_like_a_test(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    assert [node.name for node in functions if node.name.startswith("test")] == []
