"""Printed numbers read, and recomputed ones written in their form."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reliable_change.published.numbers import (
    MINUS,
    WORDS,
    Range,
    could_print,
    exact,
    format_like,
    format_number,
    is_missing,
    parse,
    rounded_from,
)

NOTHING = [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT, Decimal("nan")]
INFINITE = [float("inf"), float("-inf"), np.inf, Decimal("inf")]


@pytest.mark.parametrize(
    ("printed", "number"),
    [
        ("+7.3", "7.3"),
        ("−3948.0", "-3948.0"),
        ("-4.1", "-4.1"),
        ("135,000", "135000"),
        ("0.04", "0.04"),
        ("10.7%", "10.7"),
        ("−0.0", "0"),
        ("nine", "9"),
        ("Eleven", "11"),
        ("zero", "0"),
    ],
)
def test_parse_reads_what_the_paper_prints(printed, number):
    assert parse(printed) == Decimal(number)


@pytest.mark.parametrize(
    "text", ["", "Selected", "13/30", "5.", ".5", "1.2.3", "+", "7 %", "ninety"]
)
def test_parse_finds_no_number_where_there_is_none(text):
    assert parse(text) is None


@pytest.mark.parametrize(
    ("value", "decimals", "printed"),
    [
        (84.25, 1, "84.2"),
        (84.35, 1, "84.4"),
        (0.05, 1, "0.0"),
        (0.15, 1, "0.2"),
        (-0.25, 1, "−0.2"),
        (0.125, 2, "0.12"),
        (2.5, 0, "2"),
        (3.5, 0, "4"),
        (Fraction(67400, 800), 1, "84.2"),
        (Decimal("84.25"), 1, "84.2"),
    ],
)
def test_a_half_goes_to_the_even_digit(value, decimals, printed):
    assert format_number(value, decimals) == printed


@pytest.mark.parametrize("noise", [0, 1e-13, -1e-13])
def test_float_noise_does_not_decide_a_half(noise):
    assert format_number(84.25 + noise, 1) == "84.2"
    assert format_number(84.35 + noise, 1) == "84.4"
    # 0.35 and 0.15 as floats lie below and above the halves that they stand for.
    assert format_number((0.95 - 0.6) + noise, 1) == "0.4"


def test_beyond_noise_a_value_past_the_half_is_rounded_up():
    assert format_number(84.250001, 1) == "84.3"
    assert format_number(84.249999, 1) == "84.2"


@pytest.mark.parametrize(
    "zero", [0, 0.0, -0.0, np.float64(-0.0), Fraction(0), Decimal("-0"), -1e-15]
)
def test_an_exact_zero_has_no_sign(zero):
    assert format_number(zero, 1, sign=True) == "0.0"
    assert format_like(zero, "+7.3") == "0.0"
    assert format_like(zero, "−0.0") == "0.0"


@pytest.mark.parametrize("tiny", [-0.04, -0.05, -1e-6, Fraction(-1, 100)])
def test_a_negative_value_that_rounds_to_zero_keeps_its_minus(tiny):
    assert format_number(tiny, 1) == "−0.0"
    assert format_like(tiny, "+3.8") == "−0.0"
    assert format_like(tiny, "0.0") == "−0.0"


def test_a_positive_value_that_rounds_to_zero_has_a_plus_only_where_signs_are_shown():
    assert format_number(0.04, 1, sign=True) == "+0.0"
    assert format_number(0.04, 1) == "0.0"


def test_the_minus_sign_is_the_papers():
    assert MINUS == "\N{MINUS SIGN}"
    assert format_number(-3948, 1) == "\N{MINUS SIGN}3948.0"
    assert "-" not in format_like(-4.1, "Selected") + format_like(-4.1, "nine")


@pytest.mark.parametrize(
    ("value", "printed", "recomputed"),
    [
        (2.34, "+7.3", "+2.3"),
        (2.34, "−4.1", "+2.3"),
        (-2.34, "7.3", "−2.3"),
        (5.04, "8.3%", "5.0%"),
        (26.67, "7%", "27%"),
        (135000, "2,700", "135,000"),
        (135000, "900", "135000"),
        (999, "2,700", "999"),
        (1234567.5, "1,000.0", "1,234,567.5"),
        (0.04, "0.10", "0.04"),
        (np.int64(457), "12", "457"),
        (np.float32(0.5), "0.25", "0.50"),
        (True, "0", "1"),
    ],
)
def test_the_printed_text_gives_the_form(value, printed, recomputed):
    assert format_like(value, printed) == recomputed


@pytest.mark.parametrize(
    ("value", "printed", "recomputed"),
    [
        (9, "six", "nine"),
        (9.0, "Six", "Nine"),
        (0, "nine", "zero"),
        (12, "Eleven", "Twelve"),
        (1 - 1e-13, "two", "one"),
        (13, "nine", "13"),
        (8.5, "nine", "8.5"),
        (-1, "nine", "−1"),
        (100, "nine", "100"),
    ],
)
def test_number_words_keep_their_capital_and_give_way_to_figures(value, printed, recomputed):
    assert format_like(value, printed) == recomputed


def test_words_stand_at_the_place_of_their_number():
    assert [WORDS.index(word) for word in ("zero", "three", "nine", "eleven")] == [0, 3, 9, 11]
    assert all(format_like(n, word) == word for n, word in enumerate(WORDS))


def test_a_text_is_left_as_it_is_and_a_number_for_a_text_is_written_out():
    assert format_like("Selected", "Not selected") == "Selected"
    assert format_like("13/30", "8/30") == "13/30"
    assert format_like(0.5, "Selected") == "0.5"


@pytest.mark.parametrize("value", NOTHING, ids=repr)
def test_what_is_missing_cannot_be_printed(value):
    assert is_missing(value)
    for write in (lambda: format_number(value, 1), lambda: format_like(value, "1.0")):
        with pytest.raises(ValueError, match="no value to print"):
            write()


@pytest.mark.parametrize("value", INFINITE, ids=repr)
def test_what_is_infinite_cannot_be_printed(value):
    for write in (lambda: format_number(value, 1), lambda: format_like(value, "1.0")):
        with pytest.raises(ValueError, match="cannot print"):
            write()


def test_exact_takes_every_kind_of_number():
    values = [0.5, np.float32(0.5), Decimal("0.5"), Fraction(1, 2)]
    assert {exact(value) for value in values} == {Decimal("0.5")}
    assert exact(np.int64(3)) == 3


def test_exact_has_no_negative_zero():
    assert not any(exact(zero).is_signed() for zero in (-0.0, -1e-15, Decimal("-0")))
    assert format_like(-0.0, "Selected") == "0"


def test_a_range_has_its_ends_in_order():
    assert Range(1, 1) == Range(1.0, 1.0)
    for low, high in [(2, 1), (math.nan, 1), (0, math.nan)]:
        with pytest.raises(ValueError, match="from low to high"):
            Range(low, high)


@pytest.mark.parametrize(
    ("low", "high", "printed", "possible"),
    [
        (5.84, 5.86, "5.9", True),
        (5.70, 5.74, "5.9", False),
        (5.80, 5.849, "5.9", False),
        (5.949, 7, "5.9", True),
        (5.951, 7, "5.9", False),
        (5.85, 5.85, "5.8", True),
        (5.0, 7.0, "+5.9", True),
        (-4.2, -4.0, "−4.1", True),
        (-4.2, -4.0, "4.1", False),
        (8, 9, "nine", True),
        (7, 8, "nine", False),
        (8.2, 8.4, "nine", False),
        (0, 1, "Selected", False),
    ],
)
def test_a_range_can_print_what_lies_between_its_rounded_ends(low, high, printed, possible):
    assert could_print(Range(low, high), printed) is possible


@given(
    st.decimals(-(10**6), 10**6, places=6),
    st.integers(0, 3),
    st.booleans(),
    st.booleans(),
)
def test_a_printed_number_reads_back_within_half_a_unit(value, decimals, sign, thousands):
    printed = format_number(value, decimals, sign=sign, thousands=thousands)
    assert abs(parse(printed) - value) <= Decimal(5).scaleb(-decimals - 1)
    assert printed.startswith(MINUS) == (value < 0)
    assert printed.startswith("+") == (sign and value > 0)


@given(st.integers(-(10**9), 10**9), st.sampled_from(["+1.0", "−1.0", "1", "1%", "1,000", "1.00"]))
def test_writing_again_in_the_same_form_changes_nothing(value, printed):
    once = format_like(value, printed)
    assert format_like(parse(once), printed) == once


@pytest.mark.parametrize(
    ("value", "printed", "text"),
    [
        (1.6888e-5, "4.80e-15", "1.69e-05"),
        (1.0945e-19, "1.69e-05", "1.09e-19"),
        (0.0, "0.00e+00", "0.00e+00"),
        (2.5e-16, "0.00e+00", "2.50e-16"),
        (0.601, "6.01e-01", "6.01e-01"),
        (7e-3, "1e-05", "7e-03"),
    ],
)
def test_powers_of_ten_are_written_as_printed_and_read_back(value, printed, text):
    assert format_like(value, printed) == text
    assert parse(text) == Decimal(text)


def test_a_hyphen_for_a_minus_stays_one():
    assert format_like(-10.40429, "-0.5000") == "-10.4043"
    assert format_like(10.40429, "-0.5000") == "10.4043"
    assert format_like(-0.05, "−4.1") == "−0.0"


@pytest.mark.parametrize(
    ("printed", "low", "high"),
    [
        ("0.0852", 0.08515, 0.08525),
        ("9.03%", 9.025, 9.035),
        ("12,032", 12031.5, 12032.5),
        ("−4.1", -4.15, -4.05),
        ("1.69e-05", 1.685e-5, 1.695e-5),
        ("nine", 8.5, 9.5),
    ],
)
def test_what_a_printed_number_may_have_been_rounded_from(printed, low, high):
    assert rounded_from(printed) == Range(low, high)


def test_a_word_that_is_no_number_was_rounded_from_nothing():
    with pytest.raises(ValueError, match="states no number"):
        rounded_from("Selected")
