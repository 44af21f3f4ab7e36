"""Table 1, Figure 1 and the null: each item's class on each edge (§4.1–4.2)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from reliable_change.analysis.cells import (
    Cell,
    Values,
    accuracy,
    as_text_values,
    design,
    iterate_cells,
)
from reliable_change.archive.read import Archive
from reliable_change.stats.classification import CLASSES, NOT_TESTABLE, classify
from reliable_change.stats.intervals import METHODS
from reliable_change.stats.null import PermutationNull, permutation_null

Null = dict[tuple[str, str], PermutationNull]


def classify_items(
    archive: Archive,
    *,
    epsilon: float = 0.20,
    alpha: float = 0.05,
    interval: str = "newcombe",
    counts: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Classify every item of every cell (§3.6).

    Returns
    -------
    DataFrame
        One row per edge, benchmark and item: edge, benchmark, item_id, k_source, n_source,
        k_target, n_target, p_hat_source, p_hat_target, difference, p_value, adjusted,
        rejected, low, high, class. Shares and differences are fractions; where a side has no
        scored trial they are NaN and the class is ``not testable``.
    """
    frames = [
        _classify_cell(cell, epsilon=epsilon, alpha=alpha, interval=interval)
        for cell in iterate_cells(archive, counts)
    ]
    return pd.concat(frames, ignore_index=True)


def _classify_cell(cell: Cell, **settings) -> pd.DataFrame:
    found = classify(*cell.counts, **settings)
    with np.errstate(invalid="ignore"):
        p_hat_source = cell.k_source / cell.n_source
        p_hat_target = cell.k_target / cell.n_target
    return pd.DataFrame(
        {
            "edge": cell.edge,
            "benchmark": cell.benchmark,
            "item_id": cell.item_id,
            "k_source": cell.k_source,
            "n_source": cell.n_source,
            "k_target": cell.k_target,
            "n_target": cell.n_target,
            "p_hat_source": p_hat_source,
            "p_hat_target": p_hat_target,
            "difference": found.difference,
            "p_value": found.p,
            "adjusted": found.adjusted,
            "rejected": found.rejected,
            "low": found.low,
            "high": found.high,
            "class": found.classes,
        }
    )


def class_counts(items: pd.DataFrame) -> pd.DataFrame:
    """Number of items of each class in each cell; every class has a column, zeros included."""
    columns = [*CLASSES, NOT_TESTABLE]
    counts = (
        items.groupby(["edge", "benchmark"], sort=False)["class"]
        .value_counts()
        .unstack(fill_value=0)
    )
    return counts.reindex(columns=columns, fill_value=0).astype(int).reset_index()


def changed_items(archive: Archive, items: pd.DataFrame) -> pd.DataFrame:
    """Every reliably changed item, the worst regression first: what to read before an upgrade.

    Returns
    -------
    DataFrame
        edge, benchmark, item_id, class, p_hat_source, p_hat_target, difference (fractions),
        adjusted (p value), prompt (its beginning; missing where the archive has none). Ordered
        by difference, then by edge, benchmark and item.
    """
    changed = items[items["class"].isin(["regressed", "improved"])]
    prompts = archive.items[["benchmark", "item_id", "prompt"]].astype(object)
    found = changed.merge(prompts, on=["benchmark", "item_id"], how="left")
    found["prompt"] = found["prompt"].str.slice(0, 80)
    order = ["difference", "edge", "benchmark", "item_id"]
    columns = ["edge", "benchmark", "item_id", "class", "p_hat_source", "p_hat_target"]
    return found.sort_values(order)[[*columns, "difference", "adjusted", "prompt"]].reset_index(
        drop=True
    )


def table(items: pd.DataFrame, null: Null) -> pd.DataFrame:
    """Table 1: aggregate change, class shares and the null's 95th percentile, in percent.

    Parameters
    ----------
    items : DataFrame
        From `classify_items`.
    null : dict
        From `simulate_null`.

    Returns
    -------
    DataFrame
        edge, benchmark, delta (percentage points), improved, regressed, changed, equivalent,
        inconclusive, null95, items (testable), not_testable. Shares are of testable items.
    """
    rows = []
    for (edge, benchmark), cell in items.groupby(["edge", "benchmark"], sort=False):
        tested = cell[cell["class"] != NOT_TESTABLE]
        share = {
            name: 100.0 * (tested["class"] == name).sum() / max(len(tested), 1) for name in CLASSES
        }
        rows.append(
            {
                "edge": edge,
                "benchmark": benchmark,
                "delta": 100.0 * tested["difference"].mean(),
                "improved": share["improved"],
                "regressed": share["regressed"],
                "changed": 100.0
                * tested["class"].isin(["improved", "regressed"]).sum()
                / max(len(tested), 1),
                "equivalent": share["equivalent"],
                "inconclusive": share["inconclusive"],
                "null95": null[edge, benchmark].percentile(95),
                "items": len(tested),
                "not_testable": len(cell) - len(tested),
            }
        )
    return pd.DataFrame(rows)


