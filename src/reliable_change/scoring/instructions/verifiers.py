"""Where verifiers come from: the package `ifbench` if it can be imported, then `if-verifiable`."""

from __future__ import annotations

import contextlib
import importlib
import sys
import warnings
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec
from types import ModuleType
from typing import Protocol

from reliable_change.scoring.instructions.surroundings import undisturbed

# Package, and its modules that hold an INSTRUCTION_DICT. An id found in two is the first one's.
_REGISTRIES = {
    "ifbench": ("ifbench.instructions_registry",),
    "if_verifiable": (
        "if_verifiable.ifbench.instructions_registry",
        "if_verifiable.ifeval.instructions_registry",
    ),
}
# Libraries whose version can change a verdict.
_LIBRARIES = ("nltk", "langdetect", "emoji", "syllapy")


class Verifier(Protocol):
    """What the official packages call an instruction: one rule with its parameters."""

    def build_description(self, **parameters: object) -> object: ...

    def get_instruction_args(self) -> dict | None: ...

    def check_following(self, value: str) -> bool: ...


@dataclass(frozen=True)
class Verifiers:
    """The verifiers that can be imported here.

    kinds: class of verifier by instruction id. modules: those that draw at random or write a
    log. packages: the packages that they come from, with version. libraries: those that they
    use, with version.
    """

    kinds: dict[str, type[Verifier]]
    modules: list[ModuleType]
    packages: str
    libraries: str


@cache
def load() -> Verifiers:
    """Import the verifiers, without network. There may be none; importing takes seconds."""
    kinds: dict[str, type[Verifier]] = {}
    packages = []
    for package, registries in _REGISTRIES.items():
        found = _import(registries) if find_spec(package) and find_spec("nltk") else None
        if found is not None:
            packages.append(package)
            kinds = {**found, **kinds}
    return Verifiers(kinds, _modules(packages), *_versions(packages))


def _import(registries: tuple[str, ...]) -> dict[str, type[Verifier]] | None:
    # Imported first, so that their downloads are known and can be kept from happening.
    importlib.import_module("nltk")
    if registries[0].startswith("ifbench") and find_spec("spacy"):
        with contextlib.suppress(ImportError):
            importlib.import_module("spacy.cli")
    try:
        with undisturbed(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what their libraries miss is nothing to a reader
            found = [importlib.import_module(name).INSTRUCTION_DICT for name in registries]
    except (ImportError, OSError, AttributeError):  # not there, not whole, or another `ifbench`
        return None
    return {key: kind for registry in found for key, kind in registry.items()}


def _modules(packages: list[str]) -> list[ModuleType]:
    roots = tuple(f"{package}." for package in packages)
    found = [module for name, module in sys.modules.items() if name.startswith(roots)]
    return [module for module in found if vars(module).keys() & {"random", "logging"}]


def _versions(packages: list[str]) -> tuple[str, str]:
    if not packages:
        return "no verifiers", ""
    distributions = packages_distributions()
    names = [(distributions.get(package) or [package])[0] for package in packages]
    return ", ".join(map(_named, names)), ", ".join(map(_named, _LIBRARIES))


def _named(distribution: str) -> str:
    try:
        return f"{distribution} {version(distribution)}"
    except PackageNotFoundError:
        return f"{distribution} of unknown version"
