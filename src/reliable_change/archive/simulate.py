"""Simulated archives: plainly synthetic trials with planted effects, for tests and timing."""

from __future__ import annotations

import dataclasses
import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from reliable_change.archive.schema import CATEGORIES
from reliable_change.archive.write import write_archive

LEVELS = ("easy", "middle", "hard")
# How a trial that is not correct fails; the rest is plainly wrong.
FAILURES = {"format_failure": 0.05, "refusal": 0.01, "truncation": 0.02, "api_error": 0.005}
CHUNK_ROWS = 2**19
NO_TEXT = -1


@dataclasses.dataclass(frozen=True)
class _Plan:
    """Everything drawn per item and model; a trial is one draw from it."""

    benchmark: np.ndarray  # code of each item's benchmark
    item_id: np.ndarray  # code of each item's id
    chance: np.ndarray  # chance of a correct trial, shape (items, models in key order)
    tokens: np.ndarray  # input tokens, same shape
    loose: np.ndarray  # whether the item's benchmark has loose verdicts


def simulate_archive(
    folder: str | os.PathLike,
    *,
    rng: np.random.Generator,
    benchmarks: Mapping[str, int],
    models: Sequence[str],
    trials: int,
    name: str | None = None,
    edges: Sequence[tuple[str, str]] | None = None,
    labels: Mapping[str, str] | None = None,
    short_labels: Mapping[str, str] | None = None,
    instruction: str | None = None,
    strata: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
    changed: float = 0.2,
    unscored: float = 0.0,
    responses: bool = True,
    texts: bool = False,
    replace: bool = False,
) -> Path:
    """Write a simulated archive whose manifest says that it is one.

    An item's chance of a correct trial is mostly near 0 or 1 and falls with difficulty. From
    one model to the next, a share of the items moves by up to 0.6 either way, the others stay
    as they are: planted effects and planted nulls.

    Parameters
    ----------
    folder : path
        Where the archive shall lie; its last part is the archive's name by default.
    rng : numpy.random.Generator
        The only source of chance: the same state gives the same archive.
    benchmarks : mapping of str to int
        Number of items of each benchmark, at least 1.
    models : sequence of str
        In release order.
    trials : int
        Trials of every item and model, at least 1.
    name, labels, short_labels
        As in a manifest.
    edges : sequence of (source, target)
        Every pair in release order by default.
    instruction : str
        The benchmark that has loose verdicts, the last one by default: a correct trial and half
        of the format failures pass loosely.
    strata : mapping
        As in a manifest, of columns difficulty and discipline; difficulty in three levels for
        every benchmark by default.
    changed : float
        Share of items that move from one model to the next, in [0, 1].
    unscored : float
        Share of trials that have no category, in [0, 1].
    responses : bool
        Whether to write responses, with tokens, next to scores.
    texts : bool
        Whether responses have a (short) text; else it is missing, as in a reconstruction.
    replace : bool
        As in `write_archive`.

    Returns
    -------
    Path
        The folder.

    Examples
    --------
    >>> import tempfile
    >>> from reliable_change.archive.read import read_archive
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = simulate_archive(
    ...         f"{folder}/small", rng=np.random.default_rng(1), benchmarks={"quiz": 3},
    ...         models=["old", "new"], trials=4,
    ...     )
    ...     len(read_archive(path).scores())
    24
    """
    if strata is None:
        strata = {benchmark: {"difficulty": LEVELS} for benchmark in benchmarks}
    manifest = {
        "name": name or Path(folder).name,
        "kind": "reconstruction",
        "description": "Simulated trials, drawn at random: they say nothing about any model.",
        "models": list(models),
        "edges": list(itertools.combinations(models, 2) if edges is None else edges),
        "benchmarks": list(benchmarks),
        "labels": dict(labels or {}),
        "short_labels": dict(short_labels or {}),
        "strata": strata,
        "trials_per_item": trials,
        "complete": True,
        "created_utc": "2026-01-01T00:00:00+00:00",
        "licence": "CC0-1.0",
    }
    items = _items(rng, benchmarks, strata)
    plan = _plan(rng, items, models, instruction or list(benchmarks)[-1], changed)
    names = {
        "benchmark": sorted(benchmarks),
        "item_id": items["item_id"].tolist(),
        "model": sorted(models),
    }
    # Two streams of their own, so that scores do not depend on whether responses are written.
    score_rng, response_rng = rng.spawn(2)
    return write_archive(
        folder,
        manifest,
        items,
        _responses(response_rng, plan, names, trials, texts) if responses else None,
        _scores(score_rng, plan, names, trials, unscored),
        replace=replace,
    )


