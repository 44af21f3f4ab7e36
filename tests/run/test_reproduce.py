"""A whole run of toys: checked first, recorded, and never mistaken for finished."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

from reliable_change.errors import ArchiveError, ParameterError, ReliableChangeError
from reliable_change.paths import BUILD
from reliable_change.run.notebooks import sources
from reliable_change.run.reproduce import (
    COMPANIONS,
    RECORD,
    execute_plan,
    ledger,
    plan,
    refresh_twins,
)
from tests.collect.made_up import write_made_up

TOYS = Path(__file__).parents[1] / "data" / "notebooks"

WITH_ARCHIVE = """
# %% tags=["parameters"]
archive = {archive!r}
epsilon = 0.20

# %%
from reliable_change.archive.read import read_archive

print(read_archive(archive).manifest.name, epsilon)
"""

PART = """
# %% tags=["parameters"]
total = 255

# %%
from reliable_change.paths import output_folder
from reliable_change.published.ledger import compare

(output_folder() / "ledger").mkdir(exist_ok=True)
part = compare({("table_b4", "improved", "total"): total}, tables=["table_b4"])
part.to_csv(output_folder() / "ledger" / "01_part.csv", index=False)
print(total)
"""

SLOW = """
# %% tags=["parameters"]
a = 1

# %%
import time

time.sleep(60)
"""

DRIVER = """
import sys
from pathlib import Path

if __name__ == "__main__":
    from reliable_change.run.reproduce import execute_plan, plan

    output, *notebooks = map(Path, sys.argv[1:])
    try:
        execute_plan(plan({}, output=output, notebooks=notebooks), workers=2)
    except KeyboardInterrupt:
        sys.exit(130)
"""


@pytest.fixture
def archive(uneven_k_dir, tmp_path) -> Path:
    return Path(shutil.copytree(uneven_k_dir, tmp_path / "my archive" / "mine"))


@pytest.fixture
def takes_archive(archive, tmp_path) -> list[Path]:
    """A notebook whose default archive lies at an absolute path."""
    path = tmp_path / "05_takes.py"
    path.write_text(WITH_ARCHIVE.format(archive=str(archive)))
    return [path]


def test_settings_are_checked_before_any_work(tmp_path):
    output = tmp_path / "output"
    for settings in ({"nothing": "1"}, {"top": "many"}):
        with pytest.raises(ParameterError):
            plan(settings, output=output, notebooks=sources(TOYS))
    assert not output.exists()


def test_an_archive_is_found_relative_to_where_the_command_runs(
    archive, takes_archive, monkeypatch
):
    monkeypatch.chdir(archive.parent)
    planned = plan({"archive": "./mine"}, notebooks=takes_archive)
    assert planned.values == {"05_takes": {"archive": str(archive)}}
    assert planned.output == BUILD / "mine"


def test_an_archive_that_is_not_there_or_not_whole_stops_the_run(archive, takes_archive):
    with pytest.raises(ArchiveError, match="no such folder"):
        plan({"archive": "nowhere"}, notebooks=takes_archive)
    (archive / "scores.parquet").write_bytes(b"")
    with pytest.raises(ArchiveError, match=r"scores\.parquet"):
        plan({}, notebooks=takes_archive)


def test_only_the_defaults_count_as_the_papers_run(archive, takes_archive, tmp_path):
    other = shutil.copytree(archive, tmp_path / "other")
    given = {
        (): True,
        (("epsilon", "0.2"),): True,
        (("archive", str(archive)),): True,
        (("epsilon", "0.1"),): False,
        (("archive", str(other)),): False,
    }
    for settings, is_papers in given.items():
        assert plan(dict(settings), notebooks=takes_archive).is_papers is is_papers, settings


def test_a_run_is_recorded_and_its_ledger_read_back(tmp_path):
    notebook = tmp_path / "01_part.py"
    notebook.write_text(PART)
    output = tmp_path / "output"
    for total, verdict in [("254", "differs"), ("255", "reproduced")]:
        execute_plan(plan({"total": total}, output=output, notebooks=[notebook]))
        record = json.loads((output / RECORD).read_text())
        assert record["finished"] is True
        assert not (output / "running").exists()
        assert record["values"] == {"01_part": {"total": int(total)}}
        claims = ledger(output)
        assert (claims["verdict"] == verdict).sum() == 1


def test_twins_hold_the_sources_cells_and_the_outputs(tmp_path):
    notebook = Path(shutil.copy(TOYS / "02_share.py", tmp_path))
    before = notebook.read_bytes()
    planned = plan({}, output=tmp_path / "output", notebooks=[notebook])
    execute_plan(planned)
    (path,) = refresh_twins(planned)
    assert path == notebook.with_suffix(".ipynb")
    cells = nbformat.read(path, as_version=4).cells
    assert len(cells) == 4, "no cell of injected parameters"
    assert [c.execution_count for c in cells if c.cell_type == "code"] == [1, 2, 3]
    assert cells[3].outputs[0].text == "share 0.5\n"
    assert notebook.read_bytes() == before
    first = path.read_bytes()
    execute_plan(planned)
    refresh_twins(planned)
    assert path.read_bytes() == first


def test_a_failed_run_is_not_finished_and_clears_what_was_there(tmp_path):
    output = tmp_path / "output"
    execute_plan(plan({}, output=output, notebooks=[TOYS / "02_share.py"]))
    with pytest.raises(ReliableChangeError) as error:
        execute_plan(plan({"depth": "5"}, output=output, notebooks=[TOYS / "raises.py"]))
    assert "notebook raises: cell 3 ('numbers = [1, 2]') raised IndexError" in str(error.value)
    assert not (output / "notebooks").exists(), "the earlier run's notebook would look like this's"
    with pytest.raises(ReliableChangeError, match="holds no finished run"):
        ledger(output)


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "thesis.ipynb").write_text("{}")
    with pytest.raises(ParameterError, match="is not empty and holds no run"):
        execute_plan(plan({}, output=tmp_path, notebooks=[TOYS / "02_share.py"]))
    assert (tmp_path / "notebooks" / "thesis.ipynb").exists()


@pytest.fixture
def drive(tmp_path):
    """Start a run as a program of its own, with its terminal's two streams."""
    (tmp_path / "driver.py").write_text(DRIVER)

    environment = {name: text for name, text in os.environ.items() if name != "TQDM_DISABLE"}

    def start(*notebooks: Path) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, tmp_path / "driver.py", tmp_path / "output", *notebooks],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
            env=environment,
        )  # fmt: skip

    return start


