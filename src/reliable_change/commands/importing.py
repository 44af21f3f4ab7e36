"""The command `import`: other projects' files made into an archive."""

from __future__ import annotations

import argparse
from pathlib import Path

from reliable_change.commands.common import add_command, counted, say_what_is_missing, short


def add_importing(commands) -> None:
    """Add the command to a parser's, with a word for each format that can be read."""
    command = commands.add_parser(
        "import", help="make an archive of another project's files", description=__doc__
    )
    formats = command.add_subparsers(title="formats", metavar="FORMAT", required=True)
    command = add_command(
        formats, "beyond-the-mean", _beyond_the_mean, "trial files of 'Beyond the Mean'"
    )
    command.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="JSON lines, the older model's first"
    )
    command.add_argument(
        "--to", type=Path, required=True, metavar="FOLDER", help="where the archive shall lie"
    )
    command.add_argument(
        "--condition", metavar="NAME", help="which condition to keep, where the files hold several"
    )
    command.add_argument(
        "--edge",
        nargs=2,
        action="append",
        dest="edges",
        metavar=("OLD", "NEW"),
        help="two models to compare; may be given several times (default: each to the next)",
    )
    command.add_argument(
        "--benchmark", default="MMLU-Pro", metavar="NAME", help="what to call the benchmark"
    )
    command.add_argument("--replace", action="store_true", help="replace an archive there")


# What a command needs is imported by it, so that help and mistyped commands answer at once.


def _beyond_the_mean(given: argparse.Namespace) -> None:
    from reliable_change.archive.imports.beyond_the_mean import import_trials
    from reliable_change.archive.read import read_archive

    edges = None if given.edges is None else [tuple(edge) for edge in given.edges]
    folder = import_trials(
        given.files,
        given.to,
        condition=given.condition,
        benchmark=given.benchmark,
        edges=edges,
        replace=given.replace,
    )
    archive = read_archive(folder)
    sizes = (
        f"{counted(len(archive.items), 'item')}, {counted(len(archive.manifest.models), 'model')}"
    )
    print(f"wrote {short(folder)}: {sizes}")
    say_what_is_missing(archive)
