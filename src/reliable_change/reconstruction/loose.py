"""The loose verdict: which incorrect trials pass once surface format is forgiven (§4.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np

from reliable_change.errors import ReliableChangeError
from reliable_change.paths import PUBLISHED
from reliable_change.published.claims import text_claims
from reliable_change.published.numbers import format_like
from reliable_change.reconstruction.targets import ARROW

Edge = tuple[str, str]


@dataclass(frozen=True)
class PrintedGap:
    """What §4.3 prints about the strict–loose gap of a benchmark, as text, in points.

    `gap` is R of each model, `change` is ΔR of each edge; `strict_fall` and `loose_fall` say by
    how much the target of `fall_edge` scores below its source under either reading.
    """

    benchmark: str
    gap: Mapping[str, str]
    change: Mapping[Edge, str]
    fall_edge: Edge
    strict_fall: str
    loose_fall: str


def read_gap(folder: Path = PUBLISHED) -> PrintedGap:
    """Read what §4.3 prints from the claims of the text.

    Parameters
    ----------
    folder : Path
        Where text_claims.csv lies.

    Raises
    ------
    ReliableChangeError
        A quantity is missing, or its rows name more than one benchmark.

    Examples
    --------
    >>> read_gap().gap["gpt-5.6-sol"], read_gap().loose_fall
    ('9.0', '0.04')
    """
    claims = text_claims(folder).query("section == '4.3'")
    found: dict[str, dict[str, str]] = {}
    for row, printed in zip(claims.row, claims.printed, strict=True):
        quantity, _, whose = row.partition(", ")
        found.setdefault(quantity, {})[whose] = printed
    try:
        falls = [found["strict decline"], found["loose decline"]]
        benchmarks, edges = zip(
            *(whose.split(", ") for fall in falls for whose in fall), strict=True
        )
        (benchmark,), (edge,) = set(benchmarks), set(edges)
        return PrintedGap(
            benchmark=benchmark,
            gap=_of(benchmark, found["gap"]),
            change={_edge(e): text for e, text in _of(benchmark, found["gap change"]).items()},
            fall_edge=_edge(edge),
            strict_fall=next(iter(falls[0].values())),
            loose_fall=next(iter(falls[1].values())),
        )
    except (KeyError, ValueError):
        raise ReliableChangeError(
            "text_claims.csv: section 4.3 should state gap, gap change, strict decline and loose "
            "decline of one benchmark, the declines on one edge; restore the file"
        ) from None


def _of(benchmark: str, printed: Mapping[str, str]) -> dict[str, str]:
    """Drop the benchmark from what rows are called; ValueError if one is of another."""
    names = [whose.split(", ") for whose in printed]
    if any(name[:-1] != [benchmark] for name in names):
        raise ValueError("another benchmark")
    return dict(zip((name[-1] for name in names), printed.values(), strict=True))


def _edge(text: str) -> Edge:
    """An edge from how it is written in rows."""
    source, target = text.split(ARROW)
    return source, target


def prints_as(numerator: int, denominator: int, text: str) -> bool:
    """Tell whether 100 × numerator / denominator is printed as `text`.

    Parameters
    ----------
    numerator, denominator : int
        A count or a change of one, and what it is a share of.
    text : str
        A printed number, with or without a sign.

    Examples
    --------
    >>> prints_as(6, 15000, "0.04"), prints_as(4, 15000, "0.04"), prints_as(-173, 15000, "−1.2")
    (True, False, True)
    """
    return format_like(Fraction(100 * int(numerator), int(denominator)), text) == text


def loose_only_counts(
    correct: Mapping[str, int],
    format_failures: Mapping[str, int],
    trials: int,
    printed: PrintedGap,
    *,
    reach: int = 12,
) -> dict[str, int]:
    """Find how many trials of each model pass only loosely, so that all of §4.3 prints.

    Parameters
    ----------
    correct, format_failures : mapping of model to int
        Trials of a model in these categories.
    trials : int
        Trials of each model.
    printed : PrintedGap
        The numbers to meet.
    reach : int
        How far from a model's format failures to look.

    Returns
    -------
    dict of model to int
        Of all counts that print every number, those nearest to the format failures (least
        squares): a format failure is read as "fails strictly, passes loosely" as far as it can.

    Raises
    ------
    ReliableChangeError
        No counts within reach print every number.

    Notes
    -----
    With the counts of Table E.8 the reading cannot hold to the letter: 771 and 1,352 format
    failures make the loose scores of the last edge differ by 4 of 15,000 trials, which prints
    as 0.03 where §4.3 has 0.04. With 772 and 1,351 it is 6 of 15,000.
    """
    models = list(printed.gap)
    shifts = range(-reach, reach + 1)
    found = []
    for shift in product(shifts, repeat=len(models)):
        counts = {m: int(format_failures[m]) + s for m, s in zip(models, shift, strict=True)}
        if _all_print(correct, counts, trials, printed):
            found.append((sum(s**2 for s in shift), list(counts.values()), counts))
    if not found:
        raise ReliableChangeError(
            f"no counts within {reach} trials of the format failures print every number of §4.3; "
            "check data/published"
        )
    return min(found, key=lambda entry: entry[:2])[2]


def _all_print(
    correct: Mapping[str, int], loose_only: Mapping[str, int], trials: int, printed: PrintedGap
) -> bool:
    """Whether these counts, none negative, print every number of `printed`."""
    source, target = printed.fall_edge
    strict = correct[source] - correct[target]
    loose = strict + loose_only[source] - loose_only[target]
    return (
        min(loose_only.values()) >= 0
        and all(prints_as(loose_only[m], trials, text) for m, text in printed.gap.items())
        and all(
            prints_as(loose_only[t] - loose_only[s], trials, text)
            for (s, t), text in printed.change.items()
        )
        and prints_as(strict, trials, printed.strict_fall)
        and prints_as(loose, trials, printed.loose_fall)
    )


def loose_verdicts(
    category: np.ndarray, loose_only: int, *, rng: np.random.Generator
) -> np.ndarray:
    """Say which trials pass loosely: the correct ones, and `loose_only` others.

    Parameters
    ----------
    category : array of str, shape (items, trials)
        Category of each trial.
    loose_only : int
        Trials that fail strictly and pass loosely.
    rng : numpy.random.Generator
        Chooses among equals.

    Returns
    -------
    array of bool, shape (items, trials)
        True for every correct trial and for `loose_only` others: format failures first, then
        wrong ones if there are too few, never a refusal, truncation or error.

    Raises
    ------
    ReliableChangeError
        There are fewer format failures and wrong trials than `loose_only`.

    Examples
    --------
    >>> category = np.array([["correct", "wrong", "format_failure", "refusal"]])
    >>> loose_verdicts(category, 1, rng=np.random.default_rng(0)).tolist()
    [[True, False, True, False]]
    """
    # Each preferred group gets a range of its own, so the smallest numbers are the choice.
    order = np.full(category.shape, np.inf)
    for rank, name in enumerate(("format_failure", "wrong")):
        mine = category == name
        order[mine] = rank + rng.random(category.shape)[mine]
    able = int(np.isfinite(order).sum())
    if loose_only > able:
        raise ReliableChangeError(
            f"{loose_only} trials are to pass only loosely, but {able} failed in a way that could"
        )
    passes = category == "correct"
    passes.flat[order.ravel().argsort(kind="stable")[:loose_only]] = True
    return passes
