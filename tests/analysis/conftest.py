"""A small simulated archive with two edges, and a stand-in for archives of chosen counts."""

from __future__ import annotations

import numpy as np
import pytest

from reliable_change.archive.read import Archive, read_archive
from reliable_change.archive.simulate import simulate_archive


@pytest.fixture(scope="session")
def simulated(tmp_path_factory) -> Archive:
    folder = tmp_path_factory.mktemp("archives") / "simulated"
    simulate_archive(
        folder,
        rng=np.random.default_rng(11),
        benchmarks={"quiz": 30, "form": 20},
        models=["old", "new", "newest"],
        trials=12,
        changed=0.5,
    )
    return read_archive(folder)
