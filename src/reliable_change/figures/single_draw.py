"""Figure of notebook 06: where single-draw flips land among the classes."""

from __future__ import annotations

import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from reliable_change.figures.style import CLASS_COLOURS, INK, note_source

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
    for name, colour in FLIP_COLOURS.items():
        share = 100 * rows[name] / rows["total"]
        axis.barh(rows.index, share, left=left, color=colour, height=0.7)
        for row, (start, width) in enumerate(zip(left, share, strict=True)):
            # A segment too narrow for its number has it above.
            inside = width > 4
            axis.annotate(
                f"{rows.loc[row, name]:,}",
                (start + width / 2, row if inside else row - 0.36),
                # Apart from the number of a narrow neighbour.
                (0, 0) if inside else (-5 if start == 0 else 5, 1),
                textcoords="offset points",
                ha="center",
                va="center" if inside else "bottom",
                color="white" if inside and name != "unchanged" else INK,
                fontsize=8 if inside else 7,
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
