"""Reading: real and uneven archives, text that stays text, integers that stay integers."""

from __future__ import annotations

import shutil

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from reliable_change.archive import read
from reliable_change.archive.counts import item_counts
from reliable_change.archive.read import locate_archive, read_archive
from reliable_change.errors import ArchiveError, NotInArchive


def test_a_real_archive(fixtures_dir):
    archive = read_archive(fixtures_dir / "smollm2_sample")
    assert len(archive.items) == 32
    assert archive.missing.empty
    assert len(archive.scores(["trial"])) == len(archive.responses(["trial"])) == 3200
    counts = item_counts(archive)
    correct = counts.pivot_table(
        index="benchmark", columns="model", values="correct", aggfunc="sum", observed=True
    )
    n_trials = counts.groupby(["benchmark", "model"])["n"].sum().unstack()
    share = 100 * correct / n_trials
    source, target = archive.manifest.edges[0]
    # The points that the fixtures' README gives, from an independent computation.
    assert (share[target] - share[source]).to_dict() == pytest.approx(
        {"arithmetic": -5.5, "instruction": -6.375, "knowledge": -18.25}
    )


def test_items_may_lie_in_any_order_but_come_sorted(fixtures_dir):
    folder = fixtures_dir / "smollm2_sample"
    stored = pq.read_table(folder / "items.parquet").to_pandas()
    items = read_archive(folder).items
    assert stored["item_id"].tolist() != items["item_id"].tolist()
    expected = stored.sort_values(["benchmark", "item_id"], ignore_index=True)
    pd.testing.assert_frame_equal(items, expected, check_dtype=False)


def test_uneven_k_is_read_and_says_what_is_missing(uneven_k_dir):
    archive = read_archive(uneven_k_dir)
    assert not archive.manifest.complete
    missing = archive.missing
    assert list(missing.columns) == ["benchmark", "item_id", "model", "expected", "found"]
    assert set(missing["benchmark"]) == {"riddles"}
    assert set(missing["expected"]) == {12}
    rows = archive.scores(["benchmark", "item_id", "model"]).value_counts()
    for row in missing.itertuples(index=False):
        assert row.found == rows.get((row.benchmark, row.item_id, row.model), 0) < 12
    assert len(missing) == 42 - (rows == 12).sum()
    assert missing.query("item_id == 'riddles-6' and model == 'tern-1'")["found"].tolist() == [0]


def test_without_trials_per_item_gaps_and_empty_cells_are_missing(broken):
    broken.manifest(complete=False, trials_per_item=None)
    for file in ("responses.parquet", "scores.parquet"):
        broken.table(file, lambda table: table.take([0, 1, 3, *range(8, 16)]))
    missing = read_archive(broken.folder).missing
    assert missing.drop(columns="benchmark").to_numpy().tolist() == [
        ["007", "new", 4, 3],
        ["007", "old", 1, 0],
    ]


def test_missing_is_the_same_without_verify(uneven_k_dir):
    checked, trusted = read_archive(uneven_k_dir), read_archive(uneven_k_dir, verify=False)
    pd.testing.assert_frame_equal(checked.missing, trusted.missing)


def test_text_stays_text(uneven_k_dir):
    """ARC-01: only a missing text is missing; "", "nan" and "None" are texts."""
    archive = read_archive(uneven_k_dir)
    texts = archive.responses(["response_text"])["response_text"]
    assert {"", "nan", "None", "007", "1e5", "a\rb"} <= set(texts.dropna())
    categories = archive.scores(["category"])["category"]
    assert texts.isna().sum() == (categories == "api_error").sum() > 0


def test_types_of_frames_do_not_depend_on_the_values(small, uneven_k_dir):
    for name in ("scores", "responses"):
        one = getattr(read_archive(small), name)()
        other = getattr(read_archive(uneven_k_dir), name)()
        assert one.dtypes.to_dict() == other.dtypes.to_dict()
    assert isinstance(one["input_tokens"].dtype, pd.Int64Dtype)
    assert isinstance(read_archive(small).scores()["correct"].dtype, pd.BooleanDtype)


def test_large_integer_beside_a_missing_one(broken):
    """ARC-03: no detour over floats."""
    values = [9007199254740993, *[None] * 15]
    broken.column("responses.parquet", "input_tokens", lambda _: values)
    tokens = read_archive(broken.folder).responses()["input_tokens"]
    assert tokens[0] == 9007199254740993
    assert tokens.isna().sum() == 15


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("trial", pa.int8()),
        ("trial", pa.uint32()),
        ("item_id", pa.large_string()),
        ("item_id", pa.string_view()),
        ("model", pa.dictionary(pa.int8(), pa.string())),
        ("category", pa.dictionary(pa.int32(), pa.large_string())),
    ],
)
def test_other_widths_and_encodings_are_the_same_archive(broken, name, kind):
    before = read_archive(broken.folder)
    broken.table(
        "scores.parquet",
        lambda table: table.set_column(
            table.column_names.index(name), name, table[name].cast(kind)
        ),
    )
    after = read_archive(broken.folder)
    pd.testing.assert_frame_equal(before.scores(), after.scores())
    pd.testing.assert_frame_equal(item_counts(before), item_counts(after))


