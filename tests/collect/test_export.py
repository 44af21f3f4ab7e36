"""From journal to archive: everything comes along, gaps are said, and no key does."""

from __future__ import annotations

import dataclasses

import pytest

from reliable_change.archive.read import read_archive
from reliable_change.archive.text import restore_surrogates
from reliable_change.archive.write import write_archive
from reliable_change.collect.export import export
from reliable_change.collect.journal import Journal
from reliable_change.collect.records import Attempt, Settings
from reliable_change.errors import ArchiveError, CollectError
from reliable_change.scoring.batch import score_texts
from tests.collect.plans import MADE, key, reply, small_plan, store_all

KEY_VARIABLE, SECRET = "SOME_API_KEY", "sk-abcdefghijklmnop-0123456789"


def collected(folder, plan, **others):
    with Journal.open(folder, plan) as journal:
        store_all(journal, plan, **others)
    return folder


def test_a_whole_collection_is_a_complete_archive(tmp_path):
    plan = small_plan(
        description="Made up.",
        licence="CC0-1.0",
        prompt_version="7",
        labels={"old": "Old"},
        settings=Settings("chat", temperature=0.7),
        seed=3,
    )
    archive = read_archive(export(collected(tmp_path, plan), plan, tmp_path / "out" / "small"))
    manifest, rows = archive.manifest, archive.responses()
    assert (manifest.complete, manifest.incomplete, manifest.trials_per_item) == (True, (), 4)
    assert (manifest.models, manifest.edges) == (("old", "new"), (("old", "new"),))
    assert (manifest.kind, manifest.description, manifest.licence) == (
        "collected",
        "Made up.",
        "CC0-1.0",
    )
    assert (manifest.prompt_version, manifest.code_version) == ("7", "reliable-change 0.1.0")
    assert manifest.request["temperature"] == 0.7
    assert manifest.request["returned_models"] == {"old": {"new-1": 12}, "new": {"new-1": 12}}
    assert [run["seed"] for run in manifest.request["sessions"]] == [3]
    assert len(rows) == plan.total
    expected = rows["model"] + " " + rows["item_id"] + " " + rows["trial"].astype("str")
    assert rows["response_text"].tolist() == expected.tolist()
    assert rows["item_id"].unique().tolist() == ["000", "001", "002"]
    assert set(rows["attempts"]) == {1}
    assert set(rows["created_utc"]) == {MADE}
    assert "scores.parquet" not in manifest.files


def test_what_is_missing_is_said_and_the_rest_can_be_used(tmp_path):
    plan = small_plan()
    with Journal.open(tmp_path, plan) as journal:
        for trial in range(4):
            journal.store(key(1, "old", trial), reply(), 1, 0.1, MADE)
        journal.store(key(2, "old", 3), reply(), 2, 0.1, "2026-02-01T00:00:00+00:00")
        path = export(journal, plan, tmp_path / "small")  # while it is collected into
    archive = read_archive(path)
    assert not archive.manifest.complete
    assert archive.manifest.incomplete == (
        "7 of 12 trials of old on quiz are not collected; 1 of 3 items have none.",
        "12 of 12 trials of new on quiz are not collected; 3 of 3 items have none.",
    )
    assert archive.manifest.created_utc == "2026-02-01T00:00:00+00:00"
    assert archive.missing["found"].tolist() == [0, 0, 0, 0, 1]
    again = collect_the_rest(tmp_path, plan)
    with pytest.raises(ArchiveError, match="exists"):
        export(tmp_path, plan, path)
    whole = read_archive(export(tmp_path, plan, path, replace=True))
    assert whole.manifest.complete
    assert len(whole.responses()) == again + 5 == plan.total


def collect_the_rest(folder, plan) -> int:
    with Journal.open(folder, plan) as journal:
        missing = [
            key(item, model, trial)
            for model in plan.models
            for item in range(3)
            for trial in range(4)
            if key(item, model, trial) not in journal.done(model)
        ]
        for one in missing:
            journal.store(one, reply(), 1, 0.1, MADE)
    return len(missing)


def test_what_the_plan_does_not_ask_for_stays_behind(tmp_path):
    large, small = small_plan(4, 6, ("old", "new", "next")), small_plan(3, 4)
    collected(tmp_path, large)
    archive = read_archive(export(tmp_path, small, tmp_path / "small"))
    assert archive.manifest.complete
    assert len(archive.responses()) == small.total


