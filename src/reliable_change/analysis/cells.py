"""Cells: the items of one benchmark seen on both sides of one edge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from reliable_change.archive.counts import item_counts
from reliable_change.archive.manifest import edge_id
from reliable_change.archive.read import Archive
from reliable_change.archive.schema import CATEGORIES

Values = dict[tuple[str, str, str], object]


@dataclass(frozen=True)
class Cell:
    """One edge on one benchmark: correct counts of each item on both sides.

    Attributes
    ----------
    edge : str
        "source→target", both model ids.
    benchmark : str
    item_id : ndarray of str, shape (n_items,)
    k_source, n_source, k_target, n_target : ndarray of int, shape (n_items,)
        Correct and scored trials; n = 0 where a side has no scored trial.
    """

    edge: str
    benchmark: str
    item_id: np.ndarray
    k_source: np.ndarray
    n_source: np.ndarray
    k_target: np.ndarray
    n_target: np.ndarray

    @property
    def counts(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The four count arrays in the order that every function of `stats` takes them."""
        return self.k_source, self.n_source, self.k_target, self.n_target


def iterate_cells(archive: Archive, counts: pd.DataFrame | None = None) -> Iterator[Cell]:
    """Yield every cell, edges outermost, both in the manifest's order.

    An item that has no row for one of the two models is kept with n = 0 on that side, so that
    it is reported as not testable and never silently dropped. A benchmark without any trial
    on either side of an edge yields no cell.
    """
    counts = item_counts(archive) if counts is None else counts
    by_side = dict(tuple(counts.groupby(["benchmark", "model"], observed=True)))
    for edge in archive.manifest.edges:
        for benchmark in archive.manifest.benchmarks:
            sides = [by_side.get((benchmark, model)) for model in edge]
            if all(side is None for side in sides):
                continue
            yield _cell(edge_id(edge), benchmark, *sides)


def _cell(
    edge: str, benchmark: str, source: pd.DataFrame | None, target: pd.DataFrame | None
) -> Cell:
    columns = ["correct", "n"]
    source, target = (
        pd.DataFrame(columns=columns, dtype="int64")
        if side is None
        else side.set_index(side["item_id"].astype(object))[columns]
        for side in (source, target)
    )
    both = source.add_suffix("_source").join(target.add_suffix("_target"), how="outer").sort_index()
    both = both.fillna(0).astype("int64")
    return Cell(
        edge,
        benchmark,
        both.index.to_numpy(dtype=object),
        *(both[f"{c}_{s}"].to_numpy() for s in ("source", "target") for c in columns),
    )


def unscored_sides(counts: pd.DataFrame) -> list[tuple[str, str]]:
    """Benchmark and model of each side that has items and no scored trial at all.

    >>> columns = {"benchmark": ["b", "b"], "model": ["old", "new"], "n": [50, 0]}
    >>> unscored_sides(pd.DataFrame(columns))
    [('b', 'new')]
    """
    keys = [counts[name].astype(object) for name in ("benchmark", "model")]
    scored = counts["n"].groupby(keys, sort=False).sum()
    return scored.index[scored == 0].to_list()


def cross_table(
    rows: pd.Series, columns: pd.Series, levels: Sequence[str], others: Sequence[str]
) -> pd.DataFrame:
    """Cross-tabulate classes (`rows`, all `levels`) against something else, with totals.

    >>> cross_table(pd.Series(["a", "b"], name="class"), pd.Series(["x", "x"]), ["a", "b"], ["x"])
       class  x  total
    0      a  1      1
    1      b  1      1
    2  total  2      2
    """
    table = pd.crosstab(rows, columns).reindex(index=levels, columns=others, fill_value=0)
    table.loc["total"] = table.sum()
    table = table.assign(total=table.sum(axis=1))
    return table.rename_axis("class").rename_axis(None, axis=1).reset_index()


def thin(counts: pd.DataFrame, trials: int | None, rng: np.random.Generator) -> pd.DataFrame:
    """Keep at most `trials` of each item's scored trials; only n and correct are thinned.

    None keeps all.
    """
    if trials is None:
        return counts
    correct, n = thin_arrays(counts["correct"].to_numpy(), counts["n"].to_numpy(), trials, rng)
    return counts.assign(n=n, correct=correct)


def thin_arrays(
    k: np.ndarray, n: np.ndarray, trials: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Correct and scored trials among at most `trials`, drawn at random without replacement.

    Which trials stay does not matter, only how many of them are correct, and that number is
    hypergeometric.

    Raises
    ------
    ValueError
        If `trials` is not at least 1.
    """
    if trials < 1:
        raise ValueError(f"trials must be at least 1, not {trials}")
    kept = np.minimum(n, trials)
    return rng.hypergeometric(k, n - k, kept), kept


def accuracy(counts: pd.DataFrame, correct: str = "correct", n: str = "n") -> pd.DataFrame:
    """Mean over items of p̂, in percent, for each benchmark and model.

    Parameters
    ----------
    counts : DataFrame
        As `item_counts` gives it.
    correct, n : str
        The columns that hold correct and scored trials; ``correct_loose`` and ``n_loose``
        give the loose reading.

    Returns
    -------
    DataFrame
        benchmark, model, accuracy; items without a scored trial are left out, and a benchmark
        and model without any is absent.
    """
    scored = counts[counts[n] > 0]
    share = 100.0 * scored[correct] / scored[n]
    keys = [scored["benchmark"].astype(object), scored["model"].astype(object)]
    return share.groupby(keys).mean().rename("accuracy").reset_index()


def design(counts: pd.DataFrame) -> dict[str, int | None]:
    """Sizes of a study, counted: items, trials per item (None where they differ), responses."""
    trials = counts[[*CATEGORIES, "unscored"]].sum(axis=1)
    items = counts[["benchmark", "item_id"]].drop_duplicates()
    per_benchmark = items["benchmark"].astype(object).value_counts()
    return {
        "items": len(items),
        "trials per item": int(trials.iloc[0]) if trials.nunique() == 1 else None,
        "responses": int(trials.sum()),
    } | {f"items, {benchmark}": int(size) for benchmark, size in per_benchmark.items()}


def as_text_values(found: dict[str, object]) -> Values:
    """Quantities by name as the ledger takes them.

    >>> as_text_values({"cells": 9})
    {('text', 'cells', 'value'): 9}
    """
    return {("text", name, "value"): value for name, value in found.items()}
