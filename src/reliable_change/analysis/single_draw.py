"""Tables B.3 and B.4: what one trial per item and model can and cannot show (Appendix B)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from reliable_change.analysis.cells import Values, as_text_values, cross_table, iterate_cells
from reliable_change.archive.counts import item_counts
from reliable_change.archive.read import Archive
from reliable_change.stats.classification import CLASSES, NOT_TESTABLE, classify
from reliable_change.stats.draw import SINGLE_DRAW_SEED, draw_trial

KEY = ["benchmark", "item_id", "model"]
FLIPS = ("incorrect_to_correct", "correct_to_incorrect", "unchanged")


def draw_trials(
    archive: Archive, *, seed: int = SINGLE_DRAW_SEED, counts: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Draw one scored trial for each item and model.

    The choice is a keyed hash of (seed, benchmark, item, model): it depends on no library's
    random stream and on no row order. Scores are streamed, never held whole.

    Returns
    -------
    DataFrame
        benchmark, item_id, model, n (1, or 0 where no trial is scored) and correct (0 or 1), a
        row for each item and model; the columns that `iterate_cells` needs.
    """
    counts = item_counts(archive) if counts is None else counts
    scored = counts.loc[counts["n"] > 0, [*KEY, "n"]]
    keys = zip(*(scored[name].astype(object) for name in KEY), scored["n"], strict=True)
    wanted = {key[:3]: draw_trial(seed, *key[:3], int(key[3])) for key in keys}
    drawn = {}
    carried: tuple[tuple, int] | None = None
    for batch in archive.score_batches([*KEY, "trial", "category", "correct"]):
        frame = batch.to_pandas()
        category = frame["category"].astype(object)
        frame = frame[category.notna() & (category != "api_error")]
        carried = _collect(frame, wanted, drawn, carried)
    every = zip(*(counts[name].astype(object) for name in KEY), strict=True)
    rows = [(*key, int(key in drawn), drawn.get(key, 0)) for key in every]
    return pd.DataFrame(rows, columns=[*KEY, "n", "correct"])


def _collect(frame: pd.DataFrame, wanted: dict, drawn: dict, carried: tuple | None) -> tuple | None:
    """Add the wanted trials of one batch to `drawn`; a group may go on from the batch before."""
    if frame.empty:
        return carried
    columns = [frame[name].astype(object).to_numpy() for name in KEY]
    starts = np.flatnonzero(
        np.concatenate([[True], np.logical_or.reduce([c[1:] != c[:-1] for c in columns])])
    )
    correct = frame["correct"].to_numpy()
    key, seen = None, 0
    for start, stop in zip(starts, [*starts[1:], len(frame)], strict=True):
        key = tuple(column[start] for column in columns)
        before = carried[1] if carried and carried[0] == key else 0
        position = start + wanted[key] - before
        if start <= position < stop:
            drawn[key] = int(correct[position])
        seen = before + stop - start
    return key, seen


def flips(
    archive: Archive,
    items: pd.DataFrame,
    *,
    seed: int = SINGLE_DRAW_SEED,
    counts: pd.DataFrame | None = None,
    **settings,
) -> pd.DataFrame:
    """Each testable item's flip between the single draws, beside its class from all trials.

    Parameters
    ----------
    items : DataFrame
        From `classify_items`, with the same settings.
    **settings
        epsilon, alpha and interval, for the procedure applied to the single draws.

    Returns
    -------
    DataFrame
        edge, benchmark, item_id, class, flip (one of `FLIPS`), single_draw_class.
    """
    drawn = draw_trials(archive, seed=seed, counts=counts)
    frames = []
    for cell in iterate_cells(archive, drawn):
        change = np.sign(cell.k_target - cell.k_source)
        frames.append(
            pd.DataFrame(
                {
                    "edge": cell.edge,
                    "benchmark": cell.benchmark,
                    "item_id": cell.item_id,
                    "flip": np.select([change > 0, change < 0], FLIPS[:2], FLIPS[2]),
                    "single_draw_class": classify(*cell.counts, **settings).classes,
                }
            )
        )
    tested = items.loc[items["class"] != NOT_TESTABLE, ["edge", "benchmark", "item_id", "class"]]
    return tested.merge(
        pd.concat(frames), on=["edge", "benchmark", "item_id"], validate="one_to_one"
    )


def table_by_cell(flipped: pd.DataFrame) -> pd.DataFrame:
    """Table B.3: items, reliable changes from all trials and from single draws, and raw flips."""
    reliable = ["improved", "regressed"]
    marks = pd.DataFrame(
        {
            "edge": flipped["edge"],
            "benchmark": flipped["benchmark"],
            "items": 1,
            "reliable": flipped["class"].isin(reliable).astype(int),
            "single_draw_reliable": flipped["single_draw_class"].isin(reliable).astype(int),
            "incorrect_to_correct": (flipped["flip"] == FLIPS[0]).astype(int),
            "correct_to_incorrect": (flipped["flip"] == FLIPS[1]).astype(int),
        }
    )
    return marks.groupby(["edge", "benchmark"], sort=False).sum().reset_index()


def table_by_class(flipped: pd.DataFrame) -> pd.DataFrame:
    """Table B.4: flips cross-tabulated against the class, over all cells, with totals."""
    return cross_table(flipped["class"], flipped["flip"], CLASSES, FLIPS)


def text_values(flipped: pd.DataFrame) -> Values:
    """What the text counts over all cells: reliable changes, and item–edge pairs."""
    reliable = int(flipped["class"].isin(["improved", "regressed"]).sum())
    return as_text_values({"reliable changes": reliable, "item–edge pairs": len(flipped)})
