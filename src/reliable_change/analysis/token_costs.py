"""Tables D.6 and D.7: tokens per request and what a migration does to them (Appendix D)."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from reliable_change.archive.manifest import edge_id
from reliable_change.archive.read import Archive
from reliable_change.errors import NotInArchive

# A histogram of totals stays small whatever the number of trials; longer replies than this
# would not, and no API returns them.
MOST_TOKENS = 50_000_000


def token_histograms(archive: Archive) -> dict[tuple[str, str], dict[str, np.ndarray]]:
    """Count, for each benchmark and model, how many responses have each number of tokens.

    Returns
    -------
    dict
        (benchmark, model) → {"input", "output", "total"} → integer array whose index is the
        number of tokens. Responses without usage figures are left out.

    Raises
    ------
    NotInArchive
        When no response carries token counts.
    """
    found: dict[tuple[str, str], dict[str, np.ndarray]] = {}
    for batch in archive.response_batches(["benchmark", "model", "input_tokens", "output_tokens"]):
        batch = batch.filter(
            pc.and_(pc.is_valid(batch["input_tokens"]), pc.is_valid(batch["output_tokens"]))
        )
        frame = batch.to_pandas().astype({"input_tokens": "int64", "output_tokens": "int64"})
        for key, part in frame.groupby(["benchmark", "model"], observed=True, sort=False):
            _add(found.setdefault(key, {}), part, key)
    if not found:
        raise NotInArchive(f"{archive.path.name} has no token counts in responses.parquet")
    return found


def _add(histograms: dict[str, np.ndarray], part: pd.DataFrame, key: tuple[str, str]) -> None:
    columns = {"input": part["input_tokens"], "output": part["output_tokens"]}
    columns["total"] = columns["input"] + columns["output"]
    for name, values in columns.items():
        if values.min() < 0 or values.max() > MOST_TOKENS:
            raise NotInArchive(f"{key[0]}, {key[1]}: {name} tokens outside 0 to {MOST_TOKENS:,}")
        new, old = np.bincount(values), histograms.get(name, np.zeros(1, dtype=np.int64))
        size = max(len(new), len(old))
        histograms[name] = np.pad(old, (0, size - len(old))) + np.pad(new, (0, size - len(new)))


def mean(histogram: np.ndarray) -> float:
    """Mean of the values that a histogram counts.

    >>> mean(np.array([0, 1, 1]))
    1.5
    """
    return float(histogram @ np.arange(len(histogram)) / histogram.sum())


def percentile(histogram: np.ndarray, q: float) -> float:
    """The q-th percentile by linear interpolation between order statistics, as numpy's default.

    >>> percentile(np.array([0, 1, 1, 0, 1]), 50)
    2.0
    >>> percentile(np.array([0, 1, 1]), 50)
    1.5
    """
    up_to = np.cumsum(histogram)
    rank = (up_to[-1] - 1) * q / 100
    low = int(np.searchsorted(up_to, np.floor(rank), side="right"))
    high = int(np.searchsorted(up_to, np.ceil(rank), side="right"))
    return float(low + (high - low) * (rank - np.floor(rank)))


def table_by_model(archive: Archive, histograms: dict | None = None) -> pd.DataFrame:
    """Table D.6: mean input and output tokens; mean, median, P5 and P95 of their sum."""
    histograms = token_histograms(archive) if histograms is None else histograms
    rows = []
    for benchmark in archive.manifest.benchmarks:
        for model in archive.manifest.models:
            if (benchmark, model) not in histograms:
                continue
            found = histograms[benchmark, model]
            rows.append(
                {
                    "benchmark": benchmark,
                    "model": model,
                    "input_mean": mean(found["input"]),
                    "output_mean": mean(found["output"]),
                    "total_mean": mean(found["total"]),
                    "total_median": percentile(found["total"], 50),
                    "total_p5": percentile(found["total"], 5),
                    "total_p95": percentile(found["total"], 95),
                }
            )
    return pd.DataFrame(rows)


def table_by_edge(archive: Archive, by_model: pd.DataFrame) -> pd.DataFrame:
    """Table D.7: mean total tokens on both sides of each edge and their difference, unrounded."""
    total = by_model.set_index(["benchmark", "model"])["total_mean"]
    rows = []
    for edge in archive.manifest.edges:
        for benchmark in archive.manifest.benchmarks:
            if (benchmark, edge[0]) in total.index and (benchmark, edge[1]) in total.index:
                source, target = total[benchmark, edge[0]], total[benchmark, edge[1]]
                rows.append((edge_id(edge), benchmark, source, target, target - source))
    return pd.DataFrame(rows, columns=["edge", "benchmark", "source_mean", "target_mean", "change"])


def distribution(histograms: dict, points: int = 200) -> pd.DataFrame:
    """Evenly spaced percentiles of total tokens, for drawing a distribution of any size.

    Returns
    -------
    DataFrame
        benchmark, model, percentile (0 to 100), tokens.
    """
    levels = np.linspace(0, 100, points + 1)
    frames = [
        pd.DataFrame(
            {
                "benchmark": benchmark,
                "model": model,
                "percentile": levels,
                "tokens": [percentile(found["total"], q) for q in levels],
            }
        )
        for (benchmark, model), found in histograms.items()
    ]
    return pd.concat(frames, ignore_index=True)
