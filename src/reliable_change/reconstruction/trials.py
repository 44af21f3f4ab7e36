"""All trials of one benchmark: verdicts, categories, loose verdicts and tokens of each model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import ndtri

from reliable_change.errors import ReliableChangeError
from reliable_change.paths import PUBLISHED
from reliable_change.published.tables import read_table
from reliable_change.reconstruction.categories import assign_categories, item_weights
from reliable_change.reconstruction.loose import PrintedGap, loose_only_counts, loose_verdicts
from reliable_change.reconstruction.placement import keyed_generator, place_correct
from reliable_change.reconstruction.targets import ARROW
from reliable_change.reconstruction.token_means import PrintedMeans, token_sums
from reliable_change.reconstruction.tokens import (
    apportion,
    effort_scores,
    input_shape,
    output_tokens,
)
from reliable_change.stats.draw import SINGLE_DRAW_SEED, draw_trial

# The share of the mean prompt that every prompt of a benchmark has: with less, SuperGPQA's 5th
# percentile of the total would leave its replies hardly any spread.
PROMPT_FLOOR = 0.7


@dataclass(frozen=True)
class ModelTrials:
    """One model's trials on a benchmark, arrays of shape (items, trials); inputs by item.

    `loose` is None where the benchmark has no loose reading.
    """

    category: np.ndarray
    loose: np.ndarray | None
    inputs: np.ndarray
    outputs: np.ndarray

    @property
    def correct(self) -> np.ndarray:
        """Which trials are correct, strictly."""
        return self.category == "correct"


def benchmark_trials(
    items: pd.DataFrame, gap: PrintedGap, folder: Path = PUBLISHED
) -> dict[str, ModelTrials]:
    """Make the trials of one benchmark's items, so that E.8, B.3, B.4, D.6, D.7 and §4.3 print.

    Parameters
    ----------
    items : pandas.DataFrame
        One benchmark's rows of data/reconstruction/items.csv, sorted by item_id.
    gap : PrintedGap
        What §4.3 prints; it is used for its own benchmark only.
    folder : Path
        The published tables.

    Returns
    -------
    dict of model to ModelTrials
        In the order of Table E.8. The same items give the same trials.

    Raises
    ------
    ReliableChangeError
        The items do not have the printed sums, or some printed number cannot hold.
    """
    benchmark = items.benchmark.iloc[0]
    printed = read_table("table_e8", folder).query("benchmark == @benchmark").set_index("model")
    printed = printed.drop(columns="benchmark").astype(int)
    trials = int(printed.n.iloc[0]) // len(items)
    correct = {m: _correct(items, m, trials) for m in printed.index}
    for model, placed in correct.items():
        if placed.sum() != printed.correct[model]:
            raise ReliableChangeError(
                f"items.csv: {benchmark}, {model}: {placed.sum()} correct trials, Table E.8 has "
                f"{printed.correct[model]}; solve the items afresh"
            )
    category = {m: _categories(placed, benchmark, printed, m) for m, placed in correct.items()}
    loose = _loose(category, printed, gap) if benchmark == gap.benchmark else {}
    tokens = _tokens(correct, benchmark, folder)
    return {m: ModelTrials(category[m], loose.get(m), *tokens[m]) for m in printed.index}


def _correct(items: pd.DataFrame, model: str, trials: int) -> np.ndarray:
    """Place the correct trials of one model."""
    benchmark = items.benchmark.iloc[0]
    drawn_trial = [
        draw_trial(SINGLE_DRAW_SEED, benchmark, item, model, trials) for item in items.item_id
    ]
    return place_correct(
        items[f"correct_{model}"].to_numpy(),
        items[f"drawn_{model}"].to_numpy() == 1,
        np.array(drawn_trial),
        trials=trials,
        rng=keyed_generator("placement", benchmark, model),
    )


def _categories(
    correct: np.ndarray, benchmark: str, printed: pd.DataFrame, model: str
) -> np.ndarray:
    """Categories of one model's trials; an item attracts the same ones with every model."""
    counts = printed.loc[model].drop(["n", "correct", "wrong"]).to_dict()
    weights = {
        name: item_weights(keyed_generator("weights", benchmark, name).random(len(correct)))
        for name in counts
    }
    return assign_categories(
        correct, counts, weights, rng=keyed_generator("categories", benchmark, model)
    )


def _loose(
    category: Mapping[str, np.ndarray], printed: pd.DataFrame, gap: PrintedGap
) -> dict[str, np.ndarray]:
    """Loose verdicts of every model."""
    counts = loose_only_counts(
        printed.correct.to_dict(),
        printed.format_failure.to_dict(),
        int(printed.n.iloc[0]),
        gap,
    )
    return {
        m: loose_verdicts(found, counts[m], rng=keyed_generator("loose", gap.benchmark, m))
        for m, found in category.items()
    }


def _tokens(
    correct: Mapping[str, np.ndarray], benchmark: str, folder: Path
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Input and output tokens of every model; prompts and effort are alike between models."""
    d6 = read_table("table_d6", folder).query("benchmark == @benchmark").set_index("model")
    d7 = read_table("table_d7", folder).query("benchmark == @benchmark")
    change = {tuple(e.split(ARROW)): c for e, c in zip(d7.edge, d7.change, strict=True)}
    items, trials = next(iter(correct.values())).shape
    sums = token_sums(
        PrintedMeans(
            d6.input_mean.to_dict(), d6.output_mean.to_dict(), d6.total_mean.to_dict(), change
        ),
        items,
        trials,
    )
    shape = input_shape(items, PROMPT_FLOOR, rng=keyed_generator("prompt", benchmark))
    effort = ndtri(keyed_generator("effort", benchmark).random(items))
    found = {}
    for model, placed in correct.items():
        inputs = apportion(shape, sums[model].input_items)
        outputs = output_tokens(
            inputs,
            effort_scores(placed, effort, rng=keyed_generator("tokens", benchmark, model)),
            total=sums[model].output_trials,
            percentiles={
                q: int(d6.loc[model, column])
                for q, column in ((5, "total_p5"), (50, "total_median"), (95, "total_p95"))
            },
        )
        found[model] = (inputs, outputs)
    return found
