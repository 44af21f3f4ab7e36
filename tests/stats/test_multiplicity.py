"""Benjamini–Hochberg and Holm against their definitions, scipy and statsmodels; case STA-03."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, false_discovery_control
from statsmodels.stats.multitest import multipletests

from reliable_change.stats.multiplicity import benjamini_hochberg, holm, rank_needed, reject_each

NAN = float("nan")
# Hundredths bring ties and exact boundaries; the rest is anything.
P_VALUES = st.lists(
    st.one_of(st.integers(0, 100).map(lambda i: i / 100), st.floats(0, 1)), max_size=30
)


def by_definition(hundredths: list[int], alpha: Fraction) -> list[bool]:
    """p(k) <= k · alpha / m in exact fractions."""
    m = len(hundredths)
    ranked = sorted(hundredths)
    passing = [k for k in range(1, m + 1) if Fraction(ranked[k - 1], 100) <= k * alpha / m]
    bound = ranked[max(passing) - 1] if passing else -1
    return [value <= bound for value in hundredths]


@pytest.mark.parametrize(
    ("p", "adjusted", "rejected"),
    [
        ([0.01, NAN, 0.02], [0.02, NAN, 0.02], [True, False, True]),
        ([], [], []),
        ([0.01, 0.04, 0.03, 0.005], [0.02, 0.04, 0.04, 0.02], [True] * 4),
        ([NAN, NAN], [NAN, NAN], [False, False]),
        ([0.05], [0.05], [True]),
        ([0.0500001], [0.0500001], [False]),
        ([1.0, 1.0], [1.0, 1.0], [False, False]),
        ([0.0, 1.0], [0.0, 1.0], [True, False]),
    ],
)
def test_known_results(p, adjusted, rejected):
    result = benjamini_hochberg(p)
    np.testing.assert_allclose(result.adjusted, adjusted, rtol=1e-14)
    assert result.rejected.tolist() == rejected


def test_a_p_value_exactly_on_its_bound_is_rejected():
    assert 0.025 * 6 / 0.05 > 3  # in floats, though 0.025 is 3 · 0.05 / 6
    for p, m in [(0.025, 6), (0.03, 5)]:
        others = [0.9] * (m - 3)
        assert benjamini_hochberg([p] * 3 + others).rejected.tolist() == [True] * 3 + [False] * (
            m - 3
        )
        assert not benjamini_hochberg([p, p, p + 1e-12, *others]).rejected.any()


def test_no_bound_is_missed_by_rounding():
    for m in range(1, 301):
        k = np.arange(1, m + 1)
        exact = [float(Fraction(int(i), 20 * m)) for i in k]  # k · alpha / m, rounded once
        np.testing.assert_array_equal(rank_needed(np.array(exact), m, 0.05), k)


@given(st.lists(st.integers(0, 100), max_size=40), st.integers(1, 99))
def test_ties_and_boundaries_follow_the_definition(hundredths, percent):
    p = [value / 100 for value in hundredths]
    expected = by_definition(hundredths, Fraction(percent, 100))
    assert benjamini_hochberg(p, percent / 100).rejected.tolist() == expected


@given(P_VALUES.filter(len))
def test_adjusted_values_are_scipys_and_statsmodels(p):
    adjusted = benjamini_hochberg(p).adjusted
    np.testing.assert_allclose(adjusted, false_discovery_control(p), rtol=1e-12)
    np.testing.assert_allclose(adjusted, multipletests(p, method="fdr_bh")[1], rtol=1e-12)


@given(P_VALUES, st.randoms(use_true_random=False), st.integers(0, 5))
def test_neither_order_nor_untested_items_matter(p, random, untested):
    mixed = [*p, *[NAN] * untested]
    random.shuffle(mixed)
    tested = [value for value in mixed if value == value]
    result, alone = benjamini_hochberg(mixed), benjamini_hochberg(tested)
    kept = ~np.isnan(mixed)
    np.testing.assert_array_equal(result.adjusted[kept], alone.adjusted)
    np.testing.assert_array_equal(result.rejected[kept], alone.rejected)
    assert np.isnan(result.adjusted[~kept]).all()
    assert not result.rejected[~kept].any()
    # Order of p and order of the adjusted values agree.
    by_p = np.argsort(tested, kind="stable")
    assert (np.diff(alone.adjusted[by_p]) >= 0).all()


@pytest.mark.parametrize("p", [[-0.01], [1.01], [0.5, float("inf")]])
def test_values_outside_0_and_1_are_refused(p):
    with pytest.raises(ValueError, match="must lie in"):
        benjamini_hochberg(p)


def test_other_shapes_and_levels_are_refused():
    with pytest.raises(ValueError, match="one dimension"):
        benjamini_hochberg([[0.1]])
    with pytest.raises(ValueError, match="alpha"):
        benjamini_hochberg([0.1], alpha=1.0)


def test_a_tiny_alpha_neither_warns_nor_rejects():
    assert benjamini_hochberg([0.5, 1.0], alpha=5e-324).rejected.tolist() == [False, False]


def test_the_null_rejects_no_more_often_than_alpha():
    rng = np.random.default_rng(11)
    any_rejected = sum(
        benjamini_hochberg(p).rejected.any() for p in rng.random((2000, 20))
    )  # the FDR is the chance of any rejection when every null holds: 5 % exactly for uniform p
    assert 70 <= any_rejected <= 130


@given(st.lists(st.lists(st.integers(0, 100), min_size=6, max_size=6), min_size=1, max_size=5))
def test_many_cells_at_once_are_each_cell_alone(hundredths):
    p = np.array(hundredths) / 100
    p[0, 2] = NAN
    together = reject_each(p, 0.1)
    np.testing.assert_array_equal(together, [benjamini_hochberg(row, 0.1).rejected for row in p])
    assert reject_each(p.reshape(1, *p.shape), 0.1).shape == (1, *p.shape)
    assert reject_each(np.empty((3, 0)), 0.1).shape == (3, 0)


@given(P_VALUES.filter(len))
def test_holm_is_statsmodels(p):
    rejected, adjusted, *_ = multipletests(p, alpha=0.05, method="holm")
    found = holm(p, 0.05)
    np.testing.assert_allclose(found.adjusted, adjusted, rtol=1e-12)
    np.testing.assert_array_equal(found.rejected, rejected)


def test_holm_stops_at_the_first_that_is_too_large():
    assert holm([0.04, 0.01, 0.03, 0.005]).rejected.tolist() == [False, True, False, True]
    assert holm([0.025, 0.05]).rejected.tolist() == [True, True]  # both on their bounds
    found = holm([0.01, NAN, 0.04])
    assert found.rejected.tolist() == [True, False, True]
    np.testing.assert_allclose(found.adjusted, [0.02, NAN, 0.04])
    assert holm([]).rejected.tolist() == []
    with pytest.raises(ValueError, match="must lie in"):
        holm([2.0])


def test_holm_keeps_the_chance_of_any_false_rejection():
    rng = np.random.default_rng(12)
    wrong = sum(holm(p).rejected.any() for p in rng.random((2000, 8)))
    assert binomtest(wrong, 2000, 0.05).pvalue > 0.001  # 1 − (1 − 0.05 / 8)⁸ is 4.9 %
