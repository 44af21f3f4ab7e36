"""Every numeral of the prose is a claim or is left out for a reason; none is missing."""

from __future__ import annotations

import pytest

from reliable_change.published.claims import numerals, text_claims
from tests.published import paper as plain_text

NUMERALS = numerals().to_dict("records")
CLAIMS = {claim["claim"]: claim for claim in text_claims().to_dict("records")}

# The only reasons for which a numeral is no claim, and the only numerals each may cover.
EXCLUDED = {
    "axis tick of Figure 1": {"−15", "−10", "−5", "0", "5", "10", "15"},
    "condition of the permutation null, not a result": {"zero"},
    "counts parts of the paper": {"Three", "five"},
    "date of a statement by others": {"2026"},
    "made-up example": {"two", "100", "80"},
    "model name": {"5.4", "5.5", "5.6"},
    "names a pair or a set listed there": {"two", "four"},
    "number of a heading or of a list's point": {
        *("1", "2", "3", "4", "5", "6", "7", "3.1", "3.2", "3.3", "3.4", "3.5", "3.6"),
        *("4.1", "4.2", "4.3", "4.4"),
    },
    "number of a table, figure, section or question": {
        *("1", "2", "3", "4", "5", "6", "7", "8", "9", "3.3", "3.5", "3.6"),
    },
    "page number": {str(page) for page in range(2, 21)},
    "part of a formula": {"2"},
    "part of the scoring scheme": {"two", "five", "six", "Six"},
    "reference number": {str(number) for number in range(1, 26)},
    "result or design of another study": {
        *("three", "42%", "18", "7", "8", "10", "711", "5", "21", "28%"),
    },
    "rule of the screening": {"0.1", "0.9", "35%"},
    "setting of the study": {
        *("5%", "0.2", "20", "95%", "95", "1,000", "5", "0.10", "0.15", "0.20", "0.25"),
    },
}


def without_blanks(text: str) -> str:
    return "".join(text.split())


def test_each_numeral_is_a_claim_or_left_out_never_both():
    unsettled = [row for row in NUMERALS if bool(row["claims"]) == bool(row["exclusion"])]
    assert unsettled == []


def test_numerals_name_claims_that_exist_print_them_and_stand_in_their_section():
    named = [(row, claim) for row in NUMERALS for claim in row["claims"].split()]
    assert len(named) == 120
    for row, claim in named:
        assert claim in CLAIMS, row
        assert CLAIMS[claim]["printed"] == row["numeral"], claim
        assert CLAIMS[claim]["section"] == row["section"], claim


def test_every_text_claim_is_named_by_one_numeral():
    named = [claim for row in NUMERALS for claim in row["claims"].split()]
    assert sorted(named) == sorted(CLAIMS)


def test_only_known_kinds_of_numerals_are_left_out():
    left_out = {(row["exclusion"], row["numeral"]) for row in NUMERALS if row["exclusion"]}
    allowed = {(reason, numeral) for reason, found in EXCLUDED.items() for numeral in found}
    assert left_out <= allowed
    assert {reason for reason, _ in left_out} == EXCLUDED.keys()


def test_numerals_left_out_as_page_numbers_or_references_stand_like_them():
    rows = [row for row in NUMERALS if row["exclusion"]]
    pages = [int(row["numeral"]) for row in rows if row["exclusion"] == "page number"]
    assert pages == sorted(set(pages))
    for row in rows:
        if row["exclusion"] == "reference number":
            assert "[" in row["before"].split()[-1] or row["before"].endswith(","), row
            assert row["after"][0] in ",]", row


def test_quotes_hold_the_printed_number():
    for claim in CLAIMS.values():
        assert without_blanks(claim["printed"]) in without_blanks(claim["quote"]), claim


def test_the_paper_has_exactly_these_numerals(paper):
    listed = [(row["section"], row["numeral"], row["before"], row["after"]) for row in NUMERALS]
    assert plain_text.numerals(paper) == listed


def test_every_quote_stands_in_its_section_of_the_paper(paper):
    pieces = [(section, without_blanks(piece)) for section, piece in plain_text.prose(paper)]
    for claim in CLAIMS.values():
        quote = without_blanks(claim["quote"])
        assert any(section == claim["section"] and quote in text for section, text in pieces), claim


def test_no_prose_of_the_paper_is_taken_for_a_table(paper):
    # A cell is at most a few words; a line of prose fills its column.
    assert [line for line in plain_text.between_pieces(paper) if len(line) > 25] == []


def test_a_numeral_more_or_less_in_the_paper_is_noticed(paper):
    before = plain_text.numerals(paper)
    for old, new in [("we query 900 public", "we query some public"), ("K=50.", "K=50 and 51.")]:
        assert old in paper
        assert plain_text.numerals(paper.replace(old, new, 1)) != before


def test_a_missing_piece_of_the_paper_is_an_error(paper):
    with pytest.raises(ValueError, match="to '6. Threats'"):
        plain_text.spans(paper.replace("6. Threats", "VI. Threats"))


def test_without_the_variable_the_paper_is_skipped_by_name():
    with pytest.raises(pytest.skip.Exception, match="RELIABLE_CHANGE_PAPER is unset$"):
        plain_text.read_paper(None)


def test_a_folder_without_the_paper_fails(tmp_path):
    with pytest.raises(pytest.fail.Exception, match="has 0 files 001"):
        plain_text.read_paper(str(tmp_path))
    (tmp_path / "001_x.txt").write_text("the paper", encoding="utf-8")
    assert plain_text.read_paper(str(tmp_path)) == "the paper"
