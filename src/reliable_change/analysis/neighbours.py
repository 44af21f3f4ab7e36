"""What the neighbours' printed numbers imply of each other: their part of the ledger.

Every value is derived from other numbers that the same paper states. Where those are rounded,
the value is the `Range` that they allow; none is narrowed by looking at the printed result.
"""

from __future__ import annotations

import pandas as pd

from reliable_change.analysis.cells import Values
from reliable_change.analysis.neighbours_index import index_cited, index_results, index_text
from reliable_change.analysis.neighbours_paired import paired_tests, trimming, worked_example
from reliable_change.published.neighbours import Stated, neighbour_ledger, stated_numbers


def recompute(stated: Stated) -> Values:
    """Derive what can be derived of 002, 003 and 004 from what they state.

    Parameters
    ----------
    stated : mapping
        (table, row, column) → printed text, as `published.neighbours.stated_numbers` gives it.

    Returns
    -------
    dict
        (table, row, column) → number or `Range`, as the ledger takes it.

    Examples
    --------
    >>> from reliable_change.published.neighbours import stated_numbers
    >>> recompute(stated_numbers())["003", "worked example", "(c − b)² / n"]
    Fraction(27, 25)
    """
    parts = (index_results, index_text, index_cited, worked_example, paired_tests, trimming)
    return {place: value for part in parts for place, value in part(stated).items()}


def ledger(paper: str | None = None) -> pd.DataFrame:
    """The neighbours' part of the ledger: of one of `published.neighbours.PAPERS`, or of all.

    Examples
    --------
    >>> ledger("003")["verdict"].value_counts().to_dict()
    {'reproduced': 6, 'not computable': 4}
    """
    return neighbour_ledger(recompute(stated_numbers()), paper)
