from __future__ import annotations

import shutil

import pandas as pd
import pytest

from reliable_change.errors import ReliableChangeError
from reliable_change.paths import PUBLISHED
from reliable_change.published.numbers import format_number
from reliable_change.published.tables import read_table
from reliable_change.reconstruction.targets import flip_rates, numerators, read_targets


@pytest.mark.parametrize("denominator", [50, 200, 800, 9000, 25000])
@pytest.mark.parametrize("text", ["0.0", "+0.1", "−0.0", "−1.4", "+19.1"])
def test_numerators_are_all_whole_numbers_that_print_so(text, denominator):
    every = range(-denominator, denominator + 1)
    printing = [c for c in every if format_number(100 * c / denominator, 1, sign=True) == text]
    assert numerators(text, denominator, signed=True) == printing


def test_classes_add_up_to_the_totals_of_table_b4():
    totals = read_table("table_b4").set_index("class").total.astype(int)
    found = pd.DataFrame(
        [cell.sizes(target.items) for target in read_targets() for cell in target.cells.values()]
    ).sum()
    assert found.to_dict() == totals.drop("total").to_dict()


def test_strata_have_all_items_and_can_reach_the_benchmark_sums():
    for target in read_targets():
        for strata in target.strata.values():
            assert sum(s.items for s in strata) == target.items
            for model, total in target.correct.items():
                low, high = (sum(s.correct[model][end] for s in strata) for end in (0, 1))
                assert low <= total <= high


def test_rejections_are_what_changed_at_the_smallest_threshold():
    changed = read_table("table_c5").query("epsilon == '0.10'").set_index(["edge", "benchmark"])
    for target in read_targets():
        for edge, cell in target.cells.items():
            printed = changed.loc[("→".join(edge), target.name), "changed"]
            assert format_number(100 * cell.rejected / target.items, 1) == printed


def test_flip_rates_are_shares_of_each_class():
    rates = flip_rates()
    assert rates["improved"][0] == 120 / 255
    assert all(0 < to_correct + to_wrong < 1 for to_correct, to_wrong in rates.values())


def test_a_share_that_no_count_prints_is_named(tmp_path):
    folder = shutil.copytree(PUBLISHED, tmp_path / "published")
    table = read_table("table_1", folder)
    table.loc[2, "equivalent"] = "55.8"
    table.to_csv(folder / "table_1.csv", index=False)
    with pytest.raises(ReliableChangeError, match="Table 1, gpt-5.4→gpt-5.5, equivalent.*55.8"):
        read_targets(folder)
