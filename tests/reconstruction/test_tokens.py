"""Token counts: sums and percentiles exact, every reply at least one token, order kept."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reliable_change.errors import ReliableChangeError
from reliable_change.reconstruction.tokens import (
    apportion,
    effort_scores,
    input_shape,
    output_tokens,
    settle,
)

WANTED = {5: 461, 50: 997, 95: 3699}


@given(
    weights=st.lists(st.floats(0, 1e6), min_size=1, max_size=30).filter(lambda w: sum(w) > 1e-3),
    total=st.integers(0, 10**9),
)
def test_apportion_adds_up_and_is_within_one(weights, total):
    shares = apportion(np.array(weights), total)
    assert shares.sum() == total
    exact = np.array(weights) * (total / np.sum(weights))
    assert (np.abs(shares - exact) < 1 + 1e-6 * (1 + exact)).all()
    assert (shares >= 0).all()


def test_apportion_keeps_the_order_of_weights():
    weights = np.random.default_rng(0).random(200)
    assert (np.diff(apportion(weights, 5000)[weights.argsort()]) >= 0).all()


def test_prompts_have_a_floor_and_a_tail():
    shape = input_shape(500, 0.7, rng=np.random.default_rng(0))
    assert shape.mean() == pytest.approx(1)
    assert shape.min() > 0.7
    assert np.median(shape) < 1 < shape.max() / 2


def test_failing_responses_take_more_effort():
    correct = np.random.default_rng(1).random((100, 50)) < 0.6
    scores = effort_scores(correct, np.zeros(100), rng=np.random.default_rng(2))
    assert scores[~correct].mean() > scores[correct].mean() + 0.2
    assert abs(scores.mean()) < 1e-9
    assert scores.std() == pytest.approx(1, abs=0.01)


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), n=st.integers(100, 400), lift=st.integers(0, 5000))
def test_settle_makes_percentiles_and_sum_exact(seed, n, lift):
    values = np.exp(np.random.default_rng(seed).normal(6, 0.7, n)).astype(int).reshape(-1, 1)
    wanted = {q: round(float(np.percentile(values, q))) for q in (5, 50, 95)}
    total = int(values.sum()) + 5000 + lift
    settled = settle(values, total, wanted)
    assert settled.sum() == total
    assert np.percentile(settled, [5, 50, 95]).tolist() == list(wanted.values())
    assert settled.shape == values.shape
    # What was longer is still no shorter, and only the tail has moved far.
    order = values.ravel().argsort(kind="stable")
    assert (np.diff(settled.ravel()[order]) >= 0).all()


def test_settle_refuses_a_sum_out_of_reach():
    with pytest.raises(ReliableChangeError, match="a sum of 4000 cannot be reached"):
        settle(np.arange(1, 101), 4000, {5: 6, 50: 50, 95: 95})


def test_output_tokens_hit_every_target():
    rng = np.random.default_rng(3)
    inputs = apportion(input_shape(300, 0.7, rng=rng), 112_527)
    effort = effort_scores(np.ones((300, 50)), np.zeros(300), rng=rng)
    outputs = output_tokens(inputs, effort, total=15_452_833, percentiles=WANTED)
    totals = inputs[:, None] + outputs
    assert outputs.sum() == 15_452_833
    assert np.percentile(totals, [5, 50, 95]).tolist() == [461.0, 997.0, 3699.0]
    assert outputs.min() >= 1
    assert np.corrcoef(effort.ravel(), np.log(outputs.ravel()))[0, 1] > 0.95
    # Skewed and smooth: a mean well above the median, no heap of equal totals.
    assert outputs.mean() > 1.3 * np.median(outputs)
    assert np.bincount(totals.ravel()).max() < 60


def test_prompts_longer_than_the_totals_are_refused():
    effort = effort_scores(np.ones((100, 50)), np.zeros(100), rng=np.random.default_rng(3))
    with pytest.raises(ReliableChangeError, match="responses would have none"):
        output_tokens(
            np.where(np.arange(100) < 20, 470, 300),
            effort,
            total=5_000_000,
            percentiles=WANTED | {50: 465},
        )
