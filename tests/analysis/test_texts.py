from __future__ import annotations

import numpy as np
import pytest

from reliable_change.analysis import texts
from reliable_change.archive.read import read_archive
from reliable_change.archive.simulate import simulate_archive
from reliable_change.archive.write import write_archive, write_scores
from reliable_change.errors import NotInArchive


@pytest.fixture(scope="module")
def with_texts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts") / "made"
    rng = np.random.default_rng(4)
    simulate_archive(
        folder, rng=rng, benchmarks={"a": 8, "b": 8}, models=["x", "y"], trials=20, texts=True
    )
    return read_archive(folder)


def test_each_category_that_occurs_has_one_example_with_its_own_text(with_texts):
    found = texts.examples(with_texts)
    scores = with_texts.scores()
    assert len(found) == len(scores[["benchmark", "category"]].dropna().drop_duplicates())
    responses = with_texts.responses().set_index(["benchmark", "item_id", "model", "trial"])
    for row in found.itertuples():
        whole = responses.loc[(row.benchmark, row.item_id, row.model, row.trial), "response_text"]
        assert " ".join(whole.split()).startswith(row.text.removesuffix("…"))


def test_loose_only_shows_what_strict_reading_rejects(with_texts):
    found = texts.loose_only(with_texts)
    assert len(found) == 2
    assert (found["category"] != "correct").all()


def test_where_no_response_passes_only_loosely_it_says_so(tmp_path, with_texts):
    strict = with_texts.scores().assign(correct_loose=None)
    folder = tmp_path / "strict"
    content = {**with_texts.manifest.to_dict(), "name": "strict", "files": {}}
    write_archive(folder, content, with_texts.items, with_texts.responses(), strict)
    assert len(texts.examples(read_archive(folder)))
    with pytest.raises(NotInArchive, match="^strict has no response that passes only loosely$"):
        texts.loose_only(read_archive(folder))


def test_without_texts_it_says_so(simulated):
    with pytest.raises(NotInArchive, match="no response texts"):
        texts.examples(simulated)


def test_the_first_archive_with_a_text_is_read(simulated, with_texts, tmp_path):
    assert texts.first_with_texts(simulated, with_texts) is with_texts
    assert texts.first_with_texts(with_texts, simulated) is with_texts
    assert texts.first_with_texts(simulated, None) is simulated
    content = {**simulated.manifest.to_dict(), "files": {}}
    write_archive(tmp_path / "bare", content, simulated.items, None, simulated.scores())
    bare = read_archive(tmp_path / "bare")
    assert texts.first_with_texts(bare, with_texts) is with_texts


def test_a_second_file_of_scores_is_compared(tmp_path, with_texts):
    with pytest.raises(NotInArchive, match="no second file"):
        texts.other_scores(with_texts)
    scores = with_texts.scores()
    right = scores.index[scores["category"] == "correct"][:3]
    scores.loc[right, ["category", "correct"]] = ["wrong", False]
    write_scores(with_texts.path, scores, scorer="harsh")
    found = texts.other_scores(read_archive(with_texts.path))
    assert found.loc[found["after"] == "wrong", "trials"].sum() == 3
    assert found.loc[0, "trials"] == len(scores) - 3
