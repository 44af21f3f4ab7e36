"""The neighbours' numbers: transcribed as they stand, and nothing silently left uncomputed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from reliable_change.published.ledger import COLUMNS, known_differences
from reliable_change.published.neighbours import (
    NEIGHBOURS,
    PAPERS,
    neighbour_claims,
    neighbour_ledger,
    neighbour_summary,
    stated_numbers,
)
from tests.published.paper import VARIABLE

RESULTS = "002, results file"
TRIALS = "the trials of the authors (2,000 items × 10 × 4 models)"


def numbered(stem: str, *numbers: int) -> set[str]:
    return {f"{stem}-{number:02d}" for number in numbers}


# What is stated and follows from nothing else that is. Nothing may join this list unseen.
NEEDS = {
    TRIALS: numbered("002-results", 5, 6, *range(8, 13), 22, 24, 26, 35, 36, *range(38, 43), 56)
    | numbered("002-results", 66, 68)
    | numbered("002-text", 11, 12, 15, 16),
    f"{TRIALS} and the greedy answers of all four models": numbered("002-text", 17, 18)
    | numbered("002-cited", 1, 4, 5),
    "the hypothesis, which the file does not state": numbered("002-results", 25, 30, 55, 60, 65),
    "a choice of the authors": numbered("002-text", 2, 3),
    "a number that the example assumes": numbered("003", 1, 2, 3, 10),
    "an example of the authors": numbered("004", 1, 2),
    "a number of the benchmark": numbered("004", 39),
    "the scores of both models on each example": numbered(
        "004", 5, 10, 14, 15, 16, 19, 20, 21, 24, 28, 29, 30, 33, 34, 40, 41, 43, 45, 47, 49
    ),
    "b and c of each task, which are not stated": numbered("004", 7, 8, 26, 27, 37, 38),
    "the drop, which is not stated: 8.71% of flips alone leave p open": numbered("004", 31),
    "the sizes of the single benchmarks, which are not stated": numbered("004", 51, 52),
}


def test_what_cannot_be_computed_is_this_list():
    claims = neighbour_claims()
    needy = claims[claims["needs"] != ""]
    found = {needs: set(group["claim"]) for needs, group in needy.groupby("needs")}
    assert found == NEEDS
    empty = neighbour_ledger({})
    assert set(empty["verdict"]) == {"not computable"}
    assert empty["note"].tolist() == [needs or "not in this archive" for needs in claims["needs"]]


def test_claims_are_complete_unique_and_numbered_in_order():
    claims = neighbour_claims()
    assert claims["claim"].is_unique
    filled = ["claim", "place", "quote", "printed", "table", "row", "column"]
    assert claims[filled].ne("").all(axis=None)
    for stem, group in claims.groupby(claims["claim"].str.rpartition("-")[0], sort=False):
        assert group["claim"].tolist() == [f"{stem}-{i + 1:02d}" for i in range(len(group))]
    assert sum(len(neighbour_claims(paper)) for paper in PAPERS) == len(claims)
    with pytest.raises(KeyError, match="no neighbour '001'"):
        neighbour_claims("001")


def test_a_quantity_that_is_printed_twice_has_the_same_needs():
    places = neighbour_claims().groupby(["table", "row", "column"])
    assert (places["needs"].nunique() == 1).all()
    assert len(stated_numbers()) == places.ngroups


def test_every_text_claim_quotes_its_paper():
    folder = os.environ.get(VARIABLE)
    if not folder:
        pytest.skip(f"{VARIABLE} is unset")
    texts = {}
    for paper in ("001", *PAPERS):
        (path,) = Path(folder).glob(f"{paper}*.txt")
        texts[paper] = path.read_text(encoding="utf-8")
    claims = neighbour_claims()
    claims = claims[claims["place"] != RESULTS]
    assert len(claims) == 87
    for claim in claims.itertuples():
        assert claim.quote in texts[claim.place[:3]], claim.claim
        assert claim.printed in claim.quote, claim.claim


def test_every_number_of_the_results_file_is_a_claim_as_it_stands_there(fixtures_dir):
    text = (fixtures_dir / "beyond_the_mean" / "btm_results.json").read_text(encoding="utf-8")
    expected = []
    for row, record in json.loads(text, parse_float=str, parse_int=str).items():
        for column, value in record.items():
            if isinstance(value, list):
                ends = zip(("low", "high"), value, strict=True)
                expected += [(row, f"{column} {end}", bound) for end, bound in ends]
            elif column != "pair":
                expected.append((row, column, value))
    claims = neighbour_claims()
    claims = claims.loc[claims["place"] == RESULTS, ["row", "column", "printed"]]
    assert list(claims.itertuples(index=False, name=None)) == expected


def test_known_differences_are_claims_with_a_reason():
    known = known_differences(NEIGHBOURS)
    assert known["reason"].ne("").all()
    assert set(known[["table", "row", "column"]].itertuples(index=False, name=None)) <= set(
        stated_numbers()
    )


def test_the_ledger_notes_the_reason_of_a_difference_and_only_of_one():
    place = ("004", "trimming of MMLU-Pro", "examples left")
    for value, verdict in [(6428, "differs"), (6807, "reproduced")]:
        ledger = neighbour_ledger({place: value}, "004")
        assert tuple(ledger.columns) == COLUMNS
        found = ledger[ledger["column"] == place[2]].iloc[0]
        assert (found["verdict"], "6,428" in found["note"]) == (verdict, verdict == "differs")


def test_the_summary_has_a_line_for_each_source_and_a_total():
    summary = neighbour_summary(neighbour_ledger({}))
    assert summary["place"].tolist() == [
        "002 results", "002 text", "002 cited", "003", "004", "Total",
    ]  # fmt: skip
    assert summary["claims"].tolist() == [68, 18, 7, 10, 52, 155]
