"""CITATION.cff is valid, cites software and paper, and is true of this version."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from reliable_change import __version__
from reliable_change.paths import ROOT

SCHEMA = json.loads((Path(__file__).parent / "data" / "cff-1.2.0" / "schema.json").read_text())
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_it_is_valid():
    jsonschema.Draft7Validator(SCHEMA).validate(CITATION)


@pytest.mark.parametrize(
    "change", [{"authors": []}, {"cff-version": "1.3.0"}, {"colour": "red"}, {"license": "mine"}]
)
def test_the_schema_refuses_what_is_wrong(change):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(SCHEMA).validate(CITATION | change)


def test_it_cites_this_version():
    assert (CITATION["version"], CITATION["license"]) == (__version__, "MIT")


def test_it_cites_the_paper():
    (paper,) = CITATION["references"]
    assert [author["family-names"] for author in paper["authors"]] == ["Xu", "Wu"]
    assert paper["identifiers"][0]["value"] == "arXiv:2608.17719"
    assert paper["year"] == 2026
