"""Figures of notebook 04: Figure 1, and every item on both sides."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from reliable_change.figures.grid import cell_grid, cell_rows, label_bottom
from reliable_change.figures.style import CLASS_COLOURS, INK, edge_title, note_source
from reliable_change.published.numbers import format_number


def change_bars(table: pd.DataFrame, labels) -> Figure:
    """Figure 1: diverging bars of P+ and P−, with a marker for Δ, a panel for each edge.

    Parameters
    ----------
    table : DataFrame
        As `analysis.classification.table` gives it; shares in percent, Δ in points.
    labels : Manifest
        Display labels and the kind of archive.
    """
    edges = list(dict.fromkeys(table["edge"]))
    rows = table.groupby("edge")["benchmark"].size().max()
    figure, axes = plt.subplots(
        len(edges),
        1,
        sharex=True,
        squeeze=False,
        figsize=(7, 0.7 + len(edges) * (0.55 + 0.36 * rows)),
    )
    reach = 1.22 * max(table[["improved", "regressed"]].max().max(), table["delta"].abs().max(), 1)
    for axis, edge in zip(axes[:, 0], edges, strict=True):
        part = table[table["edge"] == edge].reset_index(drop=True)
        _bars(axis, part, reach)
        axis.set_yticks(np.arange(len(part)), part["benchmark"].map(labels.label))
        axis.set_title(edge_title(labels, edge))
    axes[-1, 0].set_xlabel("Share of items / aggregate change (percentage points)")
    figure.legend(
        handles=[
            Patch(color=CLASS_COLOURS["regressed"], label="P⁻ reliably regressed"),
            Patch(color=CLASS_COLOURS["improved"], label="P⁺ reliably improved"),
            Line2D(
                [],
                [],
                marker="D",
                color="white",
                markerfacecolor=INK,
                markersize=7,
                label="Δ aggregate change",
            ),
        ],
        loc="outside upper center",
        ncols=3,
    )
    note_source(figure, labels)
    return figure


def _bars(axis, part: pd.DataFrame, reach: float) -> None:
    y = np.arange(len(part))
    axis.barh(y, part["improved"], color=CLASS_COLOURS["improved"], height=0.62)
    axis.barh(y, -part["regressed"], color=CLASS_COLOURS["regressed"], height=0.62)
    axis.axvline(0, color="#666666", lw=0.8)
    axis.plot(part["delta"], y, "D", color=INK, mec="white", mew=1, ms=7, zorder=3)
    for row, cell in part.iterrows():
        for sign, name in [(1, "improved"), (-1, "regressed")]:
            value = format_number(cell[name], 1)
            # Where the marker would cover the number, the number stands beyond the marker.
            beyond = sign * cell["delta"] - cell[name]
            gap = 9 if -0.02 * reach < beyond < 0.09 * reach else 3
            end = sign * max(cell[name], sign * cell["delta"] if gap == 9 else 0)
            side = "left" if sign > 0 else "right"
            axis.annotate(value, (end, row), (sign * gap, 0), **_BESIDE, ha=side)
        axis.annotate(
            "Δ " + format_number(cell["delta"], 1, sign=True),
            (1.0, row),
            (4, 0),
            **_RIGHT,
            weight="bold",
        )
    axis.invert_yaxis()
    axis.set_xlim(-reach, reach)
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}".replace("-", "−"))
    axis.tick_params(left=False)
    axis.spines["left"].set_visible(False)


_BESIDE = {"textcoords": "offset points", "va": "center", "fontsize": 8}
_RIGHT = {
    "xycoords": ("axes fraction", "data"),
    "textcoords": "offset points",
    "va": "center",
    "fontsize": 8,
}


def item_scatter(items: pd.DataFrame, labels, rng: np.random.Generator) -> Figure:
    """Every item's p̂ before and after, coloured by class; a panel for each cell.

    Points are moved a little at random (`rng`) because many share a place; the numbers in the
    figure's CSV are the unmoved ones.
    """
    figure, panels = cell_grid(items, labels, width=2.4, height=2.5)
    for axis, edge, benchmark in panels:
        cell = cell_rows(items, edge, benchmark)
        axis.axline((0, 0), slope=1, color="#BBBBBB", lw=0.8, zorder=0)
        for name in ("equivalent", "inconclusive", "regressed", "improved"):
            part = cell[cell["class"] == name]
            shift = rng.uniform(-0.012, 0.012, (2, len(part)))
            axis.scatter(
                part["p_hat_source"] + shift[0],
                part["p_hat_target"] + shift[1],
                s=11,
                lw=0.3,
                color=CLASS_COLOURS[name],
                edgecolor="white",
                label=f"{len(part)} {name}",
            )
        # The strip above 1 is for the counts, where no point can be.
        axis.legend(
            fontsize=7,
            loc="upper left",
            ncols=2,
            handletextpad=0,
            columnspacing=0.6,
            borderpad=0,
            borderaxespad=0,
            labelspacing=0.2,
        )
        axis.set(xlim=(-0.05, 1.05), ylim=(-0.05, 1.28), aspect="equal")
        axis.set(xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
    label_bottom(panels, "p̂ source")
    figure.supylabel("p̂ target", fontsize=9)
    note_source(figure, labels)
    return figure
