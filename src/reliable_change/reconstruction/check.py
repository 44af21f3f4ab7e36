"""
Recompute the printed tables from solved items, and name every number that differs.

Nothing here is shared with the solver: the tables are made afresh from the items with the
package's statistics, and held against the transcription through the ledger's formatting.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from reliable_change.errors import ReliableChangeError
from reliable_change.paths import PUBLISHED
from reliable_change.published.ledger import judge, values_of
from reliable_change.published.tables import KEYS, label, read_table, table_claims
from reliable_change.stats.classification import CLASSES, Classification, classify, meets_epsilon
from reliable_change.stats.null import permutation_null

TABLES = ("table_1", "table_b3", "table_b4", "table_c5", "table_e8", "table_f9")
BEYOND_COUNTS = ("wrong", "format_failure", "refusal", "truncation", "api_error")
NULL_SEED = 0
FLIPS = {"incorrect_to_correct": 1, "correct_to_incorrect": -1, "unchanged": 0}


def read_items(path: Path) -> pd.DataFrame:
    """Read solved items; ids and labels stay text, also where they look like numbers."""
    text = dict.fromkeys(("benchmark", "item_id", "difficulty", "discipline"), str)
    return pd.read_csv(path, dtype=text, keep_default_na=False)


def require(items: pd.DataFrame, folder: Path = PUBLISHED) -> None:
    """
    Demand that :func:`problems` finds none.

    Raises
    ------
    ReliableChangeError
        Naming the first problems.
    """
    found = problems(items, folder)
    if found:
        shown = "\n  ".join(found[:10])
        raise ReliableChangeError(f"{len(found)} printed numbers do not hold:\n  {shown}")


def problems(items: pd.DataFrame, folder: Path = PUBLISHED) -> list[str]:
    """
    Compare everything that correct counts and single draws decide with what is printed.

    Parameters
    ----------
    items : pandas.DataFrame
        As :func:`read_items` gives them.
    folder : Path
        The published tables.

    Returns
    -------
    list of str
        One line per impossible item or differing number; empty if all holds.
    """
    trials = _trials(folder)
    found = list(_impossible(items, trials))
    if found:
        return found
    frames = recompute(items, trials, folder)
    for name in TABLES:
        values = values_of(name, frames[name])
        for claim in table_claims([name], folder).to_dict("records"):
            if claim["column"] in BEYOND_COUNTS:
                continue
            where, printed = (name, claim["row"], claim["column"]), claim["printed"]
            recomputed, verdict = judge(values.get(where), printed)
            if verdict != "reproduced":
                where = f"{label(name)}, {claim['row']}, {claim['column']}"
                found.append(f"{where}: printed {printed}, recomputed {recomputed or 'nothing'}")
    return found


def recompute(
    items: pd.DataFrame, trials: int, folder: Path = PUBLISHED
) -> dict[str, pd.DataFrame]:
    """Make the tables of ``TABLES`` with the columns of the ledger; numbers unrounded."""
    epsilons = tuple(dict.fromkeys(read_table("table_c5", folder).epsilon))
    edges = dict.fromkeys(read_table("table_1", folder).edge)
    by_benchmark = items.groupby("benchmark", sort=False)
    one, b3, c5, flips = [], [], [], []
    for number, (edge, (benchmark, group)) in enumerate(product(edges, by_benchmark)):
        key = {"edge": edge, "benchmark": benchmark}
        source, target = edge.split("→")
        counts = group[f"correct_{source}"], trials, group[f"correct_{target}"], trials
        drawn = group[f"drawn_{source}"], 1, group[f"drawn_{target}"], 1
        found, step = classify(*counts), (drawn[2] - drawn[0]).to_numpy()
        one.append(key | _table_1(found) | {"null95": _null95(counts, number)})
        b3.append(key | _table_b3(found, classify(*drawn), step))
        c5 += [key | {"epsilon": e} | _changed(found, meets_epsilon(*counts, e)) for e in epsilons]
        flips.append(pd.DataFrame({"class": found.classes, "step": step}))
    return {
        "table_1": pd.DataFrame(one),
        "table_b3": pd.DataFrame(b3),
        "table_b4": _table_b4(pd.concat(flips)),
        "table_c5": pd.DataFrame(c5),
        "table_e8": _table_e8(items, trials),
        "table_f9": _table_f9(items, trials, folder),
    }


def _trials(folder: Path) -> int:
    """Trials per item and model: the responses of Table E.8 over the items of Table B.3."""
    responses, items = (read_table(name, folder).iloc[0] for name in ("table_e8", "table_b3"))
    return int(responses.n) // int(items["items"])


def _impossible(items: pd.DataFrame, trials: int) -> Iterator[str]:
    """Counts out of range, draws that no trial could give, and ids used twice."""
    if items.item_id.duplicated().any():
        yield f"item {items.item_id[items.item_id.duplicated()].iloc[0]} occurs twice"
    for column in items.columns[items.columns.str.startswith("correct_")]:
        model = column.removeprefix("correct_")
        correct, drawn = items[column], items[f"drawn_{model}"]
        bad = ~correct.between(0, trials) | ~drawn.isin([0, 1])
        bad |= (correct == 0) & (drawn == 1) | (correct == trials) & (drawn == 0)
        for row in items[bad].to_dict("records"):
            draw = row[f"drawn_{model}"]
            yield f"item {row['item_id']}, {model}: {row[column]} of {trials} cannot draw {draw}"


def _table_1(found: Classification) -> dict[str, float]:
    """Aggregate change and class shares of one cell."""
    share = {name: 100 * np.mean(found.classes == name) for name in CLASSES}
    changed = 100 * _reliable(found.classes) / len(found.classes)
    return share | {"delta": 100 * found.difference.mean(), "changed": changed}


def _null95(counts: tuple, number: int) -> float:
    """95th percentile of the permutation null of one cell, which has a seed of its own."""
    rng = np.random.default_rng([NULL_SEED, number])
    return permutation_null(*counts, epsilon=0.20, alpha=0.05, rng=rng).percentile(95)


def _table_b3(found: Classification, single: Classification, step: np.ndarray) -> dict[str, int]:
    """Items, reliable changes from all trials and from single draws, and raw flips."""
    return {
        "items": len(step),
        "reliable": _reliable(found.classes),
        "single_draw_reliable": _reliable(single.classes),
        **{name: int((step == sign).sum()) for name, sign in FLIPS.items()},
    }


def _changed(found: Classification, large: np.ndarray) -> dict[str, float]:
    """Shares rejected with a large shift, by sign."""
    reliable = found.rejected & large
    return {
        "improved": 100 * np.mean(reliable & (found.difference > 0)),
        "regressed": 100 * np.mean(reliable & (found.difference < 0)),
        "changed": 100 * np.mean(reliable),
    }


def _reliable(classes: np.ndarray) -> int:
    return int(np.isin(classes, ("improved", "regressed")).sum())


def _table_b4(flips: pd.DataFrame) -> pd.DataFrame:
    """Flips of the single draws by class, with totals."""
    rows = {
        name: {flip: int((part.step == sign).sum()) for flip, sign in FLIPS.items()}
        for name, part in [*((c, flips[flips["class"] == c]) for c in CLASSES), ("total", flips)]
    }
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("class").reset_index()
    return table.assign(total=table[list(FLIPS)].sum(axis=1))


def _table_e8(items: pd.DataFrame, trials: int) -> pd.DataFrame:
    """Responses and correct ones; the other categories are not for the counts to decide."""
    long = items.melt(["benchmark"], [c for c in items if c.startswith("correct_")], "model")
    table = (
        long.groupby(["benchmark", "model"], sort=False).value.agg(["size", "sum"]).reset_index()
    )
    table["model"] = table.model.str.removeprefix("correct_")
    table["size"] *= trials
    return table.rename(columns={"size": "n", "sum": "correct"})


def _table_f9(items: pd.DataFrame, trials: int, folder: Path) -> pd.DataFrame:
    """Accuracy and change in every printed stratum."""
    printed = read_table("table_f9", folder)
    edges = [c for c in printed.columns if "→" in c]
    rows = []
    for key in printed[list(KEYS["table_f9"])].to_dict("records"):
        mine = items.benchmark == key["benchmark"]
        part = items[mine & (items[key["stratum"]] == key["level"])]
        mean = part.filter(like="correct_").mean().rename(lambda c: c.removeprefix("correct_"))
        mean = 100 * mean / trials
        changes = {e: mean[e.split("→")[1]] - mean[e.split("→")[0]] for e in edges}
        rows.append(key | {"items": len(part)} | mean.to_dict() | changes)
    return pd.DataFrame(rows)
