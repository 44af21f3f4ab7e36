"""The command `collect-local` from plan to scored archives; a replaying server stands in."""

from __future__ import annotations

import contextlib

import pandas as pd
import pytest

from reliable_change.archive.read import read_archive
from reliable_change.archive.write import write_archive
from reliable_change.cli import main
from reliable_change.collect.local import server, weights
from reliable_change.collect.practice.faults import Faults
from reliable_change.collect.practice.server import PracticeServer
from reliable_change.commands import local

MODELS = ["fine", "coarse"]
# Of ten trials each model gets so many right, for ever: what the screening keeps is known.
RIGHT = {"always": (10, 10), "never": (0, 0), "slips": (10, 9), "rises": (0, 1), "half": (5, 5)}
PLAN = """
name = "tiny"
items = "items.jsonl"
models = ["fine", "coarse"]
trials = 20
licence = "CC0-1.0"
slots = {{ sums = "Mathematics" }}
settings = {{ api = "chat", reasoning_effort = false, base_url = "{address}" }}
"""


@pytest.fixture
def source(tmp_path):
    """Items, and 30 replies to each: ten for the screening, twenty for what is kept."""
    items = pd.DataFrame({"benchmark": "sums", "item_id": list(RIGHT), "task": "math"})
    items = items.assign(reference="4", prompt=[f"{name}: 2 + 2?" for name in RIGHT])
    items.to_json(tmp_path / "items.jsonl", orient="records", lines=True)
    rows = [
        ("sums", item, model, trial, "Answer: 4" if trial % 10 < right else "Answer: 5")
        for item, both in RIGHT.items()
        for model, right in zip(MODELS, both, strict=True)
        for trial in range(30)
    ]
    names = ["benchmark", "item_id", "model", "trial", "response_text"]
    responses = pd.DataFrame(rows, columns=names).assign(finish_reason="stop")
    manifest = {
        "name": "source", "kind": "collected", "description": "Made up.", "models": MODELS,
        "edges": [MODELS], "benchmarks": ["sums"], "trials_per_item": 30, "complete": True,
        "created_utc": "2026-01-01T00:00:00+00:00", "licence": "CC0-1.0",
    }  # fmt: skip
    return read_archive(write_archive(tmp_path / "source", manifest, items, responses, None))


@pytest.fixture
def command(source, tmp_path, monkeypatch):
    """Run the command against a server that replays the source; what was served is counted."""
    served = []

    @contextlib.contextmanager
    def serving(files, address, log):
        served.append((files, address))
        yield

    monkeypatch.setattr(server, "serving", serving)
    monkeypatch.setattr(weights, "make_weights", lambda models, folder: dict.fromkeys(models))
    monkeypatch.setattr(local, "PLAN", tmp_path / "plan.toml")

    def run(*arguments: str) -> int:
        return main(["collect-local", "--folder", str(tmp_path / "made"), *arguments])

    with PracticeServer(source, Faults({}), delay=0.0) as practice:
        (tmp_path / "plan.toml").write_text(PLAN.format(address=practice.base_url))
        yield run, served


def test_it_screens_every_item_and_collects_those_that_leave_room(command, tmp_path, capsys):
    run, served = command
    assert run() == 0
    assert "3 of 5 items leave room to move and are kept" in capsys.readouterr().out
    screened = read_archive(tmp_path / "made" / "tiny_screening")
    assert (len(screened.items), screened.manifest.trials_per_item) == (5, 10)
    assert screened.manifest.slots == {"sums": "Mathematics"}
    assert "each from one request" in screened.manifest.description
    kept = read_archive(tmp_path / "made" / "tiny")
    assert (kept.manifest.kind, kept.manifest.complete) == ("collected", True)
    right = kept.scores().groupby(["item_id", "model"], observed=True)["correct"].sum().unstack()
    found = {item: (row["fine"], row["coarse"]) for item, row in right.iterrows()}
    assert found == {"slips": (20, 18), "rises": (0, 2), "half": (10, 10)}
    assert [list(files) for files, _ in served] == [MODELS, MODELS]  # each its own server

    assert run() == 0  # started again it asks nothing and writes the same
    assert capsys.readouterr().out.count(" 0 replies in") == 2
    again = read_archive(tmp_path / "made" / "tiny").manifest
    assert again.files == kept.manifest.files
    assert again.created_utc == kept.manifest.created_utc


def test_what_cannot_be_collected_stops_it_with_the_reason(command, tmp_path, capsys):
    run, _ = command
    assert run("--trials", "40") == 1  # far more than there is to replay
    assert capsys.readouterr().err.startswith("error: tiny: ")
    assert not (tmp_path / "made" / "tiny").exists()


def test_items_that_no_model_finds_neither_easy_nor_hard_are_needed(command, tmp_path, capsys):
    run, _ = command
    lines = (tmp_path / "items.jsonl").read_text().splitlines()
    (tmp_path / "items.jsonl").write_text("\n".join(lines[:2]) + "\n")
    assert run() == 1
    assert "no item leaves the models room to move" in capsys.readouterr().err
