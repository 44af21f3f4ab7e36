"""Figures of notebook 11: what each method finds against what it invents, and who agrees."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from reliable_change.figures.style import INK, note_source
from reliable_change.stats.methods import PAPER

# One hue from light to dark, readable in grey: few trials to many.
LIGHT, DARK = np.array([0.64, 0.78, 0.89]), np.array([0.0, 0.17, 0.36])
# The matrix keeps to shades on which dark numbers can be read.
FEW, ALL = np.array([0.95, 0.97, 1.0]), np.array([0.42, 0.65, 0.87])
RULE = "#D9DDE2"
ALARM_TICKS = (0, 0.1, 1, 5, 10, 20, 40, 70, 100)
PLANTED = ("Planted changes found (%)", "Unchanged items called changed (%)")
SHUFFLED = ("Changes seen at all trials, found again (%)", "Items called, labels shuffled (%)")


def found_in_worlds(table: pd.DataFrame) -> Figure:
    """`found_and_alarms` where the truth is known: from `analysis.methods.worlds`."""
    return found_and_alarms(table, SimpleNamespace(synthetic=False), PLANTED, "Simulated worlds")


def found_in_archive(table: pd.DataFrame, labels) -> Figure:
    """`found_and_alarms` of an archive, where all trials stand in for the truth."""
    return found_and_alarms(table, labels, SHUFFLED, f"Archive {labels.name}")


def found_and_alarms(table: pd.DataFrame, labels, titles: tuple[str, str], where: str) -> Figure:
    """For each method, changes found beside unchanged items called changed, by number of trials.

    Parameters
    ----------
    table : DataFrame
        method, trials, found, found_low, found_high, alarm, alarm_low, alarm_high (percent). The
        methods come in the order of their alarms at the largest number of trials.
    labels : Manifest
        Says whether the data is a reconstruction.
    titles : (str, str)
        Of the two panels.
    where : str
        What the data is.
    """
    numbers = sorted(table["trials"].unique())
    last = table[table["trials"] == numbers[-1]].sort_values("alarm", kind="stable")
    order = list(last["method"])
    figure, axes = plt.subplots(
        1, 2, sharey=True, figsize=(8.2, 1.4 + 0.38 * len(order)), width_ratios=(1.15, 1)
    )
    axes[0].set_xlim(-2, 113)
    axes[0].set_xticks(range(0, 101, 20))
    ends = (100, _root_scale(axes[1], table["alarm"].max()))
    for axis, name, title, end in zip(axes, ("found", "alarm"), titles, ends, strict=True):
        axis.set_title(title)
        # Short of the numbers at the right.
        axis.hlines(range(len(order)), 0, end, color=RULE, lw=0.8, zorder=0)
        for step, (number, look) in enumerate(zip(numbers, _looks(len(numbers)), strict=True)):
            part = table[table["trials"] == number].set_index("method").loc[order]
            # A little lower for more trials, so that neither dots nor intervals hide each other.
            y = np.arange(len(order)) + 0.13 * (step - (len(numbers) - 1) / 2)
            axis.hlines(y, part[f"{name}_low"], part[f"{name}_high"], color=look["color"], lw=1)
            axis.scatter(part[name], y, label=f"{number:g}", zorder=3, clip_on=False, **look)
        _write_last(axis, last[name])
    axes[1].set_xlabel("fewer is better; square-root scale", loc="left", fontsize=7.5)
    axes[0].set_xlabel("more is better", loc="left", fontsize=7.5)
    axes[0].set_yticks(range(len(order)), order)
    axes[0].invert_yaxis()
    for label in axes[0].get_yticklabels():
        label.set_weight("bold" if label.get_text() == PAPER else "normal")
    for axis in axes:
        axis.tick_params(axis="y", length=0)
        axis.spines["left"].set_visible(False)
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(
        handles,
        names,
        title=f"{where}, trials per item and model; the number at the right is that of "
        f"{numbers[-1]:g}",
        loc="outside upper center",
        ncols=len(numbers),
        title_fontsize=8.5,
    )
    note_source(figure, labels)
    return figure


def _looks(count: int) -> list[dict]:
    """Colour and size of the dots, from few trials to many."""
    steps = np.linspace(0, 1, count) if count > 1 else np.array([1.0])
    return [
        {
            "color": tuple(LIGHT + step * (DARK - LIGHT)),
            "s": 14 + 30 * step,
            "edgecolors": "white",
            "linewidths": 0.5,
        }
        for step in steps
    ]


def _write_last(axis, values: pd.Series) -> None:
    for y, value in enumerate(values):
        axis.annotate(
            _percent(value),
            (1, y),
            xycoords=("axes fraction", "data"),
            ha="right",
            va="center",
            fontsize=7.5,
            color=INK,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
        )


def _percent(value: float) -> str:
    """A share for a label: two digits where it is small, none too many where it is large.

    >>> [_percent(value) for value in (0, 0.0012, 0.144, 5.67, 98.0, float("nan"))]
    ['0', '<0.01', '0.14', '5.7', '98', '–']
    """
    if np.isnan(value):
        return "–"
    if 0 < value < 0.01:
        return "<0.01"
    return f"{value:.2f}" if 0 < value < 1 else f"{value:.1f}" if 0 < value < 10 else f"{value:.0f}"


def _root_scale(axis, largest: float) -> float:
    """Scale an axis by the square root, with room for numbers beyond the end that it returns."""
    axis.set_xscale("function", functions=(lambda x: np.sqrt(np.maximum(x, 0)), np.square))
    end = min(100.0, max(1.0, largest) * 1.05)
    axis.set_xlim(0, end * 1.32)
    axis.set_xticks([tick for tick in ALARM_TICKS if tick <= end and not 0 < tick < end / 150])
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.minorticks_off()
    return end


def overlap_matrix(overlap: pd.DataFrame, labels) -> Figure:
    """Of the items that the row's method calls regressed, how many the column's calls too.

    Parameters
    ----------
    overlap : DataFrame
        method, other, both, of, as `analysis.methods.items.overlap` gives it. The darker, the
        larger the share of the row.
    """
    names = list(dict.fromkeys(overlap["method"]))
    both = overlap["both"].to_numpy().reshape(len(names), -1)
    of = np.maximum(overlap["of"].to_numpy().reshape(both.shape), 1)
    share = both / of
    figure, axis = plt.subplots(figsize=(2.2 + 0.48 * len(names), 1.5 + 0.36 * len(names)))
    colours = FEW + share[..., None] * (ALL - FEW)
    axis.imshow(np.where(both[..., None] > 0, colours, 1.0), aspect="auto")
    for (i, j), count in np.ndenumerate(both):
        axis.annotate(
            f"{count:,}",
            (j, i),
            ha="center",
            va="center",
            fontsize=7.5,
            color=INK,
            weight="bold" if i == j else "normal",
        )
    axis.set_xticks(range(len(names)), names, rotation=40, ha="left", rotation_mode="anchor")
    axis.xaxis.tick_top()
    axis.set_yticks(range(len(names)), names)
    axis.set_xticks(np.arange(len(names) + 1) - 0.5, minor=True)
    axis.set_yticks(np.arange(len(names) + 1) - 0.5, minor=True)
    axis.grid(which="minor", color="white", lw=1.5)
    axis.tick_params(which="both", length=0)
    for spine in axis.spines.values():
        spine.set_visible(False)
    said = "items called regressed by both (the darker, the more of the row's; bold: all of it)"
    axis.set_xlabel(f"Archive {labels.name}: {said}", fontsize=8)
    note_source(figure, labels)
    return figure
