"""What drop a set of items can show, and what is lost with items that do not flip (004)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from reliable_change.analysis.paired_tests import GAINED, LOST
from reliable_change.archive.manifest import edge_id
from reliable_change.archive.read import Archive
from reliable_change.errors import NotInArchive
from reliable_change.stats.classification import NOT_TESTABLE
from reliable_change.stats.paired import majority_flips
from reliable_change.stats.power import exact_power, power, required_items

DROPS = (0.5, 1.0, 2.0, 5.0)


def power_table(
    cells: pd.DataFrame, drops: Sequence[float] = DROPS, *, alpha: float = 0.05
) -> pd.DataFrame:
    """How large a drop each edge's items could show, at the share of flips that was observed.

    Parameters
    ----------
    cells : DataFrame
        From `table`.
    drops : sequence of float
        In points; those above the share of flips cannot be, and are left out.

    Returns
    -------
    DataFrame
        edge, items, flips (percent of items, over all benchmarks), drop (points), power (of the
        exact test with these items), asymptotic (power, by 004's formula), needed (items for a
        power of 80 %). Edges without a flip have no row.
    """
    rows = []
    for edge, items, flips in _edges(cells):
        for drop in (drop for drop in drops if drop / 100 <= flips):
            values = (drop / 100, flips, items)
            found = exact_power(*values, alpha), float(power(*values, alpha))
            needed = int(required_items(drop / 100, flips, alpha))
            rows.append((edge, items, 100 * flips, drop, *found, needed))
    columns = ["edge", "items", "flips", "drop", "power", "asymptotic", "needed"]
    return pd.DataFrame(rows, columns=columns)


def power_curve(
    cells: pd.DataFrame, drops: Sequence[float] = DROPS, *, alpha: float = 0.05
) -> pd.DataFrame:
    """Power by number of items, for each edge's observed share of flips.

    Returns
    -------
    DataFrame
        edge, flips (percent), observed (the items that there are), drop (points), items, power
        (exact), asymptotic.

    Raises
    ------
    NotInArchive
        When no verdict changes on any edge, or none of the drops can be.
    """
    frames = []
    for edge, observed, flips in _edges(cells):
        items = np.unique(np.geomspace(50, 50_000, 40).astype(int))
        for drop in (drop for drop in drops if drop / 100 <= flips):
            frame = {
                "edge": edge,
                "flips": 100 * flips,
                "observed": observed,
                "drop": drop,
                "items": items,
                "power": [exact_power(drop / 100, flips, int(n), alpha) for n in items],
                "asymptotic": power(drop / 100, flips, items, alpha),
            }
            frames.append(pd.DataFrame(frame))
    if not frames:
        raise NotInArchive("no verdict changes on any edge, so no share of flips to go by")
    return pd.concat(frames, ignore_index=True)


def _edges(cells: pd.DataFrame) -> Iterator[tuple[str, int, float]]:
    """Edge, items and share of flips over all its benchmarks, where anything flipped."""
    for edge, tasks in cells.groupby("edge", sort=False):
        changed, items = int((tasks["b"] + tasks["c"]).sum()), int(tasks["items"].sum())
        if changed:
            yield edge, items, changed / items


def trimming(archive: Archive, items: pd.DataFrame, halves: pd.DataFrame) -> pd.DataFrame:
    """What leaving out items that do not flip keeps of the signal (004, Recommendation 1).

    Parameters
    ----------
    items, halves : DataFrame
        From `paired_tests.verdicts` and `trial_pairs.halves`.

    Returns
    -------
    DataFrame
        edge, kept, items, b, c, drop, flips (percent of these items), snr ((b − c) / √(b + c); NaN
        where nothing changed). Over all benchmarks, for each edge: all items; only those
        whose verdict changes, which keeps the ratio exactly; and, where there are halves of two
        trials or more, the second halves of all items, and of only those items on which the
        source's first half disagrees with itself, which is a guess made beforehand.
    """
    rows = []
    halves = halves.astype({"benchmark": object, "item_id": object, "model": object})
    for source, target in archive.manifest.edges:
        edge = edge_id((source, target))
        flip = items.loc[(items["edge"] == edge) & (items["flip"] != NOT_TESTABLE), "flip"]
        b, c = int((flip == LOST).sum()), int((flip == GAINED).sum())
        rows += [(edge, "all", len(flip), b, c), (edge, "verdict changes", b + c, b, c)]
        sides = [halves[halves["model"] == model] for model in (source, target)]
        both = sides[0].merge(sides[1], on=["benchmark", "item_id"], suffixes=("", "_target"))
        both = both[(both["n_half"] > 1) & (both["n_half_target"] > 1)]
        if len(both):
            unsteady = both[both["k_first"].between(1, both["n_half"] - 1)]
            rows.append((edge, "all, second halves", *_second_halves(both)))
            rows.append((edge, "unsteady in the first half", *_second_halves(unsteady)))
    found = pd.DataFrame(rows, columns=["edge", "kept", "items", "b", "c"])
    changed, size = found["b"] + found["c"], found["items"].where(found["items"] > 0)
    return found.assign(
        drop=100 * (found["b"] - found["c"]) / size,
        flips=100 * changed / size,
        snr=(found["b"] - found["c"]) / np.sqrt(changed.where(changed > 0)),
    )


def _second_halves(both: pd.DataFrame) -> tuple[int, int, int]:
    columns = ["k_second", "n_half", "k_second_target", "n_half_target"]
    lost, gained = majority_flips(*(both[name].to_numpy() for name in columns))
    return len(both), int(lost.sum()), int(gained.sum())
