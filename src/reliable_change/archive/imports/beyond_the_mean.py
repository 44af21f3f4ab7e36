"""The trial files of "Beyond the Mean": JSON lines, one answer each, into an archive."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd

from reliable_change.archive.manifest import Edge
from reliable_change.archive.problems import one_line, quoted
from reliable_change.archive.text import escape_surrogates
from reliable_change.archive.write import write_archive
from reliable_change.errors import ArchiveError

SCORER = "beyond-the-mean"
TEXTS = ("domain", "model", "correct_answer")  # what every row must have, besides the item
OPTIONAL = ("condition", "parsed_response", "raw_text")
CATEGORY = {True: "correct", False: "wrong", None: "format_failure"}


def import_trials(
    files: Sequence[str | os.PathLike],
    folder: str | os.PathLike,
    *,
    condition: str | None = None,
    benchmark: str = "MMLU-Pro",
    edges: Sequence[Edge] | None = None,
    created_utc: str | None = None,
    replace: bool = False,
) -> Path:
    """Make an archive of trial files as the authors of "Beyond the Mean" write them.

    Parameters
    ----------
    files : sequence of path
        JSON lines with item_id, domain, model, correct_answer and is_correct; condition,
        parsed_response and raw_text where there are any; other keys are not kept. Rows of one
        item and model are its trials, numbered in the order of files and lines. Models stand in
        the order in which they first appear: name the file of the older one first.
    folder : path
        Where the archive shall lie; its last part is the archive's name.
    condition : str
        The condition to keep, such as "H" (greedy, one answer an item). Needed where the files
        hold several: answers from different conditions are not trials of one another.
    benchmark : str
        What to call the items' benchmark.
    edges : sequence of (source, target)
        By default each model to the next.
    created_utc : str
        Time to note in the manifest; now by default.
    replace : bool
        As for `write_archive`.

    Returns
    -------
    Path
        The folder: an archive of kind ``imported``, domain as discipline. A null verdict (no
        answer was found in the text) is a format failure and counts as wrong, as the authors
        count it. Their verdicts are taken as they stand.

    Raises
    ------
    ArchiveError
        Naming file, line and item of the first row that cannot be taken.

    Examples
    --------
    >>> import tempfile
    >>> from reliable_change.archive.read import read_archive
    >>> item = '"item_id": 1, "domain": "law", "correct_answer": "B"'
    >>> verdicts = [("old", "true"), ("old", "false"), ("new", "null"), ("new", "true")]
    >>> lines = [f'{{{item}, "model": "{m}", "is_correct": {v}}}' for m, v in verdicts]
    >>> with tempfile.TemporaryDirectory() as place:
    ...     path = Path(place, "trials.jsonl")
    ...     _ = path.write_text("\\n".join(lines))
    ...     read_archive(import_trials([path], f"{place}/mine")).scores()["category"].tolist()
    ['format_failure', 'correct', 'correct', 'wrong']
    """
    rows = [row for path in files for row in _rows(Path(path))]
    rows = _of_one_condition(rows, condition)
    name = escape_surrogates(quoted(rows[0]["condition"]))
    frame = pd.DataFrame(rows, dtype=object).assign(benchmark=benchmark)
    frame["trial"] = frame.groupby(["item_id", "model"]).cumcount()
    models = list(dict.fromkeys(frame["model"]))
    items = _items(frame)
    given = frame.groupby(["item_id", "model"]).size()
    even = given.nunique() == 1 and len(given) == len(items) * len(models)
    manifest = {
        "name": Path(folder).name,
        "kind": "imported",
        "description": f"Trial files of Beyond the Mean, condition {name}.",
        "models": models,
        "edges": list(zip(models, models[1:], strict=False)) if edges is None else list(edges),
        "benchmarks": [benchmark],
        "strata": {benchmark: {"discipline": list(dict.fromkeys(frame["domain"]))}},
        "trials_per_item": int(given.iloc[0]) if even else None,
        "complete": bool(even),
        "incomplete": [] if even else ["The number of answers differs between items or models."],
        "created_utc": created_utc or datetime.now(UTC).isoformat(timespec="seconds"),
        "licence": "that of the files imported",
    }
    key = ["benchmark", "item_id", "model", "trial"]
    responses = frame[[*key, "raw_text"]].rename(columns={"raw_text": "response_text"})
    scores = frame[key].assign(
        category=[CATEGORY[verdict] for verdict in frame["is_correct"]],
        correct=[verdict is True for verdict in frame["is_correct"]],
        extracted=frame["parsed_response"],
        scorer=SCORER,
        scorer_version="as imported",
    )
    responses = responses if frame["raw_text"].notna().any() else None
    return write_archive(folder, manifest, items, responses, scores, replace=replace)


def _rows(path: Path) -> Iterator[dict]:
    """The rows of one file, checked, each with its place for errors that come later."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ArchiveError(
            f"{path}: cannot be read ({one_line(error)}); give a file of JSON lines in UTF-8"
        ) from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        place = f"{path.name}, line {number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ArchiveError(f"{place}: not JSON ({one_line(error)}); mend the line") from None
        if not isinstance(row, dict):
            raise ArchiveError(f"{place}: no JSON object; give one answer a line")
        yield {**_checked(row, place), "place": place}


