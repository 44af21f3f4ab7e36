"""The figures of the index draw what they are given, for any number of edges and benchmarks."""

from __future__ import annotations

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot as plt

from reliable_change.analysis import index_artefacts, index_repeated
from reliable_change.analysis import reliable_change_index as rci
from reliable_change.analysis.classification import classify_items
from reliable_change.archive.read import read_archive
from reliable_change.archive.simulate import simulate_archive
from reliable_change.figures import reliable_change_index as draw
from reliable_change.figures.style import SYNTHETIC

matplotlib.use("agg")


@pytest.fixture(
    scope="module", params=[(["a_1", "b & c"], {"quiz": 15}), (list("mnop"), {"q": 12, "r": 8})]
)
def world(request, tmp_path_factory):
    models, benchmarks = request.param
    folder = tmp_path_factory.mktemp("worlds") / "simulated"
    simulate_archive(
        folder, rng=np.random.default_rng(2), benchmarks=benchmarks, models=models, trials=20
    )
    archive = read_archive(folder)
    indexed = rci.index_cells(archive)
    return archive, indexed, index_repeated.fewer_trials(archive, indexed, 6, draws=2)


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def texts(figure) -> str:
    figure.draw_without_rendering()
    return "\n".join(t.get_text() for t in figure.findobj(matplotlib.text.Text))


def test_alarms_have_a_line_for_each_cell_and_rule(world):
    archive, indexed, subsets = world
    alarms = index_artefacts.false_alarms(indexed, subsets[0])
    figure = draw.alarm_curves(alarms, archive.manifest)
    edges = [edge for edge in alarms["edge"].unique() if edge]
    assert alarms["trials"].nunique() == 2
    places = [(trials, edge) for trials in (20, 6) for edge in edges]
    for axis, (trials, edge) in zip(figure.axes, places, strict=True):
        part = alarms[(alarms["trials"] == trials) & alarms["edge"].isin([edge, ""])]
        *index, fisher, nominal = axis.lines
        assert set(nominal.get_ydata()) == {5}
        assert fisher.get_ydata() == pytest.approx(part.loc[part["rule"] == "Fisher", "chance"])
        tops = [max(line.get_ydata()) for line in index if len(line.get_ydata())]
        cells = part[part["rule"] == "RCI"].groupby("benchmark", sort=False)
        assert sorted(tops) == pytest.approx(sorted(cells["chance"].max()))
        widths = [line.get_linewidth() for line in index]
        assert widths == sorted(set(widths), reverse=True), "a covered curve is the wider one"
    text = texts(figure)
    assert SYNTHETIC in text
    assert all(archive.manifest.edge_label(edge.split("→")) in text for edge in edges)


def test_no_legend_is_cut_off(world):
    archive, indexed, subsets = world
    alarms = index_artefacts.false_alarms(indexed)
    bins = index_artefacts.by_difficulty(indexed, draws=2)
    for figure in (
        draw.alarm_curves(alarms, archive.manifest),
        draw.difficulty_bars(bins, archive.manifest),
    ):
        figure.set_layout_engine("constrained")
        figure.draw_without_rendering()
        box = figure.legends[0].get_window_extent()
        assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1


def test_each_row_of_classes_is_full(world):
    archive, indexed, _ = world
    crossed = rci.cross_classes(rci.index_items(indexed), classify_items(archive))
    figure = draw.index_by_class(crossed, archive.manifest)
    widths = [patch.get_width() for patch in figure.axes[0].patches]
    rows = (crossed["class"] != "total") & (crossed["total"] > 0)
    assert sum(widths) == pytest.approx(100 * rows.sum())
    assert str(crossed["excluded"].max()) in texts(figure)


def test_difficulty_has_a_panel_for_each_edge_and_number_of_trials(world):
    archive, indexed, subsets = world
    bins = index_artefacts.by_difficulty(indexed, sum(subsets, []), draws=2)
    figure = draw.difficulty_bars(bins, archive.manifest)
    assert len(figure.axes) == 2 * bins["edge"].nunique()
    heights = [patch.get_height() for axis in figure.axes for patch in axis.patches]
    columns = ["improved", "deteriorated", "null_improved", "null_deteriorated"]
    assert np.nansum(np.abs(heights)) == pytest.approx(bins[columns].sum().sum())
    assert "20 trials a side" in texts(figure)
