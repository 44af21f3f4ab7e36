"""One run of the notebooks: settings checked first, then everything executed, then the ledger."""

from __future__ import annotations

import json
import platform
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd

from reliable_change import __version__
from reliable_change.archive.read import locate_archive, read_archive
from reliable_change.archive.schema import SCORES_FILE
from reliable_change.errors import ArchiveError, ParameterError, ReliableChangeError
from reliable_change.paths import ARCHIVES, BUILD, NOTEBOOKS
from reliable_change.run.execute import Job, Outcome, execute_all
from reliable_change.run.notebooks import sources, twin, unrun, write
from reliable_change.run.parameters import read_parameters, resolve
from reliable_change.run.parts import read_parts, whole
from reliable_change.run.ranges import check_ranges

ARCHIVE_SETTINGS = ("archive", "screening", "real_screening", "greedy", "real", "source")
# They stand beside the default archive and say nothing of others.
COMPANIONS = ("screening", "real_screening", "real", "source")
NEED_NO_SCORES = {"source"}  # only its texts are replayed
RECORD = "run.json"
WRITTEN = (
    "source",
    "running",
    "failed",
    "notebooks",
    "figures",
    "tables",
    "ledger",
    "kernels.log",
    RECORD,
)


@dataclass(frozen=True)
class Plan:
    """What a run will do: which notebooks, with which values, into which folder."""

    notebooks: tuple[Path, ...]
    values: Mapping[str, Mapping[str, Any]]
    archives: Mapping[str, Path]
    output: Path
    is_papers: bool  # every value is the default, so the printed numbers should come out
    is_papers_archive: bool = True  # whatever the other settings


def plan(
    settings: Mapping[str, Any],
    *,
    output: Path | None = None,
    notebooks: Sequence[Path] | None = None,
) -> Plan:
    """Check settings against the notebooks before any work.

    Parameters
    ----------
    settings : mapping
        As `parameters.resolve` takes them. `ARCHIVE_SETTINGS` are the name of an archive in
        data/archives or a path, relative to the working directory; empty, all but ``archive``
        are none.
    output : Path, optional
        Folder to write to; by default build/<name of the archive's folder>.
    notebooks : sequence of Path, optional
        By default every numbered notebook of the project.

    Raises
    ------
    ParameterError
        A setting that no notebook declares, or whose value does not fit or is out of range.
    ArchiveError
        An archive that is not there or is not as it should be.
    """
    chosen = tuple(sources() if notebooks is None else notebooks)
    if not chosen:
        raise ReliableChangeError(f"there are no notebooks in {NOTEBOOKS.name}")
    settings = {
        name: _portable(value)
        if name in ARCHIVE_SETTINGS and (value or name == "archive")
        else value
        for name, value in settings.items()
    }
    settings, chosen = _without_companions(settings, chosen)
    values = resolve(settings, chosen)
    for taken in values.values():
        check_ranges(taken)
    used: dict[str, Any] = {}
    is_papers = is_papers_archive = True
    for path in chosen:
        for name, parameter in read_parameters(path).items():
            value = values[path.stem].get(name, parameter.default)
            is_papers &= value == parameter.default
            is_papers_archive &= name != "archive" or value == parameter.default
            used.setdefault(name, value)
    archives = {name: locate_archive(used[name]) for name in ARCHIVE_SETTINGS if used.get(name)}
    for name, folder in archives.items():
        files = read_archive(folder).manifest.files
        if name not in NEED_NO_SCORES and SCORES_FILE not in files:
            raise ArchiveError(
                f"archive '{folder}' has no {SCORES_FILE}; "
                f"make it with: make score ARCHIVE={folder}"
            )
    if output is None:
        output = BUILD / (archives["archive"].resolve().name if "archive" in archives else "run")
    return Plan(chosen, values, archives, output.resolve(), is_papers, is_papers_archive)


