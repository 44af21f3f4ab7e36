"""The schema is design, not accident: columns, key and words as agreed."""

from __future__ import annotations

import pyarrow as pa
import pytest

from reliable_change.archive import schema


def test_columns():
    assert " ".join(schema.ITEMS.names) == (
        "benchmark item_id task prompt reference difficulty discipline extra"
    )
    assert " ".join(schema.RESPONSES.names) == (
        "benchmark item_id model trial response_text refusal finish_reason returned_model "
        "request_id input_tokens output_tokens reasoning_tokens attempts created_utc"
    )
    assert " ".join(schema.SCORES.names) == (
        "benchmark item_id model trial category correct correct_loose extracted score scorer "
        "scorer_version unscored_reason note"
    )


def test_only_the_key_may_never_be_missing():
    for table in (schema.ITEMS, schema.RESPONSES, schema.SCORES):
        assert {field.name for field in table if not field.nullable} == (
            {*schema.KEY} & {*table.names}
        )


@pytest.mark.parametrize(
    ("name", "stored", "accepted"),
    [
        ("item_id", pa.large_string(), True),
        ("item_id", pa.dictionary(pa.int32(), pa.large_string()), True),
        ("item_id", pa.dictionary(pa.int32(), pa.int64()), False),
        ("item_id", pa.binary(), False),
        ("item_id", pa.int64(), False),
        ("item_id", pa.null(), False),
        ("trial", pa.uint16(), True),
        ("trial", pa.bool_(), False),
        ("trial", pa.float32(), False),
        ("score", pa.float32(), True),
        ("score", pa.int32(), True),
        ("score", pa.string(), False),
        ("correct", pa.bool_(), True),
        ("correct", pa.int8(), False),
        ("correct", pa.null(), True),
    ],
)
def test_widths_are_free_and_kinds_are_not(name, stored, accepted):
    assert schema.accepts(schema.SCORES.field(name), stored) is accepted


def test_files_have_schemas():
    assert schema.schema_of("scores-other.parquet") is schema.SCORES
    assert schema.schema_of("responses.parquet") is schema.RESPONSES
    with pytest.raises(KeyError):
        schema.schema_of("tables.parquet")
