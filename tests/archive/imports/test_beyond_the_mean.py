"""The authors' own files, then files made to fail."""

from __future__ import annotations

import json

import pytest

from reliable_change.archive.counts import item_counts
from reliable_change.archive.imports.beyond_the_mean import import_trials
from reliable_change.archive.read import read_archive
from reliable_change.errors import ArchiveError

WHEN = "2026-01-01T00:00:00+00:00"


@pytest.fixture(scope="module")
def real(fixtures_dir, tmp_path_factory):
    folder = fixtures_dir / "beyond_the_mean"
    files = [folder / "llama3-8b_H.jsonl", folder / "llama3.1-8b_H.jsonl"]
    return read_archive(import_trials(files, tmp_path_factory.mktemp("imported") / "greedy"))


@pytest.fixture(scope="module")
def sides(real):
    counts = item_counts(real).astype({"item_id": object, "model": object})
    wide = counts.pivot(index="item_id", columns="model", values="correct")
    return wide["llama3-8b"], wide["llama3.1-8b"]


def test_the_real_files_are_an_archive(real):
    manifest = real.manifest
    assert (manifest.kind, manifest.name, manifest.trials_per_item) == ("imported", "greedy", 1)
    assert manifest.models == ("llama3-8b", "llama3.1-8b")
    assert manifest.edges == (("llama3-8b", "llama3.1-8b"),)
    assert manifest.complete
    assert real.items["discipline"].value_counts().to_dict() == dict.fromkeys(
        ("physics", "law", "psychology", "economics"), 500
    )
    assert len(real.missing) == 0


def test_the_real_files_hold_what_is_known_of_them(real, sides):
    old, new = sides
    assert len(old) == 2000
    assert (old.mean(), new.mean()) == (0.3835, 0.407)
    assert ((old > new).sum(), (old < new).sum()) == (141, 188)
    physics = real.items.loc[real.items["discipline"] == "physics", "item_id"].astype(object)
    old, new = old[physics], new[physics]
    assert ((old > new).sum(), (old < new).sum()) == (58, 45)


def test_verdicts_without_an_answer_count_as_wrong(real):
    counts = item_counts(real)
    assert counts["format_failure"].sum() == 3
    assert (counts["n"] == 1).all()
    failed = real.scores().query("category == 'format_failure'")
    assert set(failed["item_id"]) == {"9143", "9268", "9648"}
    assert failed["extracted"].isna().all()
    assert not failed["correct"].any()


def test_texts_and_answers_are_kept(real, fixtures_dir):
    lines = (fixtures_dir / "beyond_the_mean" / "llama3-8b_H.jsonl").read_text().splitlines()
    rows = {str(row["item_id"]): row for row in map(json.loads, lines)}
    responses = real.responses().query("model == 'llama3-8b'")
    for item, text in zip(responses["item_id"], responses["response_text"], strict=True):
        assert text == rows[item]["raw_text"]
    references = dict(zip(real.items["item_id"], real.items["reference"], strict=True))
    assert references == {item: row["correct_answer"] for item, row in rows.items()}


def row(item=1, model="old", verdict: object = True, **more) -> dict:
    fixed = {"item_id": item, "domain": "law", "model": model, "correct_answer": "B"}
    return {**fixed, "is_correct": verdict, "condition": "S", **more}


def write(path, rows) -> str:
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in rows) + "\n")
    return str(path)


def test_repeated_rows_are_trials_in_the_order_of_files_and_lines(tmp_path):
    one = write(tmp_path / "1", [row(), row(verdict=False), row(2), row(model="new")])
    two = write(
        tmp_path / "2", [row(verdict=None), row(2), row(2), row(model="new", verdict=False)]
    )
    archive = read_archive(import_trials([one, two], tmp_path / "out", created_utc=WHEN))
    scores = archive.scores()
    old = scores.query("model == 'old' and item_id == '1'")
    assert old["category"].tolist() == ["correct", "wrong", "format_failure"]
    assert old["trial"].tolist() == [0, 1, 2]
    assert archive.manifest.trials_per_item is None
    assert not archive.manifest.complete
    assert archive.missing[["item_id", "model"]].to_numpy().tolist() == [["2", "new"]]
    assert "response_text" not in archive.manifest.files
    assert list(archive.manifest.files) == ["items.parquet", "scores.parquet"]


