"""In planted worlds: rates against exact ones, power by trials and size, silence without change."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from reliable_change.analysis.methods.worlds import (
    KINDS,
    TOSSED,
    cells_called_worse,
    found_by_size,
    misses_and_alarms,
)
from reliable_change.stats.cell_methods import cell_methods
from reliable_change.stats.intervals import clopper_pearson
from reliable_change.stats.known_truth import ALWAYS, BETWEEN, NEVER
from reliable_change.stats.methods import PAPER, item_methods

METHODS = item_methods()


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(1)
    return misses_and_alarms(METHODS, (1, 10, 50), worlds=40, rng=rng).set_index(
        ["method", "trials"]
    )


def test_everything_planted_and_unplanted_is_judged(table):
    assert (table["planted"] == 40 * 60).all()
    assert (table["unchanged"] == 40 * 240).all()
    for name in ("found", "alarm", "any"):
        assert (table[f"{name}_low"] <= table[name]).all()
        assert (table[name] <= table[f"{name}_high"]).all()


def test_a_single_draw_finds_what_chances_say(table):
    """A loss of 0.4 from p flips with p (1 − p + 0.4); an unchanged item with 2 p (1 − p)."""
    rng = np.random.default_rng(2)
    kind = rng.random(400_000)
    p = np.select([kind < ALWAYS, kind < ALWAYS + NEVER], [1.0, 0.0], rng.beta(*BETWEEN, kind.size))
    losing, gaining = p[p >= 0.4], p[p <= 0.6]
    expected = 50 * (losing * (1.4 - losing)).mean() + 50 * ((1 - gaining) * (gaining + 0.4)).mean()
    for trials in (1, 10, 50):
        row = table.loc["Single draw flips", trials]
        assert row["found"] == pytest.approx(expected, abs=4)
    # Losses and gains are planted where there is room, so the unchanged are not quite as drawn.
    assert table.loc[("Single draw flips", 50), "alarm"] == pytest.approx(
        100 * (2 * p * (1 - p)).mean(), abs=3
    )


def test_any_drop_of_an_unchanged_item_has_its_exact_rate():
    rng = np.random.default_rng(3)
    methods = [method for method in METHODS if method.name == "Any drop"]
    found = misses_and_alarms(methods, (4,), size=1.0, worlds=100, items=100, rng=rng).iloc[0]
    assert found["found"] == 100, "from always to never nothing is left to chance"
    q = np.linspace(0, 1, 2001)
    k = np.arange(5)
    same = (binom.pmf(k[:, None], 4, q) ** 2).sum(axis=0)
    assert 0 < found["alarm"] < 100 * (1 - same).max()


def test_items_that_a_world_ties_together_are_worth_fewer():
    """At K = 5 the index calls three trials of five in one world and not in the next."""
    chosen = [method for method in METHODS if method.name in ("RCI 1.96", "z-test")]
    rng = np.random.default_rng(6)
    found = misses_and_alarms(chosen, (5,), worlds=150, rng=rng).set_index("method")
    wider = {}
    for name, row in found.iterrows():
        low, high = clopper_pearson(round(row["found"] * row["planted"] / 100), row["planted"])
        wider[name] = (row["found_high"] - row["found_low"]) / (100 * (high - low))
    assert wider["RCI 1.96"] > 1.25
    assert wider["z-test"] < 1.1


def test_power_rises_with_trials_and_with_size(table):
    paper = table.loc[PAPER, "found"]
    assert paper.is_monotonic_increasing
    assert paper.iloc[0] == 0
    assert paper.iloc[-1] > 90
    sizes = found_by_size(METHODS[:1], 50, (0.1, 0.3, 0.5), worlds=20, rng=np.random.default_rng(4))
    assert sizes["found"].is_monotonic_increasing
    assert sizes["size"].tolist() == [10, 30, 50]


def test_where_nothing_changed_the_papers_method_keeps_its_rate(table):
    last = table.xs(50, level="trials")
    assert last.loc[PAPER, "any_low"] < 5
    assert last.loc["Any drop", "any"] == 100
    assert last.loc[PAPER, "wrong"] < 5 < last.loc["Any drop", "wrong_low"]
    assert table.loc[(PAPER, 1)][["wrong", "wrong_low", "wrong_high"]].isna().all(), "no call"
    drop = last.loc["Any drop"]  # it calls every planted change, nearly all in their direction
    alarms, hits = drop["alarm"] * drop["unchanged"], drop["found"] * drop["planted"]
    assert drop["wrong"] == pytest.approx(100 * alarms / (alarms + hits), abs=0.1)


def test_an_aggregate_is_blind_to_losses_that_gains_make_up_for():
    methods = cell_methods(resamples=199)
    found = cells_called_worse(methods, (50,), worlds=30, rng=np.random.default_rng(5))
    worse = found.set_index(["world", "method"])["worse"]
    for method in ("Bootstrap + Holm", "z-test of responses", "McNemar on pairs"):
        assert worse["losses only", method] > 90
        assert worse["as many gains as losses", method] < 10
        assert worse["nothing changed", method] < 10
    assert worse["as many gains as losses", methods[-1].name] == 100
    assert (found["cells"] == 90).all()
    assert found["world"].unique().tolist() == list(KINDS)


def test_pairs_of_trials_speak_of_these_items_and_clusters_of_others_like_them():
    """Items that lose or gain by the toss of a coin: on average over items nothing changes."""
    names = ("McNemar on pairs", "Clustered pairs", "Bootstrap + Holm")
    methods = [m for m in cell_methods(resamples=499) if m.name in names]
    found = cells_called_worse(methods, (25,), worlds=100, rng=np.random.default_rng(7))
    tossed = found[found["world"] == TOSSED].set_index("method")
    assert tossed.loc["McNemar on pairs", "worse_low"] > 10
    for name in names[1:]:
        assert tossed.loc[name, "worse_low"] < 2.5
        assert tossed.loc[name, "worse_high"] < 7
    losses = found[found["world"] == "losses only"].set_index("method")["worse"]
    assert losses["Clustered pairs"] > 80
