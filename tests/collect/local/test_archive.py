"""The committed archives of the real migration: whole, scored, made of the items of data/local."""

from __future__ import annotations

import pandas as pd
import pytest

from reliable_change.analysis.screening import estimable_items
from reliable_change.archive.counts import item_counts
from reliable_change.archive.read import read_archive
from reliable_change.archive.schema import ITEMS, KEY
from reliable_change.collect.plan import read_plan
from reliable_change.commands.local import PLAN, SCREENING_TRIALS, screening_of
from reliable_change.paths import ARCHIVES
from reliable_change.scoring.inputs import read_items
from reliable_change.scoring.tasks import default_scorers
from reliable_change.scoring.texts import Row, Text, close_scorers, score_text

NAMES = ("smollm2", "smollm2_screening")
EVERY = 7  # of the replies that are scored again; no divisor of a number of trials
MOST_BYTES = 2_000_000


@pytest.fixture(scope="module")
def plan():
    return read_plan(PLAN)


@pytest.fixture(scope="module")
def archives() -> dict:
    return {name: read_archive(ARCHIVES / name) for name in NAMES}  # checks sums and schema


@pytest.fixture(scope="module", params=NAMES)
def archive(request, archives):
    return archives[request.param]


def plain(frame: pd.DataFrame) -> list[dict]:
    """Rows as plain values, whatever the column types; missing is None."""
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


def test_it_is_whole_and_says_what_it_is(archive, plan):
    mine = screening_of(plan) if archive.manifest.name.endswith("screening") else plan
    manifest = archive.manifest
    assert (manifest.kind, manifest.complete, manifest.synthetic) == ("collected", True, False)
    assert len(archive.missing) == 0
    assert manifest.description == mine.description
    assert (manifest.models, manifest.edges) == (mine.models, mine.edges)
    assert manifest.trials_per_item == mine.trials
    assert manifest.licence.startswith("CC0-1.0")
    assert manifest.request["extra"] == dict(mine.settings.extra)
    assert manifest.request["temperature"] == mine.settings.temperature
    assert sum(file.stat().st_size for file in archive.path.iterdir()) < MOST_BYTES


def test_its_items_are_those_of_the_source(archive, plan):
    columns = list(ITEMS.names)
    source = {row["item_id"]: row for row in plain(plan.items[columns])}
    found = plain(archive.items[columns])
    assert [row for row in found if row != source[row["item_id"]]] == []
    if archive.manifest.trials_per_item == SCREENING_TRIALS:
        assert len(found) == len(source)


def test_what_was_collected_is_what_the_screening_kept(archives):
    marked = estimable_items(item_counts(archives["smollm2_screening"]))
    kept = set(marked.loc[marked["estimable"], "item_id"])
    assert set(archives["smollm2"].items["item_id"]) == kept
    assert 0 < len(kept) < len(marked)


def test_every_trial_is_a_reply_of_the_model_that_was_asked(archive):
    replies = archive.responses()
    assert replies["response_text"].notna().all()
    assert (replies["returned_model"].astype(str) == replies["model"].astype(str)).all()
    assert set(replies["finish_reason"]) == {"stop", "length"}
    assert replies["request_id"].is_unique
    # The cap may fall within a character, and the server counts its tokens to the end.
    most = archive.manifest.request["extra"]["max_tokens"] + 3
    assert (replies["output_tokens"] <= most).all()


def test_repeats_are_draws_of_their_own(archive):
    """A server that begins each model anew from one seed would repeat whole runs of replies."""
    replies = archive.responses(["item_id", "model", "trial", "response_text"])
    long = replies[replies["response_text"].str.len() > 60]
    groups = long.groupby([long["item_id"].astype(str), long["model"].astype(str)])["response_text"]
    several = groups.size() > 1
    assert several.sum() > 50
    assert (groups.nunique() / groups.size())[several].mean() > 0.95


def test_scores_are_what_the_texts_give(archive):
    items = read_items(archive, None)
    both = archive.responses().merge(archive.scores(), on=KEY, validate="one_to_one")
    scorers = default_scorers()
    try:
        for row in plain(both.iloc[::EVERY]):
            item = items[row["benchmark"], row["item_id"]]
            text = Text(item, row["response_text"], row["finish_reason"], row["refusal"])
            found = score_text(text, scorers)
            assert found == Row(**{name: row[name] for name in Row._fields}), row
    finally:
        close_scorers(scorers)
