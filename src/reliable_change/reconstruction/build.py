"""Build both synthetic archives from csv, without a solver.

Run as ``python -m reliable_change.reconstruction.build``.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

from reliable_change.archive.write import write_archive
from reliable_change.errors import ReliableChangeError
from reliable_change.paths import ARCHIVES, PUBLISHED, RECONSTRUCTION
from reliable_change.published.tables import read_table
from reliable_change.reconstruction.check import read_items
from reliable_change.reconstruction.loose import read_gap
from reliable_change.reconstruction.screening import printed_trials, screening_trials
from reliable_change.reconstruction.targets import read_targets
from reliable_change.reconstruction.trials import ModelTrials, benchmark_trials

TASKS = {
    "Knowledge": "multiple_choice",
    "Mathematics": "math",
    "Instruction following": "instruction",
}
LABELS = {"gpt-5.4": "GPT-5.4", "gpt-5.5": "GPT-5.5", "gpt-5.6-sol": "Sol"}
SHORT_LABELS = {"gpt-5.4": "5.4", "gpt-5.5": "5.5", "gpt-5.6-sol": "Sol"}
SCORER = {"scorer": "reconstruction", "scorer_version": "1"}


def build_reconstruction(
    folder: Path,
    *,
    items_file: Path = RECONSTRUCTION / "items.csv",
    published: Path = PUBLISHED,
    replace: bool = False,
) -> Path:
    """Write the reconstruction: made-up trials behind every number the paper prints.

    Parameters
    ----------
    folder : Path
        Where the archive shall lie.
    items_file : Path
        The solved items, as `solve` writes them.
    published : Path
        The printed tables and claims.
    replace : bool
        Replace an archive that lies there already.

    Returns
    -------
    Path
        The folder. The same files give the same rows.

    Raises
    ------
    ReliableChangeError
        The items do not fit the printed tables.
    """
    targets = read_targets(published)
    items = read_items(items_file).sort_values(["benchmark", "item_id"], ignore_index=True)
    gap = read_gap(published)
    slots = read_table("table_a2", published).set_index("candidate").slot
    rows = items[["benchmark", "item_id", "difficulty", "discipline"]]
    rows = rows.mask(rows == "").assign(task=items.benchmark.map(slots).map(TASKS))
    responses, scores = [], []
    for target in targets:
        part = items[items.benchmark == target.name]
        for model, made in benchmark_trials(part, gap, published).items():
            key = _key(target.name, part.item_id.to_numpy(), model, target.trials)
            responses.append(pd.DataFrame(key | _tokens(made)))
            scores.append(pd.DataFrame(key | _verdicts(made) | SCORER))
    manifest = _manifest(
        "reconstruction",
        "Synthetic: trials without texts, made so that the numbers printed in the paper hold "
        "together. No request was made; they say nothing of the paper's own items and responses.",
        models=targets[0].models,
        edges=targets[0].edges,
        benchmarks=[target.name for target in targets],
        trials_per_item=targets[0].trials,
    ) | {
        "strata": {
            target.name: {name: [s.level for s in found] for name, found in target.strata.items()}
            for target in targets
            if target.strata
        },
        "complete": True,
    }
    return write_archive(
        folder, manifest, rows, pd.concat(responses), pd.concat(scores), replace=replace
    )


def build_screening(folder: Path, *, published: Path = PUBLISHED, replace: bool = False) -> Path:
    """Write the screening archive: made-up trials with the estimable items of Table A.2.

    Parameters
    ----------
    folder : Path
        Where the archive shall lie.
    published : Path
        The printed tables and claims.
    replace : bool
        Replace an archive that lies there already.

    Returns
    -------
    Path
        The folder. The same tables give the same rows.
    """
    table = read_table("table_a2", published)
    target = read_targets(published)[0]
    trials = printed_trials(published)
    scores, incomplete = [], []
    for row in table.itertuples():
        estimable, items = map(int, row.estimable.split("/"))
        complete = row.outcome != "Incomplete"
        made = screening_trials(
            row.candidate, items, estimable, list(target.models), trials, complete=complete
        )
        scores.append(made.assign(**SCORER))
        if not complete:
            last, asked = target.models[-1], items * trials
            held = int((made.model == last).sum())
            incomplete.append(
                f"{row.candidate}: the paper says that its screening did not complete, not what "
                f"is missing; here {asked - held} of {asked} trials of {last} are left out."
            )
    found = pd.concat(scores, ignore_index=True)
    rows = found[["benchmark", "item_id"]].drop_duplicates(ignore_index=True)
    slots = table.set_index("candidate").slot
    manifest = _manifest(
        "screening",
        "Synthetic: screening trials without texts, made so that Table A.2 prints. No request was "
        "made; they say nothing of the candidates' own items.",
        models=target.models,
        edges=target.edges,
        benchmarks=list(table.candidate),
        trials_per_item=trials,
    ) | {
        "slots": slots.to_dict(),
        "complete": not incomplete,
        "incomplete": incomplete,
    }
    rows = rows.assign(task=rows.benchmark.map(slots).map(TASKS))
    return write_archive(folder, manifest, rows, None, found, replace=replace)


def main() -> int:
    """Build both archives into data/archives, in place of those that lie there."""
    for build, name in ((build_reconstruction, "reconstruction"), (build_screening, "screening")):
        try:
            written = build(ARCHIVES / name, replace=True)
        except ReliableChangeError as error:
            print(error, file=sys.stderr)
            return 1
        size = sum(file.stat().st_size for file in written.iterdir())
        print(f"{name}: written to data/archives/{name}, {size / 1000:,.0f} kB")
    return 0


def _key(benchmark: str, item_ids: np.ndarray, model: str, trials: int) -> dict[str, object]:
    """Key columns of one model's trials on a benchmark, trial by trial."""
    return {
        "benchmark": benchmark,
        "item_id": np.repeat(item_ids, trials),
        "model": model,
        "trial": np.tile(np.arange(trials), len(item_ids)),
    }


def _tokens(made: ModelTrials) -> dict[str, np.ndarray]:
    """Columns of the responses: nothing was returned, so only tokens are filled in."""
    return {
        "input_tokens": np.repeat(made.inputs, made.outputs.shape[1]),
        "output_tokens": made.outputs.ravel(),
    }


def _verdicts(made: ModelTrials) -> dict[str, object]:
    """Columns of the scores."""
    return {
        "category": made.category.ravel(),
        "correct": made.correct.ravel(),
        "correct_loose": None if made.loose is None else made.loose.ravel().astype(object),
    }


def _manifest(name: str, description: str, **what: object) -> dict[str, object]:
    """What both manifests have in common. The time is fixed, so that a rebuild changes nothing."""
    return {
        "name": name,
        "kind": "reconstruction",
        "description": description,
        "labels": LABELS,
        "short_labels": SHORT_LABELS,
        "request": None,
        "code_version": f"reliable-change {version('reliable-change')}",
        "created_utc": "2026-11-30T00:00:00+00:00",
        "licence": "CC0-1.0",
        **what,
    }


if __name__ == "__main__":
    sys.exit(main())
