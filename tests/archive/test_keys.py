"""Cell numbers rise exactly as keys do."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reliable_change.archive.keys import CellNumbers
from reliable_change.errors import ArchiveError

NAMES = st.text(st.sampled_from("ab-1é\U0001f600\uffee"), max_size=3)
ITEMS = st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=12, unique=True)


def batch_of(keys):
    columns = zip(*keys, strict=True)
    names = ("benchmark", "item_id", "model")
    arrays = {n: pa.array(c, pa.string()) for n, c in zip(names, columns, strict=True)}
    return pa.record_batch({n: array.dictionary_encode() for n, array in arrays.items()})


def cells_of(items, models):
    benchmark, item_id = zip(*sorted(items), strict=True)
    return CellNumbers(pa.table({"benchmark": benchmark, "item_id": item_id}), models)


@given(ITEMS, st.lists(NAMES, min_size=1, max_size=4, unique=True), st.randoms())
def test_numbers_are_ranks_of_keys(items, models, random):
    cells = cells_of(items, models)
    keys = sorted((*item, model) for item in items for model in models)
    assert len(cells) == len(keys)
    frame = cells.frame()
    assert list(frame.itertuples(index=False, name=None)) == keys
    shuffled = random.sample(keys, len(keys)) + keys[:1]
    numbers = cells.of(batch_of(shuffled), 0, "scores.parquet")
    assert [keys[number] for number in numbers] == shuffled


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (("b", "2", "m"), '\'item_id\': "2" is not an item of "b" \\(row 8,'),
        (("a", "3", "m"), "'item_id': \"3\" is not in items.parquet \\(row 8,"),
        (("c", "1", "m"), "'benchmark': \"c\" is not in items.parquet \\(row 8,"),
        (("a", "1", "n"), "'model': \"n\" is not in manifest.json \\(row 8,"),
    ],
)
def test_unknown_names_are_named_with_their_rows(key, message):
    cells = cells_of([("a", "1"), ("a", "2"), ("b", "1")], ["m"])
    with pytest.raises(ArchiveError, match=message):
        cells.of(batch_of([("a", "1", "m"), key, ("b", "1", "m")]), 7, "scores.parquet")


def test_an_empty_batch_has_no_cells():
    cells = cells_of([("a", "1")], ["m"])
    assert cells.of(batch_of([("a", "1", "m")]).slice(0, 0), 0, "scores.parquet").size == 0
