"""The claims of the paper: the cells of its tables and the numbers that its text states."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from reliable_change.paths import PUBLISHED
from reliable_change.published.tables import read_text, table_claims

TEXT = "text"
"""The table name of claims whose number stands in no printed table."""


def text_claims(folder: Path = PUBLISHED) -> pd.DataFrame:
    """The numbers that the paper states in its text, one row each, in reading order.

    Returns
    -------
    DataFrame
        claim (unique id), section, quote (a few words around it), printed, table, row, column
        (which quantity it states: a cell of a printed table, or a row of the table ``text``
        that names the quantity), needs (what is missing where no archive of
        trials and scores can yield the number; empty otherwise).
    """
    return read_text(folder / "text_claims.csv")


def numerals(folder: Path = PUBLISHED) -> pd.DataFrame:
    """Every numeral of the prose in order, with the claims it belongs to or why it is none.

    Returns
    -------
    DataFrame
        section, numeral, before, after (up to three words each), claims (ids separated by
        blanks) and exclusion (the reason); exactly one of the last two is filled.
    """
    return read_text(folder / "numerals.csv")


def all_claims(folder: Path = PUBLISHED) -> pd.DataFrame:
    """Every claim, the tables' first and then the text's.

    Returns
    -------
    DataFrame
        claim, place ("Table 1" or "Section 4.1"), table, row, column, printed, needs.

    Examples
    --------
    >>> claims = all_claims()
    >>> claims["claim"].is_unique
    True
    """
    cells = table_claims(folder=folder).assign(needs="")
    text = text_claims(folder)
    text = text.assign(place=[_place(section) for section in text["section"]])
    return pd.concat([cells, text[cells.columns]], ignore_index=True)


def _place(section: str) -> str:
    return f"Section {section}" if section[0].isdigit() else section
