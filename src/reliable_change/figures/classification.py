"""Figures of notebook 04: Figure 1, every item on both sides, the null, the interval's part."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

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
        axis.annotate(
            f"{cell['improved']:.1f}", (cell["improved"], row), (3, 0), **_BESIDE, ha="left"
        )
        axis.annotate(
            f"{cell['regressed']:.1f}", (-cell["regressed"], row), (-3, 0), **_BESIDE, ha="right"
        )
        axis.annotate(
            "Δ " + format_number(cell["delta"], 1, sign=True),
            (1.0, row),
            (4, 0),
            **_RIGHT,
            weight="bold",
        )
    axis.set_yticks(y, part["benchmark"])
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
    edges, benchmarks = (list(dict.fromkeys(items[name])) for name in ("edge", "benchmark"))
    figure, axes = plt.subplots(
        len(edges),
        len(benchmarks),
        sharex=True,
        sharey=True,
        squeeze=False,
        figsize=(0.6 + 2.5 * len(benchmarks), 0.9 + 2.4 * len(edges)),
    )
    order = ["equivalent", "inconclusive", "regressed", "improved"]
    for axis, (edge, benchmark) in zip(
        axes.flat, [(e, b) for e in edges for b in benchmarks], strict=True
    ):
        cell = items[(items["edge"] == edge) & (items["benchmark"] == benchmark)]
        axis.axline((0, 0), slope=1, color="#BBBBBB", lw=0.8, zorder=0)
        for name in order:
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
        if edge == edges[0]:
            axis.set_title(benchmark)
    for row, edge in zip(axes, edges, strict=True):
        source, target = edge.split("→")
        for axis in row:
            axis.set_xlabel(f"p̂ {labels.label(source)}")
            axis.tick_params(labelbottom=True)
        row[0].set_ylabel(f"p̂ {labels.label(target)}")
    note_source(figure, labels)
    return figure


def null_bars(distribution: pd.DataFrame, table: pd.DataFrame, labels) -> Figure:
    """How many items the null calls reliable, beside what was observed; a panel for each cell.

    Parameters
    ----------
    distribution : DataFrame
        edge, benchmark, changed (number of items), proportion (of replications).
    table : DataFrame
        Table 1, for the observed share and the number of items.
    """
    cells = list(zip(table["edge"], table["benchmark"], strict=True))
    columns = table["benchmark"].nunique()
    rows = -(-len(cells) // columns)
    figure, axes = plt.subplots(
        rows,
        columns,
        squeeze=False,
        sharex=True,
        sharey=True,
        figsize=(0.6 + 2.5 * columns, 0.8 + 1.5 * rows),
    )
    observed = (table["changed"] * table["items"] / 100).round().astype(int)
    for axis, (edge, benchmark), found in zip(axes.flat, cells, observed, strict=False):
        cell = distribution[
            (distribution["edge"] == edge) & (distribution["benchmark"] == benchmark)
        ]
        axis.bar(
            cell["changed"],
            100 * cell["proportion"],
            color=CLASS_COLOURS["inconclusive"],
            width=0.9,
        )
        axis.axvline(found, color=CLASS_COLOURS["regressed"], lw=1.5)
        left = found > observed.max() / 2
        axis.annotate(
            f"observed {found}",
            (found, 0.97),
            (-3 if left else 3, 0),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha="right" if left else "left",
            va="top",
            fontsize=7,
        )
        zero = 100 * cell.loc[cell["changed"] == 0, "proportion"].sum()
        place = {
            "xycoords": "axes fraction",
            "ha": "center",
            "fontsize": 7,
            "backgroundcolor": "white",
        }
        axis.annotate(f"none in {zero:.1f} %", (0.45, 0.45), **place)
        axis.set_yscale("log")
        axis.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axis.set_title(f"{labels.edge_label(edge.split('→'))}, {benchmark}", fontsize=8)
    figure.supylabel("replications (%, log scale)", fontsize=9)
    for axis in axes[-1]:
        axis.set_xlabel("items called reliable")
    note_source(figure, labels)
    return figure


def interval_bars(choice: pd.DataFrame, labels) -> Figure:
    """Shares of the four classes under each interval, a panel for each cell."""
    cells = choice[["edge", "benchmark"]].drop_duplicates().itertuples(index=False)
    cells = [tuple(cell) for cell in cells]
    columns = choice["benchmark"].nunique()
    rows = -(-len(cells) // columns)
    figure, axes = plt.subplots(
        rows,
        columns,
        squeeze=False,
        sharex=True,
        sharey=True,
        figsize=(1.6 + 2.4 * columns, 0.7 + 1.25 * rows),
    )
    classes = ["improved", "regressed", "inconclusive", "equivalent"]
    for axis, (edge, benchmark) in zip(axes.flat, cells, strict=False):
        part = choice[(choice["edge"] == edge) & (choice["benchmark"] == benchmark)]
        left = np.zeros(len(part))
        for name in classes:
            share = (100 * part[name] / part[classes].sum(axis=1)).to_numpy()
            axis.barh(
                part["interval"].str.replace("_", " "), share, left=left, color=CLASS_COLOURS[name]
            )
            left += share
        for row, count in enumerate(part["inconclusive"]):
            axis.annotate(str(count), (99, row), ha="right", va="center", fontsize=7)
        axis.set_title(f"{labels.edge_label(edge.split('→'))}, {benchmark}", fontsize=8)
    axes[0, 0].invert_yaxis()
    for axis in axes[-1]:
        axis.set_xlabel("items (%)\nnumber: inconclusive items")
    handles = [Patch(color=CLASS_COLOURS[name], label=name) for name in classes]
    figure.legend(handles=handles, loc="outside upper center", ncols=4)
    note_source(figure, labels)
    return figure
