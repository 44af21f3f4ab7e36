"""What all tests share: real files by environment variable, and pandas' silent no-op made loud."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import settings

# The same examples every time, so that a run can be repeated; look for new ones with
# --hypothesis-profile=default.
settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")

# A shell starts background jobs with Ctrl-C ignored, and so would every process started here.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

FIXTURE_FOLDERS = ("smollm2_sample", "ifbench", "beyond_the_mean", "evalscope")


def pytest_configure(config: pytest.Config) -> None:
    """Turn chained assignment, which changes nothing in pandas 3, into an error."""
    if hasattr(pd.errors, "ChainedAssignmentError"):
        config.addinivalue_line("filterwarnings", "error::pandas.errors.ChainedAssignmentError")


def _folder_from(variable: str, needed: tuple[str, ...]) -> Path:
    """Return the folder that a variable names: skip if unset, fail if it is not all there."""
    value = os.environ.get(variable)
    if not value:
        pytest.skip(f"{variable} is unset")
    folder = Path(value).resolve()
    lacking = [name for name in needed if not (folder / name).is_dir()]
    if lacking or not folder.is_dir():
        pytest.fail(f"{variable} names {folder}, which lacks {', '.join(lacking) or 'everything'}")
    return folder


@pytest.fixture(scope="session")
def fixtures_dir() -> Path:
    """The folder of real files; a test that asks for it is skipped where there is none."""
    return _folder_from("RELIABLE_CHANGE_FIXTURES", FIXTURE_FOLDERS)


@pytest.fixture(scope="session")
def nltk_data_dir() -> Path:
    """The folder of NLTK's data; a test that asks for it is skipped where there is none."""
    return _folder_from("NLTK_DATA", ())


@pytest.fixture
def uneven_k_dir() -> Path:
    """The small committed archive with uneven K (made by tests/make_uneven_k.py)."""
    return Path(__file__).parent / "data" / "uneven_k"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name every test that did not run for want of real files."""
    unset = [
        (report.nodeid, report.longrepr[2])
        for report in terminalreporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple) and report.longrepr[2].endswith(" is unset")
    ]
    if unset:
        terminalreporter.section("skipped for want of real files")
        for nodeid, reason in unset:
            terminalreporter.line(f"{nodeid}: {reason.removeprefix('Skipped: ')}")
