"""Token sums behind the printed means: one choice that prints Tables D.6 and D.7 together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from reliable_change.errors import ReliableChangeError
from reliable_change.published.numbers import parse

Edge = tuple[str, str]
HALF_UNIT = 0.05


@dataclass(frozen=True)
class PrintedMeans:
    """One benchmark's printed mean tokens by model, and the printed changes by edge, as text."""

    input: Mapping[str, str]
    output: Mapping[str, str]
    total: Mapping[str, str]
    change: Mapping[Edge, str]


@dataclass(frozen=True)
class TokenSums:
    """One model's whole-number sums: input tokens over items, output tokens over all trials."""

    input_items: int
    output_trials: int


def token_sums(printed: PrintedMeans, items: int, trials: int) -> dict[str, TokenSums]:
    """Choose token sums whose means, and changes of means, print as they are printed.

    Parameters
    ----------
    printed : PrintedMeans
        Means of input, output and total, with one decimal, and changes of the total.
    items, trials : int
        Items, and trials of each item.

    Returns
    -------
    dict of model to TokenSums
        Models with the same printed input mean have the same input sum.

    Raises
    ------
    ReliableChangeError
        The sums found do not print so: some mean or change is off by half a unit (0.05) or more.

    Notes
    -----
    Unrounded means are fitted to all printed numbers at once by least squares, with
    total = input + output, and made whole. The changes are those of the unrounded totals:
    IFBench's −48.1 is not the difference of 1357.1 and 1405.3.

    Examples
    --------
    >>> printed = PrintedMeans({"a": "10.0", "b": "10.0"}, {"a": "5.0", "b": "6.0"},
    ...                        {"a": "15.1", "b": "16.1"}, {("a", "b"): "+1.0"})
    >>> sums = token_sums(printed, items=100, trials=10)
    >>> sums["a"].input_items == sums["b"].input_items
    True
    """
    models = list(printed.total)
    inputs = list(dict.fromkeys(printed.input.values()))
    unit = np.eye(len(inputs) + len(models))
    input_row = {m: unit[inputs.index(printed.input[m])] for m in models}
    output_row = {m: unit[len(inputs) + i] for i, m in enumerate(models)}
    total_row = {m: input_row[m] + output_row[m] for m in models}
    equations = (
        [(input_row[m], printed.input[m]) for m in models]
        + [(output_row[m], printed.output[m]) for m in models]
        + [(total_row[m], printed.total[m]) for m in models]
        + [(total_row[t] - total_row[s], text) for (s, t), text in printed.change.items()]
    )
    rows = np.array([row for row, _ in equations])
    values = np.array([float(parse(text)) for _, text in equations])
    means = np.linalg.lstsq(rows, values, rcond=None)[0]
    # Rounding twice: the last bits of the fit, which differ between machines, decide no tie.
    scale = np.array([items] * len(inputs) + [items * trials] * len(models))
    sums = (means * scale).round(6).round().astype(int)
    worst = np.abs(rows @ (sums / scale) - values).argmax()
    if abs(rows[worst] @ (sums / scale) - values[worst]) >= HALF_UNIT:
        raise ReliableChangeError(
            f"mean tokens: no sums were found that print {equations[worst][1]} and all the other "
            "means and changes; check tables D.6 and D.7 in data/published"
        )
    return {m: TokenSums(int(input_row[m] @ sums), int(output_row[m] @ sums)) for m in models}
