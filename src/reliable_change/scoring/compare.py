"""Which verdicts differ between two files of scores of one archive."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from reliable_change.archive.read import Archive
from reliable_change.archive.schema import KEY

UNSCORED = "unscored"
_READ = (*KEY, "category", "correct_loose", "extracted")


class ChangedVerdicts(NamedTuple):
    """What `changed_verdicts` found.

    counts : benchmark, model, category_before, category_after, trials, loose_changed (how many
        of these trials have another loose verdict); the most frequent change first within each
        benchmark and model, which come in key order.
    trials : one row for each trial with another verdict, in key order: the key, and category,
        correct_loose and extracted, each with _before and _after.
    compared : number of trials that both files score.
    only_before, only_after : number of trials that only one of them holds.
    """

    counts: pd.DataFrame
    trials: pd.DataFrame
    compared: int
    only_before: int
    only_after: int


def changed_verdicts(
    archive: Archive, scorer_a: str | None = None, scorer_b: str | None = None
) -> ChangedVerdicts:
    """Compare the scores of one file (before) with those of another (after), trial by trial.

    A verdict is the category and, where both give one, the loose verdict. A trial without a
    category has the category "unscored" here. Another extracted answer is no other verdict.

    Parameters
    ----------
    archive : Archive
    scorer_a, scorer_b : str, optional
        The label of a file ``scores-<label>.parquet``; None is the archive's own scores.parquet.

    Raises
    ------
    NotInArchive
        If there is no such file.
    """
    before, after = (_verdicts(archive, scorer) for scorer in (scorer_a, scorer_b))
    both = before.merge(after, on=list(KEY), suffixes=("_before", "_after"))
    other_loose = (both["correct_loose_before"] != both["correct_loose_after"]).fillna(False)
    other = (both["category_before"] != both["category_after"]) | other_loose
    trials = both.assign(loose_changed=other_loose.astype(bool))[other.astype(bool)]
    by = ["benchmark", "model", "category_before", "category_after"]
    counts = (
        trials.groupby(by, as_index=False)
        .agg(trials=("trial", "size"), loose_changed=("loose_changed", "sum"))
        .sort_values(
            ["benchmark", "model", "trials", *by[2:]], ascending=[True] * 2 + [False] + [True] * 2
        )
    )
    return ChangedVerdicts(
        counts.reset_index(drop=True),
        trials.drop(columns="loose_changed").reset_index(drop=True),
        len(both),
        len(before) - len(both),
        len(after) - len(both),
    )


def _verdicts(archive: Archive, scorer: str | None) -> pd.DataFrame:
    scores = archive.scores(_READ, scorer=scorer)
    return scores.assign(category=scores["category"].fillna(UNSCORED))
