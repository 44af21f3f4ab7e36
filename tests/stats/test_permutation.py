"""The paired permutation test against scipy, exact McNemar, and a simulated null."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from reliable_change.stats.paired import ALTERNATIVES, mcnemar_exact
from reliable_change.stats.permutation import MOST_EXACT, paired_permutation

SCIPYS = {"two-sided": "two-sided", "worse": "less", "better": "greater"}


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("seed", range(4))
def test_all_arrangements_equal_scipy(alternative, seed):
    source, target = np.random.default_rng(seed).integers(0, 4, (2, 9))  # sums are exact
    theirs = stats.permutation_test(
        (target, source),
        lambda x, y, axis: np.sum(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        alternative=SCIPYS[alternative],
    )
    found = paired_permutation(source, target, alternative=alternative)
    assert found.exact
    assert found.difference == pytest.approx(float(theirs.statistic) / 9)
    assert found.p == pytest.approx(float(theirs.pvalue))  # the null is symmetric


@pytest.mark.parametrize(("b", "c"), [(0, 0), (5, 5), (6, 0), (3, 9), (1, 12)])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_scores_of_0_and_1_give_exact_mcnemar(b, c, alternative):
    source = np.repeat([1, 0, 1], [b, c, 7])
    target = np.repeat([0, 1, 1], [b, c, 7])
    found = paired_permutation(source, target, alternative=alternative)
    assert found.p == pytest.approx(float(mcnemar_exact(b, c, alternative)), rel=1e-12)
    assert found.arrangements == 2 ** (b + c)
    assert found.low == found.high == found.p


def test_float_noise_does_not_break_ties():
    """Sums of ±0.1, ±0.2, ±0.3 and the like are equal in decimals and not in floats."""
    source = np.zeros(6)
    tenths = np.array([1, 2, 3, -1, -2, 3])
    found = paired_permutation(source, tenths / 10)
    assert found.p == paired_permutation(source, tenths).p


def test_draws_bracket_mcnemar_when_there_are_too_many_to_try():
    source, target = np.repeat([1, 0], [18, 30]), np.repeat([0, 1], [18, 30])
    rng = np.random.default_rng(6)
    found = paired_permutation(source, target, draws=40000, rng=rng)
    assert not found.exact
    assert found.low < float(mcnemar_exact(18, 30)) < found.high
    again = paired_permutation(source, target, draws=40000, rng=np.random.default_rng(6))
    other = paired_permutation(source, target, draws=40000, rng=np.random.default_rng(7))
    assert found == again != other


def test_blocks_make_every_draw():
    n = 100_000
    target = np.ones(n)
    rng = np.random.default_rng(0)
    found = paired_permutation(np.zeros(n), target, draws=99, rng=rng)
    assert (found.p, found.arrangements) == (0.01, 99)


def test_the_null_is_rejected_as_often_as_it_should_be():
    rng = np.random.default_rng(9)
    scores = rng.normal(size=(2000, 2, 8))
    for alternative in ALTERNATIVES:
        ps = [paired_permutation(a, b, alternative=alternative).p for a, b in scores]
        rejected = int(np.sum(np.array(ps) <= 0.05))
        assert stats.binomtest(rejected, 2000, 0.05, "greater").pvalue > 0.001
        assert rejected > 40


def test_power_rises_with_the_items():
    rng = np.random.default_rng(12)

    def rate(n):
        found = [
            paired_permutation(rng.normal(size=n), rng.normal(-1, 1, n), alternative="worse").p
            for _ in range(200)
        ]
        return np.mean(np.array(found) <= 0.05)

    few, some, more = rate(4), rate(8), rate(14)
    assert few < some < more


def test_power_rises_with_the_trials_behind_each_score():
    """Scores are shares of K correct trials; items of their own difficulty fall by 0.15."""
    rng = np.random.default_rng(21)

    def rate(trials):
        chance = rng.uniform(0.2, 0.9, (200, 14))
        before = rng.binomial(trials, chance) / trials
        after = rng.binomial(trials, chance - 0.15) / trials
        ps = [paired_permutation(a, b, alternative="worse").p
              for a, b in zip(before, after, strict=True)]  # fmt: skip
        return np.mean(np.array(ps) <= 0.05)

    one, five, many = rate(1), rate(5), rate(25)
    assert one < five < many
    assert many > 0.9


def test_what_cannot_be_tested_is_refused():
    with pytest.raises(ValueError, match="equally long"):
        paired_permutation([1, 2], [1])
    with pytest.raises(ValueError, match="equally long"):
        paired_permutation([], [])
    with pytest.raises(ValueError, match="finite score"):
        paired_permutation([1, np.nan], [1, 2])
    with pytest.raises(ValueError, match="unknown alternative"):
        paired_permutation([1], [1], alternative="less")
    many = np.arange(MOST_EXACT + 1)
    with pytest.raises(ValueError, match="give a generator"):
        paired_permutation(many, many + 1)
