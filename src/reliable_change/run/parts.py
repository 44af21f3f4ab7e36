"""The ledger of a run, put together from the parts that its notebooks wrote."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from reliable_change.errors import LedgerError
from reliable_change.published.ledger import COLUMNS, VERDICTS, compare

# Where two notebooks answer one claim, the less favourable verdict stands.
_WORST_FIRST = ("differs", "reproduced", "compatible", "not computable")


def read_parts(folder: Path) -> pd.DataFrame:
    """Read every part ``<notebook>.csv`` in a folder, one below the other.

    Raises
    ------
    LedgerError
        A part without the columns of a ledger, or with a verdict that there is not.
    """
    parts = [pd.DataFrame(columns=list(COLUMNS))]
    for path in sorted(folder.glob("*.csv")):
        part = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")
        if list(part.columns) != list(COLUMNS):
            raise LedgerError(f"{path.name}: its columns are not {', '.join(COLUMNS)}")
        wrong = part.loc[~part["verdict"].isin(VERDICTS), "verdict"]
        if len(wrong):
            raise LedgerError(f"{path.name}: {wrong.iloc[0]!r} is no verdict")
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def whole(parts: pd.DataFrame) -> pd.DataFrame:
    """Every claim of the paper once, with what the parts say of it.

    A claim that no part answers is not computable. One that several answer is listed with the
    least favourable verdict, so that a difference cannot hide behind an agreement.
    """
    claims = compare({})
    rank = parts["verdict"].map({verdict: i for i, verdict in enumerate(_WORST_FIRST)})
    said = parts.assign(rank=rank).sort_values("rank", kind="stable")
    said = said.drop_duplicates("claim").set_index("claim")
    strange = said.index.difference(claims["claim"])
    if len(strange):
        raise LedgerError(f"no claim of the paper is called {strange[0]}")
    claims = claims.set_index("claim")
    claims.loc[said.index, ["recomputed", "verdict", "note"]] = said[
        ["recomputed", "verdict", "note"]
    ]
    return claims.reset_index()[list(COLUMNS)]
