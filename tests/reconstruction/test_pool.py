from __future__ import annotations

import numpy as np
import pytest

from reliable_change.reconstruction.pool import draw_pool


def pool(seed=1, size=4000, level=0.6, settled=0.7):
    rng = np.random.default_rng(seed)
    return draw_pool(size, 3, 50, level=level, settled=settled, rng=rng)


def test_counts_are_whole_and_in_range():
    drawn = pool()
    assert drawn.shape == (4000, 3)
    assert np.issubdtype(drawn.dtype, np.integer)
    assert (drawn.min(), drawn.max()) == (0, 50)


def test_same_seed_same_pool_and_another_seed_another():
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    assert np.array_equal(pool(seed=4), pool(seed=4))
    assert not np.array_equal(pool(seed=4), pool(seed=5))
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


@pytest.mark.parametrize("level", [0.3, 0.7])
def test_level_is_the_share_of_correct_trials(level):
    assert pool(level=level, size=20000).mean() / 50 == pytest.approx(level, abs=0.05)


def test_settled_items_are_near_no_or_all_trials_under_every_model():
    drawn = pool(settled=1.0)
    right = drawn[:, 0] > 25
    assert np.mean(((drawn <= 5) | (drawn >= 45)).all(axis=1)) > 0.95
    assert np.mean((drawn > 25) == right[:, None]) > 0.99
    unsettled = pool(settled=0.0)
    assert np.mean(((unsettled <= 5) | (unsettled >= 45)).all(axis=1)) < 0.5


def test_the_pool_holds_what_the_tables_need():
    """Large changes both ways, and items settled at both ends."""
    change = np.diff(pool(), axis=1)[:, 0]
    assert (change > 25).any()
    assert (change < -25).any()
    assert {(0, 0, 0), (50, 50, 50)} <= set(map(tuple, pool().tolist()))
