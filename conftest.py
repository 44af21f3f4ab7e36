"""What pytest needs everywhere here: notebooks checked by nbval print no bars, and warnings
from libraries, which are not results, are not compared."""

from __future__ import annotations

import os

from reliable_change.run.execute import QUIET

# The kernels that nbval starts inherit these.
os.environ.update(QUIET)


def pytest_collectstart(collector):
    """Leave stderr out of nbval's comparison; everything printed or shown is still compared."""
    if hasattr(collector, "skip_compare"):
        collector.skip_compare += ("stderr",)
