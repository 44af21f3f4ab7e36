"""The command `collect-local`: a real migration on this computer, from the weights to scores."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

from reliable_change.commands.common import add_command, count, short
from reliable_change.errors import CollectError
from reliable_change.paths import COLLECTED, DATA

PLAN = DATA / "local" / "plan.toml"
SCREENING_TRIALS = 10
SCREENING = (
    "Real replies, each from one request: every item of data/local, asked a few times to find those"
    " that leave the models of the archive {name} room to move."
)


def add_local(commands) -> None:
    """Add the command to a parser's."""
    command = add_command(
        commands, "collect-local", _collect_local, "measure a real migration on this computer"
    )
    command.add_argument(
        "--folder",
        type=Path,
        default=COLLECTED / "local",
        help="where weights, journals and archives lie (default: collected/local)",
    )
    command.add_argument(
        "--trials", type=count, metavar="K", help="trials an item, in place of the plan's"
    )


# What a command needs is imported by it, so that help and mistyped commands answer at once.


def _collect_local(given: argparse.Namespace) -> None:
    from reliable_change.analysis.screening import estimable_items
    from reliable_change.archive.counts import item_counts
    from reliable_change.collect.local.weights import make_weights
    from reliable_change.collect.plan import read_plan

    plan = read_plan(PLAN)
    if given.trials is not None:
        plan = dataclasses.replace(plan, trials=given.trials)
    weights = make_weights(plan.models, given.folder / "weights")
    screened = _collected(screening_of(plan), given.folder, weights)
    marked = estimable_items(item_counts(screened))
    kept = marked.loc[marked["estimable"], ["benchmark", "item_id"]]
    print(f"{len(kept)} of {len(marked)} items leave room to move and are kept")
    _collected(only(plan, kept), given.folder, weights)


def screening_of(plan):
    """The plan of the screening: every item, a few trials."""
    return dataclasses.replace(
        plan,
        name=f"{plan.name}_screening",
        trials=SCREENING_TRIALS,
        description=SCREENING.format(name=plan.name),
    )


def only(plan, kept):
    """The plan with those of its items that have a row (benchmark, item_id) in a table."""
    if kept.empty:
        raise CollectError("no item leaves the models room to move; write harder or easier ones")
    return dataclasses.replace(plan, items=plan.items.merge(kept, on=["benchmark", "item_id"]))


def _collected(plan, folder: Path, weights):
    """Collect a plan to its end, or go on; export it anew, score it, and return the archive."""
    from reliable_change.collect.export import export
    from reliable_change.collect.local.server import serving
    from reliable_change.collect.run import collect
    from reliable_change.scoring.batch import score_archive

    journal = folder / "journals" / plan.name
    print(f"{plan.name}: {plan.total:,} trials", flush=True)
    with serving(weights, plan.settings.base_url, folder / "server.log"):
        outcome = collect(plan, journal)
    print(f"  {outcome.stored:,} replies in {outcome.seconds:,.0f} s")
    if not outcome.complete:
        raise CollectError(f"{plan.name}: {outcome.stopped}")
    archive = score_archive(export(journal, plan, folder / plan.name, replace=True))
    print(f"  wrote {short(archive.path)}", flush=True)
    return archive
