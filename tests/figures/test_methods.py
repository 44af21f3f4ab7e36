"""The figures of notebook 11 draw the numbers they are given."""

from __future__ import annotations

from types import SimpleNamespace

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from reliable_change.figures.methods import (
    ALL,
    found_in_archive,
    found_in_worlds,
    overlap_matrix,
)
from reliable_change.figures.style import SYNTHETIC, save_figure
from reliable_change.stats.methods import PAPER

matplotlib.use("agg")
LABELS = SimpleNamespace(name="mine", synthetic=True)
NAMES = [PAPER, "Any <drop> & $x", "RCI"]


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def table(trials=(1, 5, 50)) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    rows = [(name, number) for number in trials for name in NAMES]
    frame = pd.DataFrame(rows, columns=["method", "trials"])
    for value in ("found", "alarm"):
        frame[value] = rng.uniform(5, 60, len(frame))
        frame[f"{value}_low"], frame[f"{value}_high"] = frame[value] - 2, frame[value] + 2
    return frame


def dots(axis) -> np.ndarray:
    drawn = [c for c in axis.collections if isinstance(c, matplotlib.collections.PathCollection)]
    return np.concatenate([np.asarray(c.get_offsets())[:, 0] for c in drawn])


def texts(figure) -> list[str]:
    figure.draw_without_rendering()
    return [t.get_text() for t in figure.findobj(matplotlib.text.Text)]


@pytest.mark.parametrize("trials", [(1, 5, 10, 25, 50), (12,)])
def test_every_share_is_a_dot_with_its_interval(trials):
    data = table(trials)
    figure = found_in_archive(data, LABELS)
    last = data[data["trials"] == trials[-1]].sort_values("alarm")
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == list(last["method"])
    for axis, value in zip(figure.axes, ("found", "alarm"), strict=True):
        assert sorted(dots(axis)) == pytest.approx(sorted(data[value]))
        lines = [
            c for c in axis.collections if isinstance(c, matplotlib.collections.LineCollection)
        ]
        ends = np.concatenate([np.array(c.get_segments())[:, :, 0] for c in lines[1:]])
        assert sorted(ends[:, 0]) == pytest.approx(sorted(data[f"{value}_low"]))
        assert sorted(ends[:, 1]) == pytest.approx(sorted(data[f"{value}_high"]))
    said = texts(figure)
    assert SYNTHETIC in said
    assert any("Archive mine" in text for text in said)
    assert {f"{number}" for number in trials} <= set(said)


def test_no_share_lies_beyond_the_axes():
    data = table()
    data.loc[0, ["alarm", "alarm_low", "alarm_high"]] = [100, 98, 100]
    data.loc[1, ["alarm", "alarm_low", "alarm_high"]] = 0
    figure = found_in_worlds(data)
    low, high = figure.axes[1].get_xlim()
    assert low <= 0
    assert high > 100
    assert SYNTHETIC not in texts(figure)


def test_nothing_to_find_leaves_dots_out_and_says_so():
    data = table().assign(found=np.nan, found_low=np.nan, found_high=np.nan)
    assert texts(found_in_archive(data, LABELS)).count("–") == len(NAMES)


def test_the_papers_method_is_bold():
    figure = found_in_worlds(table())
    weights = {t.get_text(): t.get_weight() for t in figure.axes[0].get_yticklabels()}
    assert weights == {name: "bold" if name == PAPER else "normal" for name in NAMES}


def test_the_matrix_shows_every_count_and_shades_by_share():
    both = [10, 5, 0, 5, 2000, 0, 0, 0, 0]
    overlap = pd.DataFrame(
        {
            "method": np.repeat(NAMES, 3),
            "other": NAMES * 3,
            "both": both,
            "of": np.repeat([10, 2000, 0], 3),
        }
    )
    figure = overlap_matrix(overlap, LABELS)
    axis = figure.axes[0]
    assert [t.get_text() for t in axis.texts] == [f"{count:,}" for count in both]
    image = np.asarray(axis.images[0].get_array())
    assert image[0, 0] == pytest.approx(ALL)
    assert (image[0, 2] == 1).all()
    assert image[1, 0].sum() > image[0, 1].sum() > image[0, 0].sum()


def test_figures_are_saved_with_hostile_names(tmp_path):
    save_figure(found_in_worlds(table()), "methods", table(), tmp_path)
    assert {path.suffix for path in tmp_path.iterdir()} == {".png", ".svg", ".csv"}
