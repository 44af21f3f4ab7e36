"""Results of the comparison as a reader takes them: tables side by side, and sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from reliable_change.stats.cell_methods import CellMethod
from reliable_change.stats.methods import PAPER, Method

FEW_ALARMS = 1.0  # % of the unchanged items
HALF = 50.0


def rules(methods: Sequence[Method] | Sequence[CellMethod]) -> pd.DataFrame:
    """What each method calls changed, in words: method, rule, source."""
    return pd.DataFrame(
        [(method.name, method.rule, method.source) for method in methods],
        columns=["method", "rule", "source"],
    )


def by_trials(table: pd.DataFrame, value: str, decimals: int = 1) -> pd.DataFrame:
    """One row for each method and one column for each number of trials, with intervals.

    Parameters
    ----------
    table : DataFrame
        method, trials, and the columns ``value``, ``value_low`` and ``value_high``.

    Returns
    -------
    DataFrame
        method, and "K = 1" … with texts such as "43.1 [41.0, 45.2]".

    Examples
    --------
    >>> row = {"method": "a", "trials": 5, "found": 43.1, "found_low": 41, "found_high": 45.2}
    >>> by_trials(pd.DataFrame([row]), "found").loc[0, "K = 5"]
    '43.1 [41.0, 45.2]'
    """
    columns = [value, f"{value}_low", f"{value}_high"]
    texts = [_with_interval(*row, decimals) for row in table[columns].to_numpy(dtype=float)]
    wide = table.assign(text=texts).pivot(index="method", columns="trials", values="text")
    wide = wide.loc[list(dict.fromkeys(table["method"]))]
    wide.columns = [f"K = {number:g}" for number in wide.columns]
    return wide.reset_index()


def _with_interval(value: float, low: float, high: float, decimals: int) -> str:
    if np.isnan(value):
        return "–"
    return f"{value:.{decimals}f} [{low:.{decimals}f}, {high:.{decimals}f}]"


def what_the_worlds_say(table: pd.DataFrame, size: float) -> list[str]:
    """Sentences on misses and alarms, computed from the table of `worlds.misses_and_alarms`."""
    most, few = table["trials"].max(), sorted(table["trials"].unique())[1]
    last = table[table["trials"] == most].set_index("method")
    paper = last.loc[PAPER]
    said = [
        f"With {most} trials, {PAPER} finds {paper['found']:.1f} % of the planted changes of "
        f"{100 * size:g} points and calls {paper['alarm']:.2f} % of the unchanged items; of its "
        f"calls {paper['wrong']:.1f} % are wrong.",
        _soonest(table),
    ]
    early = table[(table["trials"] == few) & (table["alarm"] <= FEW_ALARMS)]
    best = early.sort_values("found", ascending=False, kind="stable").iloc[:1]
    said += [
        f"With {few} trials, of the methods that call at most {FEW_ALARMS:g} % of the unchanged "
        f"items, {row.method} finds most: {row.found:.1f} %."
        for row in best.itertuples()
    ]
    fallen = [name for name, found in table.groupby("method", sort=False) if _falls(found)]
    said += [f"More trials make these find fewer: {_list(fallen)}."] if fallen else []
    invents = last.index[last["wrong"] > 20]
    said += [
        f"With {most} trials, more than one call in five is wrong for {_list(invents)}."
        if len(invents)
        else f"With {most} trials, no method is wrong in more than one call in five."
    ]
    calm = last.index[last["any_high"] <= 5]
    loud = last.index[last["any_low"] >= 95]
    return said + [
        f"Where nothing changed, {most} trials: some item is called in at least 95 % of the cells "
        f"by {_list(loud)}; in at most 5 % by {_list(calm)}."
    ]


def _soonest(table: pd.DataFrame) -> str:
    """The fewest trials of each method at which it finds half, few alarms or not."""
    reached = table[table["found"] >= HALF].groupby("method", sort=False)["trials"].min()
    groups = [
        f"{number:g} ({_list(reached.index[reached == number])})"
        for number in sorted(reached.unique())
    ]
    never = [name for name in dict.fromkeys(table["method"]) if name not in reached.index]
    said = f"Half of them are found from this many trials on: {'; '.join(groups)}"
    return said + (f"; never: {_list(never)}." if never else ".")


def _falls(found: pd.DataFrame) -> bool:
    """Whether the method finds fewer with the most trials than with the fewest, beyond chance."""
    ordered = found.sort_values("trials")
    return bool(ordered["found_high"].iloc[-1] < ordered["found_low"].iloc[0])


def what_the_cells_say(table: pd.DataFrame) -> list[str]:
    """Sentences on methods of cells, computed from the table of `worlds.cells_called_worse`."""
    last = table[table["trials"] == table["trials"].max()]
    said = []
    for world, part in last.groupby("world", sort=False):
        shares = [f"{row.method} {row.worse:.1f} %" for row in part.itertuples()]
        said.append(f"Cells called worse, {world}: {', '.join(shares)}.")
    return said


def what_the_archive_says(name: str, found: pd.DataFrame, alarms: pd.DataFrame) -> list[str]:
    """Sentences on one archive, from the tables of `items.found_again` and `false_alarms`."""
    numbers = sorted(found["trials"].unique())
    most, changes = numbers[-1], int(found["changes"].iloc[0])
    said = [f"{name}: {changes} changes at {most:g} trials by {PAPER}."]
    if not changes:
        return said
    for number in numbers[:-1]:
        here = found[found["trials"] == number].set_index("method")
        wrong = alarms[alarms["trials"] == number].set_index("method")["alarm"]
        kept = here.loc[wrong.index[wrong <= FEW_ALARMS], "found"]
        if kept.max() > 0:
            said.append(
                f"With {number:g} trials {PAPER} finds {here.loc[PAPER, 'found']:.0f} % of them; "
                f"most, with at most {FEW_ALARMS:g} % false alarms, finds {kept.idxmax()}: "
                f"{kept.max():.0f} %."
            )
    return said


def _list(names) -> str:
    names = list(names)
    if not names:
        return "none"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
