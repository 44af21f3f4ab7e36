"""A small simulated archive with two edges, and a stand-in for archives of chosen counts."""

from __future__ import annotations

import numpy as np
import pytest

from reliable_change.archive.imports.beyond_the_mean import import_trials
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


@pytest.fixture(scope="session")
def greedy(fixtures_dir, tmp_path_factory):
    """2,000 real items answered once by two successive models."""
    files = [fixtures_dir / "beyond_the_mean" / f"llama{v}-8b_H.jsonl" for v in ("3", "3.1")]
    return read_archive(import_trials(files, tmp_path_factory.mktemp("real") / "greedy"))
