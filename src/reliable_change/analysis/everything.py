"""Every table and every quantity of the text at once: what the index and `make tables` need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from reliable_change.analysis import (
    classification,
    difficulty,
    scoring,
    screening,
    sensitivity,
    single_draw,
    token_costs,
)
from reliable_change.analysis.cells import thin
from reliable_change.archive.counts import item_counts
from reliable_change.archive.read import Archive
from reliable_change.errors import NotInArchive
from reliable_change.published.ledger import values_of
from reliable_change.stats.draw import SINGLE_DRAW_SEED


@dataclass
class Recomputed:
    """Tables by name, quantities of the text by place, and what the archive lacks, in words."""

    tables: dict[str, pd.DataFrame] = field(default_factory=dict)
    text: dict[tuple[str, str, str], object] = field(default_factory=dict)
    absent: list[str] = field(default_factory=list)

    @property
    def values(self) -> dict[tuple[str, str, str], object]:
        """Everything by (table, row, column), as the ledger takes it."""
        found = dict(self.text)
        for name, table in self.tables.items():
            found |= values_of(name, table)
        return found

    def attempt(self, add: Callable, *args) -> None:
        """Let `add` fill in its part, or note what it lacks."""
        try:
            add(self, *args)
        except NotInArchive as error:
            self.absent.append(str(error))


def recompute(
    archive: Archive,
    screened: Archive | None,
    *,
    epsilon: float = 0.20,
    alpha: float = 0.05,
    interval: str = "newcombe",
    replications: int = 1000,
    seed: int = SINGLE_DRAW_SEED,
    trials: int | None = None,
) -> Recomputed:
    """Recompute every published table and every quantity that the text states.

    Parameters
    ----------
    archive : Archive
        The main archive.
    screened : Archive or None
        The screening archive; None where there is none.
    epsilon, alpha, interval, replications, seed, trials
        As the notebooks take them; `trials` thins what is classified, never categories, loose
        verdicts or tokens.

    Returns
    -------
    Recomputed
        What the archives lack is absent from its tables and named in `absent`.
    """
    found = Recomputed()
    every = item_counts(archive)
    counts = thin(every, trials, np.random.default_rng(seed))
    test = {"epsilon": epsilon, "alpha": alpha, "counts": counts}
    items = classification.classify_items(archive, interval=interval, **test)
    null = classification.simulate_null(archive, replications=replications, seed=seed, **test)
    found.tables["table_1"] = classification.table(items, null)
    found.text |= classification.text_values(archive, counts, found.tables["table_1"], null)
    found.tables["table_c5"] = sensitivity.table(archive, alpha=alpha, counts=counts)
    flips = single_draw.flips(archive, items, seed=seed, interval=interval, **test)
    found.tables["table_b3"] = single_draw.table_by_cell(flips)
    found.tables["table_b4"] = single_draw.table_by_class(flips)
    found.text |= single_draw.text_values(flips)
    found.tables["table_e8"] = scoring.table(archive, every)
    found.attempt(_add_gaps, archive, every)
    found.attempt(_add_tokens, archive)
    found.attempt(_add_strata, archive, every)
    if screened is not None:
        counts = item_counts(screened)
        found.tables["table_a2"] = screening.table(screened, counts)
        found.text |= screening.text_values(screened, counts, found.tables["table_a2"])
    return found


def _add_gaps(found: Recomputed, archive: Archive, counts: pd.DataFrame) -> None:
    gaps = scoring.gaps(archive, counts)
    found.text |= scoring.text_values(gaps, scoring.gap_changes(archive, gaps))


def _add_tokens(found: Recomputed, archive: Archive) -> None:
    found.tables["table_d6"] = token_costs.table_by_model(archive)
    found.tables["table_d7"] = token_costs.table_by_edge(archive, found.tables["table_d6"])


def _add_strata(found: Recomputed, archive: Archive, counts: pd.DataFrame) -> None:
    found.tables["table_f9"] = difficulty.table(archive, difficulty.stratified(archive, counts))
