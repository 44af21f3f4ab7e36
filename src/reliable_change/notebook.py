"""What every notebook does alike: start, ask, show, draw, and close with its ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
from IPython.display import HTML, Markdown, display

from reliable_change.analysis.cells import unscored_sides
from reliable_change.analysis.everything import Recomputed
from reliable_change.analysis.neighbours import ledger as neighbours_ledger
from reliable_change.archive.counts import item_counts
from reliable_change.archive.read import Archive, read_archive
from reliable_change.archive.schema import SCORES_FILE
from reliable_change.errors import NotInArchive
from reliable_change.figures.style import save_figure, use_style
from reliable_change.paths import NOTEBOOKS, output_folder
from reliable_change.published.ledger import compare, summary, values_of
from reliable_change.published.neighbours import neighbour_summary
from reliable_change.run.parameters import check, read_parameters
from reliable_change.run.ranges import check_ranges
from reliable_change.run.reproduce import ARCHIVE_SETTINGS
from reliable_change.run.typeset import write_recomputed
from reliable_change.tables.show import show

SYNTHETIC = (
    "> **Synthetic data.** This archive is a *reconstruction*: trials made so that the numbers "
    "printed in the paper hold together. It shows that they can, and that the code computes "
    "them. It says nothing about the authors' items, and none of its trials came from a model."
)
KIND_WORDS = {
    "collected": "replies collected from the models themselves",
    "imported": "replies imported from another tool's logs",
    "published": "data published by others",
}


@dataclass(frozen=True)
class Absent:
    """What an archive lacks, in one line; stands in for a result that needs it."""

    reason: str


def start(name: str, values: Mapping[str, Any], parameter: str = "archive") -> Archive:
    """Check a notebook's parameters, set the look, open its archive and say what it is.

    Parameters
    ----------
    name : str
        The notebook's name without ending, such as "04_classification".
    values : mapping
        The notebook's ``globals()``.
    parameter : str
        Which parameter names the archive.

    Raises
    ------
    ParameterError
        A parameter of the wrong type or out of range.
    ArchiveError
        An archive that cannot be read.
    """
    chosen = values[parameter]
    if isinstance(chosen, Archive):  # the cell is run a second time
        values = {**values, parameter: str(chosen.path)}
    check(NOTEBOOKS / f"{name}.py", values)
    check_ranges(values)
    use_style()
    archive = read_archive(values[parameter])
    introduce(archive)
    return archive


def changed_settings(name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a notebook, other than its archives, that are not its defaults."""
    declared = read_parameters(NOTEBOOKS / f"{name}.py").items()
    return {
        key: values[key]
        for key, parameter in declared
        if key not in ARCHIVE_SETTINGS and values[key] != parameter.default
    }


def start_second(name: str) -> Archive | None:
    """Open and introduce a second archive; an empty name is none."""
    if not name:
        return None
    archive = read_archive(name)
    introduce(archive)
    return archive


def introduce(archive: Archive) -> None:
    """Say which data is in use, loudly where it is synthetic, and what of it is missing."""
    manifest = archive.manifest
    if manifest.synthetic:
        display(Markdown(SYNTHETIC))
    else:
        display(Markdown(f"> **Data:** {KIND_WORDS[manifest.kind]}."))
    k = "K differs" if manifest.trials_per_item is None else f"K = {manifest.trials_per_item}"
    print(f"Archive {manifest.name}: {len(archive.items)} items, {k}")
    print("Benchmarks:", ", ".join(manifest.benchmarks))
    print("Models:", ", ".join(manifest.label(model) for model in manifest.models))
    for sentence in manifest.incomplete:
        print("Known to be incomplete:", sentence)
    if len(archive.missing):
        print(f"Missing: trials of {len(archive.missing)} item–model pairs")
    if SCORES_FILE in manifest.files:
        for benchmark, model in unscored_sides(item_counts(archive)):
            where = f"{manifest.label(model)} has no scored trial of {manifest.label(benchmark)}"
            print(f"Not in this archive: {where}, so there is nothing to compare")


def ask(function: Callable, *args: Any, **settings: Any) -> Any:
    """Call an analysis; where the archive lacks what it needs, say so in one line and go on.

    A result that is `Absent` makes everything that is asked of it absent too, without a word.
    """
    for value in (*args, *settings.values()):
        if isinstance(value, Absent):
            return value
    try:
        return function(*args, **settings)
    except NotInArchive as error:
        print(f"Not in this archive: {error}")
        return Absent(str(error))


def table(layout: str, frame: pd.DataFrame | Absent, archive: Archive) -> None:
    """Show a table in the layout of the paper's table of that name."""
    if not isinstance(frame, Absent):
        origin = {"source": archive.manifest.name, "synthetic": archive.manifest.synthetic}
        display(show(layout, frame, archive.manifest, **origin))


