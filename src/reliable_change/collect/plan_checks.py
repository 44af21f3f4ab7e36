"""What must hold in a plan before anything is asked of anybody."""

from __future__ import annotations

import re

import pandas as pd

from reliable_change.archive.schema import ITEM_KEY, ITEMS_FILE
from reliable_change.archive.tables import sort_by_key, to_table
from reliable_change.errors import ArchiveError, CollectError

_NAME = re.compile(r"[\w.-]*\w", re.ASCII)
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def check_plan(plan) -> None:
    """Raise for the first thing that is wrong in a plan, its items left out."""
    for name in ("name", "description", "licence"):
        if not isinstance(getattr(plan, name), str) or not getattr(plan, name).strip():
            raise CollectError(f"plan: {name} is missing or empty; write a text")
    if not _NAME.fullmatch(plan.name):
        raise CollectError(f"plan: name {plan.name!r}: use letters, digits and the signs . _ -")
    if not plan.models or len(set(plan.models)) < len(plan.models):
        raise CollectError("plan: name at least one model in 'models', and each only once")
    for model in plan.models:
        if not isinstance(model, str) or not model.strip() or not model.isprintable():
            raise CollectError(f"plan: model {model!r} is no model's id")
    for name in ("trials", "concurrency", "seed"):
        value, least = getattr(plan, name), 0 if name == "seed" else 1
        if type(value) is not int or not least <= value < 2**31:
            raise CollectError(f"plan: {name} is {value!r}; give a whole number from {least}")
    if not plan.timeout > 0:
        raise CollectError(f"plan: timeout is {plan.timeout}; give seconds above zero")
    for edge in plan.edges:
        if len(edge) != 2 or edge[0] == edge[1] or not set(edge) <= set(plan.models):
            raise CollectError(f"plan: edge {list(edge)} is no pair of {', '.join(plan.models)}")
    if len(set(plan.edges)) < len(plan.edges):
        raise CollectError("plan: an edge stands twice in 'edges'; keep one of the two")
    if not _VARIABLE.fullmatch(plan.key_variable):
        # Not shown: it may be a key that was put here by mistake.
        raise CollectError(
            "plan: key_variable has to be the name of an environment variable, such as "
            "OPENAI_API_KEY, and never the key itself"
        )
    if plan.prices is not None:
        for model in plan.models:
            if model not in plan.prices.models:
                raise CollectError(f"prices: none for {model!r}; add it (0 if it costs nothing)")
    if plan.limits.cost is not None and plan.prices is None:
        raise CollectError("limits: a limit of cost needs a price table; add [prices]")


def checked_items(items: pd.DataFrame) -> pd.DataFrame:
    """Return items in the archive's columns and order, each with its key and a prompt."""
    try:
        # As objects: a column without any value is no column of numbers.
        table = sort_by_key(to_table(items.astype(object), ITEMS_FILE))
    except ArchiveError as error:
        raise CollectError(f"items: {error}") from None
    columns = {name: table[name].to_pylist() for name in (*ITEM_KEY, "prompt")}
    before = None
    for benchmark, item, prompt in zip(*columns.values(), strict=True):
        if not benchmark or not item:
            raise CollectError("items: one has no benchmark or no item_id; give every item both")
        if not prompt or not prompt.strip():
            raise CollectError(f"items: {item!r} of {benchmark!r} has no prompt; give it one")
        if before == (benchmark, item):
            raise CollectError(f"items: {item!r} of {benchmark!r} stands twice; keep one")
        before = benchmark, item
    if before is None:
        raise CollectError("items: there is none; give at least one")
    return table.to_pandas()
