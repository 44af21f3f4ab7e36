"""What the trials of a cell could show at all: how far an item must move to be called."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from reliable_change.archive.manifest import Manifest, edge_id
from reliable_change.stats.checks import distinct
from reliable_change.stats.classification import NOT_TESTABLE, exact_epsilon, meets_epsilon
from reliable_change.stats.fisher import fisher_exact, fisher_table
from reliable_change.stats.multiplicity import rank_needed

MOST_TRIALS = 500  # far more than one item among millions needs


def reach(
    items: pd.DataFrame, manifest: Manifest, *, epsilon: float = 0.20, alpha: float = 0.05
) -> pd.DataFrame:
    """Work out for each cell what its numbers of trials allow, whatever the replies were.

    Parameters
    ----------
    items : DataFrame
        From `classification.classify_items`, with the same `epsilon` and `alpha`.

    Returns
    -------
    DataFrame
        edge, benchmark (as labelled), items (testable), smallest_p (of all outcomes that the
        trials allow), together (how many items must have that p for any of them to be called; more
        than `items` where none ever is), alone (smallest shift in points at which an item is
        called though no other is; NaN where none is large enough), trials_needed (a side, for an
        item that goes from always to never correct to be called alone).
    """
    edges = {edge_id(edge): manifest.edge_label(edge) for edge in manifest.edges}
    tested = items[items["class"] != NOT_TESTABLE]
    rows = []
    for (edge, benchmark), cell in tested.groupby(["edge", "benchmark"], sort=False):
        m = len(cell)
        sides, _ = distinct([cell["n_source"].to_numpy(), cell["n_target"].to_numpy()])
        p, shift = _outcomes(sides, epsilon)
        smallest = p.min(initial=1.0)
        called = shift[rank_needed(p, m, alpha) <= 1]
        rows.append(
            {
                "edge": edges[edge],
                "benchmark": manifest.label(benchmark),
                "items": m,
                "smallest_p": smallest,
                "together": int(min(rank_needed(np.array([smallest]), m, alpha)[0], m + 1)),
                "alone": 100 * called.min() if called.size else np.nan,
                "trials_needed": trials_needed(m, alpha),
            }
        )
    columns = ["edge", "benchmark", "items", "smallest_p", "together", "alone", "trials_needed"]
    return pd.DataFrame(rows, columns=columns)


def trials_needed(m: int, alpha: float = 0.05) -> int:
    """Fewest trials a side at which one of `m` items can be called alone: from all to none.

    >>> trials_needed(1), trials_needed(100)
    (4, 8)
    """
    k = np.arange(1, MOST_TRIALS + 1)
    enough = rank_needed(fisher_exact(k, k, 0, k), m, alpha) <= 1
    return int(k[enough][0])


def what_they_could_show(table: pd.DataFrame) -> list[str]:
    """A warning where no item can be called by itself, from the table of `reach`; else nothing.

    >>> row = {"together": 2, "items": 8, "smallest_p": 0.0079, "trials_needed": 6}
    >>> what_they_could_show(pd.DataFrame([row]))[0][:56]
    'In 1 of 1 cells no item can be called by itself, however'
    """
    blind = table[table["together"] > 1]
    if blind.empty:
        return []
    never = int((blind["together"] > blind["items"]).sum())
    some = blind[blind["together"] <= blind["items"]]
    said = (
        f"In {len(blind)} of {len(table)} cells no item can be called by itself, however far it "
        f"moved: the smallest p that its trials allow is {_spread(blind['smallest_p'])}, and the "
        f"correction for the number of items asks for less."
    )
    if len(some):
        said += f" {_spread(some['together'])} items would have to change that far together."
    if never:
        said += f" In {never} of them not even all items together could be called."
    return [
        f"{said} One item by itself needs {_spread(blind['trials_needed'])} trials a side. Where "
        f"nothing is called there, the trials were too few to tell."
    ]


def _outcomes(sides: Iterable, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """p and absolute shift (fraction) of every outcome that meets epsilon."""
    exact, ps, shifts = exact_epsilon(epsilon), [np.empty(0)], [np.empty(0)]
    for n_s, n_t in sides:
        k_s, k_t = np.indices((n_s + 1, n_t + 1))
        far = meets_epsilon(k_s, n_s, k_t, n_t, exact)
        ps.append(fisher_table(int(n_s), int(n_t))[far])
        shifts.append(np.abs(k_t / n_t - k_s / n_s)[far])
    return np.concatenate(ps), np.concatenate(shifts)


def _spread(values: pd.Series) -> str:
    low, high = (f"{value:.2g}" for value in (values.min(), values.max()))
    return low if low == high else f"{low} to {high}"
