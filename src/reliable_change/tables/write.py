"""Write an archive's tables into a folder, ready for authors to take up."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from reliable_change.tables.appendices import appendices, standalone
from reliable_change.tables.caption import Origin
from reliable_change.tables.layout import Labels, TableError, fill
from reliable_change.tables.layouts import LAYOUTS
from reliable_change.tables.to_csv import to_csv
from reliable_change.tables.to_html import to_document
from reliable_change.tables.to_latex import to_latex


def write_tables(
    folder: Path,
    frames: Mapping[str, pd.DataFrame],
    labels: Labels,
    source: str,
    synthetic: bool,
    *,
    sources: Mapping[str, tuple[str, bool]] | None = None,
    note: str = "",
) -> list[Path]:
    """Write every table as .tex, .csv and .html, and the LaTeX appendices that take them in.

    Parameters
    ----------
    folder
        Made if it is not there.
    frames
        Tidy numeric frames by the names in data/published (``"table_c5"``).
    labels
        Display names; an archive's manifest.
    source
        The archive's name, for the captions.
    synthetic
        Whether the archive is a reconstruction; the captions then say so.
    sources
        For tables that come from another archive, such as the screening's: that archive's name
        and whether it is synthetic.
    note
        A further sentence for every caption, such as the settings that were changed.

    Returns
    -------
    list of Path
        The files written, in the paper's order, with appendices.tex and
        appendices_standalone.tex last.

    Raises
    ------
    TableError
        If a name is not one of the paper's tables or a frame does not fit its layout; nothing
        has been written then.
    """
    unknown = [name for name in frames if name not in LAYOUTS]
    if unknown:
        raise TableError(f"no layout for {unknown[0]!r}; there are {', '.join(LAYOUTS)}")
    texts: dict[str, str] = {}
    for name, layout in LAYOUTS.items():
        if name in frames:
            whose = Origin(*(sources or {}).get(name, (source, synthetic)), note)
            grid = fill(layout, frames[name], labels)
            texts[f"{name}.tex"] = to_latex(layout, grid, whose)
            texts[f"{name}.csv"] = to_csv(grid)
            texts[f"{name}.html"] = to_document(layout, grid, whose)
    origin = Origin(source, synthetic)
    texts["appendices.tex"] = appendices(frames.keys(), origin)
    texts["appendices_standalone.tex"] = standalone(frames.keys(), origin)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return [_write(folder / name, text) for name, text in texts.items()]


def _write(path: Path, text: str) -> Path:
    """Write beside and rename, so that no reader ever meets half a file."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(text, encoding="utf-8", newline="\n")
    beside.replace(path)
    return path
