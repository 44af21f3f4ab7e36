"""Solve for the items afresh, then build both archives from them: ``make reconstruction``."""

from __future__ import annotations

import sys

from reliable_change.reconstruction import build, solve


def main() -> int:
    """Solve and build; the archives stay as they are if no items are found."""
    return solve.main([]) or build.main()


if __name__ == "__main__":
    sys.exit(main())
