"""Figures of notebook 09: false alarms by p, the two classifications, change by difficulty."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from reliable_change.figures.style import CLASS_COLOURS, INK, ink_on, line_looks, note_source

INDEX_COLOURS = {
    "improved": CLASS_COLOURS["improved"],
    "no reliable change": CLASS_COLOURS["inconclusive"],
    "deteriorated": CLASS_COLOURS["regressed"],
    "excluded": CLASS_COLOURS["equivalent"],
}
NOMINAL = 5.0  # percent, what a threshold of 1.96 promises


def alarm_curves(alarms: pd.DataFrame, labels) -> Figure:
    """Chance of a false alarm by an item's true p; edges as columns, numbers of trials as rows.

    Parameters
    ----------
    alarms : DataFrame
        As `analysis.index_artefacts.false_alarms` gives it. Of benchmarks that share a curve,
        the earlier is drawn wider, so that it shows on both sides of the later.
    """
    numbers = sorted(set(alarms["trials"]), reverse=True)
    edges, benchmarks = (
        [name for name in dict.fromkeys(alarms[column]) if name] for column in ("edge", "benchmark")
    )
    widest = 1.4 + 1.5 * min(len(benchmarks) - 1, 3)
    looks = {
        name: {"color": look["color"], "lw": width}
        for (name, look), width in zip(
            line_looks(benchmarks).items(), np.linspace(widest, 1.4, len(benchmarks)), strict=True
        )
    }
    figure, axes = _edge_panels(labels, edges, numbers)
    for row, trials in zip(axes, numbers, strict=True):
        part = alarms[alarms["trials"] == trials]
        fisher = part[part["rule"] == "Fisher"]
        for axis, edge in zip(row, edges, strict=True):
            for name in benchmarks:
                line = part[(part["edge"] == edge) & (part["benchmark"] == name)]
                axis.plot(line["p"], line["chance"], **looks[name])
            axis.plot(fisher["p"], fisher["chance"], color=INK, lw=2)
            axis.axhline(NOMINAL, color="#666666", lw=0.8, ls=":")
    for axis in axes[-1]:
        axis.set_xlabel("true chance, both sides")
        axis.set(xlim=(0, 1), ylim=(0, None), xticks=[0.1, 0.3, 0.5, 0.7, 0.9])
    figure.supylabel("flagged though nothing changed (%)", fontsize=9)
    handles = [
        Line2D([], [], label=f"RCI, {labels.label(name)}", **looks[name]) for name in benchmarks
    ]
    handles += [
        Line2D([], [], color=INK, lw=2, label="Fisher's test, p ≤ 0.05"),
        Line2D([], [], color="#666666", lw=0.8, ls=":", label="5 %, as 1.96 promises"),
    ]
    title = "where curves coincide, the wide one shows under the narrow" if benchmarks[1:] else None
    figure.legend(
        handles=handles,
        loc="outside upper center",
        ncols=3 if len(edges) > 1 else 2,
        title=title,
        title_fontsize=8,
    )
    note_source(figure, labels)
    return figure


def _edge_panels(labels, edges: list[str], numbers: list[int]):
    """Panels with edges as columns and numbers of trials as rows."""
    figure, axes = plt.subplots(
        len(numbers),
        len(edges),
        squeeze=False,
        sharex=True,
        sharey=True,
        figsize=(max(5.2, 1.2 + 2.3 * len(edges)), 0.9 + 1.9 * len(numbers)),
    )
    for axis, edge in zip(axes[0], edges, strict=True):
        axis.set_title(labels.edge_label(edge.split("→")))
    for axis, trials in zip(axes[:, 0], numbers, strict=True):
        axis.set_ylabel(f"{trials} trials a side", weight="bold")
    return figure, axes


def index_by_class(table: pd.DataFrame, labels) -> Figure:
    """For each class of the paper, how the index classes the same items.

    Parameters
    ----------
    table : DataFrame
        As `analysis.reliable_change_index.cross_classes` gives it.
    """
    rows = table[(table["class"] != "total") & (table["total"] > 0)].reset_index(drop=True)
    figure, axis = plt.subplots(figsize=(7, 0.9 + 0.5 * len(rows)))
    left = pd.Series(0.0, index=rows.index)
    for name, colour in INDEX_COLOURS.items():
        share = 100 * rows[name] / rows["total"]
        axis.barh(rows.index, share, left=left, color=colour, height=0.7)
        for row, (start, width) in enumerate(zip(left, share, strict=True)):
            if width > 4:
                place = (start + width / 2, row)
                axis.annotate(
                    f"{rows.loc[row, name]:,}",
                    place,
                    ha="center",
                    va="center",
                    color=ink_on(colour),
                    fontsize=8,
                )
        left += share
    axis.set_yticks(rows.index, rows["class"] + "\n" + rows["total"].map("{:,} pairs".format))
    axis.invert_yaxis()
    axis.set_ylabel("class in the paper")
    axis.set_xlabel(
        "share of the class's item–edge pairs (%); numbers are pairs, small ones left out"
    )
    axis.set_xlim(0, 100)
    handles = [Patch(color=colour, label=name) for name, colour in INDEX_COLOURS.items()]
    figure.legend(
        handles=handles,
        loc="outside upper center",
        ncols=4,
        title="class by the index",
        title_fontsize=8.5,
    )
    note_source(figure, labels)
    return figure


def difficulty_bars(changes: pd.DataFrame, labels) -> Figure:
    """Improved above and deteriorated below zero by p̂ of the source, with the null outlined.

    Parameters
    ----------
    changes : DataFrame
        As `analysis.index_artefacts.by_difficulty` gives it: a row of panels for each number of
        trials, a column for each edge.
    """
    edges, numbers = (list(dict.fromkeys(changes[name])) for name in ("edge", "trials"))
    figure, axes = _edge_panels(labels, edges, numbers)
    for (trials, edge), part in changes.groupby(["trials", "edge"]):
        axis = axes[numbers.index(trials), edges.index(edge)]
        middle, width = (part["low"] + part["high"]) / 2, 0.86 * (part["high"] - part["low"])
        for name, sign, colour in (
            ("improved", 1, CLASS_COLOURS["improved"]),
            ("deteriorated", -1, CLASS_COLOURS["regressed"]),
        ):
            axis.bar(middle, sign * part[name], width, color=colour, lw=0)
            null = sign * part["null_" + name]
            axis.bar(middle, null, width, fill=False, edgecolor=INK, lw=1.1)
        axis.axhline(0, color="#666666", lw=0.8)
        axis.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    for axis in axes[-1]:
        axis.set_xlabel("p̂ of the source")
        axis.set(xlim=(0, 1), xticks=[0, 0.2, 0.4, 0.6, 0.8, 1])
    figure.supylabel("analysable items of the bin (%)", fontsize=9)
    handles = [
        Patch(color=CLASS_COLOURS["improved"], label="improved (up)"),
        Patch(color=CLASS_COLOURS["regressed"], label="deteriorated (down)"),
        Patch(fill=False, edgecolor=INK, label="the same where nothing changed"),
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=3 if len(edges) > 1 else 2)
    note_source(figure, labels)
    return figure
