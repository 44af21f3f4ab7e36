"""Scorers that processes of a batch can import: plain ones, and ones that misbehave on a word."""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path

from reliable_change.scoring.verdict import NotScorable, Reading


class Exact:
    """Right when the text is the reference; notes each reading in a file, if it has one."""

    name, version, has_loose = "exact text", "1 (none)", False

    def __init__(self, log: Path | None = None, version: str | None = None) -> None:
        self.log = log
        self.version = version or self.version

    def check(self, item):
        if not item.reference:
            raise item.error("has no reference")

    def read(self, item, text):
        if self.log is not None:
            with Path(self.log).open("a") as file:
                file.write(f"{item.item_id}\t{text}\n")
        return Reading(True, text.strip() == item.reference, extracted=text.strip())


class Troubled(Exact):
    """Does as the text says: dies, hangs, fails, or cannot score it; else `Exact`."""

    name = "troubled"

    def read(self, item, text):
        if text == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if text == "hang":
            time.sleep(600)
        if text == "fail":
            raise ValueError("a fault\nof the scorer")
        if text == "cannot":
            raise NotScorable("needs what is not here")
        return super().read(item, text)


class Lacking(Exact):
    """Cannot score any reply to an item with the reference "lacking" here."""

    def check(self, item):
        if item.reference == "lacking":
            raise NotScorable("needs a tagger; install it")


class Noting(Exact):
    """Leaves a note at the word odd."""

    name = "noting"

    def __init__(self, seen: int = 1) -> None:
        super().__init__()
        self.seen = seen

    def read(self, item, text):
        note = f"seen {self.seen}" if text == "odd" else None
        return Reading(True, text == item.reference, note=note)


class DiesOnce(Exact):
    """Dies at the word die, the first time; remembers it by a file."""

    def read(self, item, text):
        if text == "die" and not self.log.exists():
            self.log.touch()
            os._exit(3)
        return Reading(True, text == item.reference, extracted=text)


class SeesHalf(Exact):
    """Right when the text holds half a surrogate pair."""

    def read(self, item, text):
        return Reading(True, "\ud835" in text)


class Slow(Exact):
    """Takes its time."""

    def read(self, item, text):
        time.sleep(0.002)
        return super().read(item, text)


class Unmakeable(Exact):
    """Cannot be made."""

    def __init__(self) -> None:
        if os.environ.get("RELIABLE_CHANGE_TEST_PARENT") != str(os.getpid()):
            raise RuntimeError("no licence")


class Word:
    """A reply of at most six words, the reference among them."""

    name, version, has_loose = "word", "1", True

    def check(self, item):
        if not item.reference:
            raise item.error("has no reference")

    def read(self, item, text):
        there = re.search(rf"\b{re.escape(item.reference)}\b", text, re.IGNORECASE) is not None
        right = there and len(text.split()) <= 6
        return Reading(True, right, right)


class Check:
    """The one rule that an instruction item names in its extra."""

    name, version, has_loose = "check", "1", True
    rules = {
        "nocomma": lambda text: "," not in text,
        "lt20": lambda text: len(text.split()) < 20,
        "The": lambda text: re.match(r"The\b", text),
        "bang": lambda text: text.endswith("!"),
    }

    def check(self, item):
        if item.extra.get("check") not in self.rules:
            raise item.error("names no rule")

    def read(self, item, text):
        follows = bool(self.rules[item.extra["check"]](text.strip()))
        return Reading(True, follows, follows)


class Mended(Exact):
    """The scorer `Troubled` where it has what it needs."""

    name = "troubled"


class Loud(Exact):
    """Another extracted text under the same name and version."""

    def read(self, item, text):
        return super().read(item, text.lower())
