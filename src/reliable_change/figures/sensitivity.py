"""Figure of notebook 05: reliable shares as the threshold ε moves."""

from __future__ import annotations

import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from reliable_change.figures.grid import cell_grid, cell_rows, label_bottom
from reliable_change.figures.style import CLASS_COLOURS, INK, line_looks, note_source


def epsilon_curves(curve: pd.DataFrame, chosen: float, labels) -> Figure:
    """P+ above and P− below zero against ε, a panel for each cell.

    Parameters
    ----------
    curve : DataFrame
        As `analysis.sensitivity.table` gives it, for many ε in ascending order.
    chosen : float
        The ε in use, marked by a line.
    """
    figure, panels = cell_grid(curve, labels, width=2.4, height=1.5)
    for axis, edge, benchmark in panels:
        cell = cell_rows(curve, edge, benchmark)
        # A share holds from its ε down to the next smaller one, hence the step before.
        for name, sign in [("improved", 1), ("regressed", -1)]:
            height = sign * cell[name]
            axis.fill_between(cell["epsilon"], height, step="pre", color=CLASS_COLOURS[name], lw=0)
        axis.axhline(0, color="#666666", lw=0.8)
        axis.axvline(chosen, color=INK, lw=0.8, ls=":")
        axis.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    # Room on both sides for the words, also where a side, or everything, is empty.
    up, down = max(0, curve["improved"].max()), max(0, curve["regressed"].max())
    least = max(1, 0.25 * max(up, down))
    panels[0][0].set_ylim(-1.05 * max(down, least), 1.05 * max(up, least))
    label_bottom(panels, "ε")
    figure.supylabel("items (%)", fontsize=9)
    top = panels[0][0]
    top.annotate(
        "improved",
        (0.97, 0.95),
        xycoords="axes fraction",
        ha="right",
        va="top",
        fontsize=8,
        color=CLASS_COLOURS["improved"],
        weight="bold",
    )
    top.annotate(
        "regressed",
        (0.97, 0.05),
        xycoords="axes fraction",
        ha="right",
        va="bottom",
        fontsize=8,
        color=CLASS_COLOURS["regressed"],
        weight="bold",
    )
    note_source(figure, labels)
    return figure


def trial_curves(curve: pd.DataFrame, labels) -> Figure:
    """Reliably changed share against the number of trials, a panel for each edge.

    Parameters
    ----------
    curve : DataFrame
        As `analysis.sensitivity.trials_curve` gives it.
    """
    edges, benchmarks = (list(dict.fromkeys(curve[name])) for name in ("edge", "benchmark"))
    looks = line_looks(benchmarks)
    figure, axes = plt.subplots(
        1, len(edges), squeeze=False, sharey=True, figsize=(1.4 + 2.5 * len(edges), 3)
    )
    for axis, edge in zip(axes[0], edges, strict=True):
        for benchmark in benchmarks:
            part = curve[(curve["edge"] == edge) & (curve["benchmark"] == benchmark)]
            axis.fill_between(
                part["trials"],
                part["least"],
                part["most"],
                color=looks[benchmark]["color"],
                alpha=0.2,
                lw=0,
            )
            axis.plot(
                part["trials"],
                part["mean"],
                marker="o",
                ms=3,
                lw=1.4,
                label=labels.label(benchmark),
                **looks[benchmark],
            )
        axis.set_title(labels.edge_label(edge.split("→")))
        axis.set_xlabel("trials per item and model")
        axis.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10], integer=True))
    axes[0, 0].set_ylabel("items reliably changed (%)")
    axes[0, 0].set_ylim(0, max(1, axes[0, 0].get_ylim()[1]))
    axes[0, 0].legend(fontsize=8, loc="upper left")
    note_source(figure, labels)
    return figure
