"""Fisher's test against scipy, exact fractions and the cases STA-01 and STA-02."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reliable_change.stats.fisher import fisher_exact, fisher_table, margin, odds_ratio


def exact_p(k_source: int, n_source: int, k_target: int, n_target: int) -> Fraction:
    """By definition, table by table, with binomials of Python's own."""
    total = k_source + k_target
    ways = [
        comb(n_source, a) * comb(n_target, total - a)
        for a in range(total + 1)
        if a <= n_source and total - a <= n_target
    ]
    observed = comb(n_source, k_source) * comb(n_target, k_target)
    return Fraction(sum(way for way in ways if way <= observed), sum(ways))


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((0, 50, 3, 50), 8 / 33),
        ((1, 50, 12, 50), 0.00180713),
        ((2, 50, 13, 50), 0.00381977),
        ((22, 22, 0, 102), 7.1750668e-25),
        ((345, 800, 260, 605), 0.95667786),
    ],
)
def test_mirrored_tables_count_on_both_sides(counts, expected):
    assert float(fisher_exact(*counts)) == pytest.approx(expected, rel=5e-6, abs=0)


def test_every_table_of_50_against_50_equals_scipy():
    table = fisher_table(50, 50)
    assert table.shape == (51, 51)
    scipys = [
        [stats.fisher_exact([[a, 50 - a], [b, 50 - b]]).pvalue for b in range(51)]
        for a in range(51)
    ]
    np.testing.assert_allclose(table, scipys, rtol=1e-9, atol=0)


def test_50_against_50_is_the_correctly_rounded_fraction():
    table = fisher_table(50, 50)
    for a in range(0, 51, 3):
        for b in range(51):
            assert table[a, b] == float(exact_p(a, 50, b, 50)), (a, b)


def test_uneven_trials_are_the_correctly_rounded_fraction():
    for n_source, n_target in [(1, 1), (1, 50), (7, 3), (10, 50), (49, 50)]:
        table = fisher_table(n_source, n_target)
        for (a, b), p in np.ndenumerate(table):
            assert p == float(exact_p(a, n_source, b, n_target)), (a, n_source, b, n_target)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers(1, 400), st.integers(1, 400))
def test_any_table_is_the_correctly_rounded_fraction(data, n_source, n_target):
    a, b = data.draw(st.integers(0, n_source)), data.draw(st.integers(0, n_target))
    p = float(fisher_exact(a, n_source, b, n_target))
    assert p == float(exact_p(a, n_source, b, n_target))
    assert p == float(fisher_exact(b, n_target, a, n_source))
    assert p == float(fisher_exact(n_source - a, n_source, n_target - b, n_target))


def test_an_empty_margin_gives_exactly_1():
    assert fisher_exact([0, 50, 1], [50, 50, 1], [0, 50, 1], [50, 50, 1]).tolist() == [1, 1, 1]


def test_a_side_without_trials_is_not_testable():
    p = fisher_exact([0, 0, 3, 1], [0, 0, 7, 2], [3, 0, 0, 1], [7, 0, 0, 2])
    assert np.isnan(p).tolist() == [True, True, True, False]


def test_mixed_items_keep_their_places_and_shape():
    rng = np.random.default_rng(3)
    n = rng.integers(0, 9, size=(2, 4, 25))
    k = rng.integers(0, n + 1)
    p = fisher_exact(k[0], n[0], k[1], n[1])
    assert p.shape == (4, 25)
    for place in np.ndindex(p.shape):
        one = (int(x[place]) for x in (k[0], n[0], k[1], n[1]))
        np.testing.assert_array_equal(p[place], fisher_exact(*one))


def test_no_items_give_no_p():
    assert fisher_exact([], 50, [], 50).shape == (0,)


def test_bad_counts_are_refused():
    with pytest.raises(ValueError, match="0 <= k <= n"):
        fisher_exact(51, 50, 3, 50)


def test_margins_are_a_distribution_and_cannot_be_changed_by_a_caller():
    probability, p = margin(7, 3, 5)
    np.testing.assert_allclose(probability, stats.hypergeom(10, 5, 7).pmf(range(2, 6)))
    with pytest.raises(ValueError, match="read-only"):
        p[0] = 0


def test_odds_ratio_is_undefined_where_a_margin_is_empty():
    ratio = odds_ratio([0, 50, 0, 22, 0, 10], [50, 50, 0, 22, 9, 50], [0, 50, 3, 0, 9, 25],
                       [50, 50, 7, 102, 9, 50])  # fmt: skip
    np.testing.assert_array_equal(ratio, [np.nan, np.nan, np.nan, 0, np.inf, 4])
