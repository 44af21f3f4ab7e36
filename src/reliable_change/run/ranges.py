"""Which values of a setting make sense, asked before any notebook runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from reliable_change.errors import ParameterError
from reliable_change.stats.checks import check_level
from reliable_change.stats.classification import exact_epsilon
from reliable_change.stats.intervals import METHODS
from reliable_change.stats.reliable_change_index import POPULATIONS


def check_ranges(values: Mapping[str, Any]) -> None:
    """Stop at the first value that the statistics could not use; other names are ignored.

    Parameters
    ----------
    values : mapping
        Values by name, of the declared types; None where a parameter allows it.

    Raises
    ------
    ParameterError
        A value out of range; the message names it and the range.

    Examples
    --------
    >>> check_ranges({"epsilon": 0.2, "trials": None, "archive": "mine"})
    """
    for name, check in RANGES.items():
        if values.get(name) is not None:
            try:
                check(values[name])
            except ValueError as error:
                raise ParameterError(f"setting {name} = {values[name]!r}: {error}") from None


def _interval(value: str) -> None:
    if value not in METHODS:
        raise ValueError(f"choose one of {', '.join(METHODS)}")


def _population(value: str) -> None:
    if value not in POPULATIONS:
        raise ValueError(f"choose {' or '.join(POPULATIONS)}")


def _at_least(least: int) -> Callable[[int], None]:
    def check(value: int) -> None:
        if value < least:
            raise ValueError(f"must be a whole number from {least}")

    return check


RANGES: dict[str, Callable[[Any], object]] = {
    "epsilon": exact_epsilon,
    "alpha": lambda value: check_level("alpha", value),
    "interval": _interval,
    "trials": _at_least(1),
    "few_trials": _at_least(2),
    "population": _population,
    "replications": _at_least(1),
    "seed": _at_least(0),
}
