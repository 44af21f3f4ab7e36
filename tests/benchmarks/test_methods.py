"""The benchmark compares ways that agree."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import methods
from reliable_change.stats.beta_binomial import posterior_shift


def test_all_methods_call_the_same():
    counts = methods.null(2)
    found = methods.called_at_once(counts)
    assert found == methods.called_one_by_one(counts)
    assert set(found) == set(methods.COMPARED)
    changed = (np.array([[50, 40, 9]]), np.full(3, 50), np.array([[20, 45, 30]]), np.full(3, 50))
    found = methods.called_at_once(changed)
    assert found == methods.called_one_by_one(changed)
    assert min(found.values()) == 2


def test_both_posteriors_agree():
    tables = np.array([[50, 30], [10, 20], [0, 0]])
    ours = posterior_shift(tables[:, 0], 50, tables[:, 1], 50).regressed
    assert methods.posterior_one_by_one(tables) == pytest.approx(
        ours.tolist(), abs=1e-5
    )  # quad misses a far tail


def test_both_bootstraps_agree():
    k_s, n_s, k_t, n_t = methods.null(2)
    rows = k_t / n_t - k_s / n_s
    ours, theirs = methods.intervals_at_once(rows), methods.intervals_one_by_one(rows)
    np.testing.assert_allclose(ours, theirs, atol=0.1 * np.ptp(theirs, axis=1).min())
