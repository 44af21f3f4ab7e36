"""Where things lie in the compendium: constants, and where the present run writes."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data"
PUBLISHED = DATA / "published"
ARCHIVES = DATA / "archives"
RECONSTRUCTION = DATA / "reconstruction"
FIGURES = ROOT / "figures"
NOTEBOOKS = ROOT / "notebooks"
BUILD = ROOT / "build"
COLLECTED = ROOT / "collected"


def output_folder() -> Path:
    """Folder that a notebook writes its figures, tables and part of the ledger to.

    A run names it in ``RELIABLE_CHANGE_OUTPUT``; a notebook opened by hand has ``build/lab``.
    """
    return Path(os.environ.get("RELIABLE_CHANGE_OUTPUT") or BUILD / "lab")
