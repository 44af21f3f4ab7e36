"""The ledger: each printed number beside the recomputed one, with a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path

import pandas as pd

from reliable_change.paths import PUBLISHED
from reliable_change.published.claims import all_claims
from reliable_change.published.numbers import Range, could_print, ends_like, format_like, is_missing
from reliable_change.published.tables import KEYS, read_text, row_name

VERDICTS = ("reproduced", "differs", "compatible", "not computable")
COLUMNS = ("claim", "place", "table", "row", "column", "printed", "recomputed", "verdict", "note")
Place = tuple[str, str, str]
Value = object  # a number, a text, a Range, or None where there is none


def values_of(table: str, frame: pd.DataFrame) -> dict[Place, Value]:
    """The values of a tidy analysis table, each under the place of the claim it answers.

    Parameters
    ----------
    table
        One of `tables.KEYS`; `frame` must have its key columns. Every other column is a value.
    frame
        One row per row of the printed table, numbers unrounded. ε may be a number or a text.

    Raises
    ------
    KeyError
        If the paper has no such table or the frame lacks a key column.
    ValueError
        If two rows have the same key.

    Examples
    --------
    >>> frame = pd.DataFrame({"class": ["improved"], "total": [255]})
    >>> values_of("table_b4", frame)
    {('table_b4', 'improved', 'total'): 255}
    """
    keys = list(KEYS[table])
    missing = [key for key in keys if key not in frame.columns]
    if missing:
        raise KeyError(f"{table}: the frame lacks the key column {', '.join(missing)}")
    values: dict[Place, Value] = {}
    for record in frame.to_dict("records"):
        row = row_name(tuple(_key(key, record[key]) for key in keys))
        for column in frame.columns:
            if column not in keys:
                place = (table, row, str(column))
                if place in values:
                    raise ValueError(f"{table}: two rows have the key {row}")
                values[place] = record[column]
    return values


def compare(
    values: Mapping[Place, Value],
    tables: Iterable[str] | None = None,
    folder: Path = PUBLISHED,
) -> pd.DataFrame:
    """Hold recomputed values against the printed ones.

    Parameters
    ----------
    values
        (table, row, column) to a number, a text or a `Range`. A place that is absent, None or
        NaN is not computable. Places that the paper does not print are ignored.
    tables
        Only claims on these tables, in the text too; all if None. The text's own
        quantities are the table ``text``.

    Returns
    -------
    DataFrame
        One row per claim: claim, place, table, row, column, printed, recomputed, verdict
        (one of `VERDICTS`), note.

    Examples
    --------
    >>> ledger = compare({("table_b4", "improved", "total"): 255}, tables=["table_b4"])
    >>> ledger.loc[ledger["verdict"] == "reproduced", "printed"].tolist()
    ['255']
    """
    claims = all_claims(folder)
    if tables is not None:
        claims = claims[claims["table"].isin(list(tables))]
    return compare_claims(claims, values)


def compare_claims(claims: pd.DataFrame, values: Mapping[Place, Value]) -> pd.DataFrame:
    """Hold values against any claims in the form of `all_claims`; the ledger as in `compare`."""
    signed = _signed_columns(claims)
    found = []
    for claim in claims.to_dict("records"):
        value = values.get((claim["table"], claim["row"], claim["column"]))
        has_sign = (claim["place"], claim["column"]) in signed
        recomputed, verdict = judge(value, claim["printed"], signed=has_sign)
        note = ""
        if verdict == "not computable":
            note = claim["needs"] or "not in this archive"
        found.append(claim | {"recomputed": recomputed, "verdict": verdict, "note": note})
    return pd.DataFrame(found, columns=list(COLUMNS))


def judge(value: Value, printed: str, *, signed: bool = False) -> tuple[str, str]:
    """A value in the form of the printed one, and the verdict on it; `signed` as `format_like`.

    >>> judge(7.26, "+7.3"), judge(7.2, "+7.3"), judge(None, "+7.3")
    (('+7.3', 'reproduced'), ('+7.2', 'differs'), ('', 'not computable'))
    >>> judge(Range(54.1, 54.6), "54.3")
    ('54.1 to 54.6', 'compatible')
    >>> judge(Range(0.787, 0.791), "0.78%")
    ('0.787% to 0.791%', 'differs')
    """
    if isinstance(value, Range):
        low, high = ends_like(value, printed)
        return f"{low} to {high}", "compatible" if could_print(value, printed) else "differs"
    if is_missing(value):
        return "", "not computable"
    recomputed = format_like(value, printed, signed=signed)
    return recomputed, "reproduced" if recomputed == printed else "differs"


def summary(ledger: pd.DataFrame, groups: pd.Series | None = None) -> pd.DataFrame:
    """How many claims have which verdict: one line per printed table, one for the text, a total.

    Parameters
    ----------
    groups
        The line that each claim counts in, where the ledger is not the paper's.

    Returns
    -------
    DataFrame
        Columns place, claims and one per verdict; the last line is the total.

    Examples
    --------
    >>> print(summary(compare({}, tables=["table_b4"]))[["place", "not computable"]].to_string())
           place  not computable
    0  Table B.4              20
    1      Total              20
    """
    place = groups
    if place is None:
        place = ledger["place"].where(ledger["place"].str.startswith("Table "), "Text")
    counts = pd.crosstab(place, ledger["verdict"]).reindex(
        index=place.unique(), columns=list(VERDICTS), fill_value=0
    )
    counts.loc["Total"] = counts.sum()
    counts.insert(0, "claims", counts.sum(axis=1))
    return counts.astype(int).rename_axis(index="place", columns=None).reset_index()


def known_differences(folder: Path = PUBLISHED) -> pd.DataFrame:
    """The claims known to differ on the reconstruction: table, row, column, reason."""
    return read_text(folder / "known_differences.csv")


def unexplained(ledger: pd.DataFrame, folder: Path = PUBLISHED) -> pd.DataFrame:
    """The claims that differ without a reason in ``known_differences.csv``.

    >>> len(unexplained(compare({})))
    0
    """
    place = ["table", "row", "column"]
    known = set(known_differences(folder)[place].itertuples(index=False, name=None))
    named = [row in known for row in ledger[place].itertuples(index=False, name=None)]
    return ledger[(ledger["verdict"] == "differs") & ~pd.Series(named, ledger.index, dtype=bool)]


def _signed_columns(claims: pd.DataFrame) -> set[tuple[str, str]]:
    """Columns of the printed tables whose positive numbers have a plus: (place, column)."""
    plus = claims["place"].str.startswith("Table ") & claims["printed"].str.startswith("+")
    return set(claims.loc[plus, ["place", "column"]].itertuples(index=False, name=None))


def _key(column: str, value: object) -> str:
    if column == "epsilon" and not isinstance(value, str):
        # At least two decimals, as the paper prints ε; a finer one keeps all it has.
        number = Decimal(repr(float(value)))
        return f"{number:.2f}" if number == round(number, 2) else str(number)
    return str(value)
