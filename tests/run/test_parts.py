"""The ledger put together from parts: every claim once, differences never hidden."""

from __future__ import annotations

import pandas as pd
import pytest

from reliable_change.errors import LedgerError
from reliable_change.published.ledger import COLUMNS, compare
from reliable_change.run.parts import read_parts, whole

CLAIM = ("table_b4", "improved", "total")


def part(folder, name: str, value: object) -> None:
    frame = compare({CLAIM: value}, tables=["table_b4"])
    frame.to_csv(folder / f"{name}.csv", index=False)


def found(ledger: pd.DataFrame) -> pd.Series:
    rows = ledger[(ledger["table"] == CLAIM[0]) & (ledger["row"] == CLAIM[1])]
    return rows[rows["column"] == CLAIM[2]].squeeze(axis=0)


def test_no_parts_means_that_nothing_is_computed(tmp_path):
    ledger = whole(read_parts(tmp_path))
    pd.testing.assert_frame_equal(ledger, compare({}))
    assert len(ledger) > 400


def test_every_claim_is_there_once_with_what_a_part_says(tmp_path):
    part(tmp_path, "06_single_draw", 255)
    ledger = whole(read_parts(tmp_path))
    assert ledger["claim"].tolist() == compare({})["claim"].tolist()
    assert found(ledger)["verdict"] == "reproduced"
    assert (ledger["verdict"] != "not computable").sum() == 1


@pytest.mark.parametrize("names", [("04", "06"), ("06", "04")])
def test_a_difference_is_not_hidden_by_an_agreement(tmp_path, names):
    part(tmp_path, names[0], 255)
    part(tmp_path, names[1], 254)
    ledger = whole(read_parts(tmp_path))
    assert len(ledger) == len(compare({}))
    assert tuple(found(ledger)[["recomputed", "verdict"]]) == ("254", "differs")


def test_an_agreement_stands_beside_a_part_that_could_not_compute(tmp_path):
    part(tmp_path, "04", 255)
    part(tmp_path, "06", None)
    assert found(whole(read_parts(tmp_path)))["verdict"] == "reproduced"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"verdict": "fine"}, "04.csv: 'fine' is no verdict"),
        ({"claim": "nowhere/row/column"}, "no claim of the paper is called nowhere/row/column"),
    ],
)
def test_a_part_that_is_no_ledger_is_refused(tmp_path, change, said):
    frame = compare({CLAIM: 255}, tables=["table_b4"]).assign(**change)
    frame.to_csv(tmp_path / "04.csv", index=False)
    with pytest.raises(LedgerError, match=said):
        whole(read_parts(tmp_path))


def test_a_part_without_the_columns_is_refused(tmp_path):
    (tmp_path / "04.csv").write_text("claim,verdict\na,differs\n")
    with pytest.raises(LedgerError, match=f"columns are not {COLUMNS[0]}"):
        read_parts(tmp_path)
