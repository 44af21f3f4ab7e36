"""The numbers that the neighbouring papers print, and the ledger that holds them together.

002 is "Beyond the Mean: Within-Model Reliable Change Detection for LLM Evaluation" with its
published results file, 003 "Review a Model Upgrade: Count the Regressions", 004 "When LLMs get
significantly worse: A statistical approach to detect model degradations".
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from reliable_change.paths import PUBLISHED
from reliable_change.published.ledger import (
    Place,
    Value,
    compare_claims,
    known_differences,
    summary,
)
from reliable_change.published.numbers import parse
from reliable_change.published.tables import read_text

Stated = Mapping[Place, str]
NEIGHBOURS = PUBLISHED / "neighbours"
PAPERS = ("002", "003", "004")


def neighbour_claims(paper: str | None = None, folder: Path = NEIGHBOURS) -> pd.DataFrame:
    """Every number that is taken from the neighbours, one row each, in reading order.

    Parameters
    ----------
    paper
        One of `PAPERS`; all if None.

    Returns
    -------
    DataFrame
        claim (unique id), place (such as "002, results file"), quote (words around it, or its
        name in the file), printed, table, row, column, needs (what is missing where the number
        is stated and cannot be derived from others that are; empty otherwise).

    Raises
    ------
    KeyError
        No such paper.

    Examples
    --------
    >>> neighbour_claims("003")["printed"].tolist()[:5]
    ['300', '12', '30', '6', '42']
    """
    if paper is not None and paper not in PAPERS:
        raise KeyError(f"no neighbour {paper!r}; there are {', '.join(PAPERS)}")
    claims = read_text(folder / "claims.csv")
    return claims[claims["claim"].str.startswith(paper or "")].reset_index(drop=True)


def stated_numbers(folder: Path = NEIGHBOURS) -> dict[Place, str]:
    """What the neighbours print, by (table, row, column): the inputs of what is derived.

    A quantity that is printed twice is stated once, as it was first.

    Examples
    --------
    >>> stated_numbers()["003", "worked example", "b"]
    '12'
    """
    claims = neighbour_claims(folder=folder).drop_duplicates(["table", "row", "column"])
    places = claims[["table", "row", "column"]].itertuples(index=False, name=None)
    return dict(zip(places, claims["printed"], strict=True))


def stated_count(stated: Stated, table: str, row: str, column: str) -> int:
    """A whole number that a neighbour prints.

    Examples
    --------
    >>> stated_count({("003", "worked example", "n"): "1,300"}, "003", "worked example", "n")
    1300
    """
    return int(parse(stated[table, row, column]))


def neighbour_ledger(
    values: Mapping[Place, Value], paper: str | None = None, folder: Path = NEIGHBOURS
) -> pd.DataFrame:
    """Hold derived values against what the neighbours print.

    Returns
    -------
    DataFrame
        Columns as `ledger.compare`; the note of a difference is its known reason, if it has one.
    """
    ledger = compare_claims(neighbour_claims(paper, folder), values)
    known = known_differences(folder).set_index(["table", "row", "column"])["reason"]
    places = pd.MultiIndex.from_frame(ledger[["table", "row", "column"]])
    reasons = known.reindex(places).fillna("").to_numpy()
    return ledger.assign(note=ledger["note"].where(ledger["verdict"] != "differs", reasons))


def neighbour_summary(ledger: pd.DataFrame) -> pd.DataFrame:
    """How many claims of each neighbour have which verdict, and a total."""
    return summary(ledger, ledger["table"])
