"""The stratified bootstrap against scipy's, in distribution, under a null and at the edges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest, bootstrap, ks_2samp

from reliable_change.stats import bootstrap as ours
from reliable_change.stats.bootstrap import resample_weights, stratified_bootstrap
from reliable_change.stats.multiplicity import holm


def differences(rng, items: int, shift: float = 0.0) -> np.ndarray:
    """Differences of 50 trials a side, most items settled."""
    p = np.where(rng.random(items) < 0.4, 1.0, rng.beta(0.7, 0.7, items))
    return (rng.binomial(50, np.clip(p + shift, 0, 1)) - rng.binomial(50, p)) / 50


def test_resampled_means_have_scipys_distribution():
    values = differences(np.random.default_rng(1), 60, -0.02)
    theirs = bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(2)
    )
    weights = resample_weights(60, 20_000, np.random.default_rng(3))
    means = weights @ values / 60
    assert ks_2samp(means, theirs.bootstrap_distribution).pvalue > 0.001
    found = stratified_bootstrap(values, ["a"] * 60, resamples=20_000, rng=np.random.default_rng(4))
    width = theirs.confidence_interval.high - theirs.confidence_interval.low
    assert found.low[0] == pytest.approx(theirs.confidence_interval.low, abs=0.03 * width)
    assert found.high[0] == pytest.approx(theirs.confidence_interval.high, abs=0.03 * width)
    assert found.delta[0] == pytest.approx(values.mean(), rel=1e-12)


def test_weights_are_multinomial():
    weights = resample_weights(5, 40_000, np.random.default_rng(5))
    assert (weights.sum(axis=1) == 5).all()
    covariance = np.cov(weights.T)
    np.testing.assert_allclose(covariance, np.eye(5) - 0.2, atol=0.03)


def test_p_is_what_its_definition_says():
    values = differences(np.random.default_rng(6), 40, -0.05)
    found = stratified_bootstrap(values, [1] * 40, resamples=999, rng=np.random.default_rng(7))
    means = resample_weights(40, 999, np.random.default_rng(7)) @ values / 40
    tail = min((means <= 0).sum(), (means >= 0).sum())
    assert found.p[0] == min(1, 2 * (tail + 1) / 1000)


def test_strata_are_resampled_each_within_itself_and_corrected_together():
    rng = np.random.default_rng(8)
    values = np.concatenate([differences(rng, 50, -0.1), differences(rng, 30), [0.3]])
    strata = np.array(["loses"] * 50 + ["stays"] * 30 + ["single"])
    mixed = rng.permutation(81)
    found = stratified_bootstrap(values, strata, rng=np.random.default_rng(9))
    again = stratified_bootstrap(values[mixed], strata[mixed], rng=np.random.default_rng(9))
    assert found.strata.tolist() == ["loses", "stays", "single"]
    assert found.items.tolist() == [50, 30, 1]
    assert found.delta[1] == pytest.approx(values[50:80].mean())
    assert set(again.delta.round(12)) >= set(found.delta[:2].round(12))
    np.testing.assert_array_equal(found.adjusted, holm(found.p).adjusted)
    assert found.adjusted[0] < 0.01 < found.adjusted[1]
    for field in (found.delta, found.low, found.high, found.p, found.adjusted):
        assert np.isnan(field[2]), "one item says nothing of the spread between items"


def test_replications_are_each_alone_under_the_same_resamples():
    rng = np.random.default_rng(10)
    rows = np.stack([differences(rng, 30, shift) for shift in (0, -0.1)])
    together = stratified_bootstrap(rows, [0] * 30, rng=np.random.default_rng(11))
    for number, row in enumerate(rows):
        alone = stratified_bootstrap(row, [0] * 30, rng=np.random.default_rng(11))
        assert together.p[number] == alone.p
        assert together.low[number] == pytest.approx(alone.low, rel=1e-12)


def test_chunks_change_nothing(monkeypatch):
    values = differences(np.random.default_rng(12), 20, -0.05)
    whole = stratified_bootstrap(values, [0] * 20, rng=np.random.default_rng(13))
    monkeypatch.setattr(ours, "_CHUNK", 20 * 7)
    parts = stratified_bootstrap(values, [0] * 20, rng=np.random.default_rng(13))
    np.testing.assert_allclose([parts.low, parts.p], [whole.low, whole.p], rtol=1e-12)


def test_the_null_is_rejected_about_as_often_as_promised():
    rng = np.random.default_rng(14)
    rows = np.stack([differences(rng, 200) for _ in range(2000)])
    p = stratified_bootstrap(rows, [0] * 200, resamples=999, rng=rng).p[:, 0]
    rejected = int((p <= 0.05).sum())
    # The percentile interval of a mean of 200 is narrow by a hair; 6 % bounds it.
    assert binomtest(rejected, 2000, 0.06, alternative="greater").pvalue > 0.001
    assert binomtest(rejected, 2000, 0.04, alternative="less").pvalue > 0.001


@pytest.mark.parametrize("items", [8, 30, 100])
def test_few_items_are_called_worse_in_3_to_5_percent_of_nulls(items):
    """What the notes say of 8 to 100 items of which half are settled; 2.5 % are promised."""
    rng = np.random.default_rng(18)
    p = np.where(rng.random((4000, items)) < 0.5, 1.0, rng.beta(0.7, 0.7, (4000, items)))
    rows = (rng.binomial(50, p) - rng.binomial(50, p)) / 50
    found = stratified_bootstrap(rows, [0] * items, resamples=499, rng=rng)
    worse = int(((found.p <= 0.05) & (found.delta < 0)).sum())
    assert binomtest(worse, 4000, 0.05, alternative="greater").pvalue > 0.001
    assert binomtest(worse, 4000, 0.03, alternative="less").pvalue > 0.001
    if items == 8:
        assert binomtest(worse, 4000, 0.025, alternative="greater").pvalue < 0.001


def test_power_rises_with_items():
    rng = np.random.default_rng(15)
    shares = []
    for items in (25, 100, 400):
        rows = np.stack([differences(rng, items, -0.02) for _ in range(200)])
        shares.append(np.mean(stratified_bootstrap(rows, [0] * items, rng=rng).p <= 0.05))
    assert shares[0] + 0.05 < shares[1] < shares[2] - 0.05


def test_edges():
    rng = np.random.default_rng(16)
    still = stratified_bootstrap([0.0] * 10, [0] * 10, rng=rng)
    assert (still.p[0], still.low[0], still.high[0]) == (1, 0, 0)
    rounding = stratified_bootstrap([0.1, 0.2, -0.3], [0] * 3, resamples=99, rng=rng)
    assert rounding.p[0] > 0.1
    lost = stratified_bootstrap([-1.0] * 10, [0] * 10, resamples=99, rng=rng)
    assert lost.p[0] == pytest.approx(0.02), "never 0"
    gap = stratified_bootstrap([np.nan, 0.1, -0.1, 0.0], [0] * 4, rng=rng)
    assert gap.items.tolist() == [3]
    assert not np.isnan(gap.p[0])


@pytest.mark.parametrize(
    ("difference", "stratum", "more", "reason"),
    [
        ([0.1], ["a", "b"], {}, "one stratum"),
        (0.1, ["a"], {}, "one stratum"),
        ([0.1], ["a"], {"resamples": 0}, "resamples"),
        ([0.1], ["a"], {"confidence": 1}, "confidence"),
        ([[0.1, np.nan], [0.1, 0.2]], ["a", "a"], {}, "some replications"),
    ],
)
def test_bad_input_is_named(difference, stratum, more, reason):
    with pytest.raises(ValueError, match=reason):
        stratified_bootstrap(difference, stratum, rng=np.random.default_rng(1), **more)


def test_chance_comes_from_the_generator_alone():
    values = differences(np.random.default_rng(17), 30, -0.03)
    state = np.random.get_state()[1].copy()  # noqa: NPY002 — that it stays as it is
    first, same, other = (
        stratified_bootstrap(values, [0] * 30, rng=np.random.default_rng(seed))
        for seed in (1, 1, 2)
    )
    assert (first.low, first.p) == (same.low, same.p)
    assert first.low != other.low
    np.testing.assert_array_equal(state, np.random.get_state()[1])  # noqa: NPY002