def _items(
    rng: np.random.Generator, benchmarks: Mapping[str, int], strata: Mapping
) -> pd.DataFrame:
    """Draw items in key order."""
    frames = []
    for benchmark in sorted(benchmarks):
        n_items = benchmarks[benchmark]
        columns = {
            column: rng.choice(np.array(levels, object), n_items)
            for column, levels in strata.get(benchmark, {}).items()
        }
        ids = [f"{benchmark}-{number:0{len(str(n_items))}d}" for number in range(1, n_items + 1)]
        frames.append(
            pd.DataFrame({"benchmark": benchmark, "item_id": ids, "task": "simulated", **columns})
        )
    return pd.concat(frames, ignore_index=True)


def _plan(
    rng: np.random.Generator,
    items: pd.DataFrame,
    models: Sequence[str],
    instruction: str,
    changed: float,
) -> _Plan:
    n_items = len(items)
    first = rng.beta(0.35, 0.3, n_items)
    if "difficulty" in items:
        first = first ** items["difficulty"].map({"easy": 0.6, "hard": 1.6}).fillna(1.0).to_numpy()
    moves = rng.uniform(-0.6, 0.6, (len(models) - 1, n_items))
    moves *= rng.random(moves.shape) < changed
    chance = np.clip(np.vstack([first, first + np.cumsum(moves, axis=0)]), 0, 1).T
    tokens = rng.integers(100, 900, n_items)[:, None] + rng.integers(0, 5, (n_items, len(models)))
    in_key_order = np.argsort(models)
    return _Plan(
        benchmark=np.unique(items["benchmark"].to_numpy(str), return_inverse=True)[1],
        item_id=np.arange(n_items),
        chance=chance[:, in_key_order],
        tokens=tokens[:, in_key_order],
        loose=(items["benchmark"] == instruction).to_numpy(),
    )


def _chunks(plan: _Plan, names: dict, trials: int) -> Iterator[tuple[np.ndarray, np.ndarray, dict]]:
    """Yield item and model of each row, and the key columns, chunk after chunk in key order."""
    n_items, n_models = plan.chance.shape
    step = max(1, CHUNK_ROWS // (n_models * trials))
    for low in range(0, n_items, step):
        here = np.arange(low, min(low + step, n_items))
        item = np.repeat(here, n_models * trials)
        model = np.tile(np.repeat(np.arange(n_models), trials), len(here))
        yield (
            item,
            model,
            {
                "benchmark": _texts(plan.benchmark[item], names["benchmark"]),
                "item_id": _texts(plan.item_id[item], names["item_id"]),
                "model": _texts(model, names["model"]),
                "trial": pa.array(np.tile(np.arange(trials), len(here) * n_models)),
            },
        )


def _scores(
    rng: np.random.Generator, plan: _Plan, names: dict, trials: int, unscored: float
) -> Iterator[pa.Table]:
    shares = [1 - sum(FAILURES.values()), *FAILURES.values()]
    for item, model, key in _chunks(plan, names, trials):
        correct = rng.random(len(item)) < plan.chance[item, model]
        failure = 1 + np.searchsorted(np.cumsum(shares)[:-1], rng.random(len(item)), side="right")
        code = np.where(correct, 0, failure)
        half = rng.random(len(item)) < 0.5
        loose = correct | (code == CATEGORIES.index("format_failure")) & half
        silent = rng.random(len(item)) < unscored
        constant = np.zeros(len(item), np.int64)
        yield pa.table(
            {
                **key,
                "category": _texts(np.where(silent, NO_TEXT, code), CATEGORIES),
                "correct": pa.array(correct, mask=silent),
                "correct_loose": pa.array(loose, mask=silent | ~plan.loose[item]),
                "scorer": _texts(constant, ["simulated"]),
                "scorer_version": _texts(constant, ["1"]),
                "unscored_reason": _texts(np.where(silent, 0, NO_TEXT), ["simulated gap"]),
            }
        )


def _responses(
    rng: np.random.Generator, plan: _Plan, names: dict, trials: int, texts: bool
) -> Iterator[pa.Table]:
    for item, model, key in _chunks(plan, names, trials):
        output = 1 + rng.lognormal(5.5, 0.9, len(item)).astype(np.int64)
        columns = {
            "returned_model": _texts(model, names["model"]),
            "input_tokens": pa.array(plan.tokens[item, model]),
            "output_tokens": pa.array(output),
            "reasoning_tokens": pa.array(output // 2),
            "attempts": pa.array(np.ones(len(item), np.int64)),
        }
        if texts:
            words = [f"Simulated reply of {length} tokens." for length in range(1, 1000)]
            columns["response_text"] = _texts(np.minimum(output, 999) - 1, words)
        yield pa.table({**key, **columns})


def _texts(codes: np.ndarray, words: Sequence[str]) -> pa.DictionaryArray:
    """Return words by code; NO_TEXT is missing."""
    indices = pa.array(codes.astype(np.int32), mask=codes == NO_TEXT)
    return pa.DictionaryArray.from_arrays(indices, pa.array(list(words), pa.string()))
