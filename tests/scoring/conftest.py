"""What the tests of scoring share: one scorer of mathematics, with its process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reliable_change.scoring.mathematics.scorer import Mathematics
from reliable_change.scoring.multiple_choice import MultipleChoice


@pytest.fixture(scope="session")
def mathematics() -> Iterator[Mathematics]:
    scorer = Mathematics()
    yield scorer
    scorer.close()


@pytest.fixture(scope="session")
def scorers(mathematics: Mathematics) -> dict[str, object]:
    """Scorers by task, as `tasks.score` wants them."""
    return {"multiple_choice": MultipleChoice(), "math": mathematics}