def simulate_null(
    archive: Archive,
    *,
    epsilon: float = 0.20,
    alpha: float = 0.05,
    replications: int = 1000,
    seed: int = 0,
    counts: pd.DataFrame | None = None,
) -> Null:
    """The label-permutation null of every cell (§4.2); each cell has its own stream of `seed`."""
    return {
        (cell.edge, cell.benchmark): permutation_null(
            *cell.counts,
            epsilon=epsilon,
            alpha=alpha,
            replications=replications,
            rng=np.random.default_rng([seed, number]),
        )
        for number, cell in enumerate(iterate_cells(archive, counts))
    }


def null_table(null: Null) -> pd.DataFrame:
    """How often the null alone yields a reliable change.

    Returns
    -------
    DataFrame
        edge, benchmark, items, replications, null95 (percent of items), any_reliable (number
        of replications with at least one reliable item), low, high (exact 95 % interval of
        their proportion, in percent).
    """
    rows = []
    for (edge, benchmark), cell in null.items():
        found = cell.any_reliable()
        rows.append(
            {
                "edge": edge,
                "benchmark": benchmark,
                "items": cell.n_items,
                "replications": cell.replications,
                "null95": cell.percentile(95),
                "any_reliable": found.count,
                "low": 100 * found.low,
                "high": 100 * found.high,
            }
        )
    return pd.DataFrame(rows)


def null_distribution(null: Null) -> pd.DataFrame:
    """Proportion of replications for each number of items called reliable.

    Returns
    -------
    DataFrame
        edge, benchmark, changed (number of items), proportion; up to the largest number seen.
    """
    frames = []
    for (edge, benchmark), cell in null.items():
        seen = np.asarray(cell.changed[: np.flatnonzero(cell.changed)[-1] + 1])
        frame = {"changed": np.arange(len(seen)), "proportion": seen / cell.replications}
        frames.append(pd.DataFrame({"edge": edge, "benchmark": benchmark, **frame}))
    return pd.concat(frames, ignore_index=True)


def interval_choice(
    archive: Archive,
    *,
    epsilon: float = 0.20,
    alpha: float = 0.05,
    counts: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Class counts of each cell under each interval the paper might have meant.

    Only equivalent and inconclusive can move: the other classes do not use the interval.

    Returns
    -------
    DataFrame
        interval, edge, benchmark, and a count for each class.
    """
    frames = []
    for method in METHODS:
        items = classify_items(
            archive, epsilon=epsilon, alpha=alpha, interval=method, counts=counts
        )
        frames.append(class_counts(items).assign(interval=method))
    chosen = pd.concat(frames, ignore_index=True)
    return chosen[["interval", "edge", "benchmark", *CLASSES, NOT_TESTABLE]]


def text_values(archive: Archive, counts: pd.DataFrame, table: pd.DataFrame, null: Null) -> Values:
    """Quantities that the paper's text states of the design, the accuracies and Table 1.

    Parameters
    ----------
    table, null
        From `table` and `simulate_null`.

    Returns
    -------
    dict
        ("text", name of the quantity, "value") → number, as the ledger takes it. A quantity
        that is not defined here (a largest gain where nothing gained) is None.
    """
    rose, fell = table[table["delta"] > 0], table[table["delta"] < 0]
    first = table["edge"] == table["edge"].iloc[0]
    both = (table["improved"] > 0) & (table["regressed"] > 0)
    found = {
        "models": len(archive.manifest.models),
        "edges": len(archive.manifest.edges),
        "benchmarks": len(archive.manifest.benchmarks),
        "cells": len(table),
        "cells with both directions": int(both.sum()),
        "cells with an aggregate gain": len(rose),
        "benchmarks with an aggregate gain on the first edge": int(
            (first & (table["delta"] > 0)).sum()
        ),
        "largest aggregate gain": rose["delta"].max(),
        "largest regressed share where the aggregate rose": rose["regressed"].max(),
        "smallest regressed share where the aggregate rose": rose["regressed"].min(),
        "largest improved share where the aggregate fell": fell["improved"].max(),
        "smallest changed share": table["changed"].min(),
        "largest changed share": table["changed"].max(),
        "largest 95th percentile of the null": table["null95"].max(),
        "replications with a spurious reliable change, in the worst cell": max(
            cell.any_reliable().count for cell in null.values()
        ),
    }
    for row in accuracy(counts).itertuples():
        found[f"accuracy, {row.benchmark}, {row.model}"] = row.accuracy
    return as_text_values(found | design(counts))
