"""One benchmark's trials: what ties them to the items, and what they do not depend on."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reliable_change.errors import ReliableChangeError
from reliable_change.paths import RECONSTRUCTION
from reliable_change.reconstruction.check import read_items
from reliable_change.reconstruction.loose import read_gap
from reliable_change.reconstruction.trials import benchmark_trials

MODELS = ["gpt-5.4", "gpt-5.5", "gpt-5.6-sol"]


def items_of(benchmark: str) -> pd.DataFrame:
    items = read_items(RECONSTRUCTION / "items.csv").query("benchmark == @benchmark")
    return items.sort_values("item_id", ignore_index=True)


@pytest.fixture(scope="module")
def ifbench():
    return benchmark_trials(items_of("IFBench"), read_gap())


@pytest.fixture(scope="module")
def omni():
    return benchmark_trials(items_of("Omni-MATH hard"), read_gap())


def test_models_come_in_the_printed_order_with_the_solved_counts(ifbench):
    assert list(ifbench) == MODELS
    items = items_of("IFBench")
    for model, made in ifbench.items():
        assert made.correct.sum(axis=1).tolist() == items[f"correct_{model}"].tolist()
        assert made.outputs.shape == made.category.shape == (300, 50)
        assert made.inputs.shape == (300,)


def test_a_loose_reading_exists_only_where_the_paper_has_one(ifbench, omni):
    assert all(made.loose is None for made in omni.values())
    for made in ifbench.values():
        assert made.loose[made.correct].all()
        assert not made.loose[made.category == "refusal"].any()


def test_format_failures_cluster_on_items_that_models_share(ifbench):
    failures = np.array(
        [(made.category == "format_failure").sum(axis=1) for made in ifbench.values()]
    )
    half = failures.sum(axis=1) / 2
    worst = np.sort(failures, axis=1)[:, -60:].sum(axis=1)
    assert (worst > half).all(), "a fifth of the items holds more than half of the failures"
    shared = np.corrcoef(failures)[np.triu_indices(3, 1)]
    assert (shared > 0.3).all()


def test_prompts_are_nearly_alike_between_models_and_wrong_replies_longer(ifbench):
    inputs = np.array([made.inputs for made in ifbench.values()])
    assert np.ptp(inputs / inputs.mean(axis=1, keepdims=True), axis=0).max() < 0.01
    for made in ifbench.values():
        assert made.outputs[~made.correct].mean() > made.outputs[made.correct].mean()


def test_items_with_other_sums_are_refused():
    items = items_of("Omni-MATH hard")
    row = items.index[items["correct_gpt-5.5"] == 20][0]
    items.loc[row, "correct_gpt-5.5"] += 1
    with pytest.raises(
        ReliableChangeError, match="gpt-5.5: 2649 correct trials, Table E.8 has 2648"
    ):
        benchmark_trials(items, read_gap())
