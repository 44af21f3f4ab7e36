"""Token sums: means of D.6 and changes of D.7 print together, or it says that they cannot."""

from __future__ import annotations

import dataclasses

import pytest

from reliable_change.errors import ReliableChangeError
from reliable_change.published.tables import read_table
from reliable_change.reconstruction.token_means import PrintedMeans, token_sums

ITEMS = {"SuperGPQA": 500, "Omni-MATH hard": 100, "IFBench": 300}
K = 50


def printed(benchmark: str) -> PrintedMeans:
    d6 = read_table("table_d6").query("benchmark == @benchmark").set_index("model")
    d7 = read_table("table_d7").query("benchmark == @benchmark").set_index("edge").change
    return PrintedMeans(
        input=d6.input_mean.to_dict(),
        output=d6.output_mean.to_dict(),
        total=d6.total_mean.to_dict(),
        change={tuple(edge.split("→")): text for edge, text in d7.items()},
    )


@pytest.mark.parametrize("benchmark", ITEMS)
def test_all_means_and_changes_print(benchmark):
    want, n = printed(benchmark), ITEMS[benchmark]
    sums = token_sums(want, n, K)
    total = {}
    for model, found in sums.items():
        mean_in, mean_out = found.input_items / n, found.output_trials / (n * K)
        total[model] = mean_in + mean_out
        assert f"{mean_in:.1f}" == want.input[model]
        assert f"{mean_out:.1f}" == want.output[model]
        assert f"{total[model]:.1f}" == want.total[model]
    for (source, target), text in want.change.items():
        assert f"{total[target] - total[source]:+.1f}".replace("-", "−") == text


def test_equal_printed_inputs_are_equal_sums():
    sums = token_sums(printed("SuperGPQA"), 500, K)
    assert sums["gpt-5.4"].input_items == sums["gpt-5.5"].input_items
    assert sums["gpt-5.4"].input_items != sums["gpt-5.6-sol"].input_items


def test_a_change_that_no_rounding_explains_is_refused():
    want = printed("IFBench")
    edge = ("gpt-5.4", "gpt-5.5")
    wrong = dataclasses.replace(want, change=want.change | {edge: "−47.9"})
    with pytest.raises(ReliableChangeError, match="no sums were found that print"):
        token_sums(wrong, 300, K)
