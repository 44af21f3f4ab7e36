"""Where verifiers come from, and that importing them reaches for nothing."""

from __future__ import annotations

import re
import sys
from importlib.metadata import version

import pytest

from reliable_change.paths import ROOT
from reliable_change.scoring.instructions import verifiers
from reliable_change.scoring.instructions.scorer import Instructions
from tests.scoring.instructions.every_kind import IFBENCH, IFEVAL, in_a_fresh_process, item

LOAD = "from reliable_change.scoring.instructions.verifiers import load\n"
TWO_KINDS = """
import nltk
nltk.download("punkt_tab")

class Fake:
    def __init__(self, name):
        pass
    def build_description(self):
        nltk.download("stopwords")
    def get_instruction_args(self):
        return None
    def check_following(self, value):
        nltk.download("words")
        return value == "fake, it is"

INSTRUCTION_DICT = {"count:fake": Fake, "punctuation:no_comma": Fake}
"""


@pytest.fixture
def ifbench(tmp_path):
    """A folder with a package `ifbench` of two instructions, one of them known to the other."""
    (tmp_path / "ifbench").mkdir()
    (tmp_path / "ifbench" / "__init__.py").write_text("")
    (tmp_path / "ifbench" / "instructions_registry.py").write_text(TWO_KINDS)
    return tmp_path


def test_all_of_ifbench_and_ifeval_is_there():
    assert verifiers.load().kinds.keys() == IFBENCH.keys() | IFEVAL.keys()


def test_the_versions_are_recorded(instructions):
    ours, theirs = instructions.version.split(" ", 1)
    assert ours == "2"
    named = dict(part.rsplit(" ", 1) for part in theirs.strip("()").split(", "))
    assert named == {
        name: version(name) for name in ("if-verifiable", "nltk", "langdetect", "emoji", "syllapy")
    }


def test_the_package_ifbench_comes_first(ifbench):
    program = f"""{LOAD}
import nltk
nltk.download = lambda *_, **__: print("a download")
from reliable_change.scoring.instructions.scorer import Instructions
from reliable_change.scoring.verdict import Item
names = ["count:fake", "punctuation:no_comma", "startend:quotation"]
item = Item("IFBench", "1", "instruction", extra={{"instruction_id_list": names}})
scorer = Instructions()
print([verdict.strict for verdict in scorer.judge(item, "fake, it is")], scorer.version)
"""
    said = in_a_fresh_process(program, path=ifbench)
    assert re.match(r"\[True, True, False\] 2 \(ifbench of unknown version, if-verifiable ", said)
    assert "download" not in said


@pytest.mark.parametrize("registry", ["import no_such_module", "INSTRUCTIONS = {}", None])
def test_another_ifbench_is_passed_over(ifbench, registry, monkeypatch):
    file = ifbench / "ifbench" / "instructions_registry.py"
    file.unlink() if registry is None else file.write_text(registry)
    monkeypatch.syspath_prepend(ifbench)
    for name in ("ifbench", "ifbench.instructions_registry"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    found = verifiers.load.__wrapped__()
    assert found.packages == f"if-verifiable {version('if-verifiable')}"
    assert found.kinds == verifiers.load().kinds


def test_nothing_reaches_for_the_network_or_the_log():
    program = """
import logging, random, socket
def refused(*_, **__):
    print("a connection")
    raise OSError
socket.socket.connect = socket.getaddrinfo = refused
state = random.getstate()
from tests.scoring.instructions.every_kind import WITHOUT_DATA, item
from reliable_change.scoring.instructions.scorer import Instructions
scorer = Instructions()
for text in ("Hello world", "12345", "\\ud835", "a, b"):
    scorer.judge(item(WITHOUT_DATA), text)
print(logging.getLogger().handlers, random.getstate() == state)
"""
    assert in_a_fresh_process(program, path=ROOT).strip() == "[] True"


def test_without_any_package_nothing_is_scorable_and_the_cure_is_named(monkeypatch):
    monkeypatch.setattr(verifiers, "find_spec", lambda name: None)
    none = verifiers.load.__wrapped__()
    assert (none.kinds, none.packages) == ({}, "no verifiers")
    scorer = Instructions()
    monkeypatch.setattr("reliable_change.scoring.instructions.scorer.load", lambda: none)
    assert scorer.version == "2 (no verifiers)"
    (verdict,) = scorer.judge(item({"count:numbers": {"N": 1}}), "1")
    assert (verdict.strict, verdict.loose) == (None, None)
    assert "pip install 'reliable-change[score]'" in verdict.unscored_reason
