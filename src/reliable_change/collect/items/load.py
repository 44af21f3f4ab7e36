"""Load a public benchmark from its home or from a local file, with revision and checksum."""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

from reliable_change.archive.schema import ITEMS
from reliable_change.collect.items.benchmarks import Benchmark, find_benchmark
from reliable_change.collect.items.prompts import PROMPT_VERSION
from reliable_change.collect.items.rows import LeftOut
from reliable_change.errors import CollectError

TOKEN = "HF_TOKEN"
"""The environment variable from which the hub's own library takes a token for gated data."""


@dataclass(frozen=True)
class Loaded:
    """Items in the archive's schema, in the order of their source, and where they came from."""

    items: pd.DataFrame
    provenance: Mapping[str, object]


def load_benchmark(
    name: str, *, path: str | Path | None = None, revision: str | None = None
) -> Loaded:
    """Load all items of a benchmark's pool.

    Parameters
    ----------
    name : str
        One of `benchmarks.BENCHMARKS`.
    path : str or Path, optional
        A file in the data set's own layout (.jsonl, .json, .csv or .parquet); by default the
        benchmark is fetched from its home, with the extra ``benchmarks``.
    revision : str, optional
        Commit or tag at the home. Name one, so that others load the same rows.

    Returns
    -------
    Loaded
        The provenance holds home, revision, a sha256 over all rows (of the file where there is
        one), the number of rows, of items, and of rows left out by reason.

    Raises
    ------
    CollectError
        An unknown or unavailable benchmark, a missing library or token, a file that cannot be
        read, or a row in another layout; the message names row and column.
    """
    benchmark = find_benchmark(name)
    if path is None:
        rows: Iterable[Mapping] = _fetch(benchmark, revision)
        source = {"home": benchmark.home, "config": benchmark.config, "split": benchmark.split}
        source["revision"] = revision
    else:
        rows = list(read_rows(Path(path)))
        source = {"file": Path(path).name, "revision": revision}
        source["sha256"] = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    return _loaded(benchmark, rows, source)


def read_rows(path: Path) -> Iterator[dict]:
    """Rows of a local file, values as they are stored: no text becomes a number or missing."""
    try:
        if path.suffix == ".parquet":
            for batch in pq.ParquetFile(path).iter_batches():
                yield from batch.to_pylist()
        elif path.suffix == ".csv":
            with path.open(encoding="utf-8-sig", newline="") as file:
                yield from csv.DictReader(file)
        elif path.suffix == ".json":
            yield from json.loads(path.read_text(encoding="utf-8"))
        elif path.suffix == ".jsonl":
            with path.open(encoding="utf-8", newline="\n") as file:
                yield from (json.loads(line) for line in file if line.strip())
        else:
            raise CollectError(f"{path}: give a .jsonl, .json, .csv or .parquet file")
    except FileNotFoundError:
        raise CollectError(f"{path}: no such file") from None
    except (ValueError, OSError, RecursionError) as error:
        raise CollectError(f"{path}: cannot be read: {' '.join(str(error).split())}") from None


def _fetch(benchmark: Benchmark, revision: str | None) -> Iterable[Mapping]:
    try:
        from datasets import load_dataset
    except ImportError:
        raise CollectError(
            f"fetching {benchmark.name} needs the extra 'benchmarks': pip install -e "
            "'.[benchmarks]'; or give a local file"
        ) from None
    try:
        return load_dataset(
            benchmark.home, benchmark.config, split=benchmark.split, revision=revision
        )
    except Exception as error:  # the library raises its hub's, its transport's and its own errors
        cure = "check the network, or give a local file"
        if benchmark.gated:
            cure = (
                f"it is gated: accept its terms at its home, {benchmark.home}, and export your own "
                f"token as {TOKEN}; or give a local file"
            )
        kind = type(error).__name__
        raise CollectError(f"{benchmark.name} could not be fetched ({kind}): {cure}") from None


def _loaded(benchmark: Benchmark, rows: Iterable[Mapping], source: dict) -> Loaded:
    checksum = hashlib.sha256()
    found: list[dict] = []
    left_out: Counter[str] = Counter()
    total = 0
    for number, row in enumerate(rows):
        total += 1
        checksum.update(_canonical(row))
        try:
            if benchmark.keep is None or benchmark.keep(row):
                found.append(benchmark.item(row))
        except LeftOut as reason:
            left_out[str(reason)] += 1
        except (CollectError, ValueError, TypeError, AttributeError, KeyError) as error:
            raise CollectError(f"{benchmark.name}, row {number}: {error}") from None
    found, again = _once(benchmark.name, found)
    if again:
        left_out["the same problem again"] = again
    if not found:
        raise CollectError(f"{benchmark.name}: none of its {total} rows makes an item")
    source = {"sha256": checksum.hexdigest()} | source  # a file's own checksum is plainer
    provenance = {"benchmark": benchmark.name, "prompt_version": PROMPT_VERSION} | source
    provenance |= {"rows": total, "items": len(found), "left_out": dict(left_out)}
    if benchmark.size not in (None, len(found)):
        provenance["note"] = f"the paper states a pool of {benchmark.size} items"
    return Loaded(_frame(benchmark.name, found), provenance)


def _frame(name: str, found: list[dict]) -> pd.DataFrame:
    frame = pd.DataFrame(found, dtype=object).assign(benchmark=name)
    frame = frame.reindex(columns=ITEMS.names)
    frame["extra"] = [json.dumps(extra, ensure_ascii=True) for extra in frame["extra"]]
    return frame.where(frame.notna(), None)


def _once(name: str, found: list[dict]) -> tuple[list[dict], int]:
    """Each item once, and how many came again; two items of one id are an error."""
    first: dict[str, dict] = {}
    for item in found:
        if first.setdefault(item["item_id"], item)["prompt"] != item["prompt"]:
            raise CollectError(f"{name}: two items have the id {item['item_id']!r}")
    return list(first.values()), len(found) - len(first)


def _canonical(row: Mapping) -> bytes:
    return json.dumps(dict(row), sort_keys=True, default=str, ensure_ascii=True).encode() + b"\n"
