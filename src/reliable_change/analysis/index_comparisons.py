"""The index held against single answers, and disciplines against their whole benchmark."""

from __future__ import annotations

import pandas as pd

from reliable_change.analysis.cells import iterate_cells
from reliable_change.analysis.reliable_change_index import KEY
from reliable_change.archive.read import Archive
from reliable_change.errors import NotInArchive
from reliable_change.stats.reliable_change_index import DETERIORATED, IMPROVED, UNCHANGED
from reliable_change.stats.single_shot import single_shot


def against_single_answers(
    archive: Archive, items: pd.DataFrame, answers: pd.DataFrame
) -> pd.DataFrame:
    """What one answer a side misses and falsely flags, the classes of the index being right.

    Parameters
    ----------
    items : DataFrame
        From `index_items`.
    answers : DataFrame
        benchmark, item_id, model, n and correct: from `single_draw.draw_trials`, or the counts
        of a run that asked each item once. Items without exactly one answer on both sides are
        left out.

    Returns
    -------
    DataFrame
        edge, benchmark and the fields of `SingleShot`, rates in percent; missed_mean and
        false_flag_mean, the rates (percent) over all answers that could have been drawn from
        the items' trials. A last row "all", "" holds all cells together.

    Raises
    ------
    NotInArchive
        No item has exactly one answer on both sides.
    """
    cells = iterate_cells(archive, answers)
    frames = [
        pd.DataFrame(
            {
                "edge": cell.edge,
                "benchmark": cell.benchmark,
                "item_id": cell.item_id,
                "flip": cell.k_target - cell.k_source,
            }
        )[(cell.n_source == 1) & (cell.n_target == 1)]
        for cell in cells
    ]
    both = items.merge(pd.concat(frames), on=KEY) if frames else items.head(0)
    if both.empty:
        raise NotInArchive("no item has exactly one such answer on both sides of an edge")
    groups = [(key, part) for key, part in both.groupby(KEY[:2], sort=False)]
    return pd.DataFrame([_single_row(*key, part) for key, part in [*groups, (("all", ""), both)]])


def _single_row(edge: str, benchmark: str, part: pd.DataFrame) -> dict:
    found = vars(single_shot(part["index_class"], part["flip"]))
    for name in ("missed_rate", "false_flag_rate", "flips_in_vain"):
        found = found | {name: 100 * found[name]}
    source, target = part["p_hat_source"], part["p_hat_target"]
    flips = 100 * (source * (1 - target) + target * (1 - source))
    changed = part["index_class"].isin([IMPROVED, DETERIORATED])
    return {
        "edge": edge,
        "benchmark": benchmark,
        **found,
        "missed_mean": 100 - flips[changed].mean(),
        "false_flag_mean": flips[part["index_class"] == UNCHANGED].mean(),
    }


def against_the_total(archive: Archive, items: pd.DataFrame) -> pd.DataFrame:
    """Disciplines that move the other way than their whole benchmark.

    Parameters
    ----------
    items : DataFrame
        edge, benchmark, item_id and difference (NaN where not testable), as `classify_items` or
        `index_items` gives them. One trial a side is enough.

    Returns
    -------
    DataFrame
        edge, benchmark, total (mean shift of its items, points), discipline, items (testable),
        delta (their mean shift, points), rises, falls (items with any shift up or down). Only
        disciplines whose delta has the other sign, in the order of the cells.

    Raises
    ------
    NotInArchive
        No item has a discipline.
    """
    labels = archive.items[["benchmark", "item_id", "discipline"]].dropna().astype(object)
    if labels.empty:
        raise NotInArchive(f"{archive.path.name} names no disciplines")
    tested = items.dropna(subset=["difference"])
    total = tested.groupby(KEY[:2], sort=False)["difference"].mean().rename("total").reset_index()
    groups = tested.merge(labels, on=KEY[1:]).groupby([*KEY[:2], "discipline"], sort=False)
    found = groups["difference"].agg(
        items="size",
        delta="mean",
        rises=lambda shifts: int((shifts > 0).sum()),
        falls=lambda shifts: int((shifts < 0).sum()),
    )
    found = total.merge(found.reset_index(), on=KEY[:2])
    found = found[found["total"] * found["delta"] < 0]
    found = found.assign(total=100 * found["total"], delta=100 * found["delta"])
    columns = [*KEY[:2], "total", "discipline", "items", "delta", "rises", "falls"]
    return found[columns].reset_index(drop=True)
