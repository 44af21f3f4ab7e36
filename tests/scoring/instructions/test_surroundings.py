"""What verifiers may not do, and that everything is afterwards as it was."""

from __future__ import annotations

import logging
import random
import sys
import threading
import types

import langdetect
import nltk
import pytest

from reliable_change.scoring.instructions.surroundings import Drawn, undisturbed


@pytest.fixture
def module():
    """A module of verifiers, as far as it matters here."""
    found = types.ModuleType("verifiers")
    found.random, found.logging = random, logging
    return found


def state(module):
    return (
        nltk.download,
        langdetect.DetectorFactory.seed,
        module.random,
        module.logging,
        random.getstate(),
        list(logging.getLogger().handlers),
    )


@pytest.mark.parametrize("chance", [True, False])
def test_everything_is_as_it_was_afterwards_even_after_an_error(module, chance):
    before = state(module)

    @undisturbed([module], chance=chance)
    def verify():
        assert nltk.download("punkt_tab") is False
        assert langdetect.DetectorFactory.seed == 0
        assert module.logging is not logging
        module.logging.error("not one word of this: %s", "\ud835")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        verify()
    assert state(module) == before


def test_no_draw_goes_unnoticed(module):
    with undisturbed([module], chance=False):
        for draw in ("randint", "choice", "sample", "random", "shuffle"):
            with pytest.raises(Drawn):
                getattr(module.random, draw)
        assert random.random() < 1  # our own module, and everyone else's, draws as ever
    assert module.random is random


def test_a_module_without_chance_or_log_is_left_alone():
    bare = types.ModuleType("bare")
    with undisturbed([bare], chance=False):
        assert not hasattr(bare, "random")
        assert not hasattr(bare, "logging")


def test_spacy_downloads_nothing(monkeypatch):
    cli = types.ModuleType("spacy.cli")
    cli.download = lambda name: sys.exit("no network")
    monkeypatch.setitem(sys.modules, "spacy.cli", cli)
    with undisturbed():
        assert cli.download("en_core_web_sm") is False
    with pytest.raises(SystemExit):
        cli.download("en_core_web_sm")


def test_threads_wait_for_each_other(module):
    before, wrong = state(module), []

    def work():
        for _ in range(200):
            with undisturbed([module], chance=False):
                if module.random is random or nltk.download("x") is not False:
                    wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert state(module) == before
