"""A paper of one small benchmark, made from known items: tables that certainly have a solution."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from reliable_change.published.numbers import format_number
from reliable_change.published.tables import KEYS
from reliable_change.reconstruction.check import TABLES, recompute
from reliable_change.reconstruction.pool import draw_pool

MODELS = ("old", "new")
EDGE = "old→new"
TRIALS = 20
ITEMS = 60
EPSILONS = ("0.10", "0.15", "0.20", "0.25")
COUNTED = {"n", "correct", "items", "reliable", "single_draw_reliable", "total"}
COUNTED |= {"incorrect_to_correct", "correct_to_incorrect", "unchanged"}


@pytest.fixture(scope="session")
def toy_items() -> pd.DataFrame:
    """Items of the small benchmark, in two large strata and one small."""
    rng = np.random.default_rng(3)
    counts = draw_pool(ITEMS, len(MODELS), TRIALS, level=0.6, settled=0.5, rng=rng)
    drawn = rng.random(counts.shape) * TRIALS < counts
    return pd.DataFrame(
        {
            "benchmark": "Toy",
            "item_id": [f"t{i}" for i in range(ITEMS)],
            "difficulty": ["easy"] * 30 + ["hard"] * 27 + ["odd"] * 3,
            **{f"correct_{m}": counts[:, i] for i, m in enumerate(MODELS)},
            **{f"drawn_{m}": drawn[:, i].astype(int) for i, m in enumerate(MODELS)},
        }
    )


@pytest.fixture(scope="session")
def toy_folder(toy_items: pd.DataFrame, tmp_path_factory) -> Path:
    """The tables of that benchmark, printed as the paper prints its own."""
    folder = tmp_path_factory.mktemp("toy")
    for name, rows in _keys().items():
        pd.DataFrame(rows, columns=list(KEYS[name])).to_csv(folder / f"{name}.csv", index=False)
    strata = pd.read_csv(folder / "table_f9.csv").assign(items="", old="", new="", **{EDGE: ""})
    strata.to_csv(folder / "table_f9.csv", index=False)
    for name, frame in recompute(toy_items, TRIALS, folder).items():
        printed = frame.astype(object)
        for column in set(frame.columns) - set(KEYS[name]):
            printed[column] = [_print(column, value) for value in frame[column]]
        printed.to_csv(folder / f"{name}.csv", index=False)
    return folder


def _keys() -> dict[str, list[tuple[str, ...]]]:
    """The rows of every table; those of B.4 and E.8 follow from the items."""
    keys = {
        "table_1": [(EDGE, "Toy")],
        "table_c5": list(product([EDGE], ["Toy"], EPSILONS)),
        "table_f9": [("Toy", "difficulty", level) for level in ("easy", "hard", "odd")],
    }
    return {name: keys.get(name, []) for name in TABLES}


def _print(column: str, value: float) -> str:
    if column in COUNTED:
        return format_number(value, 0)
    return format_number(value, 1, sign=column in ("delta", EDGE))