@pytest.mark.parametrize("name", ["scorer", "score", "correct_loose"])
def test_a_column_without_any_value_may_have_no_type(broken, name):
    broken.column("scores.parquet", name, lambda values: pa.nulls(len(values)))
    assert read_archive(broken.folder).scores()[name].isna().all()


def test_batches_come_in_key_order_in_the_types_promised(uneven_k_dir):
    archive = read_archive(uneven_k_dir)
    batches = list(archive.score_batches(["model", "trial", "correct"]))
    assert batches[0].schema.names == ["model", "trial", "correct"]
    assert pa.types.is_dictionary(batches[0].schema.field("model").type)
    models = pc.cast(batches[0].column("model"), pa.string()).to_pylist()
    assert models == archive.scores()["model"].tolist()
    texts = list(archive.response_batches(["response_text"]))
    assert sum(map(len, texts)) == len(models)


def test_small_batches_and_row_groups_change_nothing(broken, monkeypatch):
    before = item_counts(read_archive(broken.folder))
    path = broken.folder / "scores.parquet"
    pq.write_table(pq.read_table(path), path, row_group_size=3)
    broken.sum("scores.parquet")
    monkeypatch.setattr("reliable_change.archive.files.BATCH_ROWS", {"scores": 2, "responses": 2})
    archive = read_archive(broken.folder)
    assert max(map(len, archive.score_batches(["trial"]))) == 2
    pd.testing.assert_frame_equal(item_counts(archive), before)
    broken.table("scores.parquet", lambda table: table.take([*range(8), 1, *range(8, 16)]))
    with pytest.raises(ArchiveError, match=r"stands twice \(rows 1, 8,"):
        read_archive(broken.folder)


def test_unknown_column_asked_for(small):
    with pytest.raises(ArchiveError, match=r"scores.parquet: column 'corect'.*correct_loose"):
        read_archive(small).scores(["corect"])


def test_what_an_archive_does_not_hold(broken):
    (broken.folder / "responses.parquet").unlink()
    names = ("items.parquet", "scores.parquet")
    broken.manifest(files=dict.fromkeys(names, "0" * 64))
    archive = read_archive(broken.folder, verify=False)
    with pytest.raises(NotInArchive, match=r"'small' has no responses.parquet"):
        archive.responses()
    with pytest.raises(NotInArchive, match=r"scores-official.parquet"):
        archive.scores(scorer="official")


def test_missing_is_counted_in_responses_where_nothing_is_scored(broken):
    (broken.folder / "scores.parquet").unlink()
    sums = dict.fromkeys(("items.parquet", "responses.parquet"), "0" * 64)
    broken.manifest(files=sums, trials_per_item=5)
    missing = read_archive(broken.folder, verify=False).missing
    assert missing[["expected", "found"]].drop_duplicates().to_numpy().tolist() == [[5, 4]]


@pytest.fixture
def archives(tmp_path, monkeypatch):
    folder = tmp_path / "archives"
    folder.mkdir()
    monkeypatch.setattr(read, "ARCHIVES", folder)
    monkeypatch.chdir(tmp_path)
    return folder


def test_a_name_is_looked_up_among_the_archives_first(archives, small):
    shutil.copytree(small, archives / "mine")
    assert locate_archive("mine") == archives / "mine"
    assert read_archive("mine").manifest.name == "small"
    assert locate_archive("small").resolve() == small
    assert locate_archive(str(small)) == small
    assert locate_archive(small) == small


def test_an_unknown_name_lists_what_there_is(archives, small):
    with pytest.raises(ArchiveError, match="'mine': no such folder.*there are none yet"):
        locate_archive("mine")
    for name in ("b", "a", ".a-draft"):
        shutil.copytree(small, archives / name)
    (archives / "no archive").mkdir()
    with pytest.raises(ArchiveError, match=r"data/archives: a, b$"):
        read_archive("mine")
    with pytest.raises(ArchiveError, match="no such folder"):
        read_archive("")


def test_nan_score_is_no_error(broken):
    scores = [float("nan"), *np.linspace(0, 1, 15)]
    broken.column("scores.parquet", "score", lambda _: scores)
    assert read_archive(broken.folder).scores()["score"].isna().sum() == 1
