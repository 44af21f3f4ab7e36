"""Samples of items: drawn by a seed, frozen as a list of ids before anything is collected."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from reliable_change.errors import CollectError


def draw_items(items: pd.DataFrame, size: int | None, seed: int) -> pd.DataFrame:
    """Draw items of one benchmark at random, without replacement; None keeps all.

    The draw depends on the seed and on the set of ids, not on the order of rows. The items
    drawn are sorted by id.

    Raises
    ------
    CollectError
        If there are fewer than `size` items, or `size` is below 1.

    Examples
    --------
    >>> items = pd.DataFrame({"item_id": ["b", "a", "c"]})
    >>> draw_items(items, 3, seed=1)["item_id"].tolist()
    ['a', 'b', 'c']
    """
    items = items.sort_values("item_id", ignore_index=True)
    if size is None:
        return items
    if not 1 <= size <= len(items):
        raise CollectError(f"a sample of {size} items cannot be drawn from {len(items)}")
    places = np.random.default_rng(seed).choice(len(items), size, replace=False)
    return items.iloc[np.sort(places)].reset_index(drop=True)


def freeze(items: pd.DataFrame, path: Path, provenance: Mapping[str, object]) -> Path:
    """Write the ids of a sample, with where it came from, as JSON that people can read.

    Raises
    ------
    CollectError
        If the file exists with other ids: what was fixed before collection stays fixed.
    """
    content = {"provenance": dict(provenance), "item_ids": items["item_id"].tolist()}
    if path.exists():
        if read_ids(path) != content["item_ids"]:
            raise CollectError(f"{path}: holds another sample; delete it to draw anew")
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.part")
    beside.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return beside.replace(path)


def read_ids(path: Path) -> list[str]:
    """The ids of a frozen sample."""
    try:
        ids = json.loads(path.read_text(encoding="utf-8"))["item_ids"]
        if isinstance(ids, list) and all(isinstance(one, str) for one in ids):
            return ids
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise CollectError(f"{path}: is no list of item ids; it has to be JSON with 'item_ids'")


def frozen_items(items: pd.DataFrame, path: Path) -> pd.DataFrame:
    """The items of a frozen sample, in its order.

    Raises
    ------
    CollectError
        If the list names an item that is not there; the data set may have another revision.
    """
    ids = read_ids(path)
    missing = sorted(set(ids) - set(items["item_id"]))
    if missing:
        raise CollectError(
            f"{path}: {len(missing)} of {len(ids)} items are not in the data set (first: "
            f"{missing[0]!r}); load the revision that the list was drawn from"
        )
    return items.set_index("item_id").loc[ids].reset_index()[list(items.columns)]
