from __future__ import annotations

import numpy as np
import pytest

from reliable_change.analysis import token_costs
from reliable_change.errors import NotInArchive


@pytest.mark.parametrize("q", [0, 5, 37.5, 50, 95, 100])
@pytest.mark.parametrize("size", [1, 2, 7, 500])
def test_percentile_is_numpys(q, size):
    values = np.random.default_rng(size).geometric(0.01, size)
    expected = np.percentile(values, q)
    assert token_costs.percentile(np.bincount(values), q) == pytest.approx(expected)


def test_tables_are_those_of_the_responses(simulated):
    responses = simulated.responses()
    total = responses["input_tokens"] + responses["output_tokens"]
    groups = total.groupby([responses["benchmark"], responses["model"]])
    table = token_costs.table_by_model(simulated).set_index(["benchmark", "model"])
    assert len(table) == 6
    for key, row in table.iterrows():
        values = groups.get_group(key)
        assert row["total_mean"] == pytest.approx(values.mean())
        assert row["total_p95"] == pytest.approx(np.percentile(values, 95))
        assert row["input_mean"] + row["output_mean"] == pytest.approx(row["total_mean"])


def test_edges_take_the_difference_of_unrounded_means(simulated):
    by_model = token_costs.table_by_model(simulated)
    by_edge = token_costs.table_by_edge(simulated, by_model)
    mean = by_model.set_index(["benchmark", "model"])["total_mean"]
    row = by_edge.iloc[0]
    source, target = row["edge"].split("→")
    assert row["change"] == mean[row["benchmark"], target] - mean[row["benchmark"], source]


def test_the_drawn_distribution_rises_from_least_to_most(simulated):
    histograms = token_costs.token_histograms(simulated)
    curve = token_costs.distribution(histograms, points=10)
    for _, part in curve.groupby(["benchmark", "model"]):
        assert part["tokens"].is_monotonic_increasing
        assert len(part) == 11


def test_an_archive_without_tokens_says_so():
    class Without:
        class path:  # noqa: N801
            name = "bare"

        def response_batches(self, columns):
            return iter(())

    with pytest.raises(NotInArchive, match="bare has no token counts"):
        token_costs.token_histograms(Without())
