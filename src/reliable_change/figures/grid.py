"""A grid of panels, one for each cell: rows are edges, columns are benchmarks."""

from __future__ import annotations

import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

Panels = list[tuple[Axes, str, str]]


def cell_grid(frame: pd.DataFrame, labels, *, width: float, height: float) -> tuple[Figure, Panels]:
    """Make a figure with a panel for each cell, named by its column's title and its row's label.

    Parameters
    ----------
    frame : DataFrame
        edge and benchmark; their first appearances give the order.
    labels : Manifest
        Has ``edge_label(edge)`` and ``label(benchmark)``.
    width, height : float
        Of a panel, in inches.

    Returns
    -------
    figure, panels
        Panels are (axis, edge, benchmark), row by row; axes share their scales.
    """
    edges, benchmarks = (list(dict.fromkeys(frame[name])) for name in ("edge", "benchmark"))
    figure, axes = plt.subplots(
        len(edges),
        len(benchmarks),
        squeeze=False,
        sharex=True,
        sharey=True,
        figsize=(max(5.2, 0.9 + width * len(benchmarks)), 0.7 + height * len(edges)),
    )
    for axis, benchmark in zip(axes[0], benchmarks, strict=True):
        axis.set_title(labels.label(benchmark))
    for axis, edge in zip(axes[:, 0], edges, strict=True):
        label = labels.edge_label(edge.split("→"))
        axis.set_ylabel(label.replace("→", " →\n") if len(label) > 16 else label, weight="bold")
    cells = [(edge, benchmark) for edge in edges for benchmark in benchmarks]
    return figure, [(axis, *cell) for axis, cell in zip(axes.flat, cells, strict=True)]


def cell_rows(frame: pd.DataFrame, edge: str, benchmark: str) -> pd.DataFrame:
    """The rows of one cell."""
    return frame[(frame["edge"] == edge) & (frame["benchmark"] == benchmark)]


def label_bottom(panels: Panels, text: str) -> None:
    """Label the horizontal axis of the lowest row."""
    last = panels[-1][1]
    for axis, edge, _ in panels:
        if edge == last:
            axis.set_xlabel(text)
