"""Run a module as a program that ends when whoever started it ends, however that comes about.

``python -m reliable_change.collect.local.tethered MODULE ARGUMENT …``: the standard input is a
pipe that the parent holds open and never writes to. It closes when the parent ends, also by a
SIGKILL, and no server is left behind that holds a port.
"""

from __future__ import annotations

import os
import runpy
import sys
import threading


def main() -> None:
    """Watch the standard input from a thread, and run the module that is named."""
    threading.Thread(target=_end_with_input, daemon=True).start()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


def _end_with_input() -> None:
    while os.read(0, 4096):
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
