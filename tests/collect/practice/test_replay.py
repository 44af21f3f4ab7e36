"""The stock of trials: every one once, and those that were lost again."""

from __future__ import annotations

import pytest

from reliable_change.archive.read import read_archive
from reliable_change.archive.write import write_archive
from reliable_change.collect.practice.replay import Stock
from reliable_change.errors import NotInArchive
from tests.collect.made_up import write_made_up


@pytest.fixture
def archive(tmp_path):
    return read_archive(write_made_up(tmp_path / "made_up", items=2, trials=5))


@pytest.fixture
def stock(archive):
    return Stock(archive)


CELL = ("sums", "001", "beta")


def test_trials_come_in_order_each_once_and_then_none(archive, stock):
    frame = archive.responses().query("item_id == '001' and model == 'beta'")
    taken = [stock.take(CELL) for _ in range(5)]
    assert [one.text for one in taken] == frame["response_text"].tolist()
    assert len({one.id for one in taken}) == 5
    assert stock.take(CELL) is None
    assert stock.counts()[CELL] == 0
    assert sum(stock.counts().values()) == 15


def test_what_is_in_doubt_comes_last_and_once(stock):
    first = stock.take(CELL)
    stock.doubt(first)
    stock.doubt(first)
    assert [stock.take(CELL) for _ in range(5)][-1] is first
    assert stock.take(CELL) is None


def test_restocking_takes_back_what_is_not_held(stock):
    taken = [stock.take(CELL) for _ in range(4)]
    stock.doubt(taken[0])
    stock.doubt(taken[1])
    held = [f"chatcmpl-{taken[1].id}", f"req_{taken[3].id}"]
    assert stock.restock(held) == 2
    again = [stock.take(CELL) for _ in range(3)]
    assert {one.id for one in again} & {one.id for one in taken} == {taken[0].id, taken[2].id}
    assert stock.take(CELL) is None, "what is held is not in doubt"


def test_restocking_with_everything_held_changes_nothing(stock):
    taken = [stock.take(CELL) for _ in range(2)]
    assert stock.restock(one.id for one in taken) == 0
    assert stock.counts()[CELL] == 3


def test_trials_without_text_are_left_out(uneven_k_dir):
    archive = read_archive(uneven_k_dir)
    texts = archive.responses(["response_text"])["response_text"]
    assert texts.isna().sum() == 19
    assert sum(Stock(archive).counts().values()) == texts.notna().sum()


def changed(archive, folder, items=None, responses=None):
    manifest = archive.manifest.to_dict() | {"name": folder.name}
    items = archive.items if items is None else items
    responses = archive.responses() if responses is None else responses
    return read_archive(write_archive(folder, manifest, items, responses, None))


def test_an_archive_without_texts_cannot_be_replayed(archive, tmp_path):
    silent = archive.responses().assign(response_text=None)
    with pytest.raises(NotInArchive, match="no texts of replies"):
        Stock(changed(archive, tmp_path / "silent", responses=silent))


def test_items_without_prompts_cannot_be_found(archive, tmp_path):
    with pytest.raises(NotInArchive, match="no prompts"):
        Stock(changed(archive, tmp_path / "mute", items=archive.items.assign(prompt=None)))


def test_two_items_with_one_prompt_cannot_be_told_apart(archive, tmp_path):
    with pytest.raises(NotInArchive, match="riddles/000 and sums/001 have the same prompt"):
        Stock(changed(archive, tmp_path / "same", items=archive.items.assign(prompt="?")))


def test_the_papers_reconstruction_has_nothing_to_replay():
    with pytest.raises(NotInArchive):
        Stock(read_archive("reconstruction", verify=False))
