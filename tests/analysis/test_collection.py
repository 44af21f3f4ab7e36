"""A slice of an archive collected as notebook 02 does: in practice, and as if for real."""

from __future__ import annotations

import sqlite3

import pandas as pd
import pytest

from reliable_change.analysis import collection, collection_log
from reliable_change.archive.read import read_archive
from reliable_change.collect.crew import Manner
from reliable_change.collect.practice.faults import TRANSIENT, Faults
from reliable_change.collect.practice.server import PracticeServer
from reliable_change.collect.retry import Backoff
from reliable_change.errors import CollectError, NotInArchive, ParameterError
from tests.collect.made_up import write_made_up

SLICE = {
    "benchmark": "",
    "items": 2,
    "trials": 15,
    "models": "",
    "api": "responses",
    "concurrency": 12,
    "seed": 4,
}


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("source") / "made_up"
    return read_archive(write_made_up(folder, items=8, trials=20))


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(collection, "PRACTICE_MANNER", Manner(backoff=Backoff(0.002, 0.02)))
    monkeypatch.setattr(collection, "PRACTICE_DELAY", 0.0)
    monkeypatch.setattr(collection, "PRACTICE_WAIT", 0.002)
    monkeypatch.setattr(collection, "MOST_TIMEOUTS", 0.005)


@pytest.fixture
def practice(source):
    place = collection.open_place(source, "", "", fault_rate=0.3, seed=4)
    yield place
    collection.close_place(place)


def test_a_practice_collection_is_interrupted_resumed_and_proved(source, practice):
    plan = collection.slice_plan(source, practice, **SLICE)
    assert plan.total == 2 * 2 * 2 * 15
    assert collection.planned(plan, practice)["requests"].tolist() == [60, 60]
    first = collection.collect_part(plan, practice, 0.6)
    assert (first.stored, first.complete) == (72, False)
    assert collection.left(plan, practice)["requests"].tolist() == [0, 48]
    second = collection.collect_rest(plan, practice)
    third = collection.collect_rest(plan, practice)
    shown = collection.runs(plan, first, second, third)
    assert shown[["stored", "missing"]].to_numpy().tolist() == [[72, 48], [48, 0], [0, 0]]
    assert "quota" in shown["ended"][0]
    assert shown["ended"].tolist()[1:] == ["complete", "complete"]
    log = collection_log.fault_log(plan, practice)
    assert set(log["fault"]) == set(TRANSIENT)
    assert set(log["recorded"]) == {recorded for _, recorded in TRANSIENT.values()}
    checked = collection_log.proof(source, plan, practice)
    assert set(checked["agrees"]) == {"yes"}
    found = checked.set_index("check")["found"]
    assert found["trials, each key once"] == 120
    assert found["pairs of item and model with the source's replies"] == 8
    assert found["tries in all"] == 120 + log["requests"].sum()
    assert log["expected"].sum() == pytest.approx(0.3 * found["tries in all"])


def test_the_counts_do_not_depend_on_how_many_requests_are_under_way(source):
    logs = []
    for concurrency in (1, 12):
        place = collection.open_place(source, "", "", fault_rate=0.3, seed=4)
        plan = collection.slice_plan(source, place, **SLICE | {"concurrency": concurrency})
        collection.collect_part(plan, place, 0.6)
        collection.collect_rest(plan, place)
        logs.append(collection_log.fault_log(plan, place))
        collection.close_place(place)
    pd.testing.assert_frame_equal(*logs)


@pytest.mark.parametrize(
    ("change", "check"),
    [
        ("DELETE FROM replies WHERE trial = 3 AND item_id = :item", "trials, each key once"),
        ("UPDATE replies SET response_text = 'x' WHERE trial = 3", "pairs of item and model"),
        ("UPDATE replies SET output_tokens = 0 WHERE trial = 3", "pairs of item and model"),
        ("UPDATE replies SET attempts = 9 WHERE trial = 3", "tries in all"),
        ("DELETE FROM failures WHERE kind = 'malformed'", "recorded as malformed"),
    ],
)
def test_the_proof_sees_what_is_wrong(source, practice, change, check):
    plan = collection.slice_plan(source, practice, **SLICE | {"trials": 5})
    assert collection.collect_rest(plan, practice).complete
    (path,) = practice.folder.glob("*.sqlite")
    with sqlite3.connect(path) as journal:
        assert journal.execute(change, {"item": plan.items["item_id"][0]}).rowcount
    journal.close()
    checked = collection_log.proof(source, plan, practice)
    wrong = checked.loc[checked["agrees"] == "no", "check"]
    assert wrong.str.contains(check).any()


