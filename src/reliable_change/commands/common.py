"""What the commands share: how they are added, and how paths and gaps are put in words."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from reliable_change.paths import ROOT


def add_command(commands, name: str, run: Callable, summary: str) -> argparse.ArgumentParser:
    """Add a command to a parser's; `run` takes what was given."""
    command = commands.add_parser(
        name, help=summary, description=f"{summary[0].upper()}{summary[1:]}."
    )
    command.set_defaults(run=run)
    return command


def count(text: str) -> int:
    """Read a whole number above zero."""
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above zero")
    return number


def counted(number: int, noun: str) -> str:
    """Write a number and what it counts.

    >>> counted(1, "item"), counted(1200, "item")
    ('1 item', '1,200 items')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def say_what_is_missing(archive) -> None:
    """Print what an archive is known to lack."""
    for sentence in archive.manifest.incomplete:
        print(f"  known to be incomplete: {sentence}")
    if len(archive.missing):
        print(f"  missing: trials of {len(archive.missing)} pairs of item and model")


def short(path: Path) -> str:
    """A path as it reads from the project's folder, where it lies within."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
