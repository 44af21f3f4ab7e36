"""The whole ledger: what the committed archives reproduce, and that every number can differ."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reliable_change.analysis import screening
from reliable_change.analysis.everything import recompute
from reliable_change.archive.counts import item_counts
from reliable_change.archive.read import Archive, read_archive
from reliable_change.archive.schema import CATEGORIES
from reliable_change.archive.write import write_archive
from reliable_change.published.ledger import (
    compare,
    known_differences,
    unexplained,
    values_of,
)

# One trial a side can never be significant, whatever the data: this column is 0 by arithmetic.
CONSTANT = "single_draw_reliable"


@pytest.fixture(scope="module")
def archives() -> tuple[Archive, Archive]:
    return read_archive("reconstruction"), read_archive("screening")


@pytest.fixture(scope="module")
def ledger(archives) -> pd.DataFrame:
    return compare(recompute(*archives).values)


def other(archive: Archive, folder, *, seed: int, drop: bool, with_model: bool) -> Archive:
    """Another archive of the same names: random verdicts, tokens and labels, fewer items."""
    rng = np.random.default_rng(seed)
    manifest = archive.manifest.to_dict()
    models = manifest["models"] if with_model else manifest["models"][:-1]
    benchmarks = manifest["benchmarks"][: -1 if drop else None]
    edges = [edge for edge in manifest["edges"] if set(edge) <= set(models)]
    items = archive.items[archive.items["benchmark"].isin(benchmarks)]
    items = items[rng.random(len(items)) < 0.8].copy()
    for benchmark, strata in manifest["strata"].items():
        chosen = items["benchmark"] == benchmark
        for stratum, levels in strata.items():
            items.loc[chosen, stratum] = rng.choice(levels, chosen.sum())
    key = ["benchmark", "item_id"]
    scores = archive.scores().merge(items[key], on=key)
    scores = scores[scores["model"].isin(models) & (scores["trial"] < 8)].copy()
    scores["category"] = rng.choice(CATEGORIES, len(scores), p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.1])
    # In each benchmark another share of the items is always answered wrongly.
    hopeless = {b: rng.random() for b in benchmarks}
    lost = items["item_id"][rng.random(len(items)) < items["benchmark"].map(hopeless)]
    scores.loc[scores["item_id"].isin(lost), "category"] = "wrong"
    scores["correct"] = scores["category"] == "correct"
    loose = scores["correct"] | (rng.random(len(scores)) < 0.4)
    scores["correct_loose"] = loose.where(scores["correct_loose"].notna()).astype("boolean")
    responses = archive.responses() if (archive.path / "responses.parquet").exists() else None
    if responses is not None:
        responses = responses.merge(scores[[*key, "model", "trial"]])
        responses["input_tokens"] += rng.integers(50, 500, len(responses))
        responses["output_tokens"] *= rng.integers(2, 9, len(responses))
    kept = {"models": models, "benchmarks": benchmarks, "edges": edges, "trials_per_item": None}
    names = {*models, *benchmarks}
    for part in ("labels", "short_labels", "strata", "slots"):
        kept[part] = {k: v for k, v in manifest[part].items() if k in names}
    kept |= {"complete": False, "incomplete": ["Made for a test."]}
    write_archive(folder, manifest | kept, items, responses, scores)
    return read_archive(folder)


@pytest.fixture(scope="module")
def differing(archives, tmp_path_factory) -> set[str]:
    """Claims that differ in at least one of three other worlds."""
    folder = tmp_path_factory.mktemp("worlds")
    main, screened = archives
    values = []
    for seed, drop, with_model, alpha in [
        (1, False, True, 0.05),
        (2, True, False, 0.05),
        (3, False, True, 0.999),
        (4, False, True, 0.999),
        (5, False, True, 0.999),
    ]:
        world = other(main, folder / f"main-{seed}", seed=seed, drop=drop, with_model=with_model)
        found = recompute(world, None, alpha=alpha, epsilon=0.1, replications=200)
        values.append(found.values)
    # Only one candidate a slot is selected, so it takes more of these to select each once.
    for seed in range(30):
        drop, with_model = seed == 0, seed > 0
        world = other(screened, folder / f"s-{seed}", seed=seed, drop=drop, with_model=with_model)
        table = screening.table(world, item_counts(world))
        text = screening.text_values(world, item_counts(world), table)
        values.append(values_of("table_a2", table) | text)
    ledgers = pd.concat(map(compare, values))
    return set(ledgers.loc[ledgers["verdict"] == "differs", "claim"])


def test_nothing_differs_without_a_listed_reason(ledger):
    assert unexplained(ledger).empty


def test_every_listed_difference_does_differ(ledger):
    place = ["table", "row", "column"]
    differs = set(ledger.loc[ledger["verdict"] == "differs", place].itertuples(index=False))
    assert {tuple(row) for row in differs} == set(
        known_differences()[place].itertuples(index=False, name=None)
    )


def test_all_but_what_only_the_authors_can_know_is_computed(ledger):
    missing = ledger[ledger["verdict"] == "not computable"]
    assert (missing["table"] == "text").all()
    assert len(missing) == 5
    assert (missing["note"] != "").all()


def test_every_computed_claim_can_differ(ledger, differing):
    computed = ledger[ledger["verdict"].isin(["reproduced", "differs"])]
    stuck = computed[~computed["claim"].isin(differing) & (computed["column"] != CONSTANT)]
    assert stuck[["table", "row", "column", "printed"]].values.tolist() == []


def test_an_archive_without_tokens_strata_and_loose_verdicts_names_them(tmp_path, archives):
    screened = archives[1]
    found = recompute(screened, None)
    assert "table_a2" not in found.tables
    assert {"table_d6", "table_d7", "table_f9"}.isdisjoint(found.tables)
    assert len(found.absent) == 3
