"""No tracked file names a place on somebody's computer or a registry to download from."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from reliable_change.paths import ROOT

# Put together here, so that this file does not find itself.
HOME, TEMPORARY, INDEX, FILE = "/" + "home/", "/" + "tmp/", "--index-" + "url", "file:" + "///"
FOLDERS = "home|Users|root|tmp|work|opt|mnt"
LOCAL = re.compile(rf"(?<![\w./:~$-])/(?:{FOLDERS})/|\b[A-Z]:\\+Users|\b{FILE}")
REGISTRY = re.compile(r"pypi\.org|files\.pythonhosted|--(?:extra-)?index-url[= ]")
BINARY = {".parquet", ".png"}


def tracked() -> list[Path]:
    """Every text file that git keeps and that is there."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.is_file() and path.suffix not in BINARY]


def local_places(text: str) -> list[str]:
    """Lines that name a local place or a registry."""
    lines = text.splitlines()
    return [line.strip()[:120] for line in lines if LOCAL.search(line) or REGISTRY.search(line)]


def test_no_tracked_file_names_one():
    paths = tracked()
    assert len(paths) > 100
    found = {
        str(path.relative_to(ROOT)): lines
        for path in paths
        if (lines := local_places(path.read_text(encoding="utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize(
    "text",
    [
        f"open('{HOME}me/a.csv')",
        "C:\\" + "Users\\me",
        f"cd {TEMPORARY}x",
        f"{FILE}a",
        f"{INDEX} https://example.org",
        "https://pypi" + ".org/simple",
    ],
)
def test_one_is_seen(text):
    assert local_places(f"first line\n{text}\n") == [text]


@pytest.mark.parametrize(
    "text",
    [f"https://example.org{HOME}index.html", f"data{TEMPORARY}x", f"..{HOME}a", "index-url = 3"],
)
def test_other_paths_are_left_alone(text):
    assert local_places(text) == []
