from __future__ import annotations

import numpy as np
import pytest

from reliable_change.analysis import classification, sensitivity


def test_the_row_at_an_epsilon_is_that_of_the_classification(simulated):
    table = sensitivity.table(simulated, (0.1, 0.3))
    for epsilon in (0.1, 0.3):
        items = classification.classify_items(simulated, epsilon=epsilon)
        expected = classification.class_counts(items)
        rows = table[table["epsilon"] == epsilon].reset_index(drop=True)
        sizes = expected.iloc[:, 2:].sum(axis=1)
        assert rows["improved"].to_numpy() == pytest.approx(100 * expected["improved"] / sizes)
        assert rows["regressed"].to_numpy() == pytest.approx(100 * expected["regressed"] / sizes)


def test_shares_never_rise_with_epsilon(simulated):
    curve = sensitivity.table(simulated, sensitivity.CURVE_EPSILONS)
    steps = curve.groupby(["edge", "benchmark"], sort=False)["changed"].diff().dropna()
    assert (steps <= 0).all()
    assert (steps < 0).any()


def test_rows_come_cell_by_cell(simulated):
    table = sensitivity.table(simulated)
    assert table["epsilon"].tolist() == [0.10, 0.15, 0.20, 0.25] * 6


def test_all_trials_give_the_full_share_and_two_trials_none(simulated):
    rng = np.random.default_rng(5)
    curve = sensitivity.trials_curve(simulated, draws=3, rng=rng).set_index("trials")
    full = sensitivity.table(simulated, (0.20,))
    assert curve.loc[12, "mean"].to_numpy() == pytest.approx(full["changed"].to_numpy())
    assert (curve.loc[2, "most"] == 0).all()
    assert (curve["least"] <= curve["mean"] + 1e-9).all()
    assert (curve["mean"] <= curve["most"] + 1e-9).all()