def test_the_same_files_give_the_same_archive(tmp_path):
    source = write(tmp_path / "in", [row(raw_text="x"), row(model="new")])
    for name in ("a/same", "b/same"):
        import_trials([source], tmp_path / name, created_utc=WHEN)
    first, second = (
        {path.name: path.read_bytes() for path in (tmp_path / name / "same").iterdir()}
        for name in ("a", "b")
    )
    assert first == second


def test_one_condition_is_chosen_of_several(tmp_path):
    rows = [row(), row(condition="H", verdict=False), row(model="new")]
    source = write(tmp_path / "in", [*rows, row(model="new", condition="H")])
    with pytest.raises(ArchiveError, match="conditions S, H; choose one"):
        import_trials([source], tmp_path / "out")
    archive = read_archive(import_trials([source], tmp_path / "out", condition="H"))
    assert archive.scores()["category"].tolist() == ["correct", "wrong"]
    with pytest.raises(ArchiveError, match=r'condition "X": there is S, H'):
        import_trials([source], tmp_path / "none", condition="X")


def test_edges_are_each_model_to_the_next_unless_named(tmp_path):
    source = write(tmp_path / "in", [row(model=name) for name in "abcd"])
    archive = read_archive(import_trials([source], tmp_path / "all"))
    assert archive.manifest.edges == (("a", "b"), ("b", "c"), ("c", "d"))
    pairs = [("a", "b"), ("c", "d")]
    archive = read_archive(import_trials([source], tmp_path / "two", edges=pairs))
    assert list(archive.manifest.edges) == pairs


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("{", "line 2: not JSON"),
        ("[" * 100_000, "line 2: not JSON"),
        ("[1]", "line 2: no JSON object"),
        (row(item=None), "line 2: item_id is None"),
        (row(item=True), "line 2: item_id is True"),
        (row(item=7, verdict="yes"), 'line 2, item 7: is_correct is "yes"'),
        (row(item=7, verdict=1), "item 7: is_correct is 1"),
        (row(item="\ud800"), "line 2: item_id is"),
        (row(item=7, model="\ud800"), "item 7: model is"),
        (row(item=7, model=""), 'item 7: model is ""'),
        (row(item=7, domain=None), "item 7: domain is None"),
        (row(item=7, raw_text=3), "item 7: raw_text is 3"),
        ({k: v for k, v in row(item=7).items() if k != "is_correct"}, "is_correct"),
        (
            row(correct_answer="C"),
            'line 2, item 1: correct_answer is "C", but "B" in in.jsonl, line 1',
        ),
        (row(domain="physics"), 'domain is "physics", but "law"'),
    ],
)
def test_a_row_that_cannot_be_taken_is_named(tmp_path, bad, message):
    source = write(tmp_path / "in.jsonl", [row(), bad])
    with pytest.raises(ArchiveError) as caught:
        import_trials([source], tmp_path / "out")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_files_that_hold_nothing_are_refused(tmp_path):
    with pytest.raises(ArchiveError, match="empty"):
        import_trials([write(tmp_path / "in", [])], tmp_path / "out")
    with pytest.raises(ArchiveError, match="cannot be read"):
        import_trials([tmp_path / "none.jsonl"], tmp_path / "out")
    (tmp_path / "latin").write_bytes(b"\xff\xfe")
    with pytest.raises(ArchiveError, match="UTF-8"):
        import_trials([tmp_path / "latin"], tmp_path / "out")


def test_an_archive_is_not_overwritten_by_accident(tmp_path):
    source = write(tmp_path / "in", [row(), row(model="new")])
    import_trials([source], tmp_path / "out")
    with pytest.raises(ArchiveError, match="exists"):
        import_trials([source], tmp_path / "out")
    import_trials([source], tmp_path / "out", replace=True)


def test_hostile_texts_stay_texts(tmp_path):
    text = "</script>{{7*7}}\ud800\x00\r\n'\"; DROP"
    line = json.dumps(row(raw_text=text, condition="\ud800", parsed_response="__import__('os')"))
    archive = read_archive(import_trials([write(tmp_path / "in", [line])], tmp_path / "out"))
    assert "\ud800" not in archive.manifest.description
    stored = archive.responses()["response_text"].iloc[0]
    assert stored == text.replace("\ud800", "�{d800}")
    assert archive.scores()["extracted"].iloc[0] == "__import__('os')"
