"""Figure of notebook 06: where single-draw flips land among the classes."""

from __future__ import annotations

import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from reliable_change.figures.style import CLASS_COLOURS, INK, ink_on, note_source

FLIP_COLOURS = {
    "incorrect_to_correct": CLASS_COLOURS["improved"],
    "correct_to_incorrect": CLASS_COLOURS["regressed"],
    "unchanged": CLASS_COLOURS["equivalent"],
}
FLIP_LABELS = {
    "incorrect_to_correct": "incorrect → correct",
    "correct_to_incorrect": "correct → incorrect",
    "unchanged": "unchanged",
}


def flips_by_class(table: pd.DataFrame, labels) -> Figure:
    """For each class, the share of items whose single draws flip either way or not at all.

    Parameters
    ----------
    table : DataFrame
        Table B.4 as `analysis.single_draw.table_by_class` gives it.
    """
    rows = table[(table["class"] != "total") & (table["total"] > 0)].reset_index(drop=True)
    figure, axis = plt.subplots(figsize=(7, 0.9 + 0.5 * len(rows)))
    left = pd.Series(0.0, index=rows.index)
    free = [0.0] * len(rows)  # where a number above each bar may start
    for name, colour in FLIP_COLOURS.items():
        share = 100 * rows[name] / rows["total"]
        axis.barh(rows.index, share, left=left, color=colour, height=0.7)
        for row, (start, width) in enumerate(zip(left, share, strict=True)):
            number = f"{rows.loc[row, name]:,}"
            if width > 4:
                axis.annotate(
                    number,
                    (start + width / 2, row),
                    ha="center",
                    va="center",
                    color=ink_on(colour),
                    fontsize=8,
                )
            elif width > 0:  # too narrow for its number, which stands above, after the last one
                place = min(max(start, free[row]), 100 - 1.3 * len(number))
                free[row] = place + 1.3 * len(number) + 0.5
                axis.annotate(
                    number,
                    (place, row - 0.36),
                    (1, 1),
                    textcoords="offset points",
                    va="bottom",
                    color=INK,
                    fontsize=7,
                )
        left += share
    axis.set_yticks(rows.index, rows["class"] + "\n" + rows["total"].map("{:,} pairs".format))
    axis.invert_yaxis()
    axis.set_xlabel("share of the class's item–edge pairs (%); numbers are pairs")
    axis.set_xlim(0, 100)
    handles = [
        Patch(color=colour, label=FLIP_LABELS[name]) for name, colour in FLIP_COLOURS.items()
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=3)
    note_source(figure, labels)
    return figure
