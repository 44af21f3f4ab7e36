"""The paper's tables for an archive and settings, written for authors to take up."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reliable_change.analysis.everything import Recomputed, recompute
from reliable_change.archive.read import Archive, read_archive
from reliable_change.run.reproduce import ARCHIVE_SETTINGS, Plan
from reliable_change.tables.write import write_tables


def typeset(planned: Plan, settings: Mapping[str, Any]) -> list[Path]:
    """Recompute every table and write it to the folder ``tables`` of the plan's output.

    Parameters
    ----------
    planned : Plan
        The checked run, see `reproduce.plan`.
    settings : mapping
        The settings the plan was made from; its values hold them typed. Those that decide no
        table of the paper stay out of the captions too.

    Returns
    -------
    list of Path
        The files written.
    """
    typed = {name: value for values in planned.values.values() for name, value in values.items()}
    decisive = set(inspect.signature(recompute).parameters) - set(ARCHIVE_SETTINGS)
    changed = {name: typed[name] for name in settings if name in decisive}
    archives = {name: read_archive(path, verify=False) for name, path in planned.archives.items()}
    main, screened = archives["archive"], archives.get("screening")
    found = recompute(main, screened, **changed)
    return write_recomputed(planned.output / "tables", found, main, screened, changed)


def write_recomputed(
    folder: Path,
    found: Recomputed,
    main: Archive,
    screened: Archive | None = None,
    changed: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write recomputed tables whose captions name their archive and the settings changed."""
    note = ", ".join(f"{name} = {value}" for name, value in sorted((changed or {}).items()))
    return write_tables(
        folder,
        found.tables,
        main.manifest,
        main.manifest.name,
        main.manifest.synthetic,
        sources=screened and {"table_a2": (screened.manifest.name, screened.manifest.synthetic)},
        note=f"Settings: {note}." if note else "",
    )
