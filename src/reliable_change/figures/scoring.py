"""Figures of notebook 03: the categories of failure, and strict against loose."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from reliable_change.figures.style import (
    CATEGORY_COLOURS,
    CLASS_COLOURS,
    head_groups,
    ink_on,
    note_source,
    spread_rows,
)

FAILURES = ["wrong", "format_failure", "refusal", "truncation", "api_error"]


def failure_bars(table: pd.DataFrame, labels) -> Figure:
    """Share of responses in each category that is not correct, for each benchmark and model.

    Parameters
    ----------
    table : DataFrame
        Table E.8 as `analysis.scoring.table` gives it.
    """
    rows = table.reset_index(drop=True)
    y = spread_rows(rows["benchmark"])
    figure, axis = plt.subplots(figsize=(7, 0.9 + 0.3 * y.max()))
    left = np.zeros(len(rows))
    shown = [name for name in FAILURES if rows[name].sum()]
    for name in shown:
        share = (100 * rows[name] / rows["n"]).to_numpy()
        axis.barh(y, share, left=left, color=CATEGORY_COLOURS[name], height=0.75)
        for place, start, width in zip(y, left, share, strict=True):
            if width > 3:
                axis.annotate(
                    f"{width:.1f}",
                    (start + width / 2, place),
                    ha="center",
                    va="center",
                    fontsize=7.5,
                    color=ink_on(CATEGORY_COLOURS[name]),
                )
        left += share
    head_groups(axis, rows["benchmark"].map(labels.label), y)
    axis.set_yticks(y, [labels.label(model) for model in rows["model"]])
    axis.set_ylim(y.max() + 0.6, y.min() - 1.4)
    axis.set_xlim(0, 1.04 * max(left.max(), 1))
    axis.set_xlabel("responses that are not correct (%)")
    axis.tick_params(left=False)
    handles = [
        Patch(
            color=CATEGORY_COLOURS[name],
            label=f"{name.replace('_', ' ')} ({rows[name].sum():,})",
        )
        for name in shown
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(shown) or 1)
    note_source(figure, labels)
    return figure


def strict_loose(gaps: pd.DataFrame, labels) -> Figure:
    """Strict and loose accuracy of each model joined by their gap R, a panel for each benchmark."""
    benchmarks = list(dict.fromkeys(gaps["benchmark"]))
    figure, axes = plt.subplots(
        1, len(benchmarks), squeeze=False, figsize=(0.6 + 4.2 * len(benchmarks), 3)
    )
    for axis, benchmark in zip(axes[0], benchmarks, strict=True):
        part = gaps[gaps["benchmark"] == benchmark].reset_index(drop=True)
        axis.vlines(part.index, part["strict"], part["loose"], color="#BBBBBB", lw=6)
        for reading, side in [("loose", 1), ("strict", -1)]:
            colour = CLASS_COLOURS["improved" if side > 0 else "regressed"]
            axis.plot(part.index, part[reading], "o-", color=colour, lw=1, ms=6)
            axis.annotate(
                reading,
                (part.index[-1], part[reading].iloc[-1]),
                (9, 5 * side),
                textcoords="offset points",
                va="center",
                color=colour,
                weight="bold",
            )
        axis.margins(y=0.15)
        names = [f"{labels.label(row.model)}\nR = {row.gap:.1f}" for row in part.itertuples()]
        axis.set_xticks(part.index, names)
        axis.set_xlim(-0.4, len(part) - 0.4)
        axis.set_ylabel("mean accuracy (%)")
        axis.set_title(labels.label(benchmark))
    note_source(figure, labels)
    return figure
