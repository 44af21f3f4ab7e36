"""`collect` and `export` on the command line: a skin that shows, stops and goes on clearly."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from reliable_change import cli
from reliable_change.archive.read import read_archive
from reliable_change.collect import run
from reliable_change.collect.journal import Journal
from reliable_change.collect.plan import read_plan, work_order
from reliable_change.collect.records import Attempt
from reliable_change.collect.run import Outcome
from tests.collect.plans import MADE, reply

LINE = {"benchmark": "quiz", "item_id": "007", "task": "math", "prompt": "2 + 2?", "reference": "4"}
PLAN = """
name = "mine"
items = "items.jsonl"
models = ["old", "new"]
trials = 3
[prices.models]
old = { input = 1.0, output = 2.0 }
new = {}
"""


@pytest.fixture
def plan_file(tmp_path):
    (tmp_path / "items.jsonl").write_text(json.dumps(LINE) + '\n{"torn')
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path / "plan.toml"


@pytest.fixture
def asked(monkeypatch):
    """Stand in for the engine: stores as many replies as it is told to, and notes the plans."""
    calls = []

    def collect(plan, folder):
        calls.append(plan)
        with Journal.open(folder, plan) as journal:
            missing = [key for m in plan.models for key in work_order(plan, m, journal.done(m))]
            for key in missing[: collect.stores]:
                journal.store(key, reply("4"), 1, 0.1, MADE)
        left = len(missing) > collect.stores
        failures = Counter(timeout=2)
        return Outcome(not left, "the disk is full" if left else None, 3, failures, 1.0, 0.5)

    collect.stores = 100
    collect.calls = calls
    monkeypatch.setattr(run, "collect", collect)
    return collect


def command(name, plan_file, *arguments) -> int:
    folder = str(plan_file.parent / "collected")
    return cli.main([name, str(plan_file), "--folder", folder, *arguments])


def test_a_dry_run_asks_nothing(plan_file, asked, capsys):
    assert command("collect", plan_file, "--dry-run", "--trials", "5", "--budget", "2.5") == 0
    out, err = capsys.readouterr()
    assert "  | 2 + 2?" in out
    assert "phase 1, old: 5 of 5 requests" in out
    assert "stops at 2.50 USD in all" in out
    assert "nothing was asked" in out
    assert err == "note: items.jsonl: line 2 was cut off and is left out\n"
    assert asked.calls == []
    assert not (plan_file.parent / "collected").exists()


def test_a_collection_is_told_what_the_line_says(plan_file, asked, capsys):
    arguments = ("--trials", "5", "--budget", "2.5", "--hours", "0.5")
    assert command("collect", plan_file, *arguments) == 0
    (plan,) = asked.calls
    assert (plan.trials, plan.limits.cost, plan.limits.seconds) == (5, 2.5, 1800.0)
    out = capsys.readouterr().out
    assert "total 10 requests" in out
    assert "3 replies in 1 s; 0.50 USD in all" in out
    assert "failed tries: 2 timeout" in out
    assert "complete" in out


def test_what_stopped_it_is_said_and_it_goes_on(plan_file, asked, capsys):
    asked.stores = 2
    assert command("collect", plan_file) == 1
    assert "stopped: the disk is full" in capsys.readouterr().err
    asked.stores = 100
    assert command("collect", plan_file) == 0
    assert "phase 1, old: 1 of 3 requests" in capsys.readouterr().out


def test_an_export_says_what_it_lacks_and_replaces_only_if_told(plan_file, asked, capsys):
    asked.stores = 2
    command("collect", plan_file)
    assert command("export", plan_file) == 0
    out = capsys.readouterr().out
    assert "1 of 3 trials of old on quiz are not collected" in out
    path = plan_file.parent / "collected" / "mine"
    assert f"score it: make score ARCHIVE={path}" in out
    assert f"wrote {path}: 1 item, 2 models" in out
    assert cli.main(["validate", str(path)]) == 0
    assert "1 item, 2 models, 1 benchmark\n" in capsys.readouterr().out
    asked.stores = 100
    command("collect", plan_file)
    capsys.readouterr()
    assert command("export", plan_file) == 1
    assert "exists; name another folder with --to, or give --replace" in capsys.readouterr().err
    assert command("export", plan_file, "--replace") == 0
    assert command("export", plan_file, "--to", str(plan_file.parent / "other")) == 0
    for folder in (path, plan_file.parent / "other"):
        assert read_archive(folder).manifest.complete


def test_trials_that_failed_in_vain_are_errors_if_told(plan_file, asked, capsys):
    asked.stores = 5
    command("collect", plan_file)
    plan = read_plan(plan_file)
    with Journal.open(plan_file.parent / "collected", plan) as journal:
        (left,) = work_order(plan, "new", journal.done("new"))
        for number in (1, 2):
            journal.record(Attempt(left, number, "malformed", True, "cut", 200, MADE))
    for tries, found in ((2, 6), (3, 5)):
        folder = plan_file.parent / f"after-{tries}"
        assert command("export", plan_file, "--to", str(folder), "--errors-after", str(tries)) == 0
        assert len(read_archive(folder).responses()) == found
    assert command("export", plan_file) == 0
    assert not read_archive(plan_file.parent / "collected" / "mine").manifest.complete


def test_nothing_collected_is_one_line(plan_file, capsys):
    assert command("export", plan_file) == 1
    err = capsys.readouterr().err.splitlines()
    assert err[-1].endswith("there is none yet; collect first")


def test_a_budget_needs_prices(plan_file, asked, capsys):
    plan_file.write_text(PLAN[: PLAN.index("[prices")])
    assert command("collect", plan_file, "--budget", "1") == 1
    assert "error: limits: a limit of cost needs a price table" in capsys.readouterr().err
    assert asked.calls == []


@pytest.mark.parametrize(
    "arguments",
    [["--budget", "0"], ["--budget", "nan"], ["--hours", "-1"], ["--trials", "0"], ["--dryrun"]],
)
def test_a_mistyped_option_is_refused(plan_file, arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        command("collect", plan_file, *arguments)
    assert "usage: reliable-change" in capsys.readouterr().err


def test_the_journal_lies_in_a_folder_of_the_plans_name(plan_file, asked, monkeypatch, tmp_path):
    monkeypatch.setattr("reliable_change.commands.collecting.COLLECTED", tmp_path / "here")
    assert cli.main(["collect", str(plan_file)]) == 0
    plan = read_plan(plan_file)
    assert (tmp_path / "here" / "mine" / f"journal-{plan.settings.fingerprint}.sqlite").is_file()
