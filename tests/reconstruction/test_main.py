"""`make reconstruction`: solve, then build, and build nothing from items that do not hold."""

from __future__ import annotations

import pytest

from reliable_change.reconstruction import __main__ as command


@pytest.mark.parametrize(("solved", "steps"), [(0, ["solve", "build"]), (1, ["solve"])])
def test_building_follows_solving(monkeypatch, solved, steps):
    done = []
    monkeypatch.setattr(command.solve, "main", lambda argv: done.append("solve") or solved)
    monkeypatch.setattr(command.build, "main", lambda: done.append("build") or 0)
    assert command.main() == solved
    assert done == steps
