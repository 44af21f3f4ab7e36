"""Whether replies to a plan's items can be scored: asked before any reply is paid for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from reliable_change.errors import CollectError
from reliable_change.scoring.inputs import choose_factories, few, items_of, look_at
from reliable_change.scoring.tasks import SCORERS, no_scorer
from reliable_change.scoring.texts import close_scorers, make_scorers
from reliable_change.scoring.verdict import Item


def scoring_notices(table: pd.DataFrame) -> tuple[str, ...]:
    """Check every item with its task's scorer, and return what to know of those that pass.

    A task without a scorer here passes, since a scorer of one's own may be given later, and so
    does an item that only lacks data on this machine; each is a sentence, for all such items.

    Parameters
    ----------
    table : items with the archive's columns.

    Raises
    ------
    CollectError
        Naming the first three items that their scorers refuse for good, and how many there are.

    Examples
    --------
    >>> row = {"benchmark": "quiz", "item_id": "7", "task": "math", "prompt": "2 + 2?"}
    >>> scoring_notices(pd.DataFrame([row | {"reference": "4", "extra": None}]))
    ()
    """
    try:
        items = items_of(table)
    except ValueError as error:
        raise CollectError(f"items: a value of 'extra' is no JSON ({error}); mend it") from None
    scorers = make_scorers(choose_factories(items, {}))
    try:
        found = look_at(items, scorers)
    finally:
        close_scorers(scorers)
    if found.refused:
        raise CollectError(
            f"items: {len(found.refused)} of {len(items)} could never be scored: "
            f"{few(found.refused.values())}; mend them, or take them out of the plan"
        )
    unknown = {item: f"has {no_scorer(item.task, SCORERS)}" for item in found.unknown}
    lacking = {
        item: f"cannot be scored here as it is: {why}" for item, why in found.not_here.items()
    }
    own = ": mend the task, or give a scorer of your own when you score (score_archive)"
    return (*(f"{line}{own}" for line in _grouped(unknown)), *_grouped(lacking))


def _grouped(said: Mapping[Item, str]) -> Iterator[str]:
    """One sentence for all items of which the same is said, naming the first."""
    groups: dict[str, list[Item]] = {}
    for item, what in said.items():
        groups.setdefault(what, []).append(item)
    for what, (first, *others) in groups.items():
        more = f" (and {len(others)} more)" if others else ""
        yield f"item {first.item_id!r} of {first.benchmark!r}{more} {what}"
