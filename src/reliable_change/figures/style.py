"""One look for all figures: colours, type, and how a figure is saved with its numbers."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

# Blue and vermilion stay apart under every common colour blindness; the two greys and the
# black of Δ differ in lightness, so the figures survive a grey printer too.
CLASS_COLOURS = {
    "improved": "#0072B2",
    "regressed": "#D55E00",
    "equivalent": "#C8CDD3",
    "inconclusive": "#7F858C",
    "not testable": "#F2E9C4",
}
CATEGORY_COLOURS = {
    "correct": "#0072B2",
    "wrong": "#7F858C",
    "format_failure": "#D55E00",
    "refusal": "#CC79A7",
    "truncation": "#E69F00",
    "api_error": "#000000",
}
LINE_COLOURS = ("#332288", "#117733", "#AA4499", "#996600", "#0077AA", "#661100", "#555555")
LINE_DASHES = ("-", "--", "-.", ":")
INK = "#222222"
SYNTHETIC = "Synthetic data: a reconstruction, not the authors' responses"

STYLE = {
    "figure.dpi": 110,
    "savefig.dpi": 200,
    "figure.constrained_layout.use": True,
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.labelsize": 9,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8.5,
    "legend.fontsize": 8.5,
    "axes.linewidth": 0.8,
    "xtick.major.width": 0.8,
    "ytick.major.width": 0.8,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#666666",
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    # Element ids in an SVG are otherwise drawn anew by each process.
    "svg.hashsalt": "reliable-change",
}


def use_style() -> None:
    """Set the look for this session; notebooks call it once."""
    sns.set_theme(style="ticks", rc=STYLE)


def line_looks(names: list[str]) -> dict[str, dict]:
    """Colour and dash of each model or benchmark, dark enough for text of the same colour.

    >>> line_looks(["a", "b"])["b"]
    {'color': '#117733', 'linestyle': '--'}
    """
    looks = zip(itertools.cycle(LINE_COLOURS), itertools.cycle(LINE_DASHES), strict=False)
    return {
        name: {"color": colour, "linestyle": dash}
        for name, (colour, dash) in zip(names, looks, strict=False)
    }


def ink_on(colour) -> str:
    """Black or white, whichever stands out more on a colour (at least 4.5 to 1, as in WCAG 2).

    >>> [ink_on(colour) for colour in ("#0072B2", "#E69F00", "#7F858C")]
    ['white', 'black', 'black']
    """
    channels = np.array(to_rgb(colour))
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    luminance = linear @ (0.2126, 0.7152, 0.0722)
    return "white" if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 else "black"


def edge_title(labels, edge: str) -> str:
    """Long title of an edge id such as "a→b".

    Parameters
    ----------
    labels : object
        Has ``label(model)``, as a manifest does.
    """
    return " → ".join(labels.label(model) for model in edge.split("→"))


def head_groups(axis, groups: pd.Series, y: np.ndarray) -> None:
    """Write each group's name above its first row, in the room that `spread_rows` leaves.

    Parameters
    ----------
    groups : Series of str, index 0 to n - 1
        The group of each row, groups one after the other.
    y : ndarray
        Place of each row.
    """
    for name, rows in groups.groupby(groups, sort=False):
        axis.annotate(
            name,
            (0, y[rows.index[0]] - 0.85),
            (2, 0),
            textcoords="offset points",
            va="center",
            weight="bold",
            fontsize=8,
        )


def spread_rows(groups: pd.Series) -> np.ndarray:
    """Place of each row with room for a heading above each group.

    >>> spread_rows(pd.Series(["a", "a", "b"])).tolist()
    [0.9, 1.9, 3.8]
    """
    return np.arange(len(groups)) + 0.9 * (groups != groups.shift()).cumsum().to_numpy()


def note_source(figure: Figure, labels) -> None:
    """Say under the figure that its data is synthetic, where it is."""
    if getattr(labels, "synthetic", False):
        figure.supxlabel(SYNTHETIC, fontsize=7, color="#666666", x=0.99, ha="right")


def save_figure(figure: Figure, name: str, data: pd.DataFrame, folder: Path) -> Figure:
    """Write a figure as PNG and SVG with a CSV of the numbers it draws, and return it.

    The files are byte for byte the same when the data and the matplotlib version are: no date,
    no random id. Numbers in the CSV keep 10 significant digits.
    """
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / f"{name}.png", metadata={"Software": None})
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None, "Creator": None})
    data.to_csv(folder / f"{name}.csv", index=False, float_format="%.10g", lineterminator="\n")
    return figure
