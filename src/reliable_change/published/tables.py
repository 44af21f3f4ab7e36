"""The paper's tables as printed: every cell a text, every cell a claim."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from reliable_change.paths import PUBLISHED

KEYS: dict[str, tuple[str, ...]] = {
    "table_1": ("edge", "benchmark"),
    "table_a2": ("slot", "candidate"),
    "table_b3": ("edge", "benchmark"),
    "table_b4": ("class",),
    "table_c5": ("edge", "benchmark", "epsilon"),
    "table_d6": ("benchmark", "model"),
    "table_d7": ("edge", "benchmark"),
    "table_e8": ("benchmark", "model"),
    "table_f9": ("benchmark", "stratum", "level"),
}
"""The columns that name a row, for each table; every other column holds printed values."""


def label(table: str) -> str:
    """The name under which the paper prints a table.

    >>> label("table_1"), label("table_a2")
    ('Table 1', 'Table A.2')
    """
    name = table.removeprefix("table_")
    return f"Table {name}" if name.isdigit() else f"Table {name[0].upper()}.{name[1:]}"


def read_text(path: Path) -> pd.DataFrame:
    """A csv read as text: nothing turned into a number, an empty cell an empty text."""
    return pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")


def read_table(name: str, folder: Path = PUBLISHED) -> pd.DataFrame:
    """One table of the paper, as printed.

    Parameters
    ----------
    name
        One of `KEYS`, such as ``"table_c5"``.
    folder
        Where the csv files lie.

    Returns
    -------
    DataFrame
        All columns are text, with the paper's minus sign (U+2212), commas and signs.

    Raises
    ------
    KeyError
        If the paper has no such table.

    Examples
    --------
    >>> read_table("table_1").loc[4, "delta"]
    '−4.1'
    """
    if name not in KEYS:
        raise KeyError(f"no table {name!r}; the paper's tables are {', '.join(KEYS)}")
    return read_text(folder / f"{name}.csv")


def row_name(keys: tuple[object, ...]) -> str:
    """The name of a claim's row: its key values joined.

    >>> row_name(("gpt-5.4→gpt-5.5", "IFBench"))
    'gpt-5.4→gpt-5.5 | IFBench'
    """
    return " | ".join(str(key) for key in keys)


def table_claims(names: list[str] | None = None, folder: Path = PUBLISHED) -> pd.DataFrame:
    """Every printed cell of the tables as a claim, one row each, in reading order.

    Returns
    -------
    DataFrame
        claim (unique id, ``table/row/column``), place (as the paper names the table), table,
        row, column, printed.

    Examples
    --------
    >>> table_claims(["table_b4"]).loc[0, ["claim", "printed"]].tolist()
    ['table_b4/improved/incorrect_to_correct', '120']
    """
    found = []
    for name in KEYS if names is None else names:
        frame = read_table(name, folder)
        keys = list(KEYS[name])
        for record in frame.to_dict("records"):
            row = row_name(tuple(record[key] for key in keys))
            found += [
                (f"{name}/{row}/{column}", label(name), name, row, column, record[column])
                for column in frame.columns
                if column not in keys
            ]
    return pd.DataFrame(found, columns=["claim", "place", "table", "row", "column", "printed"])
