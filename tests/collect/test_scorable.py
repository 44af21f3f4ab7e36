"""What can never be scored is not paid for; what can be elsewhere is, with a notice."""

from __future__ import annotations

import json

import nltk
import pandas as pd
import pytest

from reliable_change.collect.plan import Plan
from reliable_change.collect.preview import describe, describe_work, preview
from reliable_change.collect.records import Settings
from reliable_change.collect.run import collect
from reliable_change.collect.scorable import scoring_notices
from reliable_change.errors import CollectError
from tests.collect.fakes import QUICK, Fake
from tests.collect.plans import small_plan

GOOD = {"benchmark": "quiz", "task": "math", "prompt": "2 + 2?", "reference": "4", "extra": None}


def plan_of(*others, **more) -> Plan:
    rows = [GOOD | {"item_id": str(number)} | other for number, other in enumerate(others)]
    return Plan("one", pd.DataFrame(rows, dtype=object), ("old", "new"), 2, **more)


def rules(*ids) -> str:
    return json.dumps({"instruction_id_list": ids, "kwargs": [{}] * len(ids)})


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (
            {"task": "multiple_choice", "reference": "C", "extra": '{"options": ["a", "b"]}'},
            "item '1' of 'quiz' has reference 'C', which is no letter from A to B",
        ),
        ({"reference": None}, "item '1' of 'quiz' has no reference"),
        (
            {"task": "instruction", "extra": rules("count:nonsense")},
            "has an instruction 'count:nonsense' that nobody knows",
        ),
        ({"extra": "{no"}, "'extra' is no JSON"),
    ],
)
def test_an_item_that_its_scorer_refuses_stops_all_before_any_request(tmp_path, wrong, problem):
    plan, client = plan_of({}, wrong, {}), Fake()
    with pytest.raises(CollectError) as in_dry_run:
        preview(plan, tmp_path)
    with pytest.raises(CollectError) as at_the_start:
        collect(plan, tmp_path, client=client, progress=False, manner=QUICK)
    assert str(in_dry_run.value) == str(at_the_start.value)
    assert problem in str(in_dry_run.value)
    assert "\n" not in str(in_dry_run.value)
    assert client.asked == []


def test_only_three_of_many_refused_items_are_named():
    with pytest.raises(CollectError, match="^items: 9 of 10 .* and 6 more; mend them"):
        scoring_notices(plan_of({}, *[{"reference": None}] * 9).items)


def test_a_task_of_ones_own_is_a_notice_with_the_nearest_known_one(tmp_path):
    plan = plan_of({}, {"task": "maths"}, {"task": "maths"}, {"task": "riddle"})
    maths, riddle = preview(plan, tmp_path).notices
    assert maths.startswith(
        "item '1' of 'quiz' (and 1 more) has task 'maths', for which there is no scorer (known: "
        "instruction, math, multiple_choice; did you mean math?)"
    )
    assert riddle.startswith("item '3' of 'quiz' has task 'riddle', for which there is no scorer")
    assert "did you mean" not in riddle
    for say in (describe, describe_work):
        assert f"note: {maths}" in say(plan, preview(plan, tmp_path)).splitlines()
    assert collect(plan, tmp_path, client=Fake(), progress=False, manner=QUICK).complete


def test_what_only_lacks_data_here_is_a_notice(monkeypatch, tmp_path):
    monkeypatch.setattr(nltk.data, "path", [])
    rule = {"task": "instruction", "reference": None, "extra": rules("format:title_case")}
    plan = plan_of(rule, rule)
    (notice,) = preview(plan, tmp_path).notices
    assert notice.startswith("item '0' of 'quiz' (and 1 more) cannot be scored here as it is:")
    assert ".venv/bin/python -m nltk.downloader punkt_tab" in notice
    assert collect(plan, tmp_path, client=Fake(), progress=False, manner=QUICK).complete


def test_a_complete_collection_is_not_stopped_for_what_it_no_longer_asks(tmp_path):
    plan = plan_of({}, {})
    assert collect(plan, tmp_path, client=Fake(), progress=False, manner=QUICK).complete
    bad = plan_of({}, {"reference": None})
    assert collect(bad, tmp_path, client=Fake(), progress=False, manner=QUICK).complete


def test_a_missing_key_shows_in_the_dry_run_while_something_is_left_to_ask(tmp_path, monkeypatch):
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    plan = small_plan(key_variable="NO_SUCH_KEY")
    text = describe(plan, preview(plan, tmp_path))
    assert "note: no key: put it into the environment (export NO_SUCH_KEY=" in text
    assert "no key" not in describe_work(plan, preview(plan, tmp_path))  # its start says so itself
    assert collect(plan, tmp_path, client=Fake(), progress=False, manner=QUICK).complete
    assert "no key" not in describe(plan, preview(plan, tmp_path))
    here = small_plan(settings=Settings(base_url="http://127.0.0.1:8100/v1"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert "no key" not in describe(here, preview(here, tmp_path))
