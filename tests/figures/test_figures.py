"""Each figure draws the numbers it is given, for any number of models, edges and benchmarks."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from reliable_change.analysis import (
    classification,
    difficulty,
    scoring,
    sensitivity,
    single_draw,
    token_costs,
)
from reliable_change.archive.counts import item_counts
from reliable_change.archive.read import read_archive
from reliable_change.archive.simulate import simulate_archive
from reliable_change.figures import classification as draw
from reliable_change.figures import difficulty as draw_difficulty
from reliable_change.figures import scoring as draw_scoring
from reliable_change.figures import screening as draw_screening
from reliable_change.figures import sensitivity as draw_sensitivity
from reliable_change.figures import single_draw as draw_single
from reliable_change.figures import token_costs as draw_tokens
from reliable_change.figures.intervals import interval_bars
from reliable_change.figures.null import null_bars
from reliable_change.figures.style import (
    CATEGORY_COLOURS,
    CLASS_COLOURS,
    SYNTHETIC,
    ink_on,
    note_source,
    save_figure,
)

matplotlib.use("agg")

WORLDS = {
    "one edge, one benchmark": ({"quiz": 12}, ["a_1", "b & c"]),
    "six edges, two benchmarks": ({"quiz": 15, "form <1>": 9}, ["m1", "m2", "m3", "m4"]),
}


@pytest.fixture(scope="module", params=WORLDS)
def world(request, tmp_path_factory):
    benchmarks, models = WORLDS[request.param]
    folder = tmp_path_factory.mktemp("worlds") / "simulated"
    simulate_archive(
        folder, rng=np.random.default_rng(2), benchmarks=benchmarks, models=models, trials=20
    )
    archive = read_archive(folder)
    counts = item_counts(archive)
    items = classification.classify_items(archive, counts=counts)
    null = classification.simulate_null(archive, counts=counts, replications=50)
    return archive, counts, items, null, classification.table(items, null)


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def texts(figure) -> str:
    figure.draw_without_rendering()
    return "\n".join(t.get_text() for t in figure.findobj(matplotlib.text.Text))


def bar_widths(figure) -> list[float]:
    rectangles = [p for axis in figure.axes for p in axis.patches]
    return sorted(round(r.get_width(), 9) for r in rectangles)


def test_figure_1_has_a_bar_each_way_and_a_marker_for_every_cell(world):
    archive, *_, table = world
    figure = draw.change_bars(table, archive.manifest)
    expected = [*table["improved"], *-table["regressed"]]
    assert bar_widths(figure) == pytest.approx(sorted(expected))
    markers = [line for axis in figure.axes for line in axis.lines if line.get_marker() == "D"]
    assert np.concatenate([m.get_xdata() for m in markers]) == pytest.approx(table["delta"])
    assert len(figure.axes) == table["edge"].nunique()
    assert SYNTHETIC in texts(figure)


def test_every_item_is_a_point_of_its_class(world):
    archive, _, items, *_ = world
    figure = draw.item_scatter(items, archive.manifest, np.random.default_rng(0))
    points = sum(len(c.get_offsets()) for axis in figure.axes for c in axis.collections)
    assert points == len(items)


def test_the_null_and_the_observed_stand_in_one_panel(world):
    archive, _, items, null, table = world
    shown = classification.null_distribution(null)
    text = texts(null_bars(shown, table, archive.manifest))
    for cell in classification.class_counts(items).itertuples():
        assert f"observed {cell.improved + cell.regressed}" in text


def test_interval_bars_fill_every_row(world):
    archive, counts, *_ = world
    choice = classification.interval_choice(archive, counts=counts)
    figure = interval_bars(choice, archive.manifest)
    assert sum(bar_widths(figure)) == pytest.approx(100 * len(choice))


def test_the_other_figures_draw_for_any_shape(world):
    archive, counts, items, *_ = world
    labels, rng = archive.manifest, np.random.default_rng(0)
    curve = sensitivity.table(archive, (0.1, 0.2, 0.3), counts=counts)
    assert "ε" in texts(draw_sensitivity.epsilon_curves(curve, 0.2, labels))
    fewer = sensitivity.trials_curve(archive, draws=2, rng=rng, counts=counts)
    assert "trials per item" in texts(draw_sensitivity.trial_curves(fewer, labels))
    flips = single_draw.table_by_class(single_draw.flips(archive, items, counts=counts))
    assert "incorrect → correct" in texts(draw_single.flips_by_class(flips, labels))
    histograms = token_costs.token_histograms(archive)
    tokens = token_costs.distribution(histograms, points=20)
    for model in labels.models:
        assert labels.label(model) in texts(draw_tokens.token_curves(tokens, labels))
    table = scoring.table(archive, counts)
    assert "format failure" in texts(draw_scoring.failure_bars(table, labels))
    gaps = scoring.gaps(archive, counts)
    assert f"R = {gaps['gap'].iloc[0]:.1f}" in texts(draw_scoring.strict_loose(gaps, labels))
    changes = difficulty.changes(archive, difficulty.stratified(archive, counts))
    assert "difficulty (items)" in texts(draw_difficulty.stratum_changes(changes, labels))


def test_benchmarks_have_their_labels(world):
    archive, counts, items, null, table = world
    named = {name: f"Shown {number}" for number, name in enumerate(archive.manifest.benchmarks)}
    labels = dataclasses.replace(archive.manifest, labels=named)
    histograms = token_costs.token_histograms(archive)
    figures = [
        draw.change_bars(table, labels),
        draw.item_scatter(items, labels, np.random.default_rng(0)),
        draw_sensitivity.trial_curves(
            sensitivity.trials_curve(archive, draws=2, rng=np.random.default_rng(0), counts=counts),
            labels,
        ),
        draw_tokens.token_curves(token_costs.distribution(histograms, points=20), labels),
        draw_scoring.failure_bars(scoring.table(archive, counts), labels),
        draw_scoring.strict_loose(scoring.gaps(archive, counts), labels),
        draw_difficulty.stratum_changes(
            difficulty.changes(archive, difficulty.stratified(archive, counts)), labels
        ),
    ]
    for figure in figures:
        words = texts(figure)
        assert "Shown 0" in words or "Shown 1" in words
        assert not any(f"{name}\n" in words for name in named)


def test_axes_have_a_scale_where_nothing_changed(world):
    archive, counts, _, null, table = world
    labels = archive.manifest
    curve = sensitivity.table(archive, (0.1, 0.2, 0.3), counts=counts)
    curve[["improved", "regressed"]] = 0.0
    axis = draw_sensitivity.epsilon_curves(curve, 0.2, labels).axes[0]
    low, high = axis.get_ylim()
    assert low <= -1
    assert high >= 1
    cells = table[["edge", "benchmark"]].assign(changed=0, proportion=1.0)
    axis = null_bars(cells, table.assign(changed=0.0), labels).axes[0]
    assert axis.get_xlim()[1] >= 1
    assert axis.get_ylim()[0] <= 1
    curve = table[["edge", "benchmark"]].assign(trials=2, least=0.0, mean=0.0, most=0.0)
    axis = draw_sensitivity.trial_curves(pd.concat([curve, curve.assign(trials=5)]), labels).axes[0]
    assert axis.get_ylim() == (0, 1)
    assert all(tick == int(tick) for tick in axis.get_xticks())


def test_no_interval_goes_where_no_change_can_be(world):
    archive, counts, *_ = world
    changes = difficulty.changes(archive, difficulty.stratified(archive, counts))
    figure = draw_difficulty.stratum_changes(
        changes.assign(low=-180.0, high=70.0), archive.manifest
    )
    assert "cut at ±100" in texts(figure)
    ends = [x for axis in figure.axes for line in axis.lines for x in line.get_xdata()]
    assert min(ends) == -100
    narrow = draw_difficulty.stratum_changes(changes.assign(low=-9.0, high=7.0), archive.manifest)
    assert "cut at" not in texts(narrow)


def test_numbers_of_narrow_segments_stand_apart_and_off_the_axis(world):
    row = {"class": "equivalent", "incorrect_to_correct": 25, "correct_to_incorrect": 26}
    row |= {"unchanged": 1817, "total": 1868}
    figure = draw_single.flips_by_class(pd.DataFrame([row]), world[0].manifest)
    figure.draw_without_rendering()
    (axis,) = figure.axes
    small = [text for text in axis.texts if text.get_text() in ("25", "26")]
    first, second = (text.get_window_extent() for text in small)
    assert axis.bbox.x0 <= first.x0 < first.x1 < second.x0


def contrast(one: str, other: str) -> float:
    def luminance(name: str) -> float:
        parts = (
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in matplotlib.colors.to_rgb(name)
        )
        return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), parts, strict=True))

    low, high = sorted(luminance(name) + 0.05 for name in (one, other))
    return high / low


@pytest.mark.parametrize("colour", [*CLASS_COLOURS.values(), *CATEGORY_COLOURS.values()])
def test_numbers_on_bars_can_be_read(colour):
    assert contrast(ink_on(colour), colour) >= 4.5


def test_screening_shows_the_outcome_beside_the_bar(world):
    table = pd.DataFrame(
        {
            "slot": ["one", "one", "two"],
            "candidate": ["x", "y", "z"],
            "estimable": ["3/10", "6/10", "1/10"],
            "share": [30.0, 60.0, 10.0],
            "outcome": ["Incomplete", "Selected", "Not selected"],
        }
    )
    figure = draw_screening.estimable_bars(table, 35.0, world[0].manifest)
    assert bar_widths(figure) == [10, 30, 60]
    assert {"6/10, selected", "3/10, incomplete", "1/10"} <= set(texts(figure).splitlines())


def test_real_data_is_not_called_synthetic(world):
    class Real:
        synthetic = False

    figure = plt.figure()
    note_source(figure, Real())
    assert SYNTHETIC not in texts(figure)


SCRIPT = """
import sys
from pathlib import Path
import matplotlib
matplotlib.use("agg")
import pandas as pd
from reliable_change.figures.screening import estimable_bars
from reliable_change.figures.intervals import interval_bars
from reliable_change.figures.null import null_bars
from reliable_change.figures.style import save_figure, use_style
use_style()
table = pd.DataFrame({"slot": ["s"], "candidate": ["c"], "estimable": ["1/3"], "share": [100 / 3],
                      "outcome": ["Selected"]})
save_figure(estimable_bars(table, 35.0, None), "bars", table, Path(sys.argv[1]))
"""


def test_files_are_the_same_from_two_processes(tmp_path):
    for name in ("first", "second"):
        subprocess.run([sys.executable, "-c", SCRIPT, tmp_path / name], check=True)
    names = sorted(path.name for path in (tmp_path / "first").iterdir())
    assert names == ["bars.csv", "bars.png", "bars.svg"]
    for name in names:
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()


def test_the_csv_holds_the_numbers_drawn(tmp_path):
    data = pd.DataFrame({"x": ["a"], "y": [100 / 3]})
    save_figure(plt.figure(), "empty", data, tmp_path)
    assert (tmp_path / "empty.csv").read_text() == "x,y\na,33.33333333\n"
