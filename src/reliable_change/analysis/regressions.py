"""The regressed items one by one, and whether they cluster (003)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import hypergeom

from reliable_change.analysis.paired_tests import CELL, GAINED, LOST
from reliable_change.analysis.trial_pairs import first_trials
from reliable_change.archive.manifest import edge_id
from reliable_change.archive.read import Archive
from reliable_change.archive.schema import CATEGORIES, KEY, RESPONSES_FILE
from reliable_change.errors import NotInArchive
from reliable_change.stats.classification import NOT_TESTABLE
from reliable_change.stats.paired import mcnemar_exact

FAILURES = tuple(name for name in CATEGORIES if name not in ("correct", "api_error"))
SHOWN = 60  # characters of a text in a table


def regressed_items(archive: Archive, items: pd.DataFrame) -> pd.DataFrame:
    """Every item that was lost, with what a record of an upgrade should hold (003).

    Parameters
    ----------
    items : DataFrame
        From `paired_tests.verdicts`.

    Returns
    -------
    DataFrame
        edge, benchmark, item_id, source, target (model ids), prompt_version, p_hat_source,
        p_hat_target (fractions), difficulty, discipline, prompt, source_text (of the first right
        trial), target_text (of the first wrong one); what the archive lacks is missing. The
        largest fall of p̂ first.
    """
    lost = items[items["flip"] == LOST]
    models = lost["edge"].str.split("→", expand=True).reindex(columns=[0, 1])
    found = lost.assign(
        source=models[0],
        target=models[1],
        prompt_version=archive.manifest.prompt_version,
        p_hat_source=lost["k_source"] / lost["n_source"],
        p_hat_target=lost["k_target"] / lost["n_target"],
    )
    about = ["difficulty", "discipline", "prompt"]
    labels = archive.items[["benchmark", "item_id", *about]].astype(object)
    found = found.merge(labels, on=["benchmark", "item_id"], how="left")
    texts = _texts(archive, found)
    order = found["p_hat_target"] - found["p_hat_source"]
    columns = [*CELL, "item_id", "source", "target", "prompt_version"]
    columns += ["p_hat_source", "p_hat_target", *about]
    found = pd.concat([found[columns], texts], axis=1).assign(order=order)
    by = ["order", "edge", "benchmark", "item_id"]
    return found.sort_values(by).drop(columns="order").reset_index(drop=True)


def _texts(archive: Archive, found: pd.DataFrame) -> pd.DataFrame:
    """The text of the source's first right trial and of the target's first wrong one."""
    texts = pd.DataFrame(
        {"source_text": None, "target_text": None}, index=found.index, dtype=object
    )
    if RESPONSES_FILE not in archive.manifest.files or found.empty:
        return texts
    firsts = first_trials(archive).astype(dict.fromkeys(KEY[:3], object))
    firsts = firsts.set_index(["benchmark", "item_id", "model"])
    wanted: dict[tuple, list[tuple[int, str]]] = {}
    for side, kind in (("source", "right"), ("target", "wrong")):
        for row, *key in found[["benchmark", "item_id", side]].itertuples(name=None):
            trial = int(firsts.loc[tuple(key), kind])
            wanted.setdefault((*key, trial), []).append((row, f"{side}_text"))
    keys = pd.MultiIndex.from_tuples(list(wanted), names=list(KEY))
    for batch in archive.response_batches([*KEY, "response_text"]):
        frame = batch.to_pandas().astype(dict.fromkeys(KEY[:3], object))
        here = frame[pd.MultiIndex.from_frame(frame[list(KEY)]).isin(keys)]
        for *key, text in here.itertuples(index=False, name=None):
            for row, column in wanted[tuple(key)] if isinstance(text, str) else ():
                texts.loc[row, column] = text
    return texts


def shortened(regressed: pd.DataFrame) -> pd.DataFrame:
    """The list as a table can show it: one line and few characters of each text.

    Columns in which nothing stands are left out, and so are the model ids, which the edge names.
    """
    short = regressed.drop(columns=["source", "target"])
    for name in ("prompt", "source_text", "target_text"):
        short[name] = [_short(text) if isinstance(text, str) else None for text in short[name]]
    return short.dropna(axis="columns", how="all")


def _short(text: str) -> str:
    line = " ".join(text[: 4 * SHOWN].split())
    return line[:SHOWN] + "…" if len(line) > SHOWN else line


def clusters(archive: Archive, items: pd.DataFrame) -> pd.DataFrame:
    """Whether the lost items gather in a level of a stratum.

    Parameters
    ----------
    items : DataFrame
        From `paired_tests.verdicts`.

    Returns
    -------
    DataFrame
        edge, benchmark, stratum, level, items (testable), right_before (only these can be lost),
        b, c, share (of right_before, percent), expected (b if the lost items were drawn from
        those right before, whatever their level), p (exact chance of at least so many, one-sided),
        adjusted (Bonferroni over the levels of the cell and stratum), p_worse (the level's own
        one-sided McNemar p). Items without a label are left out.

    Raises
    ------
    NotInArchive
        When the manifest declares no strata.

    Notes
    -----
    Given B lost items among the R right before, a level with r of these has a hypergeometric
    number of lost ones if loss does not depend on the level. That takes all items that were right
    to be equally easy to lose; a level of unstable items stands out too, and rightly so.
    """
    if not archive.manifest.strata:
        raise NotInArchive(f"{archive.path.name} declares no strata in its manifest")
    tested = items[items["flip"] != NOT_TESTABLE]
    frames = []
    for benchmark, strata in archive.manifest.strata.items():
        for stratum, order in strata.items():
            labels = archive.items.loc[archive.items["benchmark"] == benchmark]
            labels = labels[["item_id", stratum]].astype(object).dropna()
            part = tested[tested["benchmark"] == benchmark].merge(
                labels.rename(columns={stratum: "level"}), on="item_id"
            )
            levels = [*order, *sorted(set(part["level"]) - set(order))]
            for edge, cell in part.groupby("edge", sort=False):
                frames.append(_levels(cell, levels).assign(edge=edge, stratum=stratum))
                frames[-1]["benchmark"] = benchmark
    found = pd.concat(frames, ignore_index=True)
    rank = {edge_id(edge): place for place, edge in enumerate(archive.manifest.edges)}
    found = found.sort_values("edge", key=lambda edges: edges.map(rank), kind="stable")
    columns = [*CELL, "stratum", "level", "items", "right_before", "b", "c", "share", "expected"]
    return found[[*columns, "p", "adjusted", "p_worse"]].reset_index(drop=True)


def most_clustered(found: pd.DataFrame, rows: int = 8) -> pd.DataFrame:
    """The levels from `clusters` that stand out most, the smallest chance first."""
    return found.sort_values("p", kind="stable").head(rows)


def _levels(cell: pd.DataFrame, levels: list[str]) -> pd.DataFrame:
    marks = cell.assign(items=1, b=cell["flip"] == LOST, c=cell["flip"] == GAINED)
    columns = ["items", "right_before", "b", "c"]
    found = marks.groupby("level")[columns].sum().astype(int)
    found = found.reindex([level for level in levels if level in found.index]).reset_index()
    lost, right = found["b"].sum(), found["right_before"].sum()
    p = hypergeom.sf(found["b"] - 1, right, lost, found["right_before"])
    return found.assign(
        share=100 * found["b"] / found["right_before"].where(found["right_before"] > 0),
        expected=lost * found["right_before"] / max(right, 1),
        p=p,
        adjusted=np.minimum(1, p * len(found)),
        p_worse=mcnemar_exact(found["b"], found["c"], "worse"),
    )


def failures(items: pd.DataFrame, counts: pd.DataFrame) -> pd.DataFrame:
    """How the target's trials fail on the lost items, beside how they fail on the others.

    Parameters
    ----------
    items, counts : DataFrame
        From `paired_tests.verdicts` and `item_counts`.

    Returns
    -------
    DataFrame
        edge, benchmark, category, lost_items, other_items (failed trials of the target on them),
        lost_share, other_share (percent of these trials; NaN where none failed).
    """
    counts = counts.astype({"benchmark": object, "item_id": object, "model": object})
    target = items.assign(model=items["edge"].str.partition("→")[2])
    target = target.merge(counts, on=["benchmark", "item_id", "model"])
    rows = []
    for (edge, benchmark), cell in target.groupby(CELL, sort=False):
        lost = cell["flip"] == LOST
        on_lost, others = (
            cell.loc[lost, list(FAILURES)].sum(),
            cell.loc[~lost, list(FAILURES)].sum(),
        )
        for name in FAILURES:
            shares = [100 * x[name] / x.sum() if x.sum() else np.nan for x in (on_lost, others)]
            rows.append((edge, benchmark, name, on_lost[name], others[name], *shares))
    columns = ["category", "lost_items", "other_items", "lost_share", "other_share"]
    found = pd.DataFrame(rows, columns=[*CELL, *columns])
    return found[(found["lost_items"] + found["other_items"]) > 0].reset_index(drop=True)
