"""One process at a time: a file that is held, and let go of by the system if its holder dies."""

from __future__ import annotations

from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None
    import msvcrt


def hold(path: Path) -> IO[bytes] | None:
    """Hold a file until what is returned is closed; None if another holds it.

    The file is made if it is not there, and stays. Not even this process can hold it twice.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     first = hold(Path(folder) / "lock")
    ...     second = hold(Path(folder) / "lock")
    ...     first.close()
    >>> first is None, second is None
    (False, True)
    """
    held = path.open("ab")
    try:
        if fcntl is not None:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            msvcrt.locking(held.fileno(), msvcrt.LK_NBLCK, 1)
    except OSError:
        held.close()
        return None
    return held