def test_the_terminal_shows_one_bar_and_nothing_else(drive):
    program = drive(*sources(TOYS))
    out, bar = program.communicate(timeout=60)
    assert (program.returncode, out) == (0, "")
    steps = [step for step in bar.replace("\n", "\r").split("\r") if step.strip()]
    assert all("notebook" in step and "/2 [" in step for step in steps), bar
    assert "01_count, 02_share" in bar
    assert "2/2" in steps[-1]


@pytest.mark.parametrize("when", ["source", "running"])
def test_ctrl_c_stops_quietly_and_leaves_nothing_that_looks_finished(drive, tmp_path, when):
    """While the workers start, and while cells are executed."""
    notebooks = [tmp_path / "01_slow.py", tmp_path / "02_slow.py"]
    for path in notebooks:
        path.write_text(SLOW)
    program = drive(*notebooks)
    waited = time.monotonic() + 60
    while len(list((tmp_path / "output" / when).glob("[!.]*.ipynb"))) < 2:
        assert time.monotonic() < waited, "the notebooks never started"
        time.sleep(0.1)
    time.sleep(0.2)
    os.killpg(program.pid, signal.SIGINT)
    _, said = program.communicate(timeout=30)
    assert program.returncode == 130
    assert "Traceback" not in said
    assert not (tmp_path / "output" / "notebooks").exists()
    assert json.loads((tmp_path / "output" / RECORD).read_text())["finished"] is False


def test_another_archive_runs_without_the_projects_other_ones(uneven_k_dir, tmp_path):
    planned = plan({"archive": str(uneven_k_dir)}, output=tmp_path / "run")
    assert "01_screening" not in {path.stem for path in planned.notebooks}
    assert planned.values["00_index"]["screening"] == ""
    assert planned.values["11_methods_compared"]["real"] == ""
    assert set(planned.archives) == {"archive"}
    assert not planned.is_papers_archive
    assert plan({"epsilon": "0.1"}, output=tmp_path / "run").is_papers_archive
    both = {"archive": str(uneven_k_dir), "screening": str(uneven_k_dir)}
    named = plan(both, output=tmp_path / "run")
    assert "01_screening" in {path.stem for path in named.notebooks}
    assert named.values["01_screening"]["real_screening"] == ""
    assert named.values["00_index"]["real"] == ""
    assert named.values["11_methods_compared"]["real"] == ""
    beside = plan({"archive": str(uneven_k_dir), "real": "screening"}, output=tmp_path / "run")
    assert beside.values["11_methods_compared"]["real"] == "screening"
    assert set(beside.archives) == {"archive", "real"}
    assert "01_screening" in {path.stem for path in plan({"archive": "reconstruction"}).notebooks}


def test_an_empty_companion_is_none_and_an_empty_archive_an_error(tmp_path):
    planned = plan(dict.fromkeys(COMPANIONS, ""), output=tmp_path / "run")
    assert set(planned.archives) == {"archive"}
    with pytest.raises(ArchiveError, match="no such folder"):
        plan({"archive": ""})


def test_texts_to_practise_on_need_no_scores_and_stay_out_of_other_runs(
    takes_archive, uneven_k_dir, tmp_path
):
    source = write_made_up(tmp_path / "texts", items=2, trials=2)
    practice = tmp_path / "02_practice.py"
    practice.write_text(WITH_ARCHIVE.format(archive=str(source)).replace("archive =", "source ="))
    alone = plan({}, notebooks=[practice], output=tmp_path / "run")
    assert alone.archives == {"source": source}
    both = [*takes_archive, practice]
    assert plan({}, notebooks=both).notebooks == tuple(both)
    other = {"archive": str(uneven_k_dir)}
    assert plan(other, notebooks=both).notebooks == tuple(takes_archive)
    named = plan(other | {"source": str(source)}, notebooks=both)
    assert named.notebooks == tuple(both)
