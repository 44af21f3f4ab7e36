"""Figure of notebook 08: change within each stratum, with its uncertainty."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reliable_change.figures.style import CLASS_COLOURS, INK, note_source


def stratum_changes(changes: pd.DataFrame, labels) -> Figure:
    """Mean change and its 95 % interval in each stratum, a column for each edge.

    Parameters
    ----------
    changes : DataFrame
        As `analysis.difficulty.changes` gives it. Strata whose interval is not defined (fewer
        than two items) show a hollow point without a line. No interval is drawn beyond ±100 points,
        where no change can be.
    """
    edges = list(dict.fromkeys(changes["edge"]))
    strata = (
        changes[["benchmark", "stratum", "level", "items"]].drop_duplicates().reset_index(drop=True)
    )
    y = _positions(strata)
    cut = (changes[["low", "high"]].abs() > 100).to_numpy().any()
    figure, axes = plt.subplots(
        1,
        len(edges),
        squeeze=False,
        sharey=True,
        sharex=True,
        figsize=(2.4 + 2.2 * len(edges), 1 + 0.24 * y.max()),
    )
    for axis, edge in zip(axes[0], edges, strict=True):
        part = strata.merge(changes[changes["edge"] == edge], how="left")
        for place, row in zip(y, part.itertuples(), strict=True):
            known = np.isfinite(row.low)
            clear = known and (row.low > 0 or row.high < 0)
            colour = (
                CLASS_COLOURS["improved" if row.change > 0 else "regressed"] if clear else "#7F858C"
            )
            if known:
                ends = np.clip([row.low, row.high], -100, 100)
                axis.plot(ends, [place, place], color=colour, lw=1.6)
            axis.plot(
                row.change, place, "o", ms=4.5, color=colour, mfc=colour if known else "white"
            )
        axis.axvline(0, color="#666666", lw=0.8)
        axis.grid(axis="x", color="#EEEEEE")
        axis.set_title(labels.edge_label(edge.split("→")))
        axis.set_xlabel("change (points)" + ("\nintervals cut at ±100" if cut else ""))
        axis.xaxis.set_major_formatter(
            lambda value, _: f"{value:+g}".replace("-", "−") if value else "0"
        )
        axis.tick_params(left=False)
    figure.legend(handles=_key(), loc="outside upper center", ncols=2, fontsize=8)
    axes[0, 0].set_yticks(y, [f"{row.level}  ({row.items})" for row in strata.itertuples()])
    axes[0, 0].set_ylim(y.max() + 0.8, -1.2)
    for place, (benchmark, stratum) in zip(
        y, zip(strata["benchmark"], strata["stratum"], strict=True), strict=True
    ):
        if place == y[(strata["benchmark"] == benchmark) & (strata["stratum"] == stratum)].min():
            axes[0, 0].annotate(
                f"{labels.label(benchmark)}: {stratum} (items)",
                (0, place - 0.85),
                xycoords=("axes fraction", "data"),
                xytext=(-4, 0),
                textcoords="offset points",
                ha="right",
                va="center",
                fontsize=8,
                weight="bold",
                color=INK,
            )
    note_source(figure, labels)
    return figure


def _key() -> list[Line2D]:
    """What colours and hollow points mean."""
    looks = [
        (CLASS_COLOURS["improved"], "full", "interval above zero"),
        (CLASS_COLOURS["regressed"], "full", "interval below zero"),
        ("#7F858C", "full", "interval includes zero"),
        ("#7F858C", "none", "no interval: too few items, or all alike"),
    ]
    return [
        Line2D([], [], ls="none", marker="o", color=colour, fillstyle=fill, label=label)
        for colour, fill, label in looks
    ]


def _positions(strata: pd.DataFrame) -> np.ndarray:
    """Row of each level, with room for a heading above each group."""
    group = (strata[["benchmark", "stratum"]] != strata[["benchmark", "stratum"]].shift()).any(
        axis=1
    )
    return np.arange(len(strata)) + 1.6 * (group.cumsum().to_numpy() - 1)
