"""The index over and over: where nothing changed, and from random subsets of the trials."""

from __future__ import annotations

import numpy as np
import pandas as pd

from reliable_change.analysis.cells import thin
from reliable_change.analysis.reliable_change_index import IndexedCell, index_cells, table
from reliable_change.archive.counts import item_counts
from reliable_change.archive.read import Archive
from reliable_change.errors import NotInArchive
from reliable_change.stats.index_null import (
    IndexNull,
    Rate,
    halved_index_null,
    permuted_index_null,
)
from reliable_change.stats.reliable_change_index import THRESHOLD


def null_rates(
    indexed: list[IndexedCell],
    *,
    population: str = "all",
    replications: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """How often the index fires in each cell where nothing changed.

    Each cell, and each null of it, has its own stream of `seed`.

    Returns
    -------
    DataFrame
        edge, benchmark, null ("labels permuted", "source halved" or "target halved"), rate, low,
        high (mean share of the analysable items beyond 1.96, and its 95 % Monte Carlo interval,
        percent), items (mean number of them), any (replications with at least one, percent),
        found (items beyond 1.96 in the data, for comparison; missing beside halves).
    """
    rows = []
    for number, (cell, found) in enumerate(indexed):
        beyond = int(np.sum(np.abs(found.index) > THRESHOLD))
        settings = {"population": population, "replications": replications}
        nulls = {
            "labels permuted": (permuted_index_null, cell.counts),
            "source halved": (halved_index_null, cell.counts[:2]),
            "target halved": (halved_index_null, cell.counts[2:]),
        }
        for place, (name, (simulate, counts)) in enumerate(nulls.items()):
            rng = np.random.default_rng([seed, number, place])
            null = simulate(*counts, **settings, rng=rng)
            rows.append(
                (cell.edge, cell.benchmark, name, *_rate(null), np.nan if place else beyond)
            )
    columns = ["edge", "benchmark", "null", "rate", "low", "high", "items", "any", "found"]
    return pd.DataFrame(rows, columns=columns).astype({"found": "Int64"})


def _rate(null: IndexNull) -> tuple[float, ...]:
    rate = Rate(*(100 * x for x in null.rate()))
    return (*rate, float(null.fired.mean()), 100 * float((null.fired > 0).mean()))


def fewer_trials(
    archive: Archive,
    indexed: list[IndexedCell],
    trials: int,
    *,
    draws: int = 20,
    population: str = "all",
    seed: int = 0,
    counts: pd.DataFrame | None = None,
) -> list[list[IndexedCell]]:
    """Index every cell from random subsets of its trials.

    Parameters
    ----------
    indexed : list of IndexedCell
        The cells with all their trials.
    trials : int
        Trials kept of each item and model, drawn without replacement.
    draws : int
        Number of subsets; each has its own stream of `seed`.

    Raises
    ------
    NotInArchive
        Where no item has more than `trials` trials, so that there is nothing to leave out.
    """
    counts = item_counts(archive) if counts is None else counts
    if max(np.max([cell.n_source, cell.n_target]) for cell, _ in indexed) <= trials:
        raise NotInArchive(f"no item has more than {trials} trials; there is nothing to leave out")
    subsets = (thin(counts, trials, np.random.default_rng([seed, draw])) for draw in range(draws))
    return [index_cells(archive, population=population, counts=subset) for subset in subsets]


def fewer_trials_table(
    subsets: list[list[IndexedCell]], *, population: str = "all", seed: int = 0
) -> pd.DataFrame:
    """The table of each cell averaged over subsets of the trials, with the rate of false alarms.

    Returns
    -------
    DataFrame
        edge, benchmark, r_source, r_target, s_diff, analysable, improved, deteriorated, churn
        (percent), median_change, breadth (percent): means over the subsets where defined;
        churn_low, churn_high, its range; null_rate (percent): mean over the subsets of the share
        that fires when labels are permuted, 50 times each.
    """
    key, columns = ["edge", "benchmark"], ["r_source", "r_target", "s_diff", "analysable"]
    columns += ["improved", "deteriorated", "churn", "median_change", "breadth"]
    groups = pd.concat(map(table, subsets)).groupby(key, sort=False)
    found = groups[columns].mean()
    found["churn_low"], found["churn_high"] = groups["churn"].min(), groups["churn"].max()
    rates = []
    for number, indexed in enumerate(subsets):
        for place, (cell, _) in enumerate(indexed):
            rng = np.random.default_rng([seed, number, place])
            null = permuted_index_null(
                *cell.counts, population=population, replications=50, rng=rng
            )
            rates.append((cell.edge, cell.benchmark, 100 * null.rate().mean))
    rates = pd.DataFrame(rates, columns=[*key, "null_rate"])
    return found.join(rates.groupby(key, sort=False).mean()).reset_index()