def execute_plan(planned: Plan, *, workers: int | None = None) -> list[Outcome]:
    """Execute the notebooks of a plan into its folder, which is emptied of an earlier run first.

    Raises
    ------
    ReliableChangeError
        Where notebooks failed: a line for each names it, its cell and the exception. All of
        them are tried and their copies kept, the failed ones under ``failed``.
    """
    _clear(planned.output)
    _record(planned, finished=False)
    jobs = []
    for path in planned.notebooks:
        source = write(unrun(path), planned.output / "source" / f"{path.stem}.ipynb")
        values = planned.values[path.stem]
        jobs.append(Job(path.stem, source, planned.output, path.parent.resolve(), values))
    outcomes = execute_all(jobs, workers=workers)
    failed = [job for job, outcome in zip(jobs, outcomes, strict=True) if outcome.error]
    if failed:
        errors = {outcome.name: outcome.error for outcome in outcomes}
        lines = [f"notebook {job.name}: {errors[job.name]}; see {job.failed}" for job in failed]
        raise ReliableChangeError("\n".join(lines))
    (planned.output / "running").rmdir()
    _record(planned, finished=True, outcomes=outcomes)
    return outcomes


def ledger(output: Path) -> pd.DataFrame:
    """The whole ledger of a run that was written to a folder.

    Raises
    ------
    ReliableChangeError
        There is no finished run in the folder.
    """
    record = output / RECORD
    if not record.is_file() or not json.loads(record.read_text(encoding="utf-8"))["finished"]:
        raise ReliableChangeError(f"{output} holds no finished run; make one with: make reproduce")
    return whole(read_parts(output / "ledger"))


def refresh_twins(planned: Plan) -> list[Path]:
    """Write the committed twin of every notebook of a finished run beside its source."""
    written = []
    for path in planned.notebooks:
        executed = nbformat.read(planned.output / "notebooks" / f"{path.stem}.ipynb", as_version=4)
        written.append(write(twin(executed), path.with_suffix(".ipynb")))
    return written


def _without_companions(
    settings: dict[str, Any], chosen: tuple[Path, ...]
) -> tuple[dict[str, Any], tuple[Path, ...]]:
    """Leave the project's other archives out of a run on an archive of which they say nothing.

    Notebooks that read only such ones are passed over, the others are given none. What is named
    in the settings stays.
    """
    declared = {path: read_parameters(path) for path in chosen}
    papers = {p["archive"].default for p in declared.values() if "archive" in p}
    if settings.get("archive") in papers | {None}:
        return settings, chosen
    out = {name for name in COMPANIONS if name not in settings}
    kept = {"archive", *COMPANIONS} - out
    chosen = tuple(p for p in chosen if kept & declared[p].keys() or not out & declared[p].keys())
    there = {name for path in chosen for name in declared[path]}
    return settings | dict.fromkeys(sorted(out & there), ""), chosen


def _portable(value: Any) -> Any:
    """An archive given by path, as a path that holds in any working directory."""
    if not isinstance(value, str):
        return value
    folder = locate_archive(Path(value).expanduser() if value.startswith("~") else value).resolve()
    return folder.name if folder.parent == ARCHIVES else str(folder)


def _clear(output: Path) -> None:
    """Remove what an earlier run wrote; refuse a folder that holds anything else."""
    if output.is_dir() and any(output.iterdir()) and not (output / RECORD).is_file():
        raise ParameterError(f"{output} is not empty and holds no run; choose another folder")
    for name in WRITTEN:
        path = output / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    output.mkdir(parents=True, exist_ok=True)


def _record(planned: Plan, *, finished: bool, outcomes: Sequence[Outcome] = ()) -> None:
    """Say in the folder what the run is, and whether it came to its end."""
    record = {
        "finished": finished,
        "written_utc": datetime.now(UTC).isoformat(timespec="seconds"),
        "version": __version__,
        "python": platform.python_version(),
        "archives": {name: str(folder) for name, folder in planned.archives.items()},
        "values": planned.values,
        "seconds": {outcome.name: round(outcome.seconds, 2) for outcome in outcomes},
    }
    text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    beside = planned.output / f".{RECORD}.part"
    beside.write_text(text, encoding="utf-8")
    beside.replace(planned.output / RECORD)
