"""What the tests of instruction following share: one scorer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reliable_change.scoring.instructions.scorer import Instructions


@pytest.fixture(scope="session")
def instructions() -> Iterator[Instructions]:
    scorer = Instructions()
    yield scorer
    scorer.close()
