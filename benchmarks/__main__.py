"""Run every benchmark of this folder in one go and print ours and theirs side by side.

A benchmark is a module with ``run()`` that returns rows of name, ours, theirs, ratio (theirs /
ours) and note. ``python -m benchmarks null`` runs one of them.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

LINE = "{name:<52} {ours:>10.4g} {theirs:>10.4g} {ratio:>9.4g}×  {note}"
HEAD = f"{'what is measured':<52} {'ours':>10} {'theirs':>10} {'ratio':>10}  how"


def main(chosen: Sequence[str]) -> int:
    """Run the chosen benchmarks, all by default; 2 if there is none of that name."""
    there = modules()
    unknown = [name for name in chosen if name not in there]
    if unknown:
        print(f"no benchmark {unknown[0]}; there are {', '.join(there)}", file=sys.stderr)
        return 2
    print(HEAD)
    for row in rows(chosen or there):
        print(LINE.format(**row), flush=True)
    return 0


def modules() -> list[str]:
    """Names of the benchmarks in this folder."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem[0] != "_")


def rows(names: Sequence[str]) -> Iterator[dict]:
    """What the benchmarks measure, row by row."""
    for name in names:
        yield from importlib.import_module(f"benchmarks.{name}").run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
