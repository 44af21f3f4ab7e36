"""Figure of notebook 01: estimable items of each candidate against the threshold."""

from __future__ import annotations

import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from reliable_change.figures.style import CLASS_COLOURS, INK, head_groups, note_source, spread_rows

COLOURS = {
    "Selected": CLASS_COLOURS["improved"],
    "Not selected": CLASS_COLOURS["equivalent"],
    "Incomplete": "#E69F00",
}


def estimable_bars(table: pd.DataFrame, least_share: float, labels) -> Figure:
    """Share of estimable items of each candidate, grouped by slot, with the 35 % line.

    Parameters
    ----------
    table : DataFrame
        As `analysis.screening.table` gives it.
    least_share : float
        The threshold in percent.
    """
    rows = table.reset_index(drop=True)
    y = spread_rows(rows["slot"])
    figure, axis = plt.subplots(figsize=(7, 0.8 + 0.26 * y.max()))
    axis.barh(
        y, rows["share"], color=[COLOURS[outcome] for outcome in rows["outcome"]], height=0.75
    )
    for place, row in zip(y, rows.itertuples(), strict=True):
        outcome = "" if row.outcome == "Not selected" else f", {row.outcome.lower()}"
        axis.annotate(
            f"{row.estimable}{outcome}",
            (row.share, place),
            (4, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    head_groups(axis, rows["slot"], y)
    axis.axvline(least_share, color=INK, lw=0.9, ls="--")
    axis.annotate(
        f"{least_share:g} %",
        (least_share, y.min() - 0.85),
        (3, 0),
        textcoords="offset points",
        va="center",
        fontsize=8,
    )
    axis.set_yticks(y, rows["candidate"])
    axis.set_ylim(y.max() + 0.6, y.min() - 1.4)
    axis.set_xlim(0, 100)
    axis.set_xlabel("estimable items (%)")
    axis.tick_params(left=False)
    note_source(figure, labels)
    return figure
