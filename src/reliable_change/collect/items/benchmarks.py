"""The public benchmarks of Table A.2: where each lives, and how its rows become items."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from reliable_change.collect.items import rows
from reliable_change.errors import CollectError


@dataclass(frozen=True)
class Benchmark:
    """One public data set.

    Attributes
    ----------
    name : str
        As Table A.2 has it.
    home, config, split : str
        What `datasets.load_dataset` is asked for; config may be None.
    item : callable
        One row to one item; see `rows`.
    keep : callable, optional
        Which rows belong to the pool; all if None.
    size : int, optional
        Size of the pool that the paper states, to compare with.
    gated : bool
        Whether its home asks for a token of one's own.
    """

    name: str
    home: str
    split: str
    item: Callable[[Mapping[str, object]], dict]
    config: str | None = None
    keep: Callable[[Mapping[str, object]], bool] | None = None
    size: int | None = None
    gated: bool = False


HARD = 8.0
"""Least difficulty of Omni-MATH's hard pool: the levels in Table F.9 are 8.0 to 9.5."""

BENCHMARKS = {
    benchmark.name: benchmark
    for benchmark in (
        Benchmark("SuperGPQA", "m-a-p/SuperGPQA", "train", rows.supergpqa),
        Benchmark(
            "SuperGPQA hard",
            "m-a-p/SuperGPQA",
            "train",
            rows.supergpqa,
            keep=lambda row: row.get("difficulty") == "hard",
        ),
        Benchmark(
            "GPQA Diamond", "Idavidrein/gpqa", "train", rows.gpqa, "gpqa_diamond", gated=True
        ),
        Benchmark("MMLU-Pro", "TIGER-Lab/MMLU-Pro", "test", rows.mmlu_pro),
        Benchmark("Omni-MATH", "KbsdJames/Omni-MATH", "test", rows.omni_math),
        Benchmark(
            "Omni-MATH hard",
            "KbsdJames/Omni-MATH",
            "test",
            rows.omni_math,
            keep=lambda row: float(rows.text(row, "difficulty")) >= HARD,
            size=452,
        ),
        Benchmark("OlymMATH", "RUC-AIBOX/OlymMATH", "test", rows.olym_math, "en-hard"),
        Benchmark(
            "OlympiadBench text math",
            "Hothan/OlympiadBench",
            "train",
            rows.olympiad_bench,
            "OE_TO_maths_en_COMP",
        ),
        Benchmark("IFBench", "allenai/IFBench_test", "train", rows.instruction, size=300),
        Benchmark("IFEval", "google/IFEval", "train", rows.instruction),
        Benchmark("IFEval++", "RebeccaYU920/ifeval-pp", "train", rows.instruction),
    )
}

UNAVAILABLE = {
    "ComplexBench": "it has no data set in the hub's format, and its questions are judged by "
    "another model, which this project never asks; its authors publish a file at "
    "github.com/thu-coai/ComplexBench",
}


def find_benchmark(name: str) -> Benchmark:
    """The benchmark of a name.

    Raises
    ------
    CollectError
        An unknown name, or one that cannot be loaded, with the reason.

    Examples
    --------
    >>> find_benchmark("IFBench").home
    'allenai/IFBench_test'
    """
    if name in UNAVAILABLE:
        raise CollectError(f"benchmark {name!r} cannot be loaded: {UNAVAILABLE[name]}")
    if name not in BENCHMARKS:
        raise CollectError(f"no benchmark {name!r}; there are {', '.join(BENCHMARKS)}")
    return BENCHMARKS[name]
