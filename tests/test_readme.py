"""What the README tells people to type."""

from __future__ import annotations

import re

import pytest

from reliable_change.archive.read import read_archive
from reliable_change.archive.schema import ITEMS, RESPONSES, SCORES
from reliable_change.paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_python_examples_write_an_archive_and_score_one(tmp_path, monkeypatch, capsys):
    codes = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(codes) == 2
    monkeypatch.chdir(tmp_path)
    exec(compile("\n".join(codes), "README.md", "exec"), {})
    for name in ("my_migration", "my_texts"):
        archive = read_archive(tmp_path / name)
        assert len(archive.items) == 2
        assert archive.missing.empty
    scores = archive.scores().groupby("item_id")["category"].unique()
    assert scores.map(list).to_dict() == {"q1": ["correct"], "q2": ["wrong"]}
    assert "correct" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("file", "schema"),
    [("items", ITEMS), ("responses", RESPONSES), ("scores", SCORES)],
)
def test_its_columns_are_those_of_the_schema(file, schema):
    (row,) = re.findall(rf"\| `{file}\.parquet` \| (.*?) \|", README)
    assert row.split(", ") == schema.names


def test_every_make_target_it_names_exists():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"(?:`|^)make ([a-z-]+)", README, re.MULTILINE))
    assert {"reproduce", "test"} <= named
    for target in named:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_link_within_the_project_leads_somewhere():
    for link in re.findall(r"\]\(([^):]+)\)", README):
        assert (ROOT / link).exists(), link
