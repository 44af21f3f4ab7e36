"""Methods of whole cells on archives."""

from __future__ import annotations

import numpy as np
import pytest

from reliable_change.analysis.cells import iterate_cells
from reliable_change.analysis.classification import class_counts, classify_items
from reliable_change.analysis.methods.cells import cell_alarms, cell_verdicts
from reliable_change.archive.read import read_archive
from reliable_change.stats.cell_methods import cell_methods

METHODS = cell_methods(resamples=299)
ANY_ITEM = METHODS[-1].name


def test_verdicts_of_an_archive_follow_its_tables(simulated):
    found = cell_verdicts(list(iterate_cells(simulated)), METHODS, rng=np.random.default_rng(1))
    classes = classify_items(simulated)
    delta = classes.groupby(["edge", "benchmark"], sort=False)["difference"].mean() * 100
    np.testing.assert_allclose(found["delta"], delta)
    sign = np.where(found["delta"] < 0, "worse", "better")
    np.testing.assert_array_equal(found["Any drop of Δ"], sign)
    counts = class_counts(classes)
    regressed, improved = counts["regressed"] > 0, counts["improved"] > 0
    expected = np.select(
        [regressed & improved, regressed, improved], ["both", "worse", "better"], "–"
    )
    np.testing.assert_array_equal(found[ANY_ITEM], expected)
    assert {"better", "worse"} <= set(found[ANY_ITEM])


def test_a_real_archive(fixtures_dir):
    cells = list(iterate_cells(read_archive(fixtures_dir / "smollm2_sample")))
    found = cell_verdicts(cells, METHODS, rng=np.random.default_rng(2))
    assert found["delta"].round(3).tolist() == [-5.5, -6.375, -18.25]
    assert found[ANY_ITEM].tolist() == ["–", "worse", "worse"]


def test_alarms_stay_near_what_is_promised(simulated):
    cells = list(iterate_cells(simulated))
    found = cell_alarms(cells, METHODS, draws=60, rng=np.random.default_rng(3)).set_index("method")
    assert (found["cells"] == 60 * len(cells)).all()
    promised = found["nominal"].notna()
    assert (found.loc[promised, "alarm_low"] <= found.loc[promised, "nominal"]).all()
    assert found.loc["Any drop of Δ", "alarm"] == pytest.approx(50, abs=10)
    assert found["nominal"].isna().sum() == 2


def test_uneven_and_missing_trials(uneven_k_dir):
    cells = list(iterate_cells(read_archive(uneven_k_dir)))
    found = cell_verdicts(cells, METHODS, rng=np.random.default_rng(4))
    assert 0 < len(found) <= len(cells)
    assert found["delta"].notna().all()
    assert (cell_alarms(cells, METHODS, draws=5, rng=np.random.default_rng(5))["cells"] > 0).all()
