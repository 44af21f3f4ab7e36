"""Table A.2: which candidate benchmarks leave the models room to move (§3.3, Appendix A)."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd

from reliable_change.analysis.cells import Values, as_text_values
from reliable_change.archive.read import Archive
from reliable_change.archive.schema import CATEGORIES

LOW, HIGH = Fraction(1, 10), Fraction(9, 10)
LEAST_SHARE = Fraction(35, 100)


def estimable_items(counts: pd.DataFrame) -> pd.DataFrame:
    """Mark each item on which at least one model's observed accuracy lies in [0.1, 0.9].

    The bounds are compared exactly with counts, so that 1 of 10 and 9 of 10 are inside.

    Returns
    -------
    DataFrame
        benchmark, item_id, estimable (bool).
    """
    k, n = counts["correct"], counts["n"]
    inside = (n > 0) & (k * LOW.denominator >= n * LOW.numerator)
    inside &= k * HIGH.denominator <= n * HIGH.numerator
    keys = [counts["benchmark"].astype(object), counts["item_id"].astype(object)]
    return inside.groupby(keys).any().rename("estimable").reset_index()


def table(archive: Archive, counts: pd.DataFrame) -> pd.DataFrame:
    """Table A.2: estimable items of each candidate and the outcome of the selection rule.

    In each slot the candidate with the highest share is selected, provided that the share is
    at least 35 % and its screening is complete; of equal shares the first in the manifest's
    order is taken. An archive whose manifest names no slots is one slot.

    Returns
    -------
    DataFrame
        slot, candidate, estimable ("13/30"), share (percent), outcome (``Selected``,
        ``Not selected`` or ``Incomplete``), ordered by slot, then by the manifest.
    """
    items = estimable_items(counts)
    groups = items.groupby("benchmark")["estimable"]
    marked, total = groups.sum(), groups.size()
    incomplete = set(archive.missing["benchmark"])
    slots = dict(archive.manifest.slots or {})
    rows = [
        {
            "slot": slots.get(name, "all"),
            "candidate": name,
            "estimable": f"{marked[name]}/{total[name]}",
            "share": 100.0 * marked[name] / total[name],
            "eligible": name not in incomplete
            and Fraction(int(marked[name]), int(total[name])) >= LEAST_SHARE,
        }
        for name in archive.manifest.benchmarks
        if name in total.index
    ]
    found = pd.DataFrame(rows)
    order = list(dict.fromkeys(found["slot"]))
    found = found.sort_values("slot", key=lambda slot: slot.map(order.index), kind="stable")
    best = found[found["eligible"]].groupby("slot")["share"].idxmax()
    found["outcome"] = "Not selected"
    found.loc[found["candidate"].isin(incomplete), "outcome"] = "Incomplete"
    found.loc[best, "outcome"] = "Selected"
    return found.drop(columns="eligible").reset_index(drop=True)


def text_values(archive: Archive, counts: pd.DataFrame, screened: pd.DataFrame) -> Values:
    """Sizes of the screening, counted; where candidates differ, the commonest size."""
    items = counts.groupby("benchmark", observed=True)["item_id"].nunique()
    trials = counts[[*CATEGORIES, "unscored"]].sum(axis=1)
    found = {
        "candidates": len(screened),
        "models": len(archive.manifest.models),
        "items per candidate": int(items.mode().iloc[0]),
        "trials per item": int(trials.mode().iloc[0]),
    }
    return as_text_values({f"screening: {name}": value for name, value in found.items()})
