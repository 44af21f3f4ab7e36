"""Frames to typeset: the paper's own, turned back into numbers, and others made up."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from reliable_change.published.numbers import parse
from reliable_change.published.tables import KEYS, read_table

TEXT_COLUMNS = {"estimable", "outcome"}


class PaperLabels:
    """The labels of the paper's three models; any other name is its own label."""

    trials_per_item = 50
    labels = {"gpt-5.4": "GPT-5.4", "gpt-5.5": "GPT-5.5", "gpt-5.6-sol": "Sol"}
    short_labels = {"gpt-5.4": "5.4", "gpt-5.5": "5.5"}

    def label(self, model: str) -> str:
        return self.labels.get(model, model)

    def short_label(self, model: str) -> str:
        return self.short_labels.get(model, self.label(model))

    def edge_label(self, edge: tuple[str, str]) -> str:
        return "→".join(self.short_label(model) for model in edge)


def unprinted(text: str) -> float:
    """A number that prints as the text; the paper's −0.0 is a small loss, no exact zero."""
    return -0.04 if text == "−0.0" else float(parse(text))


@pytest.fixture
def labels() -> PaperLabels:
    return PaperLabels()


@pytest.fixture
def paper_frame() -> Callable[[str], pd.DataFrame]:
    def frame(name: str) -> pd.DataFrame:
        table = read_table(name)
        for column in table.columns:
            if column == "epsilon" or column not in {*KEYS[name], *TEXT_COLUMNS}:
                table[column] = [unprinted(text) for text in table[column]]
        return table

    return frame


@pytest.fixture
def paper_frames(paper_frame: Callable[[str], pd.DataFrame]) -> dict[str, pd.DataFrame]:
    return {name: paper_frame(name) for name in KEYS}


@pytest.fixture
def wide_frame() -> pd.DataFrame:
    """Table F.9 for twelve models, each with an edge to the next."""
    models = [f"m{number}" for number in range(12)]
    row = {"benchmark": "B", "stratum": "difficulty", "level": "easy", "items": 4}
    row |= {model: 50.0 + number for number, model in enumerate(models)}
    row |= {f"{s}→{t}": 1.0 for s, t in zip(models, models[1:], strict=False)}
    return pd.DataFrame([row])


@pytest.fixture
def hostile_names() -> list[str]:
    return [
        "a_b & <c>%",
        "[9pt] \\\\ \\input{x}",
        "</table><script>alert(1)</script>",
        'quote" onload="x',
        "line\nbreak, comma",
        "{}}{$^~#",
    ]


@pytest.fixture
def hostile_frame(hostile_names: list[str]) -> pd.DataFrame:
    """Table D.7 in which each name is a benchmark, a source and a target."""
    return pd.DataFrame(
        {
            "edge": [f"{name}→{name}" for name in hostile_names],
            "benchmark": hostile_names,
            "source_mean": 1.0,
            "target_mean": 2.5,
            "change": 1.5,
        }
    )
