"""The replies that an archive has of a plan's items and models, to be counted and compared."""

from __future__ import annotations

from collections import Counter

import pandas as pd

from reliable_change.archive.read import Archive
from reliable_change.collect.plan import Plan

Pair = tuple[str, str, str]  # benchmark, item_id, model
CONTENT = ("response_text", "refusal", "finish_reason", "input_tokens", "output_tokens")
CONTENT += ("reasoning_tokens",)


def text_counts(archive: Archive, plan: Plan, trials: int | None = None) -> dict[Pair, int]:
    """How many replies with a text each item and model of a plan has: all, or up to `trials`."""
    frame = _rows(archive, plan, trials)
    found = Counter(zip(frame["benchmark"], frame["item_id"], frame["model"], strict=True))
    pairs = [(*item, model) for item in plan.prompts for model in plan.models]
    return {pair: found[pair] for pair in pairs}


def contents(archive: Archive, plan: Plan) -> dict[Pair, Counter]:
    """How often each item and model has which reply, in the first trials that have a text.

    As many as the plan asks for. A reply is its text, refusal, finish reason and token counts;
    the order of trials says nothing, so it is left aside.
    """
    found: dict[Pair, Counter] = {}
    for row in _rows(archive, plan, plan.trials).itertuples(index=False):
        content = tuple(None if pd.isna(v) else v for v in (getattr(row, c) for c in CONTENT))
        found.setdefault((row.benchmark, row.item_id, row.model), Counter())[content] += 1
    return found


def _rows(archive: Archive, plan: Plan, trials: int | None) -> pd.DataFrame:
    frame = archive.responses(["benchmark", "item_id", "model", "trial", *CONTENT])
    frame = frame[frame["response_text"].notna() & frame["model"].isin(plan.models)]
    frame = frame.merge(plan.items[["benchmark", "item_id"]], on=["benchmark", "item_id"])
    pairs = frame.groupby(["benchmark", "item_id", "model"], sort=False)
    return frame if trials is None else pairs.head(trials)
