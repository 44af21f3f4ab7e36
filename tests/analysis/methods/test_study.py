"""Archives made ready to be compared on."""

from __future__ import annotations

import numpy as np
import pandas as pd

from reliable_change.analysis.methods.study import studies_of
from reliable_change.archive.counts import item_counts


def test_an_archive_that_is_not_there_is_left_out(simulated):
    studies = studies_of({"archive": simulated, "real": None}, None, np.random.default_rng(1))
    assert list(studies) == ["archive"]
    study = studies["archive"]
    assert (study.name, study.manifest) == ("simulated", simulated.manifest)
    pd.testing.assert_frame_equal(study.counts, item_counts(simulated))
    assert len(study.cells) == 6


def test_fewer_trials_are_kept_everywhere(simulated):
    archives = {"archive": simulated, "real": simulated}
    studies = studies_of(archives, 5, np.random.default_rng(1))
    for study in studies.values():
        assert study.counts["n"].max() == 5
        assert max(cell.n_target.max() for cell in study.cells) == 5
