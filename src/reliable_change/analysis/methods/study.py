"""An archive made ready to be compared on: its counts, and the cells that they form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from reliable_change.analysis.cells import Cell, iterate_cells, thin
from reliable_change.archive.counts import item_counts
from reliable_change.archive.manifest import Manifest
from reliable_change.archive.read import Archive


@dataclass(frozen=True)
class Study:
    """An archive, its counts of at most the wanted trials, and its cells."""

    archive: Archive
    counts: pd.DataFrame
    cells: list[Cell]

    @property
    def name(self) -> str:
        """The archive's name."""
        return self.archive.manifest.name

    @property
    def manifest(self) -> Manifest:
        """The archive's manifest."""
        return self.archive.manifest


def studies_of(
    archives: Mapping[str, Archive | None], trials: int | None, rng: np.random.Generator
) -> dict[str, Study]:
    """Study of each archive that is there, by the place that it was given for.

    Parameters
    ----------
    archives : mapping
        Place → archive; None is left out.
    trials : int or None
        Keep at most so many trials of each item, drawn at random; None keeps all.
    """
    studies = {}
    for place, archive in archives.items():
        if archive is not None:
            counts = thin(item_counts(archive), trials, rng)
            studies[place] = Study(archive, counts, list(iterate_cells(archive, counts)))
    return studies
