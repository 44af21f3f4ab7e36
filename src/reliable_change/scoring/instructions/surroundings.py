"""What verifiers may not do while they run: download, draw at random, fill the log."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable
from contextlib import ContextDecorator
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


class undisturbed(ContextDecorator):
    """Let the verifiers of some modules run: offline, quiet and the same every time.

    Neither NLTK nor spaCy downloads anything, which some verifiers ask for when they are
    imported, made or called. Without `chance`, one that draws at random raises `Drawn` instead.
    Everything is as it was afterwards. It may be entered any number of times, which for the
    cheapest verifiers costs as much as they do.
    """

    def __init__(self, modules: Iterable[ModuleType] = (), *, chance: bool = True) -> None:
        self._replaced: list[tuple[object, str, object]] = []
        for module in modules:
            if "logging" in vars(module):
                self._replaced.append((module, "logging", _NO_LOG))
            if not chance and "random" in vars(module):
                self._replaced.append((module, "random", _NO_CHANCE))
        self._before: list[list[tuple[object, str, object]]] = []

    def __enter__(self) -> None:
        replaced = self._replaced + _everywhere()
        _LOCK.acquire()
        self._before.append([(owner, name, getattr(owner, name)) for owner, name, _ in replaced])
        for owner, name, value in replaced:
            setattr(owner, name, value)

    def __exit__(self, *_: object) -> None:
        try:
            for owner, name, value in self._before.pop():
                setattr(owner, name, value)
        finally:
            _LOCK.release()


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
