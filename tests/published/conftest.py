"""The paper's text, where it is at hand."""

from __future__ import annotations

import pytest

from tests.published.paper import paper_from_environment


@pytest.fixture(scope="session")
def paper() -> str:
    """The paper as plain text; a test that asks for it is skipped where there is none."""
    return paper_from_environment()