def test_for_real_the_same_steps_go_through_without_a_server_of_ours(source, tmp_path):
    with PracticeServer(source, delay=0.0) as elsewhere:
        place = collection.open_place(
            source, elsewhere.base_url, str(tmp_path), fault_rate=0.3, seed=4
        )
        assert place.server is None
        plan = collection.slice_plan(source, place, **SLICE | {"models": "beta, alpha"})
        assert plan.models == ("beta", "alpha")
        first = collection.collect_part(plan, place, 0.6)
        assert (first.stored, first.complete) == (120, True), "nothing is cut short for real"
        assert collection.collect_rest(plan, place).stored == 0
    with pytest.raises(NotInArchive, match="no try failed"):
        collection_log.fault_log(plan, place)
    checked = collection_log.proof(source, plan, place)
    assert checked.to_numpy().tolist() == [["trials, each key once", 120, 120, "yes"]]
    assert collection_log.origin(source, place) == f"Collected from {elsewhere.base_url}"
    collection.close_place(place)
    assert list(tmp_path.glob("*.sqlite")), "a folder that was named is kept"


def test_for_real_failed_tries_are_counted_from_the_journal(source, tmp_path, monkeypatch):
    monkeypatch.setattr(collection, "Manner", lambda: Manner(backoff=Backoff(0.002, 0.02)))
    with PracticeServer(source, Faults({"html": 0.2, "cut_json": 0.2}), delay=0.0) as elsewhere:
        place = collection.open_place(
            source, elsewhere.base_url, str(tmp_path), fault_rate=0.0, seed=4
        )
        plan = collection.slice_plan(source, place, **SLICE)
        collection.collect_rest(plan, place)
        sent = elsewhere.log().query("outcome != 'reply'")["requests"].sum()
    log = collection_log.fault_log(plan, place)
    assert log[["recorded", "fault", "requests"]].to_numpy().tolist() == [
        ["malformed", "malformed", sent]
    ]
    assert log["expected"].isna().all()


def test_a_temporary_folder_goes_with_the_place(source):
    place = collection.open_place(source, "", "", fault_rate=0.0, seed=4)
    plan = collection.slice_plan(source, place, **SLICE)
    assert collection.collect_rest(plan, place).complete
    assert any(place.folder.glob("*.sqlite"))
    collection.close_place(place)
    assert not place.folder.exists()


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"benchmark": "quiz"}, NotInArchive, "no benchmark 'quiz'; it has sums, riddles"),
        ({"trials": 21}, NotInArchive, "20 texts of a model, too few for 21 trials"),
        ({"trials": 0}, CollectError, "trials"),
        ({"api": "speech"}, CollectError, "api"),
        ({"models": "gamma"}, NotInArchive, "0 texts"),
    ],
)
def test_a_slice_that_cannot_be_is_told(source, practice, change, error, said):
    with pytest.raises(error, match=said):
        collection.slice_plan(source, practice, **SLICE | change)


@pytest.mark.parametrize("rate", [-0.1, 1.0, 2.0])
def test_a_rate_at_which_nothing_gets_through_is_refused(source, rate):
    with pytest.raises(ParameterError, match="fault_rate"):
        collection.open_place(source, "", "", fault_rate=rate, seed=4)


def test_an_archive_without_texts_has_nothing_to_practise_on():
    silent = read_archive("reconstruction", verify=False)
    with pytest.raises(NotInArchive):
        collection.open_place(silent, "", "", fault_rate=0.3, seed=4)


def test_items_are_drawn_by_seed_and_no_more_than_there_are(source, practice):
    seeds = (4, 4, 5, 6, 7)
    plans = [collection.slice_plan(source, practice, **SLICE | {"seed": seed}) for seed in seeds]
    drawn = [tuple(plan.items["item_id"]) for plan in plans]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 1
    all_of_one = collection.slice_plan(
        source, practice, **SLICE | {"benchmark": "sums", "items": 99}
    )
    assert all_of_one.items["benchmark"].tolist() == ["sums"] * 4
    asked = collection.prompts(plans[0])
    assert asked["benchmark"].tolist() == ["riddles", "sums"]
    assert asked["item_id"].tolist() == [drawn[0][0], drawn[0][2]]
    assert asked["prompt"].str.startswith("Made-up question").all()
