"""The figure of faults draws the counts it is given, with and without a server of ours."""

from __future__ import annotations

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from reliable_change.collect.practice.faults import TRANSIENT
from reliable_change.figures.collection import fault_bars

matplotlib.use("agg")


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def frame(grouped: bool) -> pd.DataFrame:
    kinds = [(recorded, fault, meets) for fault, (meets, recorded) in TRANSIENT.items()]
    if not grouped:
        kinds = [(kind, kind, "") for kind in dict.fromkeys(kind for kind, *_ in kinds)]
    table = pd.DataFrame(kinds, columns=["recorded", "fault", "meets"])
    table["requests"] = np.arange(len(table)) * 3
    table["expected"] = 10.0 if grouped else np.nan
    return table


@pytest.mark.parametrize("grouped", [True, False])
def test_every_bar_is_as_long_as_its_count_and_says_so(grouped):
    table = frame(grouped)
    figure = fault_bars(table, "Practice: replayed")
    (axis,) = figure.axes
    assert [bar.get_width() for bar in axis.patches] == table["requests"].tolist()
    assert [label.get_text() for label in axis.get_yticklabels()] == table["fault"].tolist()
    said = [text.get_text() for text in axis.texts]
    for row in table.itertuples():
        assert f"{row.requests}   {row.meets}".rstrip() in said
    heads = {"recorded under their own name", "recorded as connection", "recorded as malformed"}
    assert (heads & set(said)) == (heads if grouped else set()), "only where they tell more"
    assert not set(table["fault"]) & set(said), "no heading repeats its row"
    assert ("expected" in axis.get_xlabel()) == grouped
    assert figure.get_supxlabel() == "Practice: replayed"


def test_marks_stand_where_the_rate_lets_expect():
    (axis,) = fault_bars(frame(True), "").axes
    (marks,) = axis.collections
    assert set(marks.get_offsets()[:, 0]) == {10.0}
    assert np.allclose(marks.get_offsets()[:, 1], axis.get_yticks())


def test_nothing_met_is_drawn_too():
    (axis,) = fault_bars(frame(True).assign(requests=0, expected=0.0), "").axes
    assert axis.get_xlim()[1] > 0
