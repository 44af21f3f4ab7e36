"""The commands `collect` and `export`: from a plan to an archive."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path

from reliable_change.commands.common import add_command, count, counted, say_what_is_missing, short
from reliable_change.errors import CollectError
from reliable_change.paths import COLLECTED


def add_collecting(commands) -> None:
    """Add both commands to a parser's."""
    command = add_command(commands, "collect", _collect, "collect the trials of a plan, or go on")
    _takes_plan(command)
    command.add_argument(
        "--dry-run",
        action="store_true",
        help="show prompts, requests, tokens and cost; nothing is asked",
    )
    command.add_argument(
        "--budget",
        type=_amount,
        metavar="X",
        help="stop before all of it together costs more than this, in the plan's currency",
    )
    command.add_argument("--hours", type=_amount, metavar="H", help="stop after so many hours")

    command = add_command(commands, "export", _export, "write what was collected as an archive")
    _takes_plan(command)
    command.add_argument(
        "--to",
        type=Path,
        metavar="FOLDER",
        help="folder of the archive (default: collected/<name>/<name>)",
    )
    command.add_argument(
        "--replace",
        action="store_true",
        help="put it in place of an archive that lies there; its scores go with it",
    )
    command.add_argument(
        "--errors-after",
        type=count,
        metavar="N",
        help="count trials that failed N times in vain as API errors (default: they are missing)",
    )


def _takes_plan(command: argparse.ArgumentParser) -> None:
    command.add_argument("plan", type=Path, help="a plan file, such as data/plans/example.toml")
    command.add_argument(
        "--folder",
        type=Path,
        metavar="FOLDER",
        help="where the journal lies (default: collected/<name of the plan>)",
    )
    command.add_argument(
        "--trials", type=count, metavar="K", help="trials an item, in place of the plan's"
    )


def _amount(text: str) -> float:
    try:
        amount = float(text)
    except ValueError:
        amount = 0.0
    if not 0 < amount < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above zero")
    return amount


# What a command needs is imported by it, so that help and mistyped commands answer at once.


def _read(given: argparse.Namespace):
    """The plan, with what the command line says otherwise, and the folder of its journal."""
    from reliable_change.collect.plan import read_plan

    plan = read_plan(given.plan)
    for notice in plan.notices:
        print(f"note: {notice}", file=sys.stderr)
    if given.trials is not None:
        plan = dataclasses.replace(plan, trials=given.trials)
    return plan, given.folder or COLLECTED / plan.name


def _collect(given: argparse.Namespace) -> int:
    from reliable_change.collect.preview import describe, describe_work, preview
    from reliable_change.collect.run import collect

    plan, folder = _read(given)
    said = {"cost": given.budget, "seconds": given.hours and 3600 * given.hours}
    limits = dataclasses.replace(plan.limits, **{k: v for k, v in said.items() if v is not None})
    plan = dataclasses.replace(plan, limits=limits)
    found = preview(plan, folder)
    if given.dry_run:
        print(describe(plan, found))
        print("nothing was asked; leave out --dry-run to collect")
        return 0
    print(describe_work(plan, found), flush=True)
    outcome = collect(plan, folder)
    _say_outcome(plan, folder, outcome)
    return 0 if outcome.complete else 1


def _say_outcome(plan, folder: Path, outcome) -> None:
    from reliable_change.collect.preview import amount

    cost = ""
    if outcome.cost is not None:
        cost = f"; {amount(outcome.cost)} {plan.prices.currency} in all"
    print(f"{outcome.stored:,} replies in {outcome.seconds:,.0f} s{cost}: {short(folder)}")
    for kind, number in outcome.failures.items():
        print(f"  failed tries: {number:,} {kind}")
    if outcome.complete:
        print("complete; reliable-change export writes the archive")
    else:
        print(f"stopped: {outcome.stopped}", file=sys.stderr)


def _export(given: argparse.Namespace) -> None:
    from reliable_change.archive.read import read_archive
    from reliable_change.collect.export import export

    plan, folder = _read(given)
    target = given.to or folder / plan.name
    if target.exists() and not given.replace:
        raise CollectError(
            f"archive '{short(target)}': exists; name another folder with --to, or give --replace, "
            "which removes its scores too"
        )
    path = export(folder, plan, target, replace=given.replace, error_after=given.errors_after)
    archive = read_archive(path, verify=False)
    sizes = f"{counted(len(archive.items), 'item')}, {counted(len(plan.models), 'model')}"
    print(f"wrote {short(path)}: {sizes}")
    say_what_is_missing(archive)
    print(f"score it: make score ARCHIVE={short(path)}")
