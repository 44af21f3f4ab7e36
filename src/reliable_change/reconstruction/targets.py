"""The printed tables as whole numbers for the solver to hit, benchmark by benchmark."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pandas as pd

from reliable_change.errors import ReliableChangeError
from reliable_change.paths import PUBLISHED
from reliable_change.published.numbers import format_number, parse
from reliable_change.published.tables import read_table
from reliable_change.stats.classification import CLASSES

ARROW = "\u2192"
EPSILON = Fraction("0.20")
FLIPS = ["incorrect_to_correct", "correct_to_incorrect"]
Edge = tuple[str, str]
Window = tuple[int, int]


@dataclass(frozen=True)
class CellTarget:
    """One edge on one benchmark: items per class (C.5, Table 1) and single-draw flips (B.3)."""

    improved: dict[Fraction, int]
    regressed: dict[Fraction, int]
    equivalent: int
    to_correct: int
    to_wrong: int

    @property
    def rejected(self) -> int:
        """Rejections of Benjamini–Hochberg: what changed at the smallest threshold."""
        smallest = min(self.improved)
        return self.improved[smallest] + self.regressed[smallest]

    def sizes(self, items: int) -> dict[str, int]:
        """Items in each class at the paper's threshold; inconclusive is what is left."""
        named = (self.improved[EPSILON], self.regressed[EPSILON], self.equivalent)
        return dict(zip(CLASSES, (*named, items - sum(named)), strict=True))


@dataclass(frozen=True)
class StratumTarget:
    """A stratum's size, and the sums of correct trials and of their changes that print as F.9."""

    level: str
    items: int
    correct: dict[str, Window]
    change: dict[Edge, Window]


@dataclass(frozen=True)
class BenchmarkTarget:
    """Everything printed about one benchmark that its items' correct counts decide."""

    name: str
    models: tuple[str, ...]
    edges: tuple[Edge, ...]
    items: int
    trials: int
    correct: dict[str, int]
    cells: dict[Edge, CellTarget]
    strata: dict[str, tuple[StratumTarget, ...]]

    def ends(self, edge: Edge) -> tuple[int, int]:
        """Positions of an edge's source and target among the models."""
        return self.models.index(edge[0]), self.models.index(edge[1])


def read_targets(folder: Path = PUBLISHED) -> tuple[BenchmarkTarget, ...]:
    """
    Turn the printed tables into targets, one per benchmark in the order they are printed.

    Parameters
    ----------
    folder : Path
        Where table_1, table_b3, table_c5, table_e8 and table_f9 lie as csv.

    Raises
    ------
    ReliableChangeError
        If a printed share is the share of no whole number of items or trials.
    """
    responses = read_table("table_e8", folder)
    return tuple(_benchmark(name, folder) for name in responses.benchmark.unique())


def flip_rates(folder: Path = PUBLISHED) -> dict[str, tuple[float, float]]:
    """Share of a class's item–edge pairs that flip to correct, and to wrong, in Table B.4."""
    table = read_table("table_b4", folder).set_index("class").astype(int)
    rates = table[FLIPS].div(table.total, axis=0)
    return {name: tuple(rates.loc[name]) for name in CLASSES}


def numerators(text: str, denominator: int, *, signed: bool = False) -> list[int]:
    """
    Find every whole number that prints as ``text`` when taken as a share of ``denominator``.

    Parameters
    ----------
    text : str
        What is printed to one decimal, in percent or percentage points.
    denominator : int
        What the number is a share of; positive.
    signed : bool
        Whether it is a change: these are printed with a sign, save an exact zero.

    Returns
    -------
    list of int
        In rising order, without a gap; empty if no whole number prints so.

    Examples
    --------
    >>> numerators("8.3", 300), numerators("8.4", 300), numerators("84.2", 800)
    ([25], [], [674])
    >>> numerators("−0.0", 6750, signed=True), numerators("0.0", 6750, signed=True)
    ([-3, -2, -1], [0])
    """
    step = Fraction(denominator, 100)
    centre, reach = Fraction(parse(text)) * step, step / 20
    candidates = range(math.floor(centre - reach), math.ceil(centre + reach) + 1)
    return [c for c in candidates if format_number(Fraction(c) / step, 1, sign=signed) == text]


def _benchmark(name: str, folder: Path) -> BenchmarkTarget:
    """Gather one benchmark's rows of every table."""
    one, b3, c5, e8, f9 = (
        table[table.benchmark == name]
        for table in (read_table(f"table_{t}", folder) for t in ("1", "b3", "c5", "e8", "f9"))
    )
    models = tuple(e8.model)
    edges = tuple(tuple(edge.split(ARROW)) for edge in one.edge)
    items = int(b3["items"].iloc[0])
    trials = int(e8.n.iloc[0]) // items
    return BenchmarkTarget(
        name=name,
        models=models,
        edges=edges,
        items=items,
        trials=trials,
        correct=dict(zip(models, e8.correct.astype(int), strict=True)),
        cells={edge: _cell(edge, items, one, b3, c5) for edge in edges},
        strata={
            column: tuple(_stratum(row, models, edges, trials) for _, row in rows.iterrows())
            for column, rows in f9.groupby("stratum", sort=False)
        },
    )


def _cell(
    edge: Edge, items: int, one: pd.DataFrame, b3: pd.DataFrame, c5: pd.DataFrame
) -> CellTarget:
    """Whole numbers behind one edge's rows."""
    key = ARROW.join(edge)
    one, b3, c5 = (table[table.edge == key] for table in (one, b3, c5))
    by_epsilon = {
        column: {
            Fraction(row.epsilon): _only(row[column], items, f"Table C.5, {key}, {column}")
            for _, row in c5.iterrows()
        }
        for column in ("improved", "regressed")
    }
    return CellTarget(
        **by_epsilon,
        equivalent=_only(one.equivalent.iloc[0], items, f"Table 1, {key}, equivalent"),
        to_correct=int(b3.incorrect_to_correct.iloc[0]),
        to_wrong=int(b3.correct_to_incorrect.iloc[0]),
    )


def _stratum(
    row: pd.Series, models: tuple[str, ...], edges: tuple[Edge, ...], trials: int
) -> StratumTarget:
    """Whole-number windows behind one row of Table F.9."""
    items = int(row["items"])
    where = f"Table F.9, {row.benchmark}, {row.level}"
    total = items * trials
    return StratumTarget(
        level=row.level,
        items=items,
        correct={m: _window(numerators(row[m], total), f"{where}, {m}") for m in models},
        change={
            e: _window(numerators(row[ARROW.join(e)], total, signed=True), f"{where}, {e}")
            for e in edges
        },
    )


def _only(text: str, total: int, where: str) -> int:
    """The one count behind a printed share."""
    found = numerators(text, total)
    if len(found) != 1:
        raise ReliableChangeError(
            f"{where}: {len(found)} counts of {total} print as {text}, there should be one; "
            "check the transcription in data/published"
        )
    return found[0]


def _window(found: list[int], where: str) -> Window:
    """First and last of the sums behind a printed number."""
    if not found:
        raise ReliableChangeError(
            f"{where}: no whole number of trials prints so; check the transcription"
        )
    return found[0], found[-1]
