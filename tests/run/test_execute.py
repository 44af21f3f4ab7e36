"""Executing: side by side, finished and failed copies apart, failures in one line."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from reliable_change.run.execute import Job, execute_all
from reliable_change.run.notebooks import unrun, write

TOYS = Path(__file__).parents[1] / "data" / "notebooks"

HANGS = "# %%\nimport time\n\ntime.sleep(60)\n"
DIES = "# %%\nimport os\n\nos._exit(1)\n"
SAYS = "# %%\nimport os\n\nos.write(2, b'from a library')\nprint(os.getcwd())\n"


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Execute seven toys once, two at a time."""
    output = tmp_path_factory.mktemp("output")
    for name, text in {"hangs": HANGS, "dies": DIES, "says": SAYS}.items():
        (output / f"{name}.py").write_text(text)
    given = {
        TOYS / "01_count.py": {"top": 4},
        TOYS / "02_share.py": {},
        TOYS / "raises.py": {},
        TOYS / "foreign_kernel.ipynb": {},
        output / "hangs.py": {},
        output / "dies.py": {},
        output / "says.py": {},
    }
    jobs = [
        Job(
            name=path.stem,
            source=_as_notebook(path, output / "source"),
            output=output,
            cwd=TOYS,
            parameters=parameters,
            timeout=3 if path.stem == "hangs" else 60,
        )
        for path, parameters in given.items()
    ]
    outcomes = execute_all(jobs, workers=2)
    assert [outcome.name for outcome in outcomes] == [job.name for job in jobs]
    return output, {outcome.name: outcome for outcome in outcomes}


def _as_notebook(path: Path, folder: Path) -> Path:
    return path if path.suffix == ".ipynb" else write(unrun(path), folder / f"{path.stem}.ipynb")


def texts(path: Path) -> str:
    cells = nbformat.read(path, as_version=4).cells
    outputs = [o for cell in cells if cell.cell_type == "code" for o in cell.outputs]
    return "".join(o.get("text", "") or o.get("data", {}).get("text/plain", "") for o in outputs)


def test_finished_failed_and_nothing_half_way(ran):
    output, outcomes = ran
    failed = {name for name, outcome in outcomes.items() if outcome.error}
    assert failed == {"raises", "hangs", "dies"}
    assert {path.stem for path in (output / "failed").iterdir()} == failed
    finished = {path.stem for path in (output / "notebooks").iterdir()}
    assert finished == outcomes.keys() - failed
    assert list((output / "running").iterdir()) == []


def test_values_and_the_output_folder_reach_the_notebook(ran):
    output, _ = ran
    assert texts(output / "notebooks" / "01_count.ipynb") == "[1, 2, 3, 4]007 4\n"
    assert "toy-1" in (output / "ledger" / "01_count.csv").read_text()


def test_a_failure_names_cell_and_exception_and_keeps_the_copy(ran):
    output, outcomes = ran
    error = outcomes["raises"].error
    assert error == "cell 2 ('numbers = [1, 2]') raised IndexError: list index out of range"
    copy = nbformat.read(output / "failed" / "raises.ipynb", as_version=4)
    assert "never reached" not in texts(output / "failed" / "raises.ipynb")
    assert any(o.output_type == "error" for c in copy.cells for o in c.get("outputs", []))


def test_a_cell_that_hangs_and_a_kernel_that_dies_are_named(ran):
    _, outcomes = ran
    assert "CellTimeoutError" in outcomes["hangs"].error
    assert "DeadKernelError" in outcomes["dies"].error
    assert all("\n" not in outcome.error for outcome in outcomes.values() if outcome.error)


def test_a_foreign_kernel_name_is_replaced(ran):
    output, _ = ran
    assert texts(output / "notebooks" / "foreign_kernel.ipynb") == "ran\n"


def test_a_notebook_runs_where_nbval_runs_it_and_the_terminal_stays_quiet(ran):
    output, _ = ran
    assert f"{TOYS}\n" in texts(output / "notebooks" / "says.ipynb")
    assert (output / "kernels.log").exists()


def test_no_jobs_is_no_work():
    assert execute_all([]) == []
