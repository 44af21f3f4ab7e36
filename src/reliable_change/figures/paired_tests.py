"""Figures of notebook 10: losses and gains of each cell, clusters of losses, and power."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reliable_change.figures.style import (
    CLASS_COLOURS,
    INK,
    edge_title,
    head_groups,
    line_looks,
    note_source,
    spread_rows,
)

LOST, GAINED = CLASS_COLOURS["regressed"], CLASS_COLOURS["improved"]
GREY, PALER, PALE = "#6F757C", "#A9AFB6", "#C8CDD3"
# Gain and bounds, where they stand within a row, and how they look.
READINGS = {
    "one verdict an item": ("gain", "low", "high", -0.22, INK, "D"),
    "trial pairs, items as clusters": ("pair_gain", "pair_low", "pair_high", 0.04, GREY, "o"),
    "trial pairs taken as items (too narrow)": (
        "pair_gain", "naive_low", "naive_high", 0.3, PALER, "|",
    ),
}  # fmt: skip


def losses_and_gains(rows: pd.DataFrame, labels) -> Figure:
    """Items lost and gained in each cell, and beside them the net gain with its intervals.

    Parameters
    ----------
    rows : DataFrame
        As `analysis.paired_tests.readings` gives it.
    """
    names = rows["edge"].map(lambda edge: edge_title(labels, edge))
    y = spread_rows(names)
    figure, (left, right) = plt.subplots(
        1, 2, sharey=True, figsize=(7.6, 1.5 + 0.36 * (y.max() + 1)), width_ratios=(1, 1.15)
    )
    left.barh(y, -rows["b"], color=LOST, height=0.62)
    left.barh(y, rows["c"], color=GAINED, height=0.62)
    widest = max(1, rows[["b", "c"]].to_numpy().max())
    for place, b, c in zip(y, rows["b"], rows["c"], strict=True):
        for count, side in ((b, -1), (c, 1)):
            left.annotate(
                f"{count:,}",
                (side * count, place),
                (3 * side, 0),
                textcoords="offset points",
                ha="left" if side > 0 else "right",
                va="center",
                fontsize=8,
            )
    left.axvline(0, color="#666666", lw=0.8)
    left.set_xlim(-1.3 * widest, 1.3 * widest)
    left.set_xticks([])
    left.spines[["left", "bottom"]].set_visible(False)
    left.set_title("← b, items lost        c, items gained →", loc="center", fontsize=8.5)
    left.set_yticks(y, rows["benchmark"].map(labels.label))
    left.tick_params(left=False)
    head_groups(left, names, y)
    _forest(right, rows, y)
    left.set_ylim(y.max() + 0.7, y.min() - 1.4)
    handles = [
        Line2D([], [], color=colour, marker=mark, ms=4.5, lw=1.6, label=name)
        for name, (*_, colour, mark) in READINGS.items()
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=3, fontsize=8)
    note_source(figure, labels)
    return figure


def _forest(axis, rows: pd.DataFrame, y: np.ndarray) -> None:
    for middle, low, high, shift, colour, mark in READINGS.values():
        place = y + shift
        axis.hlines(place, rows[low], rows[high], color=colour, lw=1.8 if mark == "D" else 1.4)
        axis.plot(rows[middle], place, mark, color=colour, ms=4.5 if mark == "D" else 4)
    axis.axvline(0, color="#666666", lw=0.8)
    axis.grid(axis="x", color="#EEEEEE")
    axis.set_axisbelow(True)
    axis.set_title("net gain with its 95 % interval", loc="center", fontsize=8.5)
    axis.set_xlabel("points")
    axis.xaxis.set_major_formatter(_signed)
    axis.tick_params(left=False)


def lost_by_level(clusters: pd.DataFrame, labels) -> Figure:
    """Items lost in each level beside the number that chance would put there, edges as columns.

    Parameters
    ----------
    clusters : DataFrame
        As `analysis.regressions.clusters` gives it.
    """
    edges = list(dict.fromkeys(clusters["edge"]))
    levels = clusters[["benchmark", "stratum", "level"]].drop_duplicates().reset_index(drop=True)
    names = levels["benchmark"].map(labels.label) + ": " + levels["stratum"]
    y = spread_rows(names)
    figure, axes = plt.subplots(
        1, len(edges), squeeze=False, sharex=True, sharey=True,
        figsize=(max(5.4, 2.1 + 2.0 * len(edges)), 1.2 + 0.21 * (y.max() + 1)),
    )  # fmt: skip
    for axis, edge in zip(axes[0], edges, strict=True):
        part = levels.merge(clusters[clusters["edge"] == edge], how="left")
        axis.barh(y, part["expected"], color=PALE, height=0.62)
        colours = np.where(part["adjusted"] <= 0.05, LOST, INK)
        axis.scatter(part["b"], y, s=20, c=colours, clip_on=False, zorder=3)
        axis.set_title(labels.edge_label(edge.split("→")))
        axis.set_xlabel("items lost")
        axis.tick_params(left=False)
        axis.set_xlim(0, 1.08 * max(1, clusters[["b", "expected"]].to_numpy().max()))
    axes[0, 0].set_yticks(y, levels["level"])
    axes[0, 0].set_ylim(y.max() + 0.7, y.min() - 1.4)
    for axis in axes[0, :1]:
        head_groups(axis, names, y)
    handles = [
        Line2D([], [], color=PALE, lw=7, label="expected by chance"),
        Line2D([], [], color=INK, marker="o", ms=4.5, lw=0, label="lost"),
        Line2D(
            [], [], color=LOST, marker="o", ms=4.5, lw=0, label="lost, beyond chance (adjusted)"
        ),
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=3, fontsize=8)
    note_source(figure, labels)
    return figure


def power_curves(curve: pd.DataFrame, labels) -> Figure:
    """Chance to find a drop by number of items, a panel for each edge.

    Parameters
    ----------
    curve : DataFrame
        As `analysis.paired_power.power_curve` gives it. Solid lines are exact, thin dashed ones
        the asymptotic formula.
    """
    edges = list(dict.fromkeys(curve["edge"]))
    drops = [f"{drop:g}" for drop in dict.fromkeys(curve["drop"])]
    looks = line_looks(drops)
    figure, axes = plt.subplots(
        1, len(edges), squeeze=False, sharex=True, sharey=True,
        figsize=(max(4.6, 1.2 + 2.3 * len(edges)), 3.1),
    )  # fmt: skip
    for axis, (edge, part) in zip(axes[0], curve.groupby("edge", sort=False), strict=True):
        for drop, line in part.groupby("drop"):
            colour = looks[f"{drop:g}"]["color"]
            axis.plot(line["items"], 100 * line["power"], color=colour, lw=1.6)
            axis.plot(line["items"], 100 * line["asymptotic"], color=colour, lw=0.8, ls=(0, (2, 2)))
        here = part["observed"].iloc[0]
        axis.axvline(here, color=INK, lw=0.8, ls=":")
        axis.annotate(
            f"{here:,} items",
            (here, 101),
            ha=_side(here, part["items"]),
            va="bottom",
            fontsize=7,
            annotation_clip=False,
        )
        title = f"{labels.edge_label(edge.split('→'))}\n{part['flips'].iloc[0]:.1f} % flip"
        axis.set_title(title, pad=14)
        axis.set_xscale("log")
        axis.minorticks_off()
        axis.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axis.set_xlabel("items")
        axis.set_ylim(0, 100)
    axes[0, 0].set_ylabel("chance to find a drop\nof so many points (%)")
    handles = [
        Line2D([], [], color=looks[drop]["color"], lw=1.6, label=f"drop of {drop}")
        for drop in drops
    ]
    formula = Line2D([], [], color=INK, lw=0.8, ls=(0, (2, 2)), label="asymptotic formula")
    columns = len(drops) + 1 if len(edges) > 1 else 2
    figure.legend(handles=[*handles, formula], loc="outside upper center", ncols=columns)
    note_source(figure, labels)
    return figure


def _side(here: float, numbers: pd.Series) -> str:
    """Where a label over a place on a log axis may stand without hanging over an end of it."""
    share = np.log(here / numbers.min()) / np.log(numbers.max() / numbers.min())
    return "left" if share < 0.2 else "right" if share > 0.8 else "center"


def _signed(value: float, _) -> str:
    return f"{value:+g}".replace("-", "−") if value else "0"
