"""Writing: sorted, checked, the same bytes again, and never half done."""

from __future__ import annotations

import os

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from reliable_change.archive import write
from reliable_change.archive.read import read_archive
from reliable_change.archive.text import restore_surrogates
from reliable_change.archive.write import write_archive, write_scores
from reliable_change.errors import ArchiveError
from tests import make_uneven_k
from tests.archive.conftest import MANIFEST, small_frames


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_rows_in_any_order_are_the_same_archive(tmp_path, small):
    shuffled = [frame.sample(frac=1, random_state=3) for frame in small_frames()]
    again = write_archive(tmp_path / "again", MANIFEST, *shuffled)
    assert contents(again) == contents(small)


def test_same_bytes_however_rows_were_held_or_cut(tmp_path, small):
    items, responses, scores = small_frames()
    table = pa.Table.from_pandas(scores.astype({"model": "category"}), preserve_index=False)
    order = [("benchmark", "ascending"), ("item_id", "ascending"), ("model", "ascending")]
    table = table.set_column(2, "model", table["model"].cast(pa.string())).sort_by(order)
    pieces = (table.slice(first, 5) for first in range(0, 16, 5))
    coded = responses.astype({"benchmark": "category", "model": "category"})
    again = write_archive(tmp_path / "again", MANIFEST, items, coded, pieces)
    assert contents(again) == contents(small)


def test_row_groups_do_not_depend_on_pieces(monkeypatch):
    table = pa.table({"n": range(20)})
    pieces = [table.slice(0, 1), table.slice(1, 12), table.slice(13, 0), table.slice(13)]
    groups = list(write._row_groups(pieces, 6))
    assert [len(group) for group in groups] == [6, 6, 6, 2]
    assert pa.concat_tables(groups).equals(table)


def test_keys_sort_in_code_point_order(tmp_path):
    ids = ["a", "Z", "é", "10", "9", "\U0001f600", "\uffee", ""]
    items = pd.DataFrame({"benchmark": "quiz", "item_id": ids})
    scores = items.assign(model="old", trial=0, category="wrong", correct=False)
    manifest = MANIFEST | {"models": ["old"], "edges": [], "trials_per_item": 1}
    archive = read_archive(write_archive(tmp_path / "x", manifest, items, None, scores))
    assert archive.items["item_id"].tolist() == sorted(ids)
    assert archive.scores()["item_id"].tolist() == sorted(ids)


def test_missing_text_is_missing_and_other_text_is_text(tmp_path):
    """ARC-01, through a frame, a file and a frame."""
    items, responses, scores = small_frames()
    texts = ["a", None, "", "nan", "None", float("nan"), pd.NA, "NA", *["1E5"] * 8]
    responses["response_text"] = pd.Series(texts, dtype=object)
    folder = write_archive(tmp_path / "x", MANIFEST, items, responses, scores)
    keys = ["benchmark", "item_id", "model", "trial"]
    back = read_archive(folder).responses()
    back = responses[keys].merge(back, on=keys, how="left")["response_text"]
    assert np.flatnonzero(back.isna()).tolist() == [1, 5, 6]
    assert back.dropna().tolist() == ["a", "", "nan", "None", "NA", *["1E5"] * 8]


def test_half_a_surrogate_pair(tmp_path):
    """ARC-02: one reply that UTF-8 cannot hold costs neither itself nor the other rows."""
    items, responses, scores = small_frames()
    text = "x \ud835 y"
    responses["response_text"] = pd.Series(
        ["plain", None, float("nan"), *["plain"] * 13], dtype=object
    )
    responses.loc[7, "response_text"] = text
    folder = write_archive(tmp_path / "x", MANIFEST, items, responses, scores)
    back = read_archive(folder).responses()["response_text"]
    assert back.isna().sum() == 2
    assert (back == "plain").sum() == 13
    escaped = back[~back.isna() & (back != "plain")].tolist()
    assert escaped == ["x �{d835} y"]
    assert restore_surrogates(escaped[0]) == text


def test_half_a_surrogate_pair_in_a_key_is_an_error(tmp_path):
    items, responses, scores = small_frames()
    items["item_id"] = pd.Series(["007", "\ud835"], dtype=object)
    with pytest.raises(ArchiveError, match=r"items.parquet: column 'item_id': holds half a"):
        write_archive(tmp_path / "x", MANIFEST, items, responses, scores)


def test_writing_what_was_read_changes_nothing(tmp_path, uneven_k_dir):
    archive = read_archive(uneven_k_dir)
    again = write_archive(
        tmp_path / "again",
        archive.manifest,
        archive.items,
        archive.responses(),
        archive.scores(),
    )
    assert contents(again) == contents(uneven_k_dir)


def test_the_script_makes_the_committed_archive(tmp_path, uneven_k_dir):
    """Content, not bytes: another pyarrow may write other bytes."""
    made = read_archive(make_uneven_k.main(tmp_path / "made"))
    kept = read_archive(uneven_k_dir)
    pd.testing.assert_frame_equal(made.scores(), kept.scores())
    pd.testing.assert_frame_equal(made.responses(), kept.responses())
    pd.testing.assert_frame_equal(made.items, kept.items)


