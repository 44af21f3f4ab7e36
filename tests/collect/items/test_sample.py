"""Samples: drawn by seed, whatever the order of rows, and fixed once drawn."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from reliable_change.collect.items.sample import draw_items, freeze, frozen_items, read_ids
from reliable_change.errors import CollectError

ITEMS = pd.DataFrame({"item_id": [f"i{number:02}" for number in range(40)], "prompt": "?"})


def test_the_seed_decides_and_the_order_of_rows_does_not():
    drawn = draw_items(ITEMS, 10, seed=1)["item_id"].tolist()
    assert draw_items(ITEMS[::-1], 10, seed=1)["item_id"].tolist() == drawn == sorted(set(drawn))
    assert draw_items(ITEMS, 10, seed=2)["item_id"].tolist() != drawn


def test_every_item_is_as_likely_as_any_other():
    counts = pd.Series(0, ITEMS["item_id"])
    for seed in range(400):
        counts[draw_items(ITEMS, 10, seed)["item_id"]] += 1
    spread = ((counts - 100) ** 2 / 75).sum()  # 39 degrees of freedom, or a little less
    assert 15 < spread < 75


def test_the_global_state_is_not_touched():
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    draw_items(ITEMS, 5, seed=3)
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


@pytest.mark.parametrize("size", [0, 41])
def test_a_sample_that_cannot_be_drawn_says_so(size):
    with pytest.raises(CollectError, match=f"sample of {size} items cannot be drawn from 40"):
        draw_items(ITEMS, size, seed=1)


def test_what_is_frozen_comes_back_and_does_not_change(tmp_path):
    drawn = draw_items(ITEMS, 10, seed=1)
    path = freeze(drawn, tmp_path / "samples" / "quiz.json", {"revision": "abc", "seed": 1})
    assert json.loads(path.read_text())["provenance"] == {"revision": "abc", "seed": 1}
    assert read_ids(path) == drawn["item_id"].tolist()
    pd.testing.assert_frame_equal(frozen_items(ITEMS[::-1], path), drawn)
    freeze(drawn, path, {"revision": "abc", "seed": 1})
    with pytest.raises(CollectError, match="holds another sample"):
        freeze(draw_items(ITEMS, 10, seed=2), path, {})
    assert read_ids(path) == drawn["item_id"].tolist()


def test_an_item_that_is_gone_is_named(tmp_path):
    path = freeze(ITEMS, tmp_path / "quiz.json", {})
    with pytest.raises(CollectError, match=r"1 of 40 items are not .*'i00'"):
        frozen_items(ITEMS.iloc[1:], path)


@pytest.mark.parametrize("content", ["", "[]", '{"item_ids": [1]}', "{}"])
def test_a_file_that_is_no_list_of_ids_says_so(content, tmp_path):
    path = tmp_path / "quiz.json"
    path.write_text(content)
    with pytest.raises(CollectError, match="is no list of item ids"):
        read_ids(path)
