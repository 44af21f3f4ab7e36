"""The manifest: every key checked, names looked up, written as it was read."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from reliable_change.archive.manifest import (
    ORDER,
    REQUIRED,
    edge_id,
    parse_manifest,
    read_manifest,
)
from reliable_change.errors import ArchiveError

WHOLE = {
    "name": "one",
    "kind": "imported",
    "description": "One of everything.",
    "models": ["b", "a"],
    "edges": [["b", "a"]],
    "benchmarks": ["quiz", "exam"],
    "labels": {"a": "Model A", "quiz": "Quiz"},
    "short_labels": {"b": "B"},
    "strata": {"quiz": {"difficulty": ["easy", "hard"]}},
    "slots": {"quiz": "Knowledge"},
    "trials_per_item": 50,
    "complete": False,
    "incomplete": ["The exam is short."],
    "request": {"temperature": 0.7, "stop": ["\n"], "top_p": None},
    "prompt_version": "2",
    "code_version": "abc",
    "created_utc": "2026-01-31T12:00:00+00:00",
    "licence": "CC0-1.0",
    "files": {"items.parquet": "0" * 64},
}


def test_what_is_read_is_written():
    manifest = parse_manifest(WHOLE)
    assert manifest.to_dict() == WHOLE
    assert list(manifest.to_dict()) == list(ORDER)
    assert parse_manifest(json.loads(json.dumps(manifest.to_dict()))) == manifest
    assert pickle.loads(pickle.dumps(manifest)) == copy.deepcopy(manifest) == manifest


def test_optional_keys_may_be_left_out():
    least = {key: value for key, value in WHOLE.items() if key in REQUIRED}
    manifest = parse_manifest(least | {"trials_per_item": None})
    assert (manifest.labels, manifest.strata, manifest.incomplete) == ({}, {}, ())
    assert manifest.request is None


def test_labels_fall_back():
    manifest = parse_manifest(WHOLE)
    assert [manifest.label(name) for name in ("a", "b", "quiz", "exam")] == [
        "Model A",
        "b",
        "Quiz",
        "exam",
    ]
    assert [manifest.short_label(model) for model in ("a", "b")] == ["Model A", "B"]
    assert manifest.edge_label(("b", "a")) == "B→Model A"
    assert edge_id(("b", "a")) == "b→a"


def test_a_real_manifest(fixtures_dir):
    manifest = read_manifest(fixtures_dir / "smollm2_sample")
    assert manifest.models == ("smollm2-135m-q4_1", "smollm2-135m-q2_k")
    assert manifest.edge_label(manifest.edges[0]) == "SmolLM2 Q4_1→SmolLM2 Q2_K"


@pytest.mark.parametrize("key", sorted(REQUIRED))
def test_a_required_key_is_missed(key):
    content = {name: value for name, value in WHOLE.items() if name != key}
    with pytest.raises(ArchiveError, match=f"key '{key}' is missing; write"):
        parse_manifest(content)


WRONG = [
    ("name", " "),
    ("name", 7),
    ("kind", "simulated"),
    ("kind", ["collected"]),
    ("description", None),
    ("models", "gpt"),
    ("models", []),
    ("models", ["a", "a"]),
    ("models", ["a", 1]),
    ("edges", [["a"]]),
    ("edges", [["a", "a"]]),
    ("edges", [["a", "b"], ["a", "b"]]),
    ("edges", {"a": "b"}),
    ("benchmarks", [""]),
    ("labels", {"a": 1}),
    ("labels", ["a"]),
    ("short_labels", None),
    ("strata", {"quiz": ["difficulty"]}),
    ("strata", {"quiz": {"difficulty": ["easy", "easy"]}}),
    ("slots", {"quiz": ""}),
    ("slots", ["Knowledge"]),
    ("trials_per_item", 0),
    ("trials_per_item", 50.0),
    ("trials_per_item", True),
    ("trials_per_item", "50"),
    ("complete", "true"),
    ("complete", 1),
    ("complete", None),
    ("incomplete", "The exam is short."),
    ("request", ["temperature"]),
    ("prompt_version", 2),
    ("code_version", ""),
    ("created_utc", "yesterday"),
    ("created_utc", "2026-01-31T12:00:00"),
    ("created_utc", "2026-01-31T12:00:00+02:00"),
    ("created_utc", 1767225600),
    ("licence", ""),
    ("files", ["items.parquet"]),
    ("files", {"items.parquet": "0" * 63}),
    ("files", {"items.parquet": None}),
    ("files", {"../items.parquet": "0" * 64}),
    ("files", {"..": "0" * 64}),
    ("files", {"/etc/hosts": "0" * 64}),
    ("files", {"manifest.json": "0" * 64}),
]


@pytest.mark.parametrize(("key", "value"), WRONG)
def test_a_wrong_value_is_named(key, value):
    with pytest.raises(ArchiveError, match=rf"^manifest.json: key '{key}' is .*; write ") as caught:
        parse_manifest(WHOLE | {key: value})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("key", "value", "name"),
    [
        ("edges", [["a", "c"]], "c"),
        ("strata", {"test": {"difficulty": ["easy"]}}, "test"),
        ("slots", {"test": "Knowledge"}, "test"),
        ("labels", {"c": "C"}, "c"),
        ("short_labels", {"c": "C"}, "c"),
    ],
)
def test_an_unknown_name_is_named(key, value, name):
    with pytest.raises(ArchiveError, match=f"key '{key}' names \"{name}\", which is not among"):
        parse_manifest(WHOLE | {key: value})


def test_an_unknown_key_is_named():
    with pytest.raises(ArchiveError, match='unknown key "strat"; known keys are name, kind'):
        parse_manifest(WHOLE | {"strat": {}})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "holds no JSON object"),
        ("null", "holds no JSON object"),
        ("", "not valid JSON"),
        ('{"name": "one", "name": "two"}', '"name" stands twice'),
        ("[" * 100_000, "not valid JSON"),
    ],
)
def test_no_manifest_at_all(tmp_path, text, message):
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(ArchiveError, match=message):
        read_manifest(tmp_path)


def test_a_folder_instead_of_a_file(tmp_path):
    (tmp_path / "manifest.json").mkdir()
    with pytest.raises(ArchiveError, match="cannot be read"):
        read_manifest(tmp_path)
