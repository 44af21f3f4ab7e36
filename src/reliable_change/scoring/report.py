"""What `make score` says at its end: how many verdicts of each kind, and which have changed."""

from __future__ import annotations

import itertools
from collections import Counter

import pandas as pd

from reliable_change.archive.read import Archive
from reliable_change.archive.schema import CATEGORIES
from reliable_change.scoring.compare import UNSCORED, ChangedVerdicts

SHOWN = 5


def describe_scores(archive: Archive, label: str | None = None) -> str:
    """Count the trials of each category by benchmark and model; name why some have no score.

    And what scorers noted of others, such as a comparison that was stopped.
    """
    counts: Counter[tuple[str, str, str]] = Counter()
    reasons: Counter[str] = Counter()
    notes: Counter[str] = Counter()
    columns = ["benchmark", "model", "category", "unscored_reason", "note"]
    for batch in archive.score_batches(columns, scorer=label):
        for benchmark, model, category, reason, note in zip(
            *(batch.column(name).to_pylist() for name in columns), strict=True
        ):
            counts[benchmark, model, category or UNSCORED] += 1
            if category is None:
                reasons[reason] += 1
            if note is not None:
                notes[note] += 1
    # In the manifest's order: models as they were released.
    names = itertools.product(archive.manifest.benchmarks, archive.manifest.models)
    scored = {key[:2] for key in counts}
    rows = [name for name in names if name in scored]
    kinds = [*CATEGORIES, *([UNSCORED] if reasons else [])]
    table = pd.DataFrame(
        [[*row, *(counts[(*row, kind)] for kind in kinds)] for row in rows],
        columns=["benchmark", "model", *kinds],
    )
    lines = [table.to_string(index=False)]
    lines += _most_frequent(reasons, "have no score", "reasons")
    lines += _most_frequent(notes, "have a note", "notes")
    return "\n".join(lines)


def _most_frequent(found: Counter[str], what: str, words: str) -> list[str]:
    if not found:
        return []
    lines = [f"{found.total()} trials {what}:"]
    lines += [f"  {count} × {text}" for text, count in found.most_common(SHOWN)]
    more = len(found) - SHOWN
    return [*lines, f"  and {more} other {words}"] if more > 0 else lines


def describe_changes(changes: ChangedVerdicts) -> str:
    """Show how many verdicts changed from what to what, and the first trials."""
    lines = [f"{len(changes.trials)} of {changes.compared} verdicts changed"]
    alone = {"before": changes.only_before, "after": changes.only_after}
    lines += [f"{count} trials have a score only {when}" for when, count in alone.items() if count]
    if len(changes.trials):
        first = changes.trials.head(SHOWN).drop(
            columns=["correct_loose_before", "correct_loose_after"]
        )
        shown = first.to_string(index=False, na_rep="–", formatters=_short_texts(first))
        lines += [changes.counts.to_string(index=False), "the first of them:", shown]
    return "\n".join(lines)


def _short_texts(frame: pd.DataFrame) -> dict:
    def shorten(text: object) -> str:
        if not isinstance(text, str):
            return "–"
        line = " ".join(text.split())
        return line if len(line) <= 40 else f"{line[:39]}…"

    return dict.fromkeys(("extracted_before", "extracted_after"), shorten)
