"""A trial whose limit of attempts is reached stays missing, or is an API error if one wishes."""

from __future__ import annotations

import pytest

from reliable_change.archive.read import read_archive
from reliable_change.collect.export import export
from reliable_change.collect.failures import failure
from reliable_change.collect.plan import Limits
from reliable_change.collect.run import collect
from reliable_change.errors import CollectError
from reliable_change.scoring.categories import by_signal
from reliable_change.scoring.verdict import Response
from tests.collect.fakes import QUICK, Fake, make_plan, refuse

LIMIT = 3
PLAN = make_plan(items=3, trials=2, limits=Limits(attempts_per_trial=LIMIT))


def run(folder, answer=None):
    return collect(PLAN, folder, client=Fake(answer), progress=False, manner=QUICK)


def half_broken(number, model, prompt):
    if prompt == "item-1":
        raise failure("malformed", "no choice in the reply")


def rows(archive) -> dict[tuple, object]:
    frame = read_archive(archive).responses()
    return {(row.item_id, row.model, row.trial): row for row in frame.itertuples()}


def test_it_is_missing_unless_asked_for(tmp_path):
    assert len(run(tmp_path, half_broken).given_up) == 4
    archive = read_archive(export(tmp_path, PLAN, tmp_path / "plain"))
    assert not archive.manifest.complete
    assert len(archive.responses()) == 8


def test_it_can_be_an_api_error(tmp_path):
    run(tmp_path, half_broken)
    archive = export(tmp_path, PLAN, tmp_path / "errors", error_after=LIMIT)
    assert read_archive(archive).manifest.complete
    found = rows(archive)
    assert len(found) == 12
    for (item, *_), row in found.items():
        text = None if row.response_text != row.response_text else row.response_text
        category = by_signal(Response(text, row.finish_reason, None))
        assert category == ("api_error" if item == "item-1" else None)
        assert row.attempts == (LIMIT if item == "item-1" else 1)
        assert (text is None) == (item == "item-1")


def test_those_that_were_tried_less_often_stay_missing(tmp_path):
    run(tmp_path, half_broken)
    archive = export(tmp_path, PLAN, tmp_path / "errors", error_after=LIMIT + 1)
    assert not read_archive(archive).manifest.complete
    assert len(rows(archive)) == 8


def test_a_reply_that_came_later_is_no_error(tmp_path):
    run(tmp_path, half_broken)
    assert run(tmp_path).complete
    found = rows(export(tmp_path, PLAN, tmp_path / "errors", error_after=LIMIT))
    assert {row.finish_reason for row in found.values()} == {"stop"}
    assert found["item-1", "old", 0].attempts == LIMIT + 1


def test_what_says_nothing_of_the_trial_is_no_error(tmp_path):
    run(tmp_path, lambda number, *_: refuse("quota")(number) if number > 9 else None)
    archive = export(tmp_path, PLAN, tmp_path / "errors", error_after=1)
    assert len(rows(archive)) == 9


def test_errors_alone_are_no_archive(tmp_path):
    run(tmp_path, refuse("timeout"))
    with pytest.raises(CollectError, match="no reply"):
        export(tmp_path, PLAN, tmp_path / "errors", error_after=LIMIT)
