"""The columns of an archive's files: their types, their key, the words they may hold."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.types as pat

KEY = ("benchmark", "item_id", "model", "trial")
ITEM_KEY = ("benchmark", "item_id")
CATEGORIES = ("correct", "wrong", "format_failure", "refusal", "truncation", "api_error")
KINDS = ("reconstruction", "collected", "imported", "published")

MANIFEST_FILE = "manifest.json"
ITEMS_FILE = "items.parquet"
RESPONSES_FILE = "responses.parquet"
SCORES_FILE = "scores.parquet"


def _schema(key: tuple[str, ...], **columns: pa.DataType) -> pa.Schema:
    key_types = {"trial": pa.int64()}
    fields = [pa.field(name, key_types.get(name, pa.string()), nullable=False) for name in key]
    return pa.schema(fields + [pa.field(name, kind) for name, kind in columns.items()])


ITEMS = _schema(
    ITEM_KEY,
    task=pa.string(),
    prompt=pa.string(),
    reference=pa.string(),
    difficulty=pa.string(),
    discipline=pa.string(),
    extra=pa.string(),
)
RESPONSES = _schema(
    KEY,
    response_text=pa.string(),
    refusal=pa.string(),
    finish_reason=pa.string(),
    returned_model=pa.string(),
    request_id=pa.string(),
    input_tokens=pa.int64(),
    output_tokens=pa.int64(),
    reasoning_tokens=pa.int64(),
    attempts=pa.int64(),
    created_utc=pa.string(),
)
SCORES = _schema(
    KEY,
    category=pa.string(),
    correct=pa.bool_(),
    correct_loose=pa.bool_(),
    extracted=pa.string(),
    score=pa.float64(),
    scorer=pa.string(),
    scorer_version=pa.string(),
    unscored_reason=pa.string(),
    note=pa.string(),
)

# Read as dictionary codes, so that millions of rows cost a few bytes each.
CODED = frozenset({*KEY[:3], "category", "unscored_reason", "scorer", "scorer_version", "note"})

# May be left out of a file, and is then read as missing throughout.
OPTIONAL = frozenset({"note"})


def scores_file(scorer: str | None = None) -> str:
    """Name the file of the scores: the archive's own, or those of a second scorer.

    >>> scores_file(), scores_file("official")
    ('scores.parquet', 'scores-official.parquet')
    """
    return SCORES_FILE if scorer is None else f"scores-{scorer}.parquet"


def schema_of(file: str) -> pa.Schema:
    """Return the schema that a parquet file of this name keeps to.

    Raises
    ------
    KeyError
        If no file of an archive has this name.
    """
    if file.startswith("scores-") and file.endswith(".parquet"):
        return SCORES
    return {ITEMS_FILE: ITEMS, RESPONSES_FILE: RESPONSES, SCORES_FILE: SCORES}[file]


def kind_word(field: pa.Field) -> str:
    """Say in a word what a column holds: text, integers, numbers or true/false."""
    words = {pa.string(): "text", pa.int64(): "integers", pa.float64(): "numbers"}
    return words.get(field.type, "true or false")


def accepts(field: pa.Field, stored: pa.DataType) -> bool:
    """Tell whether a stored column type is the field's, whatever its width or encoding.

    Text is text and integers are integers: a float is no integer, a number no text. A column
    without any value (arrow's null type) will do where missing values are allowed.

    >>> accepts(SCORES.field("trial"), pa.int16()), accepts(SCORES.field("trial"), pa.float64())
    (True, False)
    """
    if pat.is_dictionary(stored):
        stored = stored.value_type
    if pat.is_null(stored):
        return field.nullable
    if field.type == pa.string():
        return pat.is_string(stored) or pat.is_large_string(stored) or pat.is_string_view(stored)
    if field.type == pa.int64():
        return pat.is_integer(stored)
    if field.type == pa.float64():
        return pat.is_floating(stored) or pat.is_integer(stored)
    return pat.is_boolean(stored)
