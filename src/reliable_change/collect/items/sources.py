"""Where a plan's items come from: files of one's own, an archive, a public benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from reliable_change.archive.files import check_schema, read_table
from reliable_change.archive.read import read_archive
from reliable_change.archive.schema import ITEMS_FILE
from reliable_change.collect.items.load import load_benchmark
from reliable_change.collect.items.own import OwnItems, read_own_items
from reliable_change.collect.items.sample import draw_items, freeze, frozen_items
from reliable_change.collect.plan_words import taken
from reliable_change.errors import ArchiveError, CollectError


def read_items(sources: str | dict | Sequence[str | dict], folder: Path) -> OwnItems:
    """Read items from one source or several, one after another.

    Parameters
    ----------
    sources : path or table, or a list of them
        A path names a ``.jsonl`` or ``.csv`` file (see `own`), an archive's folder or its
        ``items.parquet``. A table names a public ``benchmark`` and, if wanted, a local ``file``
        of it, its ``revision``, the size of a ``sample`` with its ``seed``, and a file ``ids``
        in which the sample's ids are frozen: it is written if it is not there, and obeyed if
        it is.
    folder : what paths are relative to.

    Raises
    ------
    CollectError
        If a source cannot be read.
    """
    listed = sources if isinstance(sources, list | tuple) else [sources]
    read = [
        _benchmark(one, folder) if isinstance(one, dict) else _file(one, folder) for one in listed
    ]
    notices = tuple(notice for one in read for notice in one.notices)
    return OwnItems(pd.concat([one.items for one in read], ignore_index=True), notices)


def _file(name: str, folder: Path) -> OwnItems:
    path = folder / Path(name).expanduser()
    try:
        if path.is_dir():
            return OwnItems(read_archive(path, verify=False).items.astype(object), ())
        if path.name == ITEMS_FILE and path.is_file():
            check_schema(path)
            return OwnItems(read_table(path).to_pandas().astype(object), ())
    except ArchiveError as error:
        raise CollectError(f"items '{name}': {error}") from None
    return read_own_items(path)


def _benchmark(table: dict, folder: Path) -> OwnItems:
    source = taken(table, "items")
    if "benchmark" not in source:
        raise CollectError("items: 'benchmark' is missing; name the one to load")
    file = folder / source["file"] if "file" in source else None
    loaded = load_benchmark(source["benchmark"], path=file, revision=source.get("revision"))
    left_out = loaded.provenance.get("left_out") or {}
    notices = tuple(
        f"{source['benchmark']}: {count} rows are left out: {reason}"
        for reason, count in left_out.items()
    )
    ids = folder / source["ids"] if "ids" in source else None
    if ids is not None and ids.exists():
        return OwnItems(frozen_items(loaded.items, ids), notices)
    items = draw_items(loaded.items, source.get("sample"), source.get("seed", 0))
    if ids is not None:
        freeze(items, ids, {**loaded.provenance, "seed": source.get("seed", 0)})
    return OwnItems(items, notices)