def _checked(row: dict, place: str) -> dict:
    item = row.get("item_id")
    if type(item) not in (int, str) or not _is_name(str(item)):
        raise ArchiveError(f"{place}: item_id is {quoted(item)}; give a whole number or a text")
    place = f"{place}, item {item}"
    for name in (*TEXTS, *OPTIONAL):
        value = row.get(name)
        if name in TEXTS and not _is_name(value):
            raise ArchiveError(f"{place}: {name} is {quoted(value)}; give a text")
        if not isinstance(value, str | None):
            raise ArchiveError(f"{place}: {name} is {quoted(value)}; give a text or null")
    verdict = row.get("is_correct", "missing")
    if type(verdict) is not bool and verdict is not None:
        raise ArchiveError(f"{place}: is_correct is {quoted(verdict)}; give true, false or null")
    kept = {name: row.get(name) for name in (*TEXTS, *OPTIONAL)}
    return {**kept, "item_id": str(item), "is_correct": verdict}


def _is_name(value: object) -> bool:
    """Whether a value is a text that is not blank and that UTF-8 can hold."""
    return isinstance(value, str) and value.strip() != "" and escape_surrogates(value) == value


def _of_one_condition(rows: list[dict], condition: str | None) -> list[dict]:
    found = list(dict.fromkeys(row["condition"] or "not named" for row in rows))
    if condition is not None:
        rows = [row for row in rows if row["condition"] == condition]
    elif len(found) > 1:
        names = ", ".join(found)
        raise ArchiveError(f"the files hold the conditions {names}; choose one with --condition")
    if not rows:
        has = f"there is {', '.join(found)}" if found else "the files are empty"
        asked = "" if condition is None else f" of condition {quoted(condition)}"
        raise ArchiveError(f"no answer{asked}: {has}; name files that hold some")
    return [{**row, "condition": row["condition"] or "not named"} for row in rows]


def _items(frame: pd.DataFrame) -> pd.DataFrame:
    """One row an item; its domain and right answer must be the same in all its rows."""
    first = frame.drop_duplicates("item_id").set_index("item_id")
    for name in ("domain", "correct_answer"):
        other = frame[name].to_numpy() != first.loc[frame["item_id"], name].to_numpy()
        if other.any():
            row = frame[other].iloc[0]
            known = first.loc[row["item_id"], name]
            raise ArchiveError(
                f"{row['place']}, item {row['item_id']}: {name} is {quoted(row[name])}, but "
                f"{quoted(known)} in {first.loc[row['item_id'], 'place']}; mend one of them"
            )
    return first.reset_index()[["benchmark", "item_id"]].assign(
        task="multiple_choice",
        reference=first["correct_answer"].to_numpy(),
        discipline=first["domain"].to_numpy(),
    )
