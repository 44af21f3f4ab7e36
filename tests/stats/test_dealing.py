"""Halves and shuffles of trials have the distributions that they claim."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare, hypergeom

from reliable_change.stats.dealing import random_halves, shuffled_labels

COUNTS = (np.array([5, 0, 9]), np.array([8, 6, 9]), np.array([2, 3, 0]), np.array([4, 7, 9]))
DRAWS = 20_000


def follows(seen: np.ndarray, distribution) -> bool:
    counts = np.bincount(seen, minlength=11)[:11]
    expected = DRAWS * distribution.pmf(np.arange(11))
    kept = expected > 5
    assert counts[expected < 1e-9].sum() == 0
    scaled = expected[kept] * counts[kept].sum() / expected[kept].sum()
    return chisquare(counts[kept], scaled).pvalue > 1e-3


def test_shuffled_labels_deal_the_pooled_outcomes():
    rng = np.random.default_rng(2)
    k_s, n_s, k_t, n_t = shuffled_labels(*COUNTS, rng, size=(DRAWS, 3))
    assert (k_s + k_t == COUNTS[0] + COUNTS[2]).all()
    assert (n_s.tolist(), n_t.tolist()) == (COUNTS[1].tolist(), COUNTS[3].tolist())
    assert follows(k_s[:, 0], hypergeom(12, 7, 8))


def test_shuffled_labels_of_fewer_trials_leave_the_rest_out():
    rng = np.random.default_rng(3)
    fewer = shuffled_labels(*COUNTS, rng, size=(DRAWS, 3), most=3)
    for side in (0, 2):
        assert fewer[side + 1].tolist() == [3, 3, 3]
        assert follows(fewer[side][:, 2], hypergeom(18, 9, 3))
    assert follows(fewer[0][:, 1] + fewer[2][:, 1], hypergeom(13, 3, 6))


@pytest.mark.parametrize("most", [None, 50])
def test_without_a_size_there_is_one_deal_and_a_high_bound_changes_nothing(most):
    once = shuffled_labels(*COUNTS, np.random.default_rng(4), most=most)
    plain = shuffled_labels(*COUNTS, np.random.default_rng(4))
    assert [part.tolist() for part in once] == [part.tolist() for part in plain]
    assert once[0].shape == (3,)


def test_halves_share_the_trials_and_one_of_an_odd_number_sits_out():
    k, n = (np.broadcast_to(x, (DRAWS, 2)) for x in (np.array([5, 3]), np.array([8, 7])))
    first, second, h = random_halves(k, n, np.random.default_rng(5))
    assert h[0].tolist() == [4, 3]
    assert (first[:, 0] + second[:, 0] == 5).all()
    assert follows(first[:, 0], hypergeom(8, 5, 4))
    assert follows(first[:, 1] + second[:, 1], hypergeom(7, 3, 6))
