"""Planted worlds hold what was planted, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest, kstest

from reliable_change.stats.known_truth import ALWAYS, BETWEEN, NEVER, draw_trials, plant


def test_planted_changes_are_as_many_and_as_large_as_stated():
    world = plant(50, 40, regressed=0.1, improved=0.25, size=0.3, rng=np.random.default_rng(1))
    assert ((world.direction == -1).sum(axis=1) == 4).all()
    assert ((world.direction == 1).sum(axis=1) == 10).all()
    np.testing.assert_allclose(world.p_target - world.p_source, 0.3 * world.direction, atol=1e-12)
    assert world.p_target.min() >= 0
    assert world.p_target.max() <= 1


def test_tossed_changes_are_as_many_and_lose_as_often_as_stated():
    rng = np.random.default_rng(9)
    world = plant(400, 40, regressed=0.2, improved=0.1, size=0.3, tossed=True, rng=rng)
    assert ((world.direction != 0).sum(axis=1) == 12).all()
    losses = (world.direction == -1).sum(axis=1)
    assert binomtest(int(losses.sum()), 400 * 12, 2 / 3).pvalue > 0.001
    assert losses.var() == pytest.approx(12 * 2 / 9, rel=0.25)
    still = plant(3, 20, regressed=0, improved=0, tossed=True, rng=rng)
    assert not still.direction.any()


def test_items_are_settled_or_in_between_as_stated():
    p = plant(100, 200, regressed=0, improved=0, rng=np.random.default_rng(2)).p_source.ravel()
    assert binomtest(int((p == 1).sum()), p.size, ALWAYS).pvalue > 0.001
    assert binomtest(int((p == 0).sum()), p.size, NEVER).pvalue > 0.001
    between = p[(p > 0) & (p < 1)]
    assert kstest(between, "beta", args=BETWEEN).pvalue > 0.001


def test_every_item_with_room_is_as_likely_to_be_chosen():
    world = plant(4000, 20, regressed=0.05, improved=0, size=0.2, rng=np.random.default_rng(3))
    place = np.argmax(world.direction == -1, axis=1)
    counts = np.bincount(place, minlength=20)
    assert counts.min() > 140
    assert counts.max() < 260
    room = world.p_source >= 0.2
    first = world.p_source[:, 0] == 1  # always right, so it has room: as likely as any other
    chosen = int((place[first] == 0).sum())
    chance = float(np.mean(1 / room[first].sum(axis=1)))
    assert binomtest(chosen, int(first.sum()), chance).pvalue > 0.001


def test_where_nothing_was_planted_nothing_changes():
    world = plant(3, 20, regressed=0, improved=0, rng=np.random.default_rng(4))
    np.testing.assert_array_equal(world.p_source, world.p_target)
    assert not world.direction.any()


def test_trials_have_their_chances():
    world = plant(200, 50, rng=np.random.default_rng(5))
    k_s, n_s, k_t, n_t = draw_trials(world, 20, np.random.default_rng(6))
    assert k_s.shape == k_t.shape == (200, 50)
    assert n_s.tolist() == n_t.tolist() == [20] * 50
    for k, p in ((k_s, world.p_source), (k_t, world.p_target)):
        spread = np.sqrt((p * (1 - p) * 20).sum())
        assert abs((k - 20 * p).sum()) < 4 * spread
        assert (k[p == 1] == 20).all()
        assert (k[p == 0] == 0).all()


def test_same_seed_same_world():
    first, same, other = (plant(2, 30, rng=np.random.default_rng(seed)) for seed in (7, 7, 8))
    np.testing.assert_array_equal(first.p_target, same.p_target)
    assert (first.p_target != other.p_target).any()


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"size": 0}, "size"),
        ({"size": 1.1}, "size"),
        ({"regressed": -0.1}, "shares"),
        ({"regressed": 0.6, "improved": 0.5}, "shares"),
        ({"regressed": 1.0, "improved": 0}, "room"),
        ({"items": 0}, "item"),
        ({"worlds": 0}, "world"),
    ],
)
def test_what_cannot_be_planted_is_refused(settings, reason):
    sizes = {"worlds": 3, "items": 20} | settings
    with pytest.raises(ValueError, match=reason):
        plant(sizes.pop("worlds"), sizes.pop("items"), **sizes, rng=np.random.default_rng(9))
