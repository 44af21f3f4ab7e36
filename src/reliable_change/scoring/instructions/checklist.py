"""An item's instructions, read from its extra."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reliable_change.scoring.verdict import Item

# Parameters that verifiers read as regular expressions.
_PATTERNS = ("keyword", "keywords", "forbidden_words", "section_spliter", "postscript_marker")


@dataclass(frozen=True)
class Instruction:
    """One instruction of an item: its id, and the parameters that are set."""

    id: str
    parameters: Mapping[str, object]

    def patterns(self) -> list[str]:
        """Return the parameters that a verifier reads as regular expressions.

        >>> Instruction("keywords:existence", {"keywords": ["a", "b+"], "n": 3}).patterns()
        ['a', 'b+']
        """
        found = []
        for name in _PATTERNS:
            value = self.parameters.get(name, [])
            found += value if isinstance(value, list) else [value]
        return [pattern for pattern in found if isinstance(pattern, str)]


def instructions_of(item: Item) -> list[Instruction]:
    """Return an item's instructions, from `instruction_id_list` and `kwargs` of its extra.

    These are the names that IFBench and IFEval use. A parameter that is null is not set; whole
    numbers stored as 7.0 are whole. The item stays as it is.

    Raises
    ------
    ItemError
        If there are no instructions, or the two lists do not fit together.

    >>> rule = {"N": 3.0, "keyword": None}
    >>> extra = {"instruction_id_list": ["count:numbers"], "kwargs": [rule]}
    >>> instructions_of(Item("IFBench", "7", "instruction", extra=extra))
    [Instruction(id='count:numbers', parameters={'N': 3})]
    """
    ids = item.extra.get("instruction_id_list")
    if not _is_list(ids) or not ids or not all(isinstance(name, str) for name in ids):
        raise item.error("has no instruction_id_list in its extra: a list of instruction ids")
    given = item.extra.get("kwargs")
    if given is None:
        given = [None] * len(ids)
    if not _is_list(given) or len(given) != len(ids):
        raise item.error(f"needs kwargs in its extra for each of its {len(ids)} instructions")
    return [_instruction(item, name, kwargs) for name, kwargs in zip(ids, given, strict=True)]


def _instruction(item: Item, name: str, kwargs: object) -> Instruction:
    if kwargs is not None and not isinstance(kwargs, Mapping):
        raise item.error(f"has kwargs for {name!r} that are not an object but {kwargs!r:.80}")
    try:
        copied = json.loads(json.dumps(dict(kwargs or {})))
    except (TypeError, ValueError) as error:
        raise item.error(f"has kwargs for {name!r} that are not JSON: {error}") from None
    return Instruction(name, {key: _whole(value) for key, value in copied.items() if _set(value)})


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _set(value: object) -> bool:
    return value is not None and value == value  # NaN is what some readers make of null


def _whole(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value
