"""The classes of a real archive against a computation that shares no code with the package."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import fisher_exact, norm

from reliable_change.analysis import classification
from reliable_change.archive.read import read_archive


def wilson(k: int, n: int) -> tuple[float, float]:
    z = norm.ppf(0.975)
    middle = (k + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * np.sqrt(k * (n - k) / n + z * z / 4)
    return middle - half, middle + half


def newcombe(k1: int, n1: int, k2: int, n2: int) -> tuple[float, float]:
    p1, p2 = k1 / n1, k2 / n2
    (l1, u1), (l2, u2) = wilson(k1, n1), wilson(k2, n2)
    d = p2 - p1
    return d - np.hypot(p2 - l2, u1 - p1), d + np.hypot(u2 - p2, p1 - l1)


def classes_by_hand(folder) -> pd.DataFrame:
    scores = pd.read_parquet(folder / "scores.parquet")
    assert not (scores["category"] == "api_error").any()
    table = scores.groupby(["benchmark", "item_id", "model"])["correct"].agg(["sum", "size"])
    source, target = "smollm2-135m-q4_1", "smollm2-135m-q2_k"
    rows = []
    for benchmark in scores["benchmark"].unique():
        cell = []
        for item in sorted(scores.loc[scores["benchmark"] == benchmark, "item_id"].unique()):
            (k1, n1), (k2, n2) = (
                table.loc[(benchmark, item, source)],
                table.loc[(benchmark, item, target)],
            )
            k1, n1, k2, n2 = map(int, (k1, n1, k2, n2))
            p = fisher_exact([[k1, n1 - k1], [k2, n2 - k2]]).pvalue
            cell.append((benchmark, item, p, k2 / n2 - k1 / n1, *newcombe(k1, n1, k2, n2)))
        ordered = sorted(row[2] for row in cell)
        passed = [p for rank, p in enumerate(ordered, 1) if p <= rank * 0.05 / len(cell)]
        threshold = max(passed, default=-1)
        for benchmark, item, p, d, low, high in cell:
            if p <= threshold and abs(d) >= 0.2 - 1e-12:
                found = "improved" if d > 0 else "regressed"
            else:
                found = "equivalent" if low > -0.2 and high < 0.2 else "inconclusive"
            rows.append((benchmark, item, found))
    return pd.DataFrame(rows, columns=["benchmark", "item_id", "class"])


@pytest.fixture(scope="module")
def folder(fixtures_dir):
    return fixtures_dir / "smollm2_sample"


@pytest.fixture(scope="module")
def items(folder) -> pd.DataFrame:
    return classification.classify_items(read_archive(folder))


def test_every_class_agrees_with_an_independent_computation(items, folder):
    ours = items[["benchmark", "item_id", "class"]].sort_values(["benchmark", "item_id"])
    by_hand = classes_by_hand(folder).sort_values(["benchmark", "item_id"])
    assert ours.values.tolist() == by_hand.values.tolist()


def test_class_counts_and_deltas_are_those_of_the_fixture(items):
    counts = classification.class_counts(items).set_index("benchmark")
    assert counts["improved"].to_dict() == {"arithmetic": 0, "instruction": 0, "knowledge": 0}
    assert counts["regressed"].to_dict() == {"arithmetic": 0, "instruction": 1, "knowledge": 3}
    delta = 100 * items.groupby("benchmark")["difference"].mean()
    assert delta.to_dict() == pytest.approx(
        {"arithmetic": -5.5, "instruction": -6.375, "knowledge": -18.25}
    )
