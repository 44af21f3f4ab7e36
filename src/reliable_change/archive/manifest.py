"""The manifest: what an archive says about itself."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from reliable_change.archive.problems import one_line, quoted
from reliable_change.archive.schema import KINDS, MANIFEST_FILE
from reliable_change.errors import ArchiveError

Edge = tuple[str, str]


@dataclasses.dataclass(frozen=True)
class Manifest:
    """What an archive is, in the words of its ``manifest.json``.

    Models stand in release order, edges are (source, target), strata maps a benchmark to its
    stratum columns and each of these to its levels in order, slots a screened benchmark to the
    slot that it is a candidate for. trials_per_item is None where K
    differs by design. incomplete lists what is known to be missing, in sentences.
    """

    name: str
    kind: str
    description: str
    models: tuple[str, ...]
    edges: tuple[Edge, ...]
    benchmarks: tuple[str, ...]
    trials_per_item: int | None
    complete: bool
    created_utc: str
    licence: str
    files: Mapping[str, str]
    labels: Mapping[str, str] = dataclasses.field(default_factory=dict)
    short_labels: Mapping[str, str] = dataclasses.field(default_factory=dict)
    strata: Mapping[str, Mapping[str, tuple[str, ...]]] = dataclasses.field(default_factory=dict)
    slots: Mapping[str, str] = dataclasses.field(default_factory=dict)
    incomplete: tuple[str, ...] = ()
    request: Mapping[str, object] | None = None
    prompt_version: str | None = None
    code_version: str | None = None

    def label(self, model: str) -> str:
        """Return the name to show for a model (or benchmark): its label, or else its id."""
        return self.labels.get(model, model)

    def short_label(self, model: str) -> str:
        """Return the short name to show for a model: short label, label, or else its id."""
        return self.short_labels.get(model, self.label(model))

    def edge_label(self, edge: Edge) -> str:
        """Return the name to show for an edge, made of short labels: "5.4→5.5"."""
        return f"{self.short_label(edge[0])}→{self.short_label(edge[1])}"

    @property
    def synthetic(self) -> bool:
        """Whether the trials were made and not collected: the kind is ``reconstruction``."""
        return self.kind == "reconstruction"

    def to_dict(self) -> dict:
        """Return the manifest as plain lists and dicts, in the order in which it is written."""
        return {key: _plain(getattr(self, key)) for key in ORDER}


def edge_id(edge: Edge) -> str:
    """Write an edge with its models' ids, as tables and claims name it.

    >>> edge_id(("gpt-5.4", "gpt-5.5"))
    'gpt-5.4→gpt-5.5'
    """
    return f"{edge[0]}→{edge[1]}"


def read_manifest(folder: Path) -> Manifest:
    """Read and check the manifest in a folder.

    Raises
    ------
    ArchiveError
        If there is none, if it is not JSON, or if a key is missing, unknown or of a wrong type.
    """
    path = Path(folder) / MANIFEST_FILE
    try:
        text = path.read_text(encoding="utf-8")
        content = json.loads(text, object_pairs_hook=_without_duplicates)
    except FileNotFoundError:
        raise ArchiveError(
            f"{MANIFEST_FILE}: no such file; name a folder that holds an archive"
        ) from None
    except OSError as error:
        raise ArchiveError(
            f"{MANIFEST_FILE}: cannot be read ({one_line(error)}); name a folder with an archive"
        ) from None
    except (ValueError, RecursionError) as error:  # not UTF-8, not JSON, or a key twice
        raise ArchiveError(
            f"{MANIFEST_FILE}: is not valid JSON: {one_line(error)}; mend it or fetch it again"
        ) from None
    return parse_manifest(content)


def parse_manifest(content: object) -> Manifest:
    """Check a manifest's content and freeze it.

    Raises
    ------
    ArchiveError
        If a key is missing, unknown or of a wrong type, or names an unknown model or benchmark.
    """
    if not isinstance(content, Mapping):
        raise ArchiveError(f"{MANIFEST_FILE}: holds no JSON object; write one with the key 'name'")
    for key in content:
        if key not in ORDER:
            raise ArchiveError(
                f"{MANIFEST_FILE}: unknown key {quoted(key)}; known keys are {', '.join(ORDER)}"
            )
    values = {}
    for key, (needed, is_right) in RULES.items():
        if key not in content:
            if key in REQUIRED:
                raise ArchiveError(f"{MANIFEST_FILE}: key '{key}' is missing; write {needed}")
        elif not is_right(content[key]):
            raise ArchiveError(
                f"{MANIFEST_FILE}: key '{key}' is {quoted(content[key])}; write {needed}"
            )
        else:
            values[key] = _frozen(content[key])
    manifest = Manifest(**values)
    _check_names(manifest)
    return manifest


def _check_names(manifest: Manifest) -> None:
    known = {*manifest.models, *manifest.benchmarks}
    named = [("edges", model, manifest.models) for edge in manifest.edges for model in edge]
    named += [("strata", benchmark, manifest.benchmarks) for benchmark in manifest.strata]
    named += [("slots", benchmark, manifest.benchmarks) for benchmark in manifest.slots]
    named += [("labels", name, known) for name in manifest.labels]
    named += [("short_labels", name, known) for name in manifest.short_labels]
    for key, name, names in named:
        if name not in names:
            raise ArchiveError(
                f"{MANIFEST_FILE}: key '{key}' names {quoted(name)}, which is not among "
                f"{', '.join(sorted(names))}; add it there or correct the name"
            )


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [key for key, _ in pairs]
        raise ValueError(f"key {quoted(next(n for n in names if names.count(n) > 1))} stands twice")
    return found


def _frozen(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _frozen(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_frozen(inner) for inner in value)
    return value


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple):
        return [_plain(inner) for inner in value]
    return value


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value.strip() != ""


def _is_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(map(_is_text, value))


def _is_names(value: object) -> bool:
    return _is_texts(value) and len(value) == len(set(value)) > 0


def _is_edges(value: object) -> bool:
    if not isinstance(value, list | tuple):
        return False
    return all(_is_names(edge) and len(edge) == 2 for edge in value) and (
        len({tuple(edge) for edge in value}) == len(value)
    )


def _maps_to(is_right: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: (
        isinstance(value, Mapping)
        and all(isinstance(key, str) for key in value)
        and all(map(is_right, value.values()))
    )


def _is_count(value: object) -> bool:
    return value is None or (type(value) is int and value >= 1)


def _is_utc(value: object) -> bool:
    try:
        return datetime.fromisoformat(value).utcoffset() == timedelta(0)
    except (TypeError, ValueError):
        return False


def _is_file_sums(value: object) -> bool:
    is_sum = re.compile("[0-9a-f]{64}").fullmatch
    return _maps_to(lambda inner: isinstance(inner, str) and bool(is_sum(inner)))(value) and all(
        re.fullmatch(r"[^/\\\0]+", name) and name not in {".", "..", MANIFEST_FILE}
        for name in value
    )


def _optional(is_right: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or is_right(value)


# What each key must be: in words, for the error, and as a test.
RULES: dict[str, tuple[str, Callable[[object], bool]]] = {
    "name": ("a text that is not empty", _is_text),
    "kind": (f"one of {', '.join(KINDS)}", lambda value: value in KINDS),
    "description": ("a sentence", _is_text),
    "models": ("a list of model ids, each once, in release order", _is_names),
    "edges": ("a list of [source, target], each pair once", _is_edges),
    "benchmarks": ("a list of benchmark names, each once", _is_names),
    "labels": ("an object of id: text", _maps_to(_is_text)),
    "short_labels": ("an object of id: text", _maps_to(_is_text)),
    "strata": (
        "an object of benchmark: {column: [levels in order]}",
        _maps_to(_maps_to(_is_names)),
    ),
    "slots": ("an object of benchmark: slot", _maps_to(_is_text)),
    "trials_per_item": ("a whole number from 1, or null where K differs", _is_count),
    "complete": ("true or false", lambda value: isinstance(value, bool)),
    "incomplete": ("a list of sentences", _is_texts),
    "request": ("an object of request parameters, or null", _optional(_maps_to(lambda _: True))),
    "prompt_version": ("a text, or null", _optional(_is_text)),
    "code_version": ("a text, or null", _optional(_is_text)),
    "created_utc": ("a time in UTC such as 2026-01-31T12:00:00+00:00", _is_utc),
    "licence": ("the licence's name", _is_text),
    "files": ("an object of file name: sha256 in 64 lower-case hex digits", _is_file_sums),
}
ORDER = tuple(RULES)
REQUIRED = {
    field.name
    for field in dataclasses.fields(Manifest)
    if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
}
