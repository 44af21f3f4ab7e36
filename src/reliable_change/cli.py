"""The command line: reproduce, collect, score, look at an archive or a ledger."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from reliable_change import __version__
from reliable_change.commands.closing import one_line, say_what_changed
from reliable_change.commands.collecting import add_collecting
from reliable_change.commands.common import add_command, count, counted, say_what_is_missing, short
from reliable_change.commands.importing import add_importing
from reliable_change.commands.local import add_local
from reliable_change.errors import LedgerError, ParameterError, ReliableChangeError
from reliable_change.paths import BUILD, FIGURES

EPILOG = """\
A setting is a parameter of a notebook; every notebook that declares it takes it, and one that
none declares stops the command before any work. For example:

  reliable-change reproduce --set archive=data/archives/mine --set epsilon=0.1

is what `make reproduce ARCHIVE=data/archives/mine EPSILON=0.1` runs.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it went well, 1 with one clear line when it did not."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        return given.run(given) or 0
    except ReliableChangeError as error:
        for line in str(error).splitlines():
            print(f"error: {line}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; what was not finished is marked as such", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="reliable-change",
        description="Reproduce 'What Aggregate Scores Miss' number by number, on its own data "
        "or on yours.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    command = add_command(
        commands, "reproduce", _reproduce, "execute every notebook and compare with the paper"
    )
    _takes_settings(command)
    _takes_workers(command)

    command = add_command(
        commands, "notebooks", _notebooks, "execute as the paper has it; refresh notebooks/*.ipynb"
    )
    _takes_workers(command)

    command = add_command(
        commands, "figures", _figures, "execute as the paper has it; refresh figures/"
    )
    _takes_workers(command)

    command = add_command(commands, "tables", _tables, "write the tables as LaTeX, CSV and HTML")
    _takes_settings(command)

    command = add_command(commands, "ledger", _ledger, "show the ledger of a finished run again")
    command.add_argument(
        "--output",
        type=Path,
        default=BUILD / "reconstruction",
        metavar="FOLDER",
        help="folder of the run (default: build/reconstruction)",
    )
    command.add_argument(
        "--verdict", metavar="WORD", help="list the claims of one verdict, such as differs"
    )

    command = add_command(commands, "score", _score, "score the texts of an archive")
    command.add_argument("archive", help="a folder, or the name of one in data/archives")
    command.add_argument(
        "--name",
        metavar="LABEL",
        help="label of the new scores, if the archive has scores already (default: made of the "
        "scorers' names and versions)",
    )
    command.add_argument(
        "--benchmark",
        action="append",
        metavar="NAME",
        dest="benchmarks",
        help="score only this one; may be given several times",
    )
    command.add_argument(
        "--workers",
        type=count,
        metavar="N",
        help="processes at a time (default: as many as there are cores)",
    )

    add_collecting(commands)
    add_local(commands)
    add_importing(commands)

    command = add_command(commands, "validate", _validate, "check an archive against the schema")
    command.add_argument("archive", help="a folder, or the name of one in data/archives")
    return parser


def _takes_settings(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="settings",
        help="a setting; may be given several times, its name in capitals or not",
    )
    command.add_argument(
        "--output",
        type=Path,
        metavar="FOLDER",
        help="where to write (default: build/<name of the archive>)",
    )


def _takes_workers(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--workers",
        type=count,
        metavar="N",
        help="notebooks executed at a time (default: as many as there are cores)",
    )


def _settings(pairs: Sequence[str]) -> dict[str, str]:
    """Settings by name, from texts of the form name=value."""
    settings: dict[str, str] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        name = name.strip().lower()
        if not sign or not name.isidentifier():
            raise ParameterError(f"setting {pair!r} is not of the form name=value")
        if name in settings:
            raise ParameterError(f"setting {name} is given twice")
        settings[name] = value
    return settings


# What a command needs is imported by it, so that help and mistyped commands answer at once.


def _reproduce(given: argparse.Namespace) -> None:
    from reliable_change.run.reproduce import plan

    planned = plan(_settings(given.settings), output=given.output)
    _execute(planned, given.workers)


def _notebooks(given: argparse.Namespace) -> None:
    from reliable_change.run.reproduce import plan, refresh_twins

    planned = plan({})
    _execute(planned, given.workers)
    for path in refresh_twins(planned):
        print(f"refreshed {short(path)}")


def _figures(given: argparse.Namespace) -> None:
    from reliable_change.run.reproduce import plan

    planned = plan({})
    _execute(planned, given.workers)
    for path in sorted((planned.output / "figures").iterdir()):
        print(f"refreshed {short(Path(shutil.copy(path, FIGURES)))}")


