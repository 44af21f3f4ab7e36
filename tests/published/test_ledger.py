"""The ledger: verdicts, what is known to differ, and what cannot be computed."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from reliable_change.paths import PUBLISHED
from reliable_change.published.claims import all_claims
from reliable_change.published.ledger import (
    COLUMNS,
    VERDICTS,
    compare,
    judge,
    known_differences,
    summary,
    unexplained,
    values_of,
)
from reliable_change.published.numbers import Range, parse

WORST_CELL = ("text", "replications with a spurious reliable change, in the worst cell", "value")


def as_printed() -> dict[tuple[str, str, str], object]:
    """A value for every place: the number printed there, the table's before the text's."""
    values: dict[tuple[str, str, str], object] = {}
    for claim in all_claims().to_dict("records"):
        printed = claim["printed"]
        number = Decimal("-0.001") if printed == "−0.0" else parse(printed)
        value = printed if number is None else number
        values.setdefault((claim["table"], claim["row"], claim["column"]), value)
    return values


@pytest.mark.parametrize(
    ("value", "printed", "recomputed", "verdict"),
    [
        (7.26, "+7.3", "+7.3", "reproduced"),
        (7.24, "+7.3", "+7.2", "differs"),
        (-7.26, "+7.3", "−7.3", "differs"),
        (84.25, "84.2", "84.2", "reproduced"),
        (84.26, "84.2", "84.3", "differs"),
        (0.0, "−0.0", "0.0", "differs"),
        (-0.01, "−0.0", "−0.0", "reproduced"),
        (-0.01, "0.0", "−0.0", "differs"),
        (9, "nine", "nine", "reproduced"),
        (8, "Nine", "Eight", "differs"),
        ("Selected", "Selected", "Selected", "reproduced"),
        ("Not selected", "Selected", "Not selected", "differs"),
        (np.int64(457), "457", "457", "reproduced"),
        (None, "457", "", "not computable"),
        (float("nan"), "0.0", "", "not computable"),
        (pd.NA, "0.0", "", "not computable"),
        (Range(54.1, 54.6), "54.3", "54.1 to 54.6", "compatible"),
        (Range(54.4, 54.6), "54.3", "54.4 to 54.6", "differs"),
        (Range(-0.2, 0.1), "+0.1", "−0.2 to +0.1", "compatible"),
        (Range(0.7871, 0.7911), "0.78%", "0.787% to 0.791%", "differs"),
        (Range(0.285, 0.295), "0.3%", "0.28% to 0.30%", "compatible"),
        (Range(8.6, 9.4), "nine", "8.6 to 9.4", "compatible"),
        (Range(41.8, 42.3), "42", "41.8 to 42.3", "compatible"),
    ],
)
def test_verdicts(value, printed, recomputed, verdict):
    assert judge(value, printed) == (recomputed, verdict)
    assert verdict in VERDICTS


def test_the_ledger_has_one_row_for_each_claim_in_order():
    ledger = compare({})
    assert tuple(ledger.columns) == COLUMNS
    assert ledger["claim"].tolist() == all_claims()["claim"].tolist()


def test_what_is_printed_reproduces_itself():
    ledger = compare(as_printed())
    assert set(ledger["verdict"]) == {"reproduced"}
    assert (ledger["recomputed"] == ledger["printed"]).all()


@pytest.mark.parametrize("nudge", [0.1, -0.1, 1, -1])
def test_every_number_that_is_off_by_its_last_digit_or_more_differs(nudge):
    values = {
        place: value if isinstance(value, str) else float(value) + nudge
        for place, value in as_printed().items()
    }
    ledger = compare(values)
    numbers = ledger[ledger["printed"].map(parse).notna()]
    smaller = numbers["printed"].str.contains(r"\.") if abs(nudge) < 1 else slice(None)
    assert len(numbers[smaller]) > 300
    assert set(numbers.loc[smaller, "verdict"]) == {"differs"}


def test_without_values_nothing_is_computable_and_each_claim_says_why():
    ledger = compare({})
    assert set(ledger["verdict"]) == {"not computable"}
    assert set(ledger["recomputed"]) == {""}
    needs = all_claims()["needs"]
    assert ledger["note"].tolist() == [need or "not in this archive" for need in needs]


def test_a_claim_with_needs_is_judged_once_its_value_is_there():
    place = ("text", "requests at a time", "value")
    for value, verdict in [(36, "reproduced"), (37, "differs")]:
        ledger = compare({place: value}).set_index("row").loc["requests at a time"]
        assert (ledger["verdict"], ledger["note"]) == (verdict, "")


def test_values_that_the_paper_does_not_print_are_passed_over():
    extra = {("table_1", "new→old | quiz", "delta"): 1.0, ("table_9", "a", "b"): 2}
    pd.testing.assert_frame_equal(compare(extra), compare({}))


def test_some_tables_take_the_texts_claims_on_them_along():
    ledger = compare({}, tables=["table_a2"])
    assert set(ledger["table"]) == {"table_a2"}
    assert {"Table A.2", "Section 3.3"} == set(ledger["place"])
    assert compare({}, tables=[]).empty


def test_one_value_answers_every_claim_on_its_place():
    ledger = compare({("text", "items", "value"): 900})
    claimed = ledger[ledger["row"] == "items"]
    assert len(claimed) > 1
    assert set(claimed["verdict"]) == {"reproduced"}
    assert (ledger["verdict"] == "reproduced").sum() == len(claimed)


def test_the_summary_counts_every_claim_once():
    values = as_printed()
    values["table_b4", "improved", "total"] = 256
    values["table_b4", "regressed", "total"] = Range(200, 203)
    del values["table_b4", "equivalent", "total"]
    ledger = compare(values)
    lines = summary(ledger).set_index("place")
    assert lines.index.tolist() == [
        *("Table 1", "Table A.2", "Table B.3", "Table B.4", "Table C.5", "Table D.6"),
        *("Table D.7", "Table E.8", "Table F.9", "Text", "Total"),
    ]
    assert lines.loc["Table B.4"].tolist() == [20, 17, 1, 1, 1]
    assert (lines[list(VERDICTS)].sum(axis=1) == lines["claims"]).all()
    assert (lines.drop("Total").sum() == lines.loc["Total"]).all()
    assert lines.loc["Total", "claims"] == len(ledger)


class TestKnownDifferences:
    """A claim that differs is explained by its place, exactly."""

    def test_each_is_a_claim_and_has_a_reason(self):
        known = known_differences()
        places = set(all_claims()[["table", "row", "column"]].itertuples(index=False, name=None))
        assert set(known[["table", "row", "column"]].itertuples(index=False, name=None)) <= places
        assert known["reason"].str.len().gt(40).all()

    def test_the_null_without_any_spurious_change_is_the_only_one(self):
        known = known_differences()[["table", "row", "column"]]
        assert list(known.itertuples(index=False, name=None)) == [WORST_CELL]

    def test_a_known_difference_is_explained_and_another_is_not(self):
        other = ("table_b4", "improved", "total")
        ledger = compare({WORST_CELL: 7, other: 256})
        assert (ledger["verdict"] == "differs").sum() == 2
        assert unexplained(ledger)["claim"].tolist() == ["table_b4/improved/total"]

    def test_what_is_not_computable_or_reproduced_needs_no_reason(self):
        assert unexplained(compare({})).empty
        assert unexplained(compare({("table_b4", "improved", "total"): 255})).empty
        assert unexplained(compare({}, tables=[])).empty

    def test_the_same_row_in_another_column_is_not_explained(self, tmp_path):
        for path in PUBLISHED.glob("*.csv"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
        (tmp_path / "known_differences.csv").write_text(
            "table,row,column,reason\ntable_b4,improved,total,A reason.\n", encoding="utf-8"
        )
        values = {("table_b4", "improved", column): 1 for column in ("total", "unchanged")}
        ledger = compare(values, folder=tmp_path)
        left = unexplained(ledger, folder=tmp_path)
        assert left["claim"].tolist() == ["table_b4/improved/unchanged"]


class TestValuesOf:
    """Tidy tables turned into values by place."""

    def test_every_column_that_is_no_key_is_a_value(self):
        frame = pd.DataFrame(
            {"benchmark": ["IFBench"], "edge": ["a→b"], "delta": [1.5], "note": [None]}
        )
        row = "a→b | IFBench"
        assert values_of("table_1", frame) == {
            ("table_1", row, "delta"): 1.5,
            ("table_1", row, "note"): None,
        }

    @pytest.mark.parametrize(
        ("epsilon", "name"),
        [(0.1, "0.10"), (0.25, "0.25"), (np.float64(0.2), "0.20"), ("0.20", "0.20"),
         (1, "1.00"), (0.125, "0.125"), (0.30000000000000004, "0.30000000000000004")],
    )  # fmt: skip
    def test_epsilon_is_named_as_printed_and_a_finer_one_in_full(self, epsilon, name):
        frame = pd.DataFrame(
            {"edge": ["a→b"], "benchmark": ["x"], "epsilon": [epsilon], "improved": [8.4]}
        )
        assert list(values_of("table_c5", frame)) == [("table_c5", f"a→b | x | {name}", "improved")]

    def test_a_lacking_key_column_is_named(self):
        with pytest.raises(KeyError, match="table_1: the frame lacks the key column benchmark"):
            values_of("table_1", pd.DataFrame({"edge": ["a→b"], "delta": [1.0]}))

    def test_two_rows_of_one_key_are_named(self):
        frame = pd.DataFrame({"class": ["improved", "improved"], "total": [1, 2]})
        with pytest.raises(ValueError, match="table_b4: two rows have the key improved"):
            values_of("table_b4", frame)

    def test_a_table_that_the_paper_lacks_is_an_error(self):
        with pytest.raises(KeyError, match="table_2"):
            values_of("table_2", pd.DataFrame())

    def test_no_rows_are_no_values(self):
        assert values_of("table_b4", pd.DataFrame(columns=["class", "total"])) == {}


def test_a_zero_of_a_signed_column_is_not_a_value_that_rounds_to_it():
    place = ("table_f9", "SuperGPQA | discipline | Management", "gpt-5.4→gpt-5.5")
    for value, verdict in [(0.0, "reproduced"), (0.04, "differs"), (-0.04, "differs")]:
        ledger = compare({place: value}, tables=["table_f9"])
        found = ledger[(ledger["row"] == place[1]) & (ledger["column"] == place[2])]
        assert found["verdict"].tolist() == [verdict], value
