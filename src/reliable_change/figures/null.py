"""Figure of notebook 04: what the procedure reports when nothing changed."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, NullFormatter

from reliable_change.figures.grid import cell_grid, cell_rows, label_bottom
from reliable_change.figures.style import CLASS_COLOURS, note_source


def null_bars(distribution: pd.DataFrame, table: pd.DataFrame, labels) -> Figure:
    """How many items the null calls reliable, beside what was observed; a panel for each cell.

    Parameters
    ----------
    distribution : DataFrame
        edge, benchmark, changed (number of items), proportion (of replications).
    table : DataFrame
        Table 1, for the observed share and the number of items.
    """
    figure, panels = cell_grid(table, labels, width=2.4, height=1.4)
    observed = (table["changed"] * table["items"] / 100).round().astype(int)
    # At least two decades, or the axis would have no round number.
    floor = min(1, 50 * distribution.loc[distribution["proportion"] > 0, "proportion"].min())
    for (axis, edge, benchmark), found in zip(panels, observed, strict=True):
        cell = cell_rows(distribution, edge, benchmark)
        share = 100 * cell["proportion"]
        # Stems and not bars: among many items, a bar of width one would be a hair.
        grey = CLASS_COLOURS["inconclusive"]
        axis.vlines(cell["changed"], floor, share, color=grey, lw=2)
        axis.plot(cell["changed"], share, "o", color=grey, ms=4)
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
        axis.annotate(
            f"none in {share[cell['changed'] == 0].sum():.1f} %",
            (1, 1),
            (0, 4),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="right",
            fontsize=7,
        )
        axis.set_yscale("log")
        axis.set_ylim(floor, 200)
        axis.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axis.yaxis.set_minor_formatter(NullFormatter())
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    if panels[0][0].get_xlim()[1] < 1:  # nothing but zeros: no scale of its own
        panels[0][0].set_xlim(-0.1, 2)
    label_bottom(panels, "items called reliable")
    figure.supylabel("replications (%, log scale)", fontsize=9)
    note_source(figure, labels)
    return figure
