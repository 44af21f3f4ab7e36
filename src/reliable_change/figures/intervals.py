"""Figure of notebook 04: how little or much the choice of interval moves."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from reliable_change.figures.grid import cell_grid, cell_rows, label_bottom
from reliable_change.figures.style import CLASS_COLOURS, note_source

ORDER = ("improved", "regressed", "inconclusive", "equivalent")


def interval_bars(choice: pd.DataFrame, labels) -> Figure:
    """Shares of the four classes under each interval, a panel for each cell.

    Parameters
    ----------
    choice : DataFrame
        As `analysis.classification.interval_choice` gives it.
    """
    figure, panels = cell_grid(choice, labels, width=2.4, height=1.2)
    for axis, edge, benchmark in panels:
        part = cell_rows(choice, edge, benchmark)
        left = np.zeros(len(part))
        for name in ORDER:
            share = (100 * part[name] / part[list(ORDER)].sum(axis=1)).to_numpy()
            rows = part["interval"].str.replace("_", " ")
            axis.barh(rows, share, left=left, color=CLASS_COLOURS[name])
            left += share
        for row, count in enumerate(part["inconclusive"]):
            axis.annotate(str(count), (102, row), va="center", fontsize=7)
    panels[0][0].invert_yaxis()
    panels[0][0].set_xlim(0, 114)
    label_bottom(panels, "items (%)\nat the end: inconclusive items")
    handles = [Patch(color=CLASS_COLOURS[name], label=name) for name in ORDER]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(ORDER))
    note_source(figure, labels)
    return figure
