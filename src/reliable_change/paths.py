"""Where things lie in the compendium: constants only, resolved from this file."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data"
PUBLISHED = DATA / "published"
ARCHIVES = DATA / "archives"
RECONSTRUCTION = DATA / "reconstruction"
FIGURES = ROOT / "figures"
NOTEBOOKS = ROOT / "notebooks"
BUILD = ROOT / "build"
