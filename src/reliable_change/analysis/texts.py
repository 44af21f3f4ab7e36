"""What the texts look like behind the scores: an example of each category, strict against loose."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from reliable_change.archive.read import Archive
from reliable_change.archive.schema import KEY, RESPONSES_FILE, SCORES_FILE
from reliable_change.errors import NotInArchive
from reliable_change.scoring.compare import changed_verdicts

SHOWN = 160  # characters of a text; more would not be read in a table


def first_with_texts(*archives: Archive | None) -> Archive:
    """The first archive that holds a response text; the first of all where none does."""
    there = [archive for archive in archives if archive is not None]
    return next((archive for archive in there if has_texts(archive)), there[0])


def has_texts(archive: Archive) -> bool:
    """Whether any response of the archive has its text."""
    if RESPONSES_FILE not in archive.manifest.files:
        return False
    batches = archive.response_batches(["response_text"])
    return any(batch.num_rows > batch.column(0).null_count for batch in batches)


def examples(archive: Archive) -> pd.DataFrame:
    """The first response of each benchmark and category, in key order.

    Returns
    -------
    DataFrame
        benchmark, category, item_id, model, trial, extracted, text (its beginning, in one line).

    Raises
    ------
    NotInArchive
        When the archive has no response texts.
    """
    found = _first(
        archive, lambda scores: scores["category"].notna(), "category", "with a category"
    )
    return found[["benchmark", "category", "item_id", "model", "trial", "extracted", "text"]]


def loose_only(archive: Archive) -> pd.DataFrame:
    """For each benchmark and model, the first response that passes only loosely.

    Columns as `examples`; NotInArchive as there, and when no response passes only loosely.
    """
    found = _first(
        archive,
        lambda scores: scores["correct_loose"] & ~scores["correct"],
        "model",
        "that passes only loosely",
    )
    return found[["benchmark", "model", "item_id", "trial", "category", "text"]]


def other_scores(archive: Archive) -> pd.DataFrame:
    """How far each further file of scores agrees with the archive's own.

    Returns
    -------
    DataFrame
        scores (the file's label), benchmark, model, before, after (categories), trials: a row
        for each kind of change; a file that changes no verdict has one row that says so.

    Raises
    ------
    NotInArchive
        When the archive has only one file of scores.
    """
    prefix = SCORES_FILE.removesuffix(".parquet") + "-"
    labels = [
        name.removeprefix(prefix).removesuffix(".parquet")
        for name in archive.manifest.files
        if name.startswith(prefix)
    ]
    if not labels:
        raise NotInArchive(f"{archive.path.name} has no second file of scores to compare with")
    frames = []
    for label in labels:
        found = changed_verdicts(archive, None, label)
        counts = found.counts.rename(
            columns={"category_before": "before", "category_after": "after"}
        )
        same = {"before": "the same verdict", "trials": found.compared - len(found.trials)}
        frames.append(pd.concat([pd.DataFrame([same]), counts]).assign(scores=label))
    columns = ["scores", "benchmark", "model", "before", "after", "trials"]
    return pd.concat(frames, ignore_index=True)[columns]


def _first(archive: Archive, chosen: Callable, by: str, which: str) -> pd.DataFrame:
    """The first chosen trial of each benchmark and `by`, with the beginning of its text."""
    columns = [*KEY, "category", "correct", "correct_loose", "extracted"]
    found = pd.DataFrame(columns=columns)
    for batch in archive.score_batches(columns):
        scores = batch.to_pandas().astype(dict.fromkeys(KEY[:3], object))
        scores["category"] = scores["category"].astype(object)
        scores["extracted"] = scores["extracted"].astype(object)
        for name in ("correct", "correct_loose"):
            scores[name] = scores[name].astype("boolean").fillna(False).astype(bool)
        parts = [found, scores[chosen(scores)]] if len(found) else [scores[chosen(scores)]]
        found = pd.concat(parts).drop_duplicates(["benchmark", by])
    if found.empty:
        raise NotInArchive(f"{archive.path.name} has no response {which}")
    texts = _texts(archive, found)
    if not texts:
        raise NotInArchive(f"{archive.path.name} has no response texts to show here")
    keys = found[list(KEY)].itertuples(index=False, name=None)
    found = found.assign(text=[texts.get(tuple(key)) for key in keys])
    return found.dropna(subset=["text"]).sort_values(["benchmark", by]).reset_index(drop=True)


def _texts(archive: Archive, wanted: pd.DataFrame) -> dict[tuple, str]:
    keys = pd.MultiIndex.from_frame(wanted[list(KEY)])
    found: dict[tuple, str] = {}
    for batch in archive.response_batches([*KEY, "response_text"]):
        frame = batch.to_pandas().astype(dict.fromkeys(KEY[:3], object))
        here = frame[pd.MultiIndex.from_frame(frame[list(KEY)]).isin(keys)]
        for *key, text in here.itertuples(index=False, name=None):
            if isinstance(text, str):
                short = " ".join(text[: 4 * SHOWN].split())
                found[tuple(key)] = short[:SHOWN] + ("…" if len(short) > SHOWN else "")
    return found
