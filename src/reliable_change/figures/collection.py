"""Figure of notebook 02: which faults the tries of a collection met, and how often."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from reliable_change.figures.style import CLASS_COLOURS, INK, head_groups, spread_rows


def fault_bars(table: pd.DataFrame, note: str) -> Figure:
    """Number of tries that met each fault, grouped by the kind of failure it was recorded as.

    Parameters
    ----------
    table : DataFrame
        As `analysis.collection.fault_log` gives it; a mark shows what was expected, if known.
    note : str
        What the data is, below the figure.
    """
    rows = table.reset_index(drop=True)
    # For real there are no faults to tell apart within a kind, and no headings then.
    own = rows["recorded"] == rows["fault"]
    grouped = not own.all()
    heads = ("recorded as " + rows["recorded"]).mask(own, "recorded under their own name")
    y = spread_rows(heads) if grouped else np.arange(len(rows)) + 0.9
    longest = rows[["requests", "expected"]].max(axis=1)
    figure, axis = plt.subplots(figsize=(7, 1.1 + 0.26 * y.max()))
    axis.barh(y, rows["requests"], color=CLASS_COLOURS["equivalent"], height=0.72)
    axis.scatter(rows["expected"], y, marker="|", s=110, color=INK, lw=1.2)
    for place, end, row in zip(y, longest, rows.itertuples(), strict=True):
        words = f"{row.requests}   {row.meets}".rstrip()
        axis.annotate(words, (end, place), (5, 0), textcoords="offset points", va="center", size=8)
    if grouped:
        head_groups(axis, heads, y)
    axis.set_yticks(y, rows["fault"])
    axis.set_ylim(y.max() + 0.6, y.min() - 1.4)
    axis.set_xlim(0, 2.3 * longest.max() + 1)  # room for the words
    known = rows["expected"].notna().any()
    axis.set_xlabel("tries that met the fault" + (" (mark: expected)" if known else ""))
    axis.tick_params(left=False)
    figure.supxlabel(note, fontsize=7, color="#666666", x=0.99, ha="right")
    return figure
