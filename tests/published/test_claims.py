"""The claims of the text: well formed, each on a quantity that exists."""

from __future__ import annotations

import re

import pytest

from reliable_change.published.claims import TEXT, all_claims, numerals, text_claims
from reliable_change.published.numbers import parse
from reliable_change.published.tables import KEYS, table_claims

# What no archive of trials and scores can tell, and why. Nothing may join this list unseen.
NEEDS = {
    "items in the pool of Omni-MATH hard": ("452", "the full Omni-MATH data set"),
    "first day of collection, July": ("30", "times of the authors' responses"),
    "last day of collection, August": ("13", "times of the authors' responses"),
    "year of collection": ("2026", "times of the authors' responses"),
    "requests at a time": ("36", "the authors' request log"),
}
SECTIONS = re.compile(r"Abstract|[1-7](\.[1-6])?|Appendix [A-F]")


def test_text_claims_are_complete_and_unique():
    claims = text_claims()
    assert claims["claim"].is_unique
    required = ["claim", "section", "quote", "printed", "table", "row", "column"]
    assert claims[required].ne("").all(axis=None)
    assert claims["section"].map(SECTIONS.fullmatch).notna().all()
    assert claims["printed"].map(parse).notna().all()


def test_claims_are_named_after_their_section_and_numbered_in_order():
    for section, claims in text_claims().groupby("section"):
        stem = f"s{section}" if section[0].isdigit() else section.lower()
        stem = stem.replace("appendix ", "app-")
        assert claims["claim"].tolist() == [f"{stem}-{n + 1:02d}" for n in range(len(claims))]


def test_a_claim_is_on_a_cell_that_is_printed_or_on_a_quantity_of_the_text():
    claims = text_claims()
    cells = set(table_claims()[["table", "row", "column"]].itertuples(index=False, name=None))
    for claim in claims.to_dict("records"):
        place = (claim["table"], claim["row"], claim["column"])
        assert place in cells or (place[0], place[2]) == (TEXT, "value"), claim["claim"]


def test_what_no_archive_can_tell_is_this_list():
    claims = text_claims()
    needy = claims[claims["needs"] != ""]
    found = {claim.row: (claim.printed, claim.needs) for claim in needy.itertuples()}
    assert found == NEEDS
    assert (needy["table"] == TEXT).all()
    assert len(needy) == len(NEEDS)


def test_one_quantity_has_the_same_needs_wherever_it_is_claimed():
    claims = text_claims()
    assert (claims.groupby(["table", "row", "column"])["needs"].nunique() == 1).all()


def test_all_claims_are_the_tables_then_the_texts():
    claims = all_claims()
    in_tables, in_text = table_claims(), text_claims()
    assert list(claims.columns) == [
        *("claim", "place", "table", "row", "column", "printed", "needs")
    ]
    assert claims["claim"].tolist() == [*in_tables["claim"], *in_text["claim"]]
    assert claims["claim"].is_unique
    assert claims["needs"].tolist() == [""] * len(in_tables) + in_text["needs"].tolist()


@pytest.mark.parametrize(
    ("section", "place"),
    [("Abstract", "Abstract"), ("4.1", "Section 4.1"), ("5", "Section 5"),
     ("Appendix B", "Appendix B")],
)  # fmt: skip
def test_a_claim_of_the_text_says_where_it_stands(section, place):
    names = text_claims().set_index("claim")["section"]
    places = all_claims().set_index("claim")["place"]
    chosen = names.index[names == section]
    assert len(chosen) > 0
    assert set(places[chosen]) == {place}


def test_claims_point_into_known_tables_only():
    assert set(all_claims()["table"]) == {*KEYS, TEXT}


def test_numerals_are_text_with_their_surroundings():
    listed = numerals()
    columns = ["section", "numeral", "before", "after", "claims", "exclusion"]
    assert list(listed.columns) == columns
    assert listed["section"].map(SECTIONS.fullmatch).notna().all()
    assert listed["numeral"].map(parse).notna().all()
    assert (listed["before"] + listed["after"]).ne("").all()


def test_claims_are_read_from_the_folder_given(tmp_path):
    (tmp_path / "text_claims.csv").write_text(
        "claim,section,quote,printed,table,row,column,needs\n"
        "s9-01,9,about 5 items,5,text,items,value,\n",
        encoding="utf-8",
    )
    assert text_claims(tmp_path)["claim"].tolist() == ["s9-01"]
