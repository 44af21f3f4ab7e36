"""What the README tells people to type."""

from __future__ import annotations

import re

import pytest

from reliable_change.archive.read import read_archive
from reliable_change.archive.schema import ITEMS, RESPONSES, SCORES
from reliable_change.paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_python_example_writes_an_archive(tmp_path, monkeypatch):
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    archive = read_archive(tmp_path / "my_migration")
    assert len(archive.items) == 2
    assert archive.missing.empty


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
