"""The figures of notebook 10 draw the numbers they are given, whatever the archive's shape."""

from __future__ import annotations

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from reliable_change.analysis import paired_power, paired_tests, regressions, trial_pairs
from reliable_change.archive.read import read_archive
from reliable_change.archive.simulate import simulate_archive
from reliable_change.figures import paired_tests as draw
from reliable_change.figures.style import CLASS_COLOURS, SYNTHETIC

matplotlib.use("agg")

WORLDS = {
    "one edge, one trial": ({"quiz": 60}, ["a_1", "b & c"], 1),
    "six edges, two benchmarks": ({"quiz": 25, "form <1>": 20}, ["m1", "m2", "m3", "m4"], 9),
}


@pytest.fixture(scope="module", params=WORLDS)
def world(request, tmp_path_factory):
    benchmarks, models, trials = WORLDS[request.param]
    folder = tmp_path_factory.mktemp("worlds") / "simulated"
    simulate_archive(
        folder, rng=np.random.default_rng(3), benchmarks=benchmarks, models=models, trials=trials,
        changed=0.8,
    )  # fmt: skip
    archive = read_archive(folder)
    items = paired_tests.verdicts(archive)
    return archive, items, paired_tests.table(items)


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def texts(figure) -> list[str]:
    figure.draw_without_rendering()
    return [t.get_text() for t in figure.findobj(matplotlib.text.Text)]


def test_losses_and_gains_are_bars_and_the_gain_has_three_intervals(world):
    archive, _, cells = world
    rows = paired_tests.readings(cells, paired_tests.pair_table(trial_pairs.trial_pairs(archive)))
    figure = draw.losses_and_gains(rows, archive.manifest)
    left, right = figure.axes
    widths = sorted(patch.get_width() for patch in left.patches)
    assert widths == sorted([*-rows["b"], *rows["c"]])
    segments = [c.get_segments() for c in right.collections]
    ends = np.array([[s[0][0], s[1][0]] for group in segments for s in group])
    expected = np.vstack(
        [rows[["low", "high"]], rows[["pair_low", "pair_high"]], rows[["naive_low", "naive_high"]]]
    )
    np.testing.assert_allclose(ends, expected)
    shown = texts(figure)
    assert SYNTHETIC in shown
    assert {f"{n}" for n in rows["b"]} <= set(shown)


def test_every_level_has_its_dot_and_its_expectation(world):
    archive, items, _ = world
    clusters = regressions.clusters(archive, items)
    clusters.loc[0, "adjusted"] = 0.05
    figure = draw.lost_by_level(clusters, archive.manifest)
    assert len(figure.axes) == len(archive.manifest.edges)
    drawn = np.concatenate([axis.collections[0].get_offsets()[:, 0] for axis in figure.axes])
    assert sorted(drawn) == sorted(clusters["b"])
    bars = np.concatenate([[p.get_width() for p in axis.patches] for axis in figure.axes])
    np.testing.assert_allclose(sorted(bars), sorted(clusters["expected"]))
    colours = np.concatenate([axis.collections[0].get_facecolors() for axis in figure.axes])
    red = matplotlib.colors.to_rgba(CLASS_COLOURS["regressed"])
    called = int((clusters["adjusted"] <= 0.05).sum())
    assert (colours == red).all(axis=1).sum() == called >= 1


def test_a_panel_of_power_for_each_edge_with_its_items_marked(world):
    archive, _, cells = world
    curve = paired_power.power_curve(cells, (2.0, 5.0))
    figure = draw.power_curves(curve, archive.manifest)
    assert len(figure.axes) == curve["edge"].nunique()
    for axis, (_, part) in zip(figure.axes, curve.groupby("edge", sort=False), strict=True):
        exact = [line.get_ydata() for line in axis.lines if line.get_linewidth() == 1.6]
        expected = [100 * line["power"].to_numpy() for _, line in part.groupby("drop")]
        np.testing.assert_allclose(exact, expected)
        marks = [line for line in axis.lines if line.get_linestyle() == ":"]
        assert marks[0].get_xdata()[0] == part["observed"].iloc[0]
    assert "drop of 5" in texts(figure)


def test_cells_without_any_change_are_drawn(world):
    archive, *_ = world
    rows = pd.DataFrame(
        {"edge": "x→y", "benchmark": ["b"], "b": 0, "c": 0, "gain": 0.0, "low": -3.0, "high": 3.0,
         "pair_gain": np.nan, "pair_low": np.nan, "pair_high": np.nan, "naive_low": np.nan,
         "naive_high": np.nan}
    )  # fmt: skip
    assert texts(draw.losses_and_gains(rows, archive.manifest)).count("0") >= 2
