"""Executing notebooks with papermill: side by side, each in a process of its own."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm

from reliable_change.interrupts import deaf_to_interrupts
from reliable_change.run.notebooks import KERNEL

CELL_TIMEOUT = 1800  # seconds; far above any cell here, so that it only ends what hangs

# What each kernel finds in its environment: no progress bars and no debugger's remarks among
# the outputs, and the kernel of this environment rather than one of the same name in a home folder.
QUIET = {
    "TQDM_DISABLE": "1",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    "JUPYTER_PREFER_ENV_PATH": "1",
}


@dataclass(frozen=True)
class Job:
    """One notebook to execute: what is read, where it goes, and what it is given."""

    name: str
    source: Path
    output: Path
    cwd: Path
    parameters: Mapping[str, Any] = field(default_factory=dict)
    timeout: int = CELL_TIMEOUT

    @property
    def running(self) -> Path:
        """The copy that grows while cells are executed."""
        return self.output / "running" / f"{self.name}.ipynb"

    @property
    def finished(self) -> Path:
        """The copy in which every cell has been executed."""
        return self.output / "notebooks" / f"{self.name}.ipynb"

    @property
    def failed(self) -> Path:
        """The copy that ends with an error."""
        return self.output / "failed" / f"{self.name}.ipynb"


@dataclass(frozen=True)
class Outcome:
    """What became of a job: its time and, if it failed, where and why in one line."""

    name: str
    seconds: float
    error: str | None = None


def execute(job: Job) -> Outcome:
    """Execute one notebook in this process; a failure becomes an outcome, not an exception.

    The copy grows under ``running`` and is renamed to ``notebooks`` or ``failed`` at the end, so
    a run that was interrupted leaves nothing under ``notebooks`` that looks finished and is not.
    """
    import papermill
    from papermill.exceptions import PapermillExecutionError

    os.environ.update(QUIET, RELIABLE_CHANGE_OUTPUT=str(job.output))
    job.running.parent.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    error = None
    try:
        papermill.execute_notebook(
            job.source,
            job.running,
            parameters=dict(job.parameters),
            kernel_name=KERNEL,
            cwd=job.cwd,
            progress_bar=False,
            execution_timeout=job.timeout,
            # A kernel that was asked politely sometimes takes three seconds to go.
            shutdown_kernel="immediate",
        )
    except PapermillExecutionError as failure:
        first = next((line for line in failure.source.splitlines() if line.strip()), "")
        why = " ".join(f"{failure.ename}: {failure.evalue}".split())
        error = f"cell {failure.exec_count} ({first.strip()!r}) raised {why}"
    except Exception as failure:
        # The kernel died, hung or never came up: papermill has no single error for these.
        error = f"stopped with {type(failure).__name__}: {' '.join(str(failure).split())}"
    place = job.finished if error is None else job.failed
    if job.running.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        os.replace(job.running, place)
    return Outcome(job.name, time.perf_counter() - start, error)


def execute_all(jobs: Iterable[Job], *, workers: int | None = None) -> list[Outcome]:
    """Execute independent notebooks side by side, under one progress bar.

    Papermill changes the working directory of its process, hence processes and not threads.

    Parameters
    ----------
    jobs : iterable of Job
        Started in this order.
    workers : int, optional
        How many at a time; by default as many as there are cores, and no more than jobs.

    Returns
    -------
    list of Outcome
        In the order of `jobs`; all of them are tried, whichever fail.
    """
    waiting = list(jobs)
    order = [job.name for job in waiting]
    log = waiting[0].output / "kernels.log" if waiting else Path(os.devnull)
    log.parent.mkdir(parents=True, exist_ok=True)
    workers = max(1, min(workers or os.cpu_count() or 1, len(waiting)))
    context = multiprocessing.get_context("spawn")
    outcomes: dict[str, Outcome] = {}
    running: dict[Future, str] = {}
    with (
        ProcessPoolExecutor(workers, context, _keep_quiet, (log,)) as pool,
        tqdm(total=len(order), unit="notebook", dynamic_ncols=True) as bar,
    ):
        try:
            while waiting or running:
                while waiting and len(running) < workers:
                    job = waiting.pop(0)
                    with deaf_to_interrupts():
                        running[pool.submit(execute, job)] = job.name
                bar.set_description_str(", ".join(running.values()))
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    name = running.pop(future)
                    outcomes[name] = _outcome(name, future)
                    bar.update()
            bar.set_description_str("notebooks")
        except KeyboardInterrupt:
            # A kernel whose parent is gone ends by itself.
            for worker in multiprocessing.active_children():
                worker.terminate()
            raise
    return [outcomes[name] for name in order]


def _keep_quiet(log: Path) -> None:
    """Send what kernels and libraries say on the terminal to a file, away from the bar."""
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)


def _outcome(name: str, future: Future) -> Outcome:
    try:
        return future.result()
    except BrokenProcessPool:
        return Outcome(name, 0.0, "its process was ended from outside (out of memory?)")