def _tables(given: argparse.Namespace) -> None:
    from reliable_change.run.reproduce import plan
    from reliable_change.run.typeset import typeset

    settings = _settings(given.settings)
    for path in typeset(plan(settings, output=given.output), settings):
        print(f"wrote {short(path)}")


def _ledger(given: argparse.Namespace) -> None:
    from reliable_change.published.ledger import VERDICTS, summary
    from reliable_change.run.reproduce import ledger

    claims = ledger(given.output)
    if given.verdict is None:
        print(summary(claims).to_string(index=False))
        _say_neighbours()
        return
    if given.verdict not in VERDICTS:
        raise ParameterError(f"no verdict {given.verdict!r}; there are {', '.join(VERDICTS)}")
    chosen = claims[claims["verdict"] == given.verdict]
    for claim in chosen.to_dict("records"):
        print(_claim_line(claim))
    print(f"{len(chosen)} of {len(claims)} claims: {given.verdict}")


def _score(given: argparse.Namespace) -> None:
    from reliable_change.archive.schema import SCORES_FILE, scores_file
    from reliable_change.scoring.batch import score_texts
    from reliable_change.scoring.compare import changed_verdicts
    from reliable_change.scoring.report import describe_changes, describe_scores

    found = score_texts(
        given.archive, benchmarks=given.benchmarks, label=given.name, workers=given.workers
    )
    path = found.archive.path / scores_file(found.label)
    print(f"wrote {short(path)}" if found.is_new else f"already scored: {short(path)}")
    print(describe_scores(found.archive, found.label))
    if found.label is not None and SCORES_FILE in found.archive.manifest.files:
        print(f"\nagainst {SCORES_FILE}:")
        print(describe_changes(changed_verdicts(found.archive, None, found.label)))


def _validate(given: argparse.Namespace) -> None:
    from reliable_change.archive.read import read_archive

    archive = read_archive(given.archive)
    manifest = archive.manifest
    print(
        f"{manifest.name}: a valid archive ({manifest.kind}), "
        f"{counted(len(archive.items), 'item')}, {counted(len(manifest.models), 'model')}, "
        f"{counted(len(manifest.benchmarks), 'benchmark')}"
    )
    say_what_is_missing(archive)


def _execute(planned, workers: int | None) -> None:
    """Execute a plan, say what came of it, and fail where the paper's own run should agree."""
    from reliable_change.archive.read import read_archive
    from reliable_change.published.ledger import summary, unexplained
    from reliable_change.run.reproduce import execute_plan, ledger

    for name, folder in planned.archives.items():
        print(f"{name}: {short(folder)}")
        say_what_is_missing(read_archive(folder, verify=False))
    changed = {name: value for values in planned.values.values() for name, value in values.items()}
    shown = ", ".join(f"{name} = {value!r}" for name, value in changed.items())
    print(f"settings: {shown or 'those of the paper'}", flush=True)
    execute_plan(planned, workers=workers)
    print(f"executed notebooks: {short(planned.output / 'notebooks')}\n")
    claims = ledger(planned.output)
    if not planned.is_papers_archive:
        say_what_changed(planned.output)
        print(f"\n{one_line(summary(claims), planned.output)}")
        return
    print(summary(claims).to_string(index=False))
    _say_neighbours()
    new = unexplained(claims)
    listed = int((claims["verdict"] == "differs").sum()) - len(new)
    if planned.is_papers and listed:
        print(f"\n{listed} differs, with its reason in data/published/known_differences.csv")
    if planned.is_papers and len(new):
        lines = [_claim_line(claim) for claim in new.to_dict("records")]
        raise LedgerError("\n".join([*lines, f"{len(new)} claims differ without a listed reason"]))
    if not planned.is_papers:
        print("\nNot the paper's data and settings: numbers may differ, and nothing fails for it.")


def _say_neighbours() -> None:
    """The neighbours' claims, which depend on no run, below the paper's and not among them."""
    from reliable_change.analysis.neighbours import ledger
    from reliable_change.published.neighbours import neighbour_summary

    print("\nneighbouring papers, each against its own numbers, whatever the archive:")
    print(neighbour_summary(ledger()).to_string(index=False))


def _claim_line(claim: dict[str, str]) -> str:
    found = f"printed {claim['printed']}, recomputed {claim['recomputed'] or 'nothing'}"
    note = f" ({claim['note']})" if claim["note"] else ""
    return f"{claim['place']}: {claim['row']}, {claim['column']}: {found}{note}"


if __name__ == "__main__":
    sys.exit(main())
