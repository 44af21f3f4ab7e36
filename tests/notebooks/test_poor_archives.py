"""Every notebook that takes trials runs on any valid archive, however little is in it."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import jupytext
import matplotlib.pyplot as plt
import pandas as pd
import pytest

from reliable_change import notebook as nb
from reliable_change.analysis.methods import worlds
from reliable_change.archive.write import write_archive
from reliable_change.paths import NOTEBOOKS
from reliable_change.run.notebooks import sources

CHOSEN = [path.stem for path in sources() if path.stem[:2] not in {"01", "02"}]
ABSENT = "absent"
# item, model, trial → correct, None if unscored, ABSENT if there is no row
Outcome = Callable[[int, str, int], bool | str | None]


def write_poor(
    folder: Path,
    correct: Outcome,
    items: Iterable[tuple[str, str]] = (("support", "q1"), ("support", "q2")),
    trials: int = 20,
    models: tuple[str, ...] = ("old", "new"),
) -> str:
    """Write an archive whose models follow one another."""
    items = list(items)
    benchmarks = list(dict.fromkeys(benchmark for benchmark, _ in items))
    rows = []
    for i, key in enumerate(items):
        for model, trial in itertools.product(models, range(trials)):
            right = correct(i, model, trial)
            if right != ABSENT:
                verdict = {True: "correct", False: "wrong", None: None}[right]
                reason = "no scorer here" if right is None else None
                rows.append((*key, model, trial, verdict, right, reason))
    complete = len(rows) == len(items) * len(models) * trials
    columns = ["benchmark", "item_id", "model", "trial", "category", "correct", "unscored_reason"]
    manifest = {
        "name": folder.name,
        "kind": "collected",
        "description": "As little as an archive may hold.",
        "models": list(models),
        "edges": [list(edge) for edge in itertools.pairwise(models)],
        "benchmarks": benchmarks,
        "trials_per_item": trials,
        "complete": complete,
        "incomplete": [] if complete else ["stopped early"],
        "created_utc": "2026-11-30T00:00:00+00:00",
        "licence": "none",
    }
    listed = pd.DataFrame(items, columns=["benchmark", "item_id"]).assign(task="math")
    scores = pd.DataFrame(rows, columns=columns).astype({"correct": "boolean"})
    return str(write_archive(folder, manifest, listed, None, scores))


def half(item: int, model: str, trial: int) -> bool:
    return bool(trial % 2)


TWO = [("support", "q1"), ("support", "q2"), ("letters", "a"), ("letters", "b")]
POOR = {
    "two_items_at_one_half": {"correct": half},
    "a_benchmark_unscored": {
        "items": TWO,
        "correct": lambda i, m, t: half(i, m, t) if i < 2 else None,
    },
    "a_model_unscored": {"correct": lambda i, m, t: half(i, m, t) if m == "old" else None},
    "the_first_model_unscored": {"correct": lambda i, m, t: t < 9 + i if m == "new" else None},
    "nothing_scored": {"correct": lambda i, m, t: None},
    "a_model_without_rows": {"correct": lambda i, m, t: half(i, m, t) if m == "old" else ABSENT},
    "no_rows": {"correct": lambda i, m, t: ABSENT},
    "two_of_three_models_without_a_benchmark": {
        "items": TWO,
        "models": ("old", "new", "newest"),
        "correct": lambda i, m, t: t < 4 * i if m == "old" or i < 2 else ABSENT,
    },
    "one_item_a_benchmark": {
        "items": TWO[1:3],
        "correct": lambda i, m, t: t < (5 if m == "old" else 15),
    },
    "one_trial": {"trials": 1, "items": TWO, "correct": lambda i, m, t: i % 2 == (m == "old")},
    "all_right": {"correct": lambda i, m, t: True},
    "sides_of_different_items": {
        "correct": lambda i, m, t: True if (m == "old") == (i == 0) else None,
    },
}


@pytest.fixture(scope="module")
def archives(tmp_path_factory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("archives")
    return {name: write_poor(folder / name, **lacks) for name, lacks in POOR.items()}


@pytest.fixture(scope="module")
def quick_worlds():
    """Simulated worlds do not depend on the archive: few of them, and each kind only once."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("misses_and_alarms", "found_by_size", "cells_called_worse"):
            patch.setattr(worlds, name, once(functools.partial(getattr(worlds, name), worlds=2)))
        yield


def once(function: Callable) -> Callable:
    """What the first call returned, whatever later ones pass."""
    kept: list = []

    def call(*args, **settings):
        if not kept:
            kept.append(function(*args, **settings))
        return kept[0].copy()

    return call


@pytest.fixture
def run(tmp_path, monkeypatch, quick_worlds) -> Iterator[Callable[..., None]]:
    """Run the cells of a notebook in this process, with some parameters."""
    monkeypatch.setattr(nb, "output_folder", lambda: tmp_path)
    monkeypatch.setattr(nb, "display", lambda shown: None)
    # Laid out and drawn, but not encoded as PNG and SVG, which takes most of the time.
    monkeypatch.setattr(nb, "save_figure", lambda drawn, *_: drawn.draw_without_rendering())

    def execute(name: str, **parameters) -> None:
        space: dict = {}
        for cell in jupytext.read(NOTEBOOKS / f"{name}.py", fmt="py:percent").cells:
            if cell.cell_type == "code":
                exec(compile(cell.source, name, "exec"), space)
                if "parameters" in cell.metadata.get("tags", []):
                    space |= {key: value for key, value in parameters.items() if key in space}

    yield execute
    plt.close("all")


@pytest.mark.parametrize("lacks", POOR)
@pytest.mark.parametrize("name", CHOSEN)
def test_a_notebook_runs_on_a_poor_archive(name, lacks, archives, run):
    run(name, archive=archives[lacks], real="", replications=20)


def test_what_cannot_be_compared_is_said_in_a_line_each(archives, run, capsys):
    run("06_single_draw", archive=archives["a_benchmark_unscored"])
    said = capsys.readouterr().out.splitlines()
    assert [line for line in said if "Not in this archive" in line] == [
        f"Not in this archive: {model} has no scored trial of letters, "
        "so there is nothing to compare"
        for model in ("new", "old")
    ]


def test_a_figure_of_nothing_is_a_line(archives, run, capsys):
    run("06_single_draw", archive=archives["a_model_unscored"])
    assert "Figure single_draw: nothing to draw\n" in capsys.readouterr().out
