"""The command that imports other projects' files."""

from __future__ import annotations

import argparse
import json

import pytest

from reliable_change.archive.read import read_archive
from reliable_change.commands.importing import add_importing
from reliable_change.errors import ArchiveError


def run(*arguments):
    parser = argparse.ArgumentParser()
    add_importing(parser.add_subparsers(required=True))
    given = parser.parse_args(["import", "beyond-the-mean", *map(str, arguments)])
    given.run(given)


@pytest.fixture
def source(tmp_path):
    fixed = {"item_id": 1, "domain": "law", "correct_answer": "B", "is_correct": True}
    rows = [fixed | {"model": m, "condition": c} for c in "SHS" for m in ("old", "mid", "new")]
    path = tmp_path / "trials.jsonl"
    path.write_text("\n".join(map(json.dumps, [*rows, rows[0]])))
    return path


def test_real_files_become_an_archive(fixtures_dir, tmp_path, capsys):
    folder = fixtures_dir / "beyond_the_mean"
    run(folder / "llama3-8b_H.jsonl", folder / "llama3.1-8b_H.jsonl", "--to", tmp_path / "greedy")
    assert capsys.readouterr().out.endswith("greedy: 2,000 items, 2 models\n")
    assert len(read_archive(tmp_path / "greedy").items) == 2000


def test_every_option_reaches_the_reader(source, tmp_path, capsys):
    options = ["--to", tmp_path / "out", "--condition", "S", "--benchmark", "Law"]
    run(source, *options, "--edge", "old", "new", "--edge", "mid", "new")
    archive = read_archive(tmp_path / "out")
    assert archive.manifest.edges == (("old", "new"), ("mid", "new"))
    assert archive.manifest.benchmarks == ("Law",)
    assert len(archive.scores()) == 7
    assert "known to be incomplete" in capsys.readouterr().out
    with pytest.raises(ArchiveError, match="exists"):
        run(source, *options)
    run(source, *options, "--replace")


def test_a_condition_must_be_chosen(source, tmp_path):
    with pytest.raises(ArchiveError, match="choose one with --condition"):
        run(source, "--to", tmp_path / "out")
