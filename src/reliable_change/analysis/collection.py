"""A collection to look at: a slice of an archive, collected from a practice server or for real."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from reliable_change.analysis.collection_texts import text_counts
from reliable_change.archive.read import Archive
from reliable_change.collect.client import TIMEOUT, OpenAIClient
from reliable_change.collect.crew import Manner
from reliable_change.collect.items.sample import draw_items
from reliable_change.collect.plan import Plan
from reliable_change.collect.practice.faults import TRANSIENT, Faults, evenly
from reliable_change.collect.practice.server import PracticeServer
from reliable_change.collect.preview import preview
from reliable_change.collect.records import Settings
from reliable_change.collect.retry import Backoff
from reliable_change.collect.run import Outcome, collect
from reliable_change.errors import NotInArchive, ParameterError

# The practice server is near and answers at once: waits are short, so that practice is. The timeout
# is far above what a busy machine takes, so that the faults counted are those that were made.
PRACTICE_DELAY, PRACTICE_WAIT, PRACTICE_TIMEOUT = 0.02, 0.05, 3.0  # seconds
MOST_TIMEOUTS = 0.01  # share of requests
PRACTICE_MANNER = Manner(backoff=Backoff(first=0.05, cap=0.5))


@dataclass(frozen=True)
class Place:
    """Where a collection asks, and the folder that keeps it; no server where it is for real."""

    base_url: str
    folder: Path
    server: PracticeServer | None
    faults: Faults
    is_temporary: bool


def open_place(
    source: Archive, base_url: str, folder: str, *, fault_rate: float, seed: int
) -> Place:
    """Start a practice server that replays an archive, or take the address of a real one.

    Parameters
    ----------
    source : Archive
        What is replayed; one with texts.
    base_url : str
        Empty for practice.
    folder : str
        For the journal; empty for a temporary one, which `close_place` removes.
    fault_rate : float
        Share of the requests that meet a transient fault, in [0, 1): all kinds equally often,
        save timeouts, which hit one request in a hundred at most, since each is waited for.
    seed : int
        Decides which requests these are.

    Raises
    ------
    NotInArchive
        Practice with an archive without texts.
    ParameterError
        Every request would fail.
    """
    if not 0 <= fault_rate < 1:
        raise ParameterError(f"setting fault_rate = {fault_rate}: must be at least 0 and below 1")
    server, faults = None, Faults()
    if not base_url:
        hanging = min(MOST_TIMEOUTS, fault_rate / len(TRANSIENT))
        others = evenly(fault_rate - hanging, [kind for kind in TRANSIENT if kind != "timeout"])
        faults = Faults({**others.rates, "timeout": hanging})
        server = PracticeServer(
            source, faults, delay=PRACTICE_DELAY, wait=PRACTICE_WAIT, seed=seed
        ).start()
    kept = Path(folder) if folder else Path(tempfile.mkdtemp(prefix="collection-"))
    return Place(server.base_url if server else base_url, kept, server, faults, not folder)


def close_place(place: Place) -> None:
    """Stop the practice server and remove a temporary folder."""
    if place.server is not None:
        place.server.stop()
    if place.is_temporary:
        shutil.rmtree(place.folder)


def slice_plan(
    source: Archive,
    place: Place,
    *,
    benchmark: str,
    items: int,
    trials: int,
    models: str,
    api: str,
    concurrency: int,
    seed: int,
) -> Plan:
    """The plan of a slice of an archive: some items, drawn by seed, of one benchmark or of each.

    Parameters
    ----------
    benchmark, models : str
        Names, those of models with commas between; empty takes all of the archive's.
    items : int
        At most so many of each benchmark.

    Raises
    ------
    NotInArchive
        The archive has no such benchmark, or fewer trials than practice would need.
    CollectError
        Whatever a plan objects to.
    """
    manifest = source.manifest
    chosen = [benchmark] if benchmark else list(manifest.benchmarks)
    if not set(chosen) <= set(manifest.benchmarks):
        known = ", ".join(manifest.benchmarks)
        raise NotInArchive(f"there is no benchmark {benchmark!r}; it has {known}")
    frames = [source.items[source.items["benchmark"] == name] for name in chosen]
    drawn = pd.concat([draw_items(f, min(items, len(f)), seed) for f in frames])
    named = [name.strip() for name in models.split(",")] if models else list(manifest.models)
    plan = Plan(
        "practice" if place.server else "collection",
        drawn,
        tuple(named),
        trials,
        settings=Settings(api=api, base_url=place.base_url),
        concurrency=concurrency,
        seed=seed,
        description=f"Replayed from {manifest.name} by the practice server; no model was asked."
        if place.server
        else f"Items of {manifest.name}.",
        licence=manifest.licence,
        labels={name: manifest.label(name) for name in named if name in manifest.models},
    )
    if place.server is not None:
        fewest = min(text_counts(source, plan).values())
        if fewest < trials:
            raise NotInArchive(
                f"an item has {fewest} texts of a model, too few for {trials} trials"
            )
    return plan


def planned(plan: Plan, place: Place) -> pd.DataFrame:
    """The dry run: what is missing of each phase, and the tokens that it will take.

    Returns
    -------
    DataFrame
        model, requests (missing ones), of (all), input_tokens, output_low, output_high
        (estimates; measured where replies of the model are stored, assumed elsewhere).
    """
    return pd.DataFrame(
        {
            "model": plan.labels.get(phase.model, phase.model),
            "requests": phase.missing,
            "of": phase.total,
            "input_tokens": round(phase.input_tokens.high),
            "output_low": round(phase.output_tokens.low),
            "output_high": round(phase.output_tokens.high),
        }
        for phase in preview(plan, place.folder).phases
    )


def left(plan: Plan, place: Place) -> pd.DataFrame:
    """What is missing of each phase: model, requests, of (all)."""
    return planned(plan, place)[["model", "requests", "of"]]


def prompts(plan: Plan) -> pd.DataFrame:
    """The first prompt of each benchmark as it will be sent: benchmark, item_id, prompt."""
    return plan.items.groupby("benchmark").head(1)[["benchmark", "item_id", "prompt"]]


def collect_part(plan: Plan, place: Place, share: float) -> Outcome:
    """Collect until the practice server refuses, its quota used up after a share of the trials.

    For real nothing is cut short, and everything is collected.
    """
    if place.server is None:
        return collect_rest(plan, place)
    place.server.set_quota(int(share * plan.total))
    try:
        return collect_rest(plan, place)
    finally:
        place.server.set_quota(None)


def collect_rest(plan: Plan, place: Place) -> Outcome:
    """Collect whatever is missing."""
    practice = place.server is not None
    client = OpenAIClient(
        plan.settings, plan.key_variable, PRACTICE_TIMEOUT if practice else TIMEOUT
    )
    manner = PRACTICE_MANNER if practice else Manner()
    return collect(plan, place.folder, client=client, manner=manner)


def runs(plan: Plan, *outcomes: Outcome) -> pd.DataFrame:
    """One row for each run: run, stored, missing (after it), why it ended."""
    rows, missing = [], plan.total
    for number, outcome in enumerate(outcomes, 1):
        missing -= outcome.stored
        rows.append((number, outcome.stored, missing, outcome.stopped or "complete"))
    return pd.DataFrame(rows, columns=["run", "stored", "missing", "ended"])
