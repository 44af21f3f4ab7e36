"""Figure of notebook 07: the whole distribution of tokens per request."""

from __future__ import annotations

import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

from reliable_change.figures.style import line_looks, note_source


def token_curves(distribution: pd.DataFrame, labels) -> Figure:
    """Cumulative share of requests against total tokens (log scale), a panel for each benchmark.

    Parameters
    ----------
    distribution : DataFrame
        benchmark, model, percentile, tokens, as `analysis.token_costs.distribution` gives it.
    """
    benchmarks = [b for b in labels.benchmarks if b in set(distribution["benchmark"])]
    models = [m for m in labels.models if m in set(distribution["model"])]
    looks = line_looks(models)
    figure, axes = plt.subplots(
        1, len(benchmarks), squeeze=False, sharey=True, figsize=(0.8 + 2.5 * len(benchmarks), 3.2)
    )
    for axis, benchmark in zip(axes[0], benchmarks, strict=True):
        for number, model in enumerate(models):
            part = distribution[
                (distribution["benchmark"] == benchmark) & (distribution["model"] == model)
            ]
            axis.plot(part["tokens"], part["percentile"], **looks[model], lw=1.6)
            median = (
                part.loc[(part["percentile"] - 50).abs().idxmin(), "tokens"] if len(part) else None
            )
            if median is not None:
                axis.plot(median, 50, "o", color=looks[model]["color"], ms=4)
                axis.annotate(
                    f"{labels.label(model)} {median:,.0f}",
                    (0.98, 0.03 + 0.08 * (len(models) - 1 - number)),
                    xycoords="axes fraction",
                    ha="right",
                    fontsize=7.5,
                    color=looks[model]["color"],
                    weight="bold",
                )
        axis.set_xscale("log")
        low, high = axis.get_xlim()
        # Within a decade, 1-2-5 would leave a tick or two.
        wide = high / low > 10
        axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)) if wide else MaxNLocator(4))
        axis.xaxis.set_major_formatter(lambda value, _: _short(value))
        axis.xaxis.set_minor_formatter(NullFormatter())
        axis.set_title(labels.label(benchmark))
        axis.set_xlabel("total tokens per request")
    axes[0, 0].set_ylabel("requests at or below (%)")
    axes[0, 0].annotate(
        "medians:",
        (0.98, 0.03 + 0.08 * len(models)),
        xycoords="axes fraction",
        ha="right",
        fontsize=7.5,
    )
    note_source(figure, labels)
    return figure


def _short(tokens: float) -> str:
    """A number of tokens for an axis: 500, 2k, 20k."""
    return f"{tokens / 1000:g}k" if tokens >= 1000 else f"{tokens:g}"