def rows(frame: pd.DataFrame | Absent, decimals: int = 2, **single: int) -> None:
    """Show a table that the paper does not have: text to the left, numbers to the right.

    `single` names columns with other decimals.
    """
    if not isinstance(frame, Absent) and frame.empty:
        print("No row in this table")
    elif not isinstance(frame, Absent):
        text = frame.select_dtypes(exclude="number").columns
        left = [{"selector": "td, th", "props": [("text-align", "left")]}]
        # A fixed uuid: the random one would differ each time the notebook is compared.
        styled = frame.style.format(precision=decimals, na_rep="–", escape="html")
        for name, places in single.items():
            styled = styled.format(precision=places, na_rep="–", subset=[name])
        styled = styled.hide(axis="index").set_table_styles(dict.fromkeys(text, left))
        display(HTML(styled.set_uuid("rows").to_html()))


def keep_rows(name: str, frame: pd.DataFrame) -> None:
    """Write a table that the paper does not have as CSV beside the others, and say where."""
    path = output_folder() / "tables" / f"{name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.to_csv(path, index=False, float_format="%.10g", lineterminator="\n")
    print(f"All {len(frame)} rows: tables/{path.name}")


def figure(
    name: str, draw: Callable, data: pd.DataFrame | Absent, *args: Any, rests_on: str = ""
) -> Any:
    """Draw a figure and write it with its numbers; nothing where the data is absent.

    Where the table has no row, a line says so.

    Parameters
    ----------
    name : str
        Name of the files, without ending.
    draw : callable
        ``draw(data, *args)`` returns a matplotlib figure.
    rests_on : str
        The column that counts what each row was computed from: rows of nothing are left out.
    """
    if any(isinstance(value, Absent) for value in (data, *args)):
        return
    drawn = data[data[rests_on] > 0] if rests_on else data
    if drawn.empty:
        print(f"Figure {name}: nothing to draw")
    else:
        save_figure(draw(drawn, *args), name, drawn, output_folder() / "figures")


def ledger(name: str, frames: Mapping[str, Any], *text: Any) -> None:
    """Hold a notebook's numbers against the printed ones, show them and keep them for the run.

    Parameters
    ----------
    name : str
        The notebook's name.
    frames : mapping
        Table name → tidy table: every claim on these tables is listed, those of tables that are
        absent as not computable.
    *text : mapping
        (table, row, column) → value of further quantities that the paper's text states.
    """
    present = {key: frame for key, frame in frames.items() if not isinstance(frame, Absent)}
    values = {k: v for key, frame in present.items() for k, v in values_of(key, frame).items()}
    for more in text:
        values |= {} if isinstance(more, Absent) else more
    compared = compare(values)
    place = pd.Series(compared[["table", "row", "column"]].itertuples(index=False, name=None))
    compared = compared[compared["table"].isin(list(frames)) | place.isin(list(values))]
    keep_ledger(name, compared)
    show_ledger(compared)


def keep_ledger(name: str, compared: pd.DataFrame) -> None:
    """Write a notebook's part of the ledger for the run to collect."""
    folder = output_folder() / "ledger"
    folder.mkdir(parents=True, exist_ok=True)
    compared.to_csv(folder / f"{name}.csv", index=False, lineterminator="\n")


def neighbours(paper: str | None = None) -> None:
    """Show what a neighbouring paper prints beside what follows from its other numbers.

    It depends on no archive, and is no part of the ledger that a run collects.

    Parameters
    ----------
    paper : str
        "002", "003" or "004"; all three if None.
    """
    compared = neighbours_ledger(paper)
    show_ledger(compared, neighbour_summary(compared))
    columns = ["place", "row", "column", "printed", "recomputed", "note"]
    differs = compared.loc[compared["verdict"] == "differs", columns]
    if len(differs):
        rows(differs)


def show_ledger(compared: pd.DataFrame, counts: pd.DataFrame | None = None) -> None:
    """A line for each table (`counts`), then every claim with both values and the verdict."""
    print((summary(compared) if counts is None else counts).to_string(index=False))
    columns = ["place", "row", "column", "printed", "recomputed", "verdict", "note"]
    shown = compared[columns].to_html(index=False, border=0)
    display(HTML(f"<details><summary>Every claim</summary>{shown}</details>"))


def write_tables(
    found: Recomputed,
    archive: Archive,
    screened: Archive | None = None,
    changed: Mapping[str, Any] | None = None,
) -> None:
    """Write every table for authors, `changed` settings in the captions; say how many files."""
    written = write_recomputed(output_folder() / "tables", found, archive, screened, changed)
    print(f"{len(written)} files of tables written")
