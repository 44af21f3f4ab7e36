"""What verifiers may not do while they run: download, draw at random, fill the log."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
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
def offline() -> Iterator[None]:
    """Keep NLTK and spaCy from downloading, which some verifiers do when imported or called."""
    import nltk

    replaced = [(nltk, "download", _nothing)]
    if "spacy" in sys.modules:
        replaced.append((sys.modules["spacy"].cli, "download", _nothing))
    with _replaced(replaced):
        yield


@contextmanager
def undisturbed(modules: list[ModuleType], *, chance: bool = True) -> Iterator[None]:
    """Let the verifiers of some modules run: offline, quiet and the same every time.

    Without `chance`, one that draws at random raises `Drawn` instead. Everything is as it was
    afterwards.
    """
    replaced: list[tuple[object, str, object]] = []
    if "langdetect" in sys.modules:
        replaced.append((sys.modules["langdetect"].DetectorFactory, "seed", SEED))
    for module in modules:
        if hasattr(module, "logging"):
            replaced.append((module, "logging", _NO_LOG))
        if hasattr(module, "random") and not chance:
            replaced.append((module, "random", _NO_CHANCE))
    with offline(), _replaced(replaced):
        yield


@contextmanager
def _replaced(values: list[tuple[object, str, object]]) -> Iterator[None]:
    with _LOCK:
        before = [(owner, name, getattr(owner, name)) for owner, name, _ in values]
        try:
            for owner, name, value in values:
                setattr(owner, name, value)
            yield
        finally:
            for owner, name, value in before:
                setattr(owner, name, value)
