"""Results of the comparison as a reader takes them: tables side by side, and sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from reliable_change.analysis.methods.worlds import KINDS
from reliable_change.stats.cell_methods import CellMethod
from reliable_change.stats.methods import PAPER, Method

FEW_ALARMS = 1.0  # % of the unchanged items
HALF, MOSTLY = 50.0, 80.0


def rules(methods: Sequence[Method] | Sequence[CellMethod]) -> pd.DataFrame:
    """What each method calls changed, in words: method, rule, source."""
    return pd.DataFrame(
        [(method.name, method.rule, method.source) for method in methods],
        columns=["method", "rule", "source"],
    )


def side_by_side(
    table: pd.DataFrame,
    value: str,
    decimals: int = 1,
    across: str = "trials",
    head: str = "K = {:g}",
    down: Sequence[str] = ("method",),
) -> pd.DataFrame:
    """One row for each method and one column for each number of trials, with intervals.

    Parameters
    ----------
    table : DataFrame
        The columns `down`, the column `across`, and ``value``, ``value_low`` and ``value_high``.
    head : str
        How a column is headed.
    down : sequence of str
        The columns that tell the rows apart.

    Returns
    -------
    DataFrame
        `down`, and "K = 1" … with texts such as "43.1 [41.0, 45.2]".

    Examples
    --------
    >>> row = {"method": "a", "trials": 5, "found": 43.1, "found_low": 41, "found_high": 45.2}
    >>> side_by_side(pd.DataFrame([row]), "found").loc[0, "K = 5"]
    '43.1 [41.0, 45.2]'
    """
    down = list(down)
    texts = table.assign(text=with_intervals(table, value, decimals))
    wide = texts.pivot(index=down, columns=across, values="text")
    wide.columns = [head.format(number) for number in wide.columns]
    return table[down].drop_duplicates().merge(wide.reset_index(), on=down)


def when_nothing_changed(shuffled: pd.DataFrame, halved: pd.DataFrame) -> pd.DataFrame:
    """Both ways to have no change, side by side: the most trials of each.

    Parameters
    ----------
    shuffled, halved : DataFrame
        From `items.false_alarms` (or `found_and_alarms`) and `items.halves_alarms`.

    Returns
    -------
    DataFrame
        method; for either way the % of items called and the % of cells with any call, as texts.
    """
    last = shuffled[shuffled["trials"] == shuffled["trials"].max()]
    columns = {"method": last["method"].to_list()}
    for way, table in (("shuffled", last), ("halves", halved)):
        columns[f"{way}: items"] = with_intervals(table, "alarm", 2)
        columns[f"{way}: cells"] = with_intervals(table, "any", 1)
    return pd.DataFrame(columns)


def with_intervals(table: pd.DataFrame, value: str, decimals: int) -> list[str]:
    """Each value with its bounds as a text; an undefined one is –."""
    columns = [value, f"{value}_low", f"{value}_high"]
    return [_with_interval(*row, decimals) for row in table[columns].to_numpy(dtype=float)]


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


def what_the_cells_say(table: pd.DataFrame, methods: Sequence[CellMethod]) -> list[str]:
    """Sentences on methods of cells, computed from the table of `worlds.cells_called_worse`.

    Parameters
    ----------
    methods : sequence of CellMethod
        Those of the table, the one that speaks of single items last.
    """
    most = table["trials"].max()
    worse = table[table["trials"] == most].set_index(["world", "method"])["worse"]
    nothing, balanced, losses, tossed = KINDS
    tests = [method.name for method in methods if not np.isnan(method.nominal)]
    first, items = methods[0].name, methods[-1].name
    lost = table[(table["world"] == losses) & (table["worse"] >= MOSTLY)]
    soonest = lost.groupby("method", sort=False)["trials"].min()
    by_coin = [f"{worse[tossed, name]:.0f} % by {name}" for name in tests]
    reached = [f"{name} from {number:g}" for name, number in soonest.items() if name != first]
    return [
        f"With {most:g} trials, {first} calls {worse[nothing, first]:.0f} % of the unchanged cells "
        f"worse, the tests at most {worse[nothing][tests].max():.1f} %.",
        f"Where gains make up for losses, the tests call at most "
        f"{worse[balanced][tests].max():.1f} % of the cells worse, rightly: the average is the "
        f"same. Some item is reliably worse ({items}) in {worse[balanced, items]:.0f} % of them.",
        f"Where a coin decides for each change whether it is a gain or a loss, other items of the "
        f"kind would show no change on average, and these show one only by luck: "
        f"{_list(by_coin).replace(' %', ' % of the cells are called worse', 1)}. What is true of "
        f"these items need not be of the benchmark.",
        f"Where nothing makes up for the losses, {MOSTLY:g} % of the cells are called worse by "
        f"{_list(reached)} trials on.",
    ]


def what_the_archive_says(name: str, table: pd.DataFrame, alarms: pd.DataFrame) -> list[str]:
    """Sentences on one archive, from `items.found_and_alarms` and `cells.cell_alarms`.

    The last is on tests of cells that overstep their promise: the whole interval of their alarms
    lies above it.
    """
    numbers = sorted(table["trials"].unique())
    most, changes = numbers[-1], int(table["changes"].iloc[0])
    said = [f"{name}: {changes} changes at K = {most:g} by {PAPER}."]
    if not changes:
        return [*said, _overstepping(name, alarms)]
    for number in numbers[:-1]:
        here = table[table["trials"] == number].set_index("method")
        kept = here.loc[here["alarm"] <= FEW_ALARMS, "found"]
        if kept.max() > 0:
            said.append(
                f"With {number:g} trials {PAPER} finds {here.loc[PAPER, 'found']:.0f} % of them. "
                f"Of the methods with at most {FEW_ALARMS:g} % false alarms, {kept.idxmax()} finds "
                f"most: {kept.max():.0f} %."
            )
    return [*said, _overstepping(name, alarms)]


def _overstepping(name: str, alarms: pd.DataFrame) -> str:
    over = alarms[alarms["alarm_low"] > alarms["nominal"]]
    listed = [
        f"{row.method} ({row.alarm:.1f} % [{row.alarm_low:.1f}, {row.alarm_high:.1f}], "
        f"at most {row.nominal:g} % promised)"
        for row in over.itertuples()
    ]
    if not listed:
        return f"{name}, labels shuffled: no test calls more cells worse than it promises."
    return f"{name}, labels shuffled: more cells than promised are called worse by {_list(listed)}."


def _list(names) -> str:
    names = list(names)
    if not names:
        return "none"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
