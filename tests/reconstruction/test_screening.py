"""Screening trials: as many estimable items as asked for, also where trials are left out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reliable_change.errors import ReliableChangeError
from reliable_change.paths import PUBLISHED
from reliable_change.reconstruction.screening import (
    printed_trials,
    screening_counts,
    screening_trials,
)

MODELS = ["m1", "m2", "m3"]


def estimable(trials: pd.DataFrame) -> int:
    share = trials.groupby(["item_id", "model"]).correct.mean()
    return int(((share >= 0.1) & (share <= 0.9)).groupby("item_id").any().sum())


@pytest.mark.parametrize("wanted", [0, 1, 13, 29, 30])
@pytest.mark.parametrize("complete", [True, False])
def test_the_wanted_number_is_estimable(wanted, complete):
    trials = screening_trials("quiz", 30, wanted, MODELS, 10, complete=complete)
    assert estimable(trials) == wanted
    assert trials.item_id.nunique() == 30
    assert (trials.category.eq("correct") == trials.correct).all()
    assert set(trials.category) <= {"correct", "wrong"}


@pytest.mark.parametrize("trials", [2, 5, 10, 15, 50])
def test_any_number_of_trials_will_do(trials):
    assert estimable(screening_trials("quiz", 100, 40, MODELS, trials)) == 40


def test_only_the_last_model_lacks_trials():
    whole = screening_trials("quiz", 30, 11, MODELS, 10)
    cut = screening_trials("quiz", 30, 11, MODELS, 10, complete=False)
    assert whole.groupby("model").size().to_dict() == dict.fromkeys(MODELS, 300)
    left = cut.groupby("model").size().to_dict()
    assert left["m1"] == left["m2"] == 300
    assert 140 < left["m3"] < 220
    assert len(whole.merge(cut)) == len(cut)


def test_candidates_differ_but_each_is_always_the_same():
    one, again, other = (screening_trials(name, 30, 13, MODELS, 10) for name in ("a", "a", "b"))
    pd.testing.assert_frame_equal(one, again)
    assert one.correct.tolist() != other.correct.tolist()


def test_items_that_are_not_estimable_stand_at_the_ends():
    counts = screening_counts(1000, 300, 3, 10, rng=np.random.default_rng(0))
    ends = np.isin(counts, [0, 10]).all(axis=1)
    assert ends.sum() == 700
    assert ((counts >= 0) & (counts <= 10)).all()
    # Few of them change from one end to the other, but some do.
    assert 0 < (counts[ends, 0] != counts[ends, 2]).mean() < 0.2


def test_more_estimable_items_than_items_is_refused():
    with pytest.raises(ReliableChangeError, match="31 estimable items of 30"):
        screening_counts(30, 31, 3, 10, rng=np.random.default_rng(0))


def test_the_number_of_trials_is_the_one_the_text_states(tmp_path):
    text = (PUBLISHED / "text_claims.csv").read_text(encoding="utf-8")
    assert printed_trials() == 10
    row = "screening: trials per item"
    (tmp_path / "text_claims.csv").write_text(text.replace(row, "another"), encoding="utf-8")
    with pytest.raises(ReliableChangeError, match=f"0 numbers for '{row}'"):
        printed_trials(tmp_path)
