"""Classes of items: the boundary at epsilon, the interval's strictness, what is not testable."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reliable_change.stats.classification import (
    CLASSES,
    NOT_TESTABLE,
    classify,
    exact_epsilon,
    meets_epsilon,
)
from reliable_change.stats.intervals import METHODS


def test_the_words():
    assert CLASSES == ("improved", "regressed", "equivalent", "inconclusive")
    assert NOT_TESTABLE == "not testable"


@pytest.mark.parametrize("source", range(0, 41))
def test_a_shift_of_ten_of_fifty_meets_020_wherever_it_starts(source):
    assert meets_epsilon(source, 50, source + 10, 50, 0.20)
    assert meets_epsilon(source + 10, 50, source, 50, 0.20)
    assert not meets_epsilon(source, 50, source + 9, 50, 0.20)


@given(
    st.integers(1, 60), st.integers(1, 60), st.data(), st.decimals("0.01", "1", places=2)
)  # fmt: skip
def test_epsilon_is_compared_as_an_exact_fraction(n_source, n_target, data, epsilon):
    k_source, k_target = data.draw(st.integers(0, n_source)), data.draw(st.integers(0, n_target))
    difference = abs(Fraction(k_target, n_target) - Fraction(k_source, n_source))
    expected = difference >= Fraction(epsilon)
    for written in (epsilon, str(epsilon), float(epsilon), np.float64(epsilon), Fraction(epsilon)):
        assert meets_epsilon(k_source, n_source, k_target, n_target, written) == expected


def test_many_trials_and_many_decimals_stay_exact():
    n = 10**9
    assert meets_epsilon(0, n, 333_333_334, n, "0.333333333333333333")
    assert not meets_epsilon(0, n, 333_333_333, n, "0.333333333333333333")


@pytest.mark.parametrize(
    "epsilon", [0, 0.0, -0.2, 1.01, "20 %", "", None, float("nan"), float("inf"), True, [0.2]]
)
def test_other_epsilons_are_refused(epsilon):
    with pytest.raises(ValueError, match="epsilon must"):
        classify([1], [2], [1], [2], epsilon=epsilon)


def test_epsilon_as_written():
    written = [0.2, np.float32(0.2), "0.20", "2e-1", Decimal("0.2"), Fraction(1, 5), "1/5"]
    assert {exact_epsilon(epsilon) for epsilon in written} == {Fraction(1, 5)}
    assert exact_epsilon(1) == 1


def test_sign_gives_improved_or_regressed_and_the_fields_fit():
    result = classify([0, 50, 0, 25, 0], 50, [50, 0, 0, 26, 10], [50, 50, 50, 50, 50])
    expected = ["improved", "regressed", "equivalent", "inconclusive", "improved"]
    assert result.classes.tolist() == expected
    assert result.difference.tolist() == pytest.approx([1, -1, 0, 0.02, 0.2])
    assert result.rejected.tolist() == [True, True, False, False, True]
    assert (result.p <= result.adjusted).all()
    assert (result.low <= result.difference).all()
    assert (result.difference <= result.high).all()


def test_both_criteria_are_needed():
    # 0 v 9 is rejected but short of 0.20; 20 v 30 meets 0.20 but is not rejected.
    result = classify([0, 20], 50, [9, 30], 50)
    assert result.rejected.tolist() == [True, False]
    assert meets_epsilon([0, 20], 50, [9, 30], 50, 0.20).tolist() == [False, True]
    assert result.classes.tolist() == ["inconclusive", "inconclusive"]


def test_a_rejected_small_difference_can_be_equivalent():
    result = classify([1000], 10_000, [1200], 10_000)
    assert result.rejected.tolist() == [True]
    assert result.classes.tolist() == ["equivalent"]


def test_equivalence_is_strict_at_epsilon():
    high = float(classify([0], 50, [0], 50).high[0])
    assert classify([0], 50, [0], 50, epsilon=high).classes.tolist() == ["inconclusive"]
    above = float(np.nextafter(high, 1))
    assert classify([0], 50, [0], 50, epsilon=above).classes.tolist() == ["equivalent"]


def test_one_trial_a_side_settles_nothing():
    result = classify([0, 0, 1, 1], 1, [0, 1, 0, 1], 1)
    assert result.classes.tolist() == ["inconclusive"] * 4
    assert classify([1], 1, [1], 1, interval="wald").classes.tolist() == ["equivalent"]


def test_an_item_without_trials_on_a_side_is_not_testable_and_no_hypothesis():
    # 4 v 14 has p = 0.017: rejected among two hypotheses, not among three or four.
    result = classify([4, 0, 5, 0], [50, 0, 5, 0], [14, 3, 0, 0], [50, 7, 0, 0])
    assert result.classes.tolist() == ["improved", *[NOT_TESTABLE] * 3]
    for field in (result.p, result.adjusted, result.difference, result.low, result.high):
        assert np.isnan(field).tolist() == [False, True, True, True]
    assert result.rejected.tolist() == [True, False, False, False]
    assert result.adjusted[0] == result.p[0]


def test_uneven_trials():
    # The last regresses although its count rises: 9 of 10 against 20 of 50.
    result = classify([0, 1, 3, 9], [10, 3, 50, 10], [40, 30, 2, 20], [50, 50, 30, 50])
    assert result.classes.tolist() == ["improved", "inconclusive", "equivalent", "regressed"]


@pytest.mark.parametrize("method", METHODS)
def test_every_table_has_a_class_and_mirrors(method):
    k_source, k_target = (x.ravel() for x in np.meshgrid(np.arange(51), np.arange(51)))
    there = classify(k_source, 50, k_target, 50, interval=method).classes
    back = classify(k_target, 50, k_source, 50, interval=method).classes
    assert set(there) == set(CLASSES)
    swap = {"improved": "regressed", "regressed": "improved"}
    assert [swap.get(name, name) for name in there] == back.tolist()


def test_no_items_are_no_error():
    assert classify([], 50, [], 50).classes.shape == (0,)


def test_parameters_out_of_range_are_refused():
    with pytest.raises(ValueError, match="alpha"):
        classify([1], 2, [1], 2, alpha=0)
    with pytest.raises(ValueError, match="unknown interval"):
        classify([1], 2, [1], 2, interval="score")
