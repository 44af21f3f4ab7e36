"""Waits grow, are random and stay below a cap; what a server asks for is read as it is meant."""

from __future__ import annotations

from email.utils import formatdate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reliable_change.collect.retry import LONGEST_WAIT, Backoff, Pause, retry_after

NOW = 1_790_000_000.0


def delays(failed: int, draws: int = 2000) -> np.ndarray:
    rng = np.random.default_rng(failed)
    return np.array([Backoff().delay(failed, rng) for _ in range(draws)])


@pytest.mark.parametrize(("failed", "ceiling"), [(1, 1), (2, 2), (5, 16), (7, 60), (10**6, 60)])
def test_delays_fill_all_between_nothing_and_the_ceiling(failed, ceiling):
    found = delays(failed)
    assert found.min() >= 0
    assert found.max() <= ceiling
    # A uniform draw: 2,000 of them come near both ends, and their mean near the middle.
    assert found.min() < 0.01 * ceiling
    assert found.max() > 0.99 * ceiling
    assert found.mean() == pytest.approx(ceiling / 2, rel=0.05)


def test_same_seed_same_delay_and_no_global_state():
    before = np.random.get_state()[1].copy()  # noqa: NPY002 - to see that it is left alone
    assert (delays(3) == delays(3)).all()
    assert (before == np.random.get_state()[1]).all()  # noqa: NPY002


def test_a_fleet_does_not_come_back_in_step():
    assert len(np.unique(delays(1, draws=36))) == 36


def test_a_pause_only_ever_grows():
    pause = Pause()
    assert pause.left(0.0) == 0.0
    pause.extend(0.0, 10.0)
    pause.extend(5.0, 2.0)
    assert pause.left(5.0) == 5.0
    pause.extend(5.0, 20.0)
    assert pause.left(5.0) == 20.0
    assert pause.left(25.0) == pause.left(99.0) == 0.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "130"}, 130.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after": " 7 "}, 7.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "2"}, 2.0),
        ({"retry-after-ms": "0", "retry-after": "2"}, 2.0),
        ({"retry-after": formatdate(NOW + 90, usegmt=True)}, 90.0),
        ({"retry-after": formatdate(NOW + 90)}, 90.0),  # "-0000": UTC without saying so
        ({"retry-after": formatdate(NOW - 90, usegmt=True)}, None),
        ({"retry-after": formatdate(NOW, usegmt=True)}, None),
        ({"retry-after": "1e9"}, LONGEST_WAIT),
        *(
            ({"retry-after": value}, None)
            for value in ("nan", "inf", "-inf", "0", "-0", "-5", "", "soon", "٣٠٠٠٠٠٠٠٠ days")
        ),
    ],
)
def test_waits_are_read_as_they_are_meant(headers, seconds):
    assert retry_after(headers, NOW) == seconds


@given(st.text(max_size=40))
def test_no_value_of_a_header_breaks_the_reading(value):
    found = retry_after({"retry-after": value}, NOW)
    assert found is None or 0 < found <= LONGEST_WAIT
