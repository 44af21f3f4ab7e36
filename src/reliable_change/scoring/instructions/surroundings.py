"""What verifiers may not do while they run: download, draw at random, fill the log."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType

SEED = 0  # of langdetect, which draws at random and ignores Python's own seed

# What is replaced is shared by all threads, so one of them works at a time.
_LOCK = threading.RLock()


class Drawn(Exception):
    """A verifier was about to draw a parameter at random."""


class _NoChance:
    """Stands in for the module `random`."""

    def __getattr__(self, name: str) -> object:
        raise AttributeError(name) if name.startswith("__") else Drawn(name)


class _NoLog:
    """Stands in for the module `logging`, whose functions set up the program's log when called."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return _nothing


def _nothing(*_: object, **__: object) -> bool:
    return False


_NO_CHANCE, _NO_LOG = _NoChance(), _NoLog()


@contextmanager
def undisturbed(modules: Sequence[ModuleType] = (), *, chance: bool = True) -> Iterator[None]:
    """Let the verifiers of some modules run: offline, quiet and the same every time.

    Neither NLTK nor spaCy downloads anything, which some verifiers ask for when they are
    imported, made or called. Without `chance`, one that draws at random raises `Drawn` instead.
    Everything is as it was afterwards.
    """
    replaced = _everywhere()
    for module in modules:
        if "logging" in vars(module):
            replaced.append((module, "logging", _NO_LOG))
        if not chance and "random" in vars(module):
            replaced.append((module, "random", _NO_CHANCE))
    with _LOCK:
        before = [getattr(owner, name) for owner, name, _ in replaced]
        try:
            for owner, name, value in replaced:
                setattr(owner, name, value)
            yield
        finally:
            for (owner, name, _), value in zip(replaced, before, strict=True):
                setattr(owner, name, value)


def _everywhere() -> list[tuple[object, str, object]]:
    """What is replaced whatever the verifiers are, as far as it is imported."""
    replaced: list[tuple[object, str, object]] = []
    if "nltk" in sys.modules:
        replaced.append((sys.modules["nltk"], "download", _nothing))
    if "spacy.cli" in sys.modules:
        replaced.append((sys.modules["spacy.cli"], "download", _nothing))
    if "langdetect" in sys.modules:
        replaced.append((sys.modules["langdetect"].DetectorFactory, "seed", SEED))
    return replaced
