"""Single answers against the index, by a loop over items and with nothing to count."""

from __future__ import annotations

import numpy as np
import pytest

from reliable_change.stats.reliable_change_index import INDEX_CLASSES
from reliable_change.stats.single_shot import single_shot


def test_the_counts_are_those_of_a_loop():
    rng = np.random.default_rng(1)
    classes, flip = rng.choice(INDEX_CLASSES, 500), rng.integers(-1, 2, 500)
    found = single_shot(classes, flip)
    pairs = list(zip(classes, flip, strict=True))
    changed = [(c, f) for c, f in pairs if c in ("improved", "deteriorated")]
    still = [f for c, f in pairs if c == "no reliable change"]
    wrong = [(c, f) for c, f in changed if (c, f) in {("improved", -1), ("deteriorated", 1)}]
    assert (found.changed, found.unchanged) == (len(changed), len(still))
    assert found.missed == sum(f == 0 for _, f in changed)
    assert found.wrong_way == len(wrong)
    assert found.false_flags == sum(f != 0 for f in still)
    assert found.flips == len(changed) - found.missed + found.false_flags
    assert found.missed_rate == found.missed / len(changed)
    assert found.false_flag_rate == found.false_flags / len(still)
    assert found.flips_in_vain == found.false_flags / found.flips


def test_without_items_the_rates_are_missing_not_zero():
    found = single_shot(["excluded", "not testable", "undefined"], [1, -1, 0])
    assert (found.changed, found.unchanged, found.flips) == (0, 0, 0)
    assert np.isnan([found.missed_rate, found.false_flag_rate, found.flips_in_vain]).all()


@pytest.mark.parametrize(("classes", "flip"), [(["improved"], [2]), (["improved"], [0, 1])])
def test_what_does_not_fit_is_refused(classes, flip):
    with pytest.raises(ValueError, match="flip"):
        single_shot(classes, flip)