BAD = {
    "unknown column": (lambda s: s.assign(categry="wrong"), "'categry'.*not in the schema"),
    "key left out": (lambda s: s.drop(columns="trial"), "'trial': is missing"),
    "number as id": (lambda s: s.assign(item_id=7), "'item_id': is of type int64"),
    "mixed ids": (
        lambda s: s.assign(item_id=pd.Series([7, *s["item_id"][1:]], dtype=object)),
        "'item_id': holds something else than text",
    ),
    "key twice": (lambda s: pd.concat([s, s.head(1)]), "stands twice"),
    "null key": (lambda s: s.assign(trial=s["trial"].where(s.index > 0)), "'trial': is missing"),
    "half a trial": (lambda s: s.assign(trial=s["trial"] + 0.5), "'trial': is of type double"),
    "0 and 1 as verdicts": (lambda s: s.assign(correct=1), "'correct': is of type int64"),
    "unknown category": (lambda s: s.assign(category="right"), '"right" is not a category'),
    "column twice": (lambda s: pd.concat([s, s[["score"]]], axis=1), "'score': stands twice"),
    "trial missing": (lambda s: s.iloc[1:], "complete"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_rows_leave_nothing_behind(tmp_path, name):
    change, message = BAD[name]
    items, responses, scores = small_frames()
    with pytest.raises(ArchiveError, match=message) as caught:
        write_archive(tmp_path / "x", MANIFEST, items, responses, change(scores.assign(score=1.0)))
    assert "\n" not in str(caught.value)
    assert f"archive '{tmp_path / 'x'}' not written: scores.parquet" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_an_interruption_leaves_the_old_archive(small, error):
    before = contents(small)

    def interrupted():
        yield pa.Table.from_pandas(small_frames()[2].head(4), preserve_index=False)
        raise error

    items, responses, _ = small_frames()
    with pytest.raises(error):
        write_archive(small, MANIFEST, items, responses, interrupted(), replace=True)
    assert contents(small) == before
    assert os.listdir(small.parent) == ["small"]


def test_a_failed_rename_leaves_the_old_archive(small, monkeypatch):
    before = contents(small)
    rename = write.Path.rename

    def fail_for_the_draft(self, target):
        if target == small and not self.name.endswith("-old"):
            raise OSError("no")
        return rename(self, target)

    monkeypatch.setattr(write.Path, "rename", fail_for_the_draft)
    with pytest.raises(OSError, match="no"):
        write_archive(small, MANIFEST, *small_frames(), replace=True)
    assert contents(small) == before
    assert os.listdir(small.parent) == ["small"]


def test_an_archive_is_replaced_only_on_request(small):
    with pytest.raises(ArchiveError, match="exists.*replace=True"):
        write_archive(small, MANIFEST, *small_frames())
    (small / "left over").write_text("")
    write_archive(small, MANIFEST, *small_frames(), replace=True)
    assert not (small / "left over").exists()
    assert os.listdir(small.parent) == ["small"]


def test_one_of_responses_and_scores_is_needed(tmp_path):
    items, responses, _ = small_frames()
    with pytest.raises(ArchiveError, match="scores.parquet: is missing, and responses.parquet"):
        write_archive(tmp_path / "x", MANIFEST, items, None, None)
    folder = write_archive(tmp_path / "x", MANIFEST, items, responses, None)
    assert list(read_archive(folder).manifest.files) == ["items.parquet", "responses.parquet"]


def test_floats_made_of_integers_with_gaps_are_integers(tmp_path):
    items, responses, scores = small_frames()
    responses["input_tokens"] = np.array([np.nan, *range(15)])
    folder = write_archive(tmp_path / "x", MANIFEST, items, responses, scores)
    assert read_archive(folder).responses()["input_tokens"].sum() == sum(range(15))
    responses["input_tokens"] = np.array([2.0**53 + 2, *range(15)])
    with pytest.raises(ArchiveError, match="'input_tokens': is of type double"):
        write_archive(tmp_path / "y", MANIFEST, items, responses, scores)


def test_scores_are_replaced_and_everything_else_stays(small):
    before = contents(small)
    (small / "notes").mkdir()
    (small / "notes" / "README").write_text("mine")
    scores = small_frames()[2].assign(scorer="second thoughts")
    write_scores(small, scores)
    archive = read_archive(small)
    assert set(archive.scores()["scorer"]) == {"second thoughts"}
    after = contents_of_files(small)
    for name in ("items.parquet", "responses.parquet"):
        assert after[name] == before[name]
    assert (small / "notes" / "README").read_text() == "mine"


def contents_of_files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_a_second_scorer_stands_beside_the_first(small):
    first = read_archive(small).scores()
    second = small_frames()[2].assign(category="wrong", correct=False, unscored_reason=None)
    write_scores(small, second.iloc[1:], scorer="official-v1.2")
    archive = read_archive(small)
    pd.testing.assert_frame_equal(archive.scores(), first)
    assert len(archive.scores(scorer="official-v1.2")) == 15
    assert sum(map(len, archive.score_batches(["trial"], scorer="official-v1.2"))) == 15


@pytest.mark.parametrize("scorer", ["../x", "a b", "", "a/b"])
def test_a_scorers_name_is_part_of_a_file_name(small, scorer):
    with pytest.raises(ArchiveError, match="use letters"):
        write_scores(small, small_frames()[2], scorer=scorer)


def test_bad_scores_leave_the_archive_alone(small):
    before = contents(small)
    with pytest.raises(ArchiveError, match="not a category"):
        write_scores(small, small_frames()[2].assign(category="right"))
    assert contents(small) == before


def test_damage_is_not_sealed_with_a_new_checksum(small):
    path = small / "responses.parquet"
    path.write_bytes(path.read_bytes().replace(b"Answer: A", b"Answer: B"))
    with pytest.raises(ArchiveError, match=r"responses.parquet"):
        write_scores(small, small_frames()[2])
