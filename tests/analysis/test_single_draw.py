from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from reliable_change.analysis import classification, single_draw
from reliable_change.stats.draw import draw_trial

KEY = ["benchmark", "item_id", "model"]


def drawn_by_hand(scores, seed):
    scored = scores[scores["category"].notna() & (scores["category"] != "api_error")]
    found = {}
    for key, group in scored.groupby(KEY):
        group = group.sort_values("trial")
        found[key] = int(group["correct"].iloc[draw_trial(seed, *key, len(group))])
    return found


@pytest.mark.parametrize("seed", [0, 20260817])
def test_draws_are_those_of_the_hash_among_scored_trials(simulated, seed):
    drawn = single_draw.draw_trials(simulated, seed=seed)
    found = {tuple(row[:3]): row[4] for row in drawn.itertuples(index=False)}
    assert found == drawn_by_hand(simulated.scores(), seed)


def test_groups_cut_by_batches_are_put_together_again(simulated):
    class Chopped:
        def score_batches(self, columns):
            table = pa.Table.from_pandas(simulated.scores(columns), preserve_index=False)
            return iter(table.to_batches(max_chunksize=7))

    counts = single_draw.item_counts(simulated)
    whole = single_draw.draw_trials(simulated, seed=3, counts=counts)
    chopped = single_draw.draw_trials(Chopped(), seed=3, counts=counts)
    assert chopped.values.tolist() == whole.values.tolist()


def test_nothing_is_reliable_from_single_draws_and_tables_add_up(simulated):
    items = classification.classify_items(simulated)
    flips = single_draw.flips(simulated, items, seed=1)
    assert set(flips["single_draw_class"]) == {"inconclusive"}
    by_cell = single_draw.table_by_cell(flips)
    by_class = single_draw.table_by_class(flips).set_index("class")
    assert by_cell["items"].tolist() == [30, 20] * 3
    for flip in ("incorrect_to_correct", "correct_to_incorrect"):
        assert by_cell[flip].sum() == by_class.loc["total", flip]
    assert by_class.loc["total", "total"] == len(items)
    assert by_class.drop("total")["total"].sum() == len(items)


def test_flips_add_up_along_consecutive_edges(simulated):
    items = classification.classify_items(simulated)
    by_cell = single_draw.table_by_cell(single_draw.flips(simulated, items, seed=8))
    net = (
        (by_cell["incorrect_to_correct"] - by_cell["correct_to_incorrect"])
        .groupby(by_cell["edge"])
        .sum()
    )
    assert net["old→new"] + net["new→newest"] == net["old→newest"]
    assert np.any(net != 0)