@pytest.mark.parametrize("text", ["x \ud835 y", "\ud835 \ufffd{d835}", "", "nan", "a\rb\0", "None"])
def test_every_text_comes_through(tmp_path, text):
    """As ARC-02 has it: half a surrogate pair in one reply costs none of the others."""
    plan = small_plan(1, 36)
    with Journal.open(tmp_path, plan) as journal:
        for model in plan.models:
            for trial in range(36):
                said = text if trial == 7 else "4"
                journal.store(key(0, model, trial), reply(said, refusal=said), 1, 0.1, MADE)
    rows = read_archive(export(tmp_path, plan, tmp_path / "small")).responses()
    odd = rows[rows["trial"] == 7]
    for column in ("response_text", "refusal"):
        found = odd[column].tolist()
        assert [restore_surrogates(one) if "\ud835" in text else one for one in found] == [text] * 2
    assert rows["response_text"].tolist().count("4") == 70


def test_missing_values_stay_missing(tmp_path):
    plan = small_plan(1, 1)
    nothing = {"refusal": None, "returned_model": None, "request_id": None, "finish_reason": None}
    counts = {"input_tokens": None, "output_tokens": 2**53 + 1, "reasoning_tokens": None}
    collected(tmp_path, plan, **nothing, **counts)
    row = read_archive(export(tmp_path, plan, tmp_path / "small")).responses().iloc[0]
    assert row[[*nothing, "input_tokens", "reasoning_tokens"]].isna().all()
    assert row["output_tokens"] == 2**53 + 1


def test_an_export_can_be_scored(tmp_path):
    plan = small_plan(1, 3)
    plan = dataclasses.replace(plan, items=plan.items.assign(reference="4"))
    with Journal.open(tmp_path, plan) as journal:
        for model, said in {"old": "Answer: 5", "new": "Answer: 4"}.items():
            for trial in range(3):
                journal.store(key(0, model, trial), reply(said), 1, 0.1, MADE)
    path = export(tmp_path, plan, tmp_path / "small")
    scores = score_texts(path, workers=1).archive.scores()
    assert scores.groupby("model")["correct"].sum().to_dict() == {"new": 3, "old": 0}


def test_nothing_collected_is_no_archive(tmp_path):
    plan = small_plan()
    with pytest.raises(CollectError, match="there is none yet"):
        export(tmp_path, plan, tmp_path / "small")
    with Journal.open(tmp_path, plan):
        pass
    with pytest.raises(CollectError, match="holds no reply of this plan"):
        export(tmp_path, plan, tmp_path / "small")
    assert not (tmp_path / "small").exists()


def files_with(secret: str, folder) -> list[str]:
    """Files under a folder that hold a text, in whatever encoding a reader would try first."""
    forms = [secret.encode(), secret.encode("utf-16-le"), secret[::-1].encode()]
    return [
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and any(form in path.read_bytes() for form in forms)
    ]


def test_the_key_is_in_no_byte_of_journal_and_archive(tmp_path, monkeypatch):
    """Reached through everything that a plan and a server hand us; compression is undone."""
    monkeypatch.setenv(KEY_VARIABLE, SECRET)
    settings = Settings(base_url=f"http://user:{SECRET}@127.0.0.1:1/v1?key={SECRET}#{SECRET}")
    plan = small_plan(settings=settings, key_variable=KEY_VARIABLE)
    assert SECRET not in settings.to_json()
    with Journal.open(tmp_path, plan) as journal:
        store_all(journal, plan)
        journal.record(Attempt(key(), 1, "bad_key", False, "the key was refused", 401, MADE))
        path = export(journal, plan, tmp_path / "small")
        assert files_with(SECRET, tmp_path) == []  # the write-ahead log too
    assert files_with(SECRET, tmp_path) == []
    archive = read_archive(path)
    assert SECRET not in repr(archive.manifest)
    assert SECRET not in archive.responses().to_csv() + archive.items.to_csv()


def test_a_key_in_a_file_would_be_found(tmp_path):
    plan = small_plan()
    with Journal.open(tmp_path, plan) as journal:
        journal.store(key(), reply(SECRET), 1, 0.1, MADE)
        assert files_with(SECRET, tmp_path) != []
    write_archive(tmp_path / "a", {**minimal(SECRET)}, plan.items, None, scores(plan))
    assert "a/manifest.json" in files_with(SECRET, tmp_path)


def minimal(description: str) -> dict:
    return {
        "name": "a",
        "kind": "collected",
        "description": description,
        "models": ["new"],
        "edges": [],
        "benchmarks": ["quiz"],
        "trials_per_item": 1,
        "complete": True,
        "created_utc": MADE,
        "licence": "CC0-1.0",
    }


def scores(plan):
    keys = plan.items[["benchmark", "item_id"]]
    return keys.assign(model="new", trial=0, category="correct", correct=True)
