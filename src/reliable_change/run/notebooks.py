"""Notebooks on disk: percent sources, notebooks not yet run, and the committed twins."""

from __future__ import annotations

import os
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode

from reliable_change.paths import NOTEBOOKS

KERNEL = "python3"
KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": KERNEL}


def sources(folder: Path = NOTEBOOKS) -> list[Path]:
    """Percent sources ``NN_name.py`` of a folder, in the order of their numbers."""
    return sorted(folder.glob("[0-9][0-9]_*.py"))


def unrun(source: Path) -> NotebookNode:
    """Notebook made from a percent source: nothing run, kernel python3, cells numbered.

    The kernel that the source names is replaced: such a name belongs to somebody's computer.
    Cell ids count up instead of being drawn, so that the same source gives the same notebook.
    """
    notebook = jupytext.read(source, fmt="py:percent")
    notebook.metadata = NotebookNode(kernelspec=NotebookNode(KERNELSPEC))
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number:02d}"
    return notebook


def twin(executed: NotebookNode) -> NotebookNode:
    """Committed form of an executed notebook: outputs and tags, no times and no versions."""
    kept = nbformat.from_dict(executed)
    kept.metadata = NotebookNode(
        kernelspec=NotebookNode(KERNELSPEC), language_info=NotebookNode(name="python")
    )
    for cell in kept.cells:
        tags = cell.metadata.get("tags")
        cell.metadata = NotebookNode(tags=tags) if tags else NotebookNode()
    return kept


def write(notebook: NotebookNode, path: Path) -> Path:
    """Write a notebook beside its place and rename it, so that no half of one is ever there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.part")
    nbformat.write(notebook, beside)
    os.replace(beside, path)
    return path
