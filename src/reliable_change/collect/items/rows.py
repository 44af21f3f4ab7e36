"""One row of a public data set in, one item out: a function for each column layout."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from string import ascii_uppercase

from reliable_change.collect.items.prompts import choice_prompt, problem_prompt
from reliable_change.errors import CollectError

Row = Mapping[str, object]


class LeftOut(Exception):
    """A row of which no scorable item can be made; the message says why."""


def supergpqa(row: Row) -> dict:
    """uuid, question, options, answer_letter, discipline, field, subfield, difficulty."""
    item = _choice(text(row, "uuid"), row, _texts(row, "options"), text(row, "answer_letter"))
    return item | {
        "difficulty": text(row, "difficulty"),
        "discipline": text(row, "discipline"),
        "extra": item["extra"] | {"field": row.get("field"), "subfield": row.get("subfield")},
    }


def mmlu_pro(row: Row) -> dict:
    """question_id, question, options, answer (a letter), category, src."""
    item = _choice(text(row, "question_id"), row, _texts(row, "options"), text(row, "answer"))
    return item | {
        "discipline": text(row, "category"),
        "extra": item["extra"] | {"src": row.get("src")},
    }


def gpqa(row: Row) -> dict:
    """Record ID, Question, Correct Answer, Incorrect Answer 1 to 3, High-level domain.

    The options are put in an order that depends on the record's id alone, since the data set
    states no order.
    """
    item_id = text(row, "Record ID")
    right = text(row, "Correct Answer").strip()
    wrong = [text(row, f"Incorrect Answer {number}").strip() for number in (1, 2, 3)]
    options = sorted([right, *wrong], key=lambda option: _digest(f"{item_id}\n{option}"))
    item = _choice(
        item_id, {"question": row["Question"]}, options, ascii_uppercase[options.index(right)]
    )
    return item | {"discipline": text(row, "High-level domain")}


def omni_math(row: Row) -> dict:
    """problem, answer, difficulty, domain (a list of paths), source.

    The data set has no ids: an item's is made of its problem, so that it stays when rows move.
    """
    item = _problem(_digest(text(row, "problem")), text(row, "problem"), text(row, "answer"))
    domains = _texts(row, "domain")
    return item | {
        "difficulty": str(float(text(row, "difficulty"))),
        "discipline": _last_but(domains[0]) if domains else None,
        "extra": {"domain": domains, "source": row.get("source")},
    }


def olympiad_bench(row: Row) -> dict:
    """id, question, final_answer (a list), unit, answer_type, error, subfield, difficulty."""
    answers = _texts(row, "final_answer")
    if not answers:
        raise LeftOut("no final answer")
    if row.get("error"):
        raise LeftOut("an answer with a tolerance, which no exact rule can score")
    if str(row.get("answer_type")).startswith("Need_human"):
        raise LeftOut("an answer that people have to judge")
    context = row.get("context")
    question = text(row, "question")
    problem = f"{context}\n\n{question}" if context else question
    item = _problem(text(row, "id"), problem, ", ".join(one.strip().strip("$") for one in answers))
    return item | {
        "difficulty": _maybe(row.get("difficulty")),
        "discipline": _maybe(row.get("subfield")),
        "extra": {"unit": row.get("unit"), "answer_type": row.get("answer_type")},
    }


def olym_math(row: Row) -> dict:
    """unique_id, problem, answer, subject."""
    item = _problem(text(row, "unique_id"), text(row, "problem"), text(row, "answer"))
    return item | {"discipline": text(row, "subject")}


def instruction(row: Row) -> dict:
    """key, prompt, instruction_id_list, kwargs: IFBench, IFEval and IFEval++. Prompts verbatim.

    Arguments that are null mean "not set", and are dropped.
    """
    kwargs = row.get("kwargs")
    if isinstance(kwargs, str):
        kwargs = json.loads(kwargs)
    names = _texts(row, "instruction_id_list")
    if not isinstance(kwargs, list | tuple) or len(kwargs) != len(names):
        raise CollectError("kwargs is no list with one entry for each instruction")
    given = [{k: v for k, v in (one or {}).items() if v is not None} for one in kwargs]
    return {
        "item_id": text(row, "key"),
        "task": "instruction",
        "prompt": text(row, "prompt"),
        "reference": None,
        "extra": {"instruction_id_list": names, "kwargs": given},
    }


def text(row: Row, column: str) -> str:
    """A value as text; CollectError names the column where it is missing or is no plain value.

    >>> text({"key": 7}, "key")
    '7'
    """
    if column not in row:
        raise CollectError(f"has no column {column!r}; it has {', '.join(map(str, row))}")
    value = row[column]
    if isinstance(value, str | int | float) and not isinstance(value, bool) and value == value:
        return str(value)
    raise CollectError(f"column {column!r} holds {type(value).__name__}, not a text or a number")


def _choice(item_id: str, row: Row, options: list[str], letter: str) -> dict:
    letter = letter.strip()
    if letter not in ascii_uppercase[: len(options)] or len(letter) != 1:
        raise CollectError(f"the answer {letter!r} is no letter of its {len(options)} options")
    return {
        "item_id": item_id,
        "task": "multiple_choice",
        "prompt": choice_prompt(text(row, "question"), options),
        "reference": letter,
        "extra": {"options": options},
    }


def _problem(item_id: str, problem: str, answer: str) -> dict:
    if not answer.strip():
        raise LeftOut("no final answer")
    return {
        "item_id": item_id,
        "task": "math",
        "prompt": problem_prompt(problem),
        "reference": answer.strip(),
        "extra": {},
    }


def _texts(row: Row, column: str) -> list[str]:
    value = row.get(column)
    if value is None:
        return []
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        raise CollectError(f"column {column!r} holds {type(value).__name__}, not a list")
    return [str(one) for one in value]


def _maybe(value: object) -> str | None:
    return None if value is None else str(value)


def _last_but(path: str) -> str:
    """The second name of a path such as "Mathematics -> Algebra -> Other": the field."""
    names = [name.strip() for name in path.split("->")]
    return names[min(1, len(names) - 1)]


def _digest(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:12]
