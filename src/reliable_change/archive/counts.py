"""Counting trials: from rows to one line for each item and model."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from reliable_change.archive.read import Archive
from reliable_change.archive.schema import CATEGORIES, SCORES_FILE
from reliable_change.archive.validate import API_ERROR, category_codes

# What one trial can be: one of the six categories, or unscored.
OUTCOMES = (*CATEGORIES, "unscored")
COLUMNS = ("benchmark", "item_id", "model", "category", "correct_loose")


def item_counts(archive: Archive) -> pd.DataFrame:
    """Count each item's trials for each model.

    Returns one row for every (benchmark, item_id, model), in key order, also where there is no
    trial at all. Integer columns: n, the trials that count (scored and no API error); correct,
    those of them that are correct; n_loose and correct_loose, those of n that have a loose
    verdict, and those that pass it; then the trials in each category, and unscored.

    The scores are read once, in batches; memory is in proportion to items, not trials.

    Raises
    ------
    NotInArchive
        If the archive has no scores.
    ArchiveError
        If a row names something unknown or the file is damaged.

    Examples
    --------
    >>> import tempfile
    >>> from reliable_change.archive.read import read_archive
    >>> from reliable_change.archive.simulate import simulate_archive
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = simulate_archive(
    ...         f"{folder}/small", rng=np.random.default_rng(1), benchmarks={"quiz": 2},
    ...         models=["old", "new"], trials=50,
    ...     )
    ...     counts = item_counts(read_archive(path))
    >>> counts[["item_id", "model"]].agg(" ".join, axis=1).tolist()
    ['quiz-1 new', 'quiz-1 old', 'quiz-2 new', 'quiz-2 old']
    >>> (counts["n"] + counts["api_error"] + counts["unscored"]).tolist()
    [50, 50, 50, 50]
    """
    cells = archive.cells
    outcomes = np.zeros((len(cells), len(OUTCOMES)), np.int64)
    loose = np.zeros((len(cells), 2), np.int64)
    first_row = 0
    for batch in archive.score_batches(COLUMNS):
        cell = cells.of(batch, first_row, SCORES_FILE)
        code = category_codes(batch.column("category"), first_row, SCORES_FILE)
        _add(outcomes, cell, np.where(code < 0, len(CATEGORIES), code))
        verdict = batch.column("correct_loose")
        if verdict.null_count < len(verdict):
            judged = pc.is_valid(verdict).to_numpy(zero_copy_only=False)
            judged &= (code >= 0) & (code != API_ERROR)
            passed = pc.fill_null(verdict, False).to_numpy(zero_copy_only=False)
            _add(loose, cell[judged], passed[judged].astype(np.int64))
        first_row += len(cell)
    return _tidy(cells.frame(), outcomes, loose)


def _add(counts: np.ndarray, cell: np.ndarray, code: np.ndarray) -> None:
    """Add one to counts[cell, code] for each row; quick because a batch spans few cells."""
    if not cell.size:
        return
    low, high, width = cell.min(), cell.max() + 1, counts.shape[1]
    flat = np.bincount((cell - low) * width + code, minlength=(high - low) * width)
    counts[low:high] += flat.reshape(-1, width)


def _tidy(frame: pd.DataFrame, outcomes: np.ndarray, loose: np.ndarray) -> pd.DataFrame:
    left_out = [OUTCOMES.index("api_error"), OUTCOMES.index("unscored")]
    categories = dict(zip(OUTCOMES, outcomes.T, strict=True))
    return frame.assign(
        n=outcomes.sum(axis=1) - outcomes[:, left_out].sum(axis=1),
        correct=categories.pop("correct"),
        n_loose=loose.sum(axis=1),
        correct_loose=loose[:, 1],
        **categories,
    )
