"""Trials one by one: pairs of source and target, the first right and wrong ones, scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from reliable_change.archive.keys import TRIAL_BITS
from reliable_change.archive.manifest import edge_id
from reliable_change.archive.read import Archive
from reliable_change.archive.schema import KEY, SCORES_FILE
from reliable_change.archive.validate import API_ERROR, category_codes


@dataclass(frozen=True)
class Trials:
    """Scored trials of whole items in key order; `cell` numbers pairs (item, model)."""

    cell: np.ndarray
    trial: np.ndarray
    correct: np.ndarray

    def __getitem__(self, chosen) -> Trials:
        return Trials(self.cell[chosen], self.trial[chosen], self.correct[chosen])

    def __add__(self, other: Trials) -> Trials:
        pairs = ((self.cell, other.cell), (self.trial, other.trial), (self.correct, other.correct))
        return Trials(*map(np.concatenate, pairs))


def whole_items(archive: Archive) -> Iterator[Trials]:
    """Stream the scored trials (no API errors), never parting those of one item.

    Memory is in proportion to a batch and an item.
    """
    empty = np.empty(0, np.int64)
    kept, first_row, models = Trials(empty, empty, empty == 0), 0, len(archive.manifest.models)
    for batch in archive.score_batches([*KEY, "category"]):
        cell = archive.cells.of(batch, first_row, SCORES_FILE)
        code = category_codes(batch.column("category"), first_row, SCORES_FILE)
        first_row += len(cell)
        found = Trials(cell, batch.column("trial").to_numpy(), code == 0)
        kept = kept + found[(code >= 0) & (code != API_ERROR)]
        if len(kept.cell):
            cut = np.searchsorted(kept.cell, kept.cell[-1] // models * models)
            yield kept[:cut]
            kept = kept[cut:]
    yield kept


def trial_pairs(archive: Archive) -> pd.DataFrame:
    """Pairs of trials: trial t of the source with trial t of the target, where both are scored.

    Returns
    -------
    DataFrame
        edge, benchmark, item_id, pairs, b (right, then wrong), c (wrong, then right): one row
        for every edge and item, in the manifest's order of edges and benchmarks.
    """
    models, edges = archive.cells.models, archive.manifest.edges
    counts = {edge: np.zeros((archive.cells.n_items, 3), np.int64) for edge in edges}
    for trials in whole_items(archive):
        item, model = np.divmod(trials.cell, len(models))
        key = (item << TRIAL_BITS) | trials.trial
        for source, target in edges:
            here, there = (np.flatnonzero(model == models.index(m)) for m in (source, target))
            _, i, j = np.intersect1d(key[here], key[there], assume_unique=True, return_indices=True)
            before, after = trials.correct[here[i]], trials.correct[there[j]]
            for column, chosen in enumerate((..., before & ~after, ~before & after)):
                add_at(counts[source, target][:, column], item[here[i]][chosen])
    items = archive.items[["benchmark", "item_id"]].astype(object)
    rank = {benchmark: place for place, benchmark in enumerate(archive.manifest.benchmarks)}
    order = items["benchmark"].map(rank).argsort(kind="stable")
    names = ["pairs", "b", "c"]
    frames = [
        items.assign(edge=edge_id(edge), **dict(zip(names, counts[edge].T, strict=True)))
        for edge in edges
    ]
    found = pd.concat([frame.iloc[order] for frame in frames], ignore_index=True)
    return found[["edge", "benchmark", "item_id", *names]]


def first_trials(archive: Archive) -> pd.DataFrame:
    """The first right and the first wrong scored trial of every item and model.

    Returns
    -------
    DataFrame
        benchmark, item_id, model, right, wrong: trial numbers, −1 where there is none.
    """
    found = {name: np.full(len(archive.cells), -1, np.int64) for name in ("right", "wrong")}
    for trials in whole_items(archive):
        for name, chosen in (("right", trials.correct), ("wrong", ~trials.correct)):
            cells, first = np.unique(trials.cell[chosen], return_index=True)
            found[name][cells] = trials.trial[chosen][first]
    return archive.cells.frame().assign(**found)


def mean_scores(archive: Archive) -> pd.DataFrame:
    """Mean of the numeric scores of each item and model, where an archive has any.

    Returns
    -------
    DataFrame
        benchmark, item_id, model, score; NaN where no scored trial has a number.
    """
    total, n = np.zeros(len(archive.cells)), np.zeros(len(archive.cells))
    first_row = 0
    for batch in archive.score_batches([*KEY, "category", "score"]):
        cell = archive.cells.of(batch, first_row, SCORES_FILE)
        code = category_codes(batch.column("category"), first_row, SCORES_FILE)
        first_row += len(cell)
        score = batch.column("score").to_numpy(zero_copy_only=False).astype(float)
        chosen = (code >= 0) & (code != API_ERROR) & np.isfinite(score)
        add_at(n, cell[chosen])
        add_at(total, cell[chosen], score[chosen])
    with np.errstate(invalid="ignore"):
        return archive.cells.frame().assign(score=total / n)


def add_at(counts: np.ndarray, at: np.ndarray, weights: np.ndarray | None = None) -> None:
    """Add one, or a weight, to counts[at]; quick because a batch spans few cells."""
    if at.size:
        low, high = at.min(), at.max() + 1
        counts[low:high] += np.bincount(at - low, weights, minlength=high - low).astype(
            counts.dtype, copy=False
        )
