"""The command line: a skin over the run that explains itself and fails in one line."""

from __future__ import annotations

import json
import subprocess
import sys

import pandas as pd
import pytest

from reliable_change import cli
from reliable_change.published.ledger import compare
from reliable_change.run import reproduce

COMMANDS = (
    *("reproduce", "notebooks", "figures", "tables", "ledger", "validate"),
    *("collect", "export", "score"),
)


def finished_run(folder, values):
    """A folder as a run leaves it, with a ledger of one part."""
    (folder / "ledger").mkdir(parents=True)
    compare(values).to_csv(folder / "ledger" / "04.csv", index=False)
    (folder / reproduce.RECORD).write_text(json.dumps({"finished": True}))
    return folder


@pytest.fixture
def planned(tmp_path, monkeypatch):
    """A run that is over before it starts: only what the command makes of it is tested."""
    monkeypatch.setattr(reproduce, "execute_plan", lambda planned, workers: [])

    def make(values, *, is_papers, is_papers_archive=True):
        output = finished_run(tmp_path / "output", values)
        changed = {"04": {"epsilon": 0.1}}
        made = reproduce.Plan((), changed, {}, output, is_papers, is_papers_archive)
        monkeypatch.setattr(reproduce, "plan", lambda settings, output: made)

    return make


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command, capsys):
    for arguments in (["--help"], [command, "--help"]):
        with pytest.raises(SystemExit, match="0"):
            cli.main(arguments)
        assert command in capsys.readouterr().out


def test_help_answers_at_once():
    """What the commands need (pandas, papermill) takes seconds to import."""
    code = (
        "import sys, reliable_change.cli as cli\n"
        "try: cli.main(['--help'])\n"
        "except SystemExit: sys.exit(any(m in sys.modules for m in ('pandas', 'papermill')))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0


@pytest.mark.parametrize(
    "arguments", [[], ["reproduse"], ["reproduce", "--workers", "0"], ["notebooks", "--set", "a=1"]]
)
def test_a_mistyped_command_is_refused(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main(arguments)
    assert "usage: reliable-change" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (["EPSILO=0.1"], "error: no notebook has a setting epsilo; did you mean epsilon"),
        (["epsilon=big"], "error: setting epsilon = 'big'"),
        (["epsilon"], "error: setting 'epsilon' is not of the form name=value"),
        (["=1"], "error: setting '=1' is not of the form name=value"),
        (["epsilon=1", "EPSILON=2"], "error: setting epsilon is given twice"),
        (["archive=no such"], "error: archive 'no such': no such folder"),
    ],
)
def test_a_wrong_setting_is_one_line(settings, said, capsys):
    options = [word for setting in settings for word in ("--set", setting)]
    assert cli.main(["reproduce", *options]) == 1
    out, err = capsys.readouterr()
    assert err.startswith(said)
    assert (out, err.count("\n")) == ("", 1)


def test_values_keep_their_equals_signs_and_blanks():
    assert cli._settings(["ARCHIVE=a b/c=d", "label="]) == {"archive": "a b/c=d", "label": ""}


def test_a_new_difference_fails_the_papers_run(planned, capsys):
    planned({("table_b4", "improved", "total"): 254}, is_papers=True)
    assert cli.main(["reproduce"]) == 1
    out, err = capsys.readouterr()
    assert "Table B.4" in out
    assert "error: Table B.4: improved, total: printed 255, recomputed 254" in err
    assert "error: 1 claims differ without a listed reason" in err


def test_a_listed_difference_fails_nothing(planned, capsys, monkeypatch):
    known = pd.DataFrame(
        [{"table": "table_b4", "row": "improved", "column": "total", "reason": "for a test"}]
    )
    monkeypatch.setattr("reliable_change.published.ledger.known_differences", lambda folder: known)
    planned({("table_b4", "improved", "total"): 254}, is_papers=True)
    assert cli.main(["reproduce"]) == 0
    assert capsys.readouterr().err == ""


def test_on_other_data_a_difference_is_shown_and_fails_nothing(planned, capsys):
    planned({("table_b4", "improved", "total"): 254}, is_papers=False)
    assert cli.main(["reproduce"]) == 0
    out = capsys.readouterr().out
    assert "settings: epsilon = 0.1" in out
    assert "nothing fails for it" in out


def test_on_another_archive_its_changes_come_first_and_the_papers_ledger_is_a_line(
    planned, tmp_path, capsys
):
    planned({("table_b4", "improved", "total"): 254}, is_papers=False, is_papers_archive=False)
    (tmp_path / "output" / "tables").mkdir()
    cell = "edge,benchmark,items,delta,improved,regressed\nold→new,quiz,30,1.5,4,2\n"
    (tmp_path / "output" / "tables" / "findings.csv").write_text(cell)
    assert cli.main(["reproduce"]) == 0
    out = capsys.readouterr().out
    assert "old→new  quiz  delta +1.5  improved 4  regressed 2  of 30" in out
    assert out.count("differs") == 1
    assert "neighbouring" not in out
    assert out.index("quiz") < out.index("1 differs")


def test_the_ledger_of_a_run_is_shown_again(tmp_path, capsys):
    folder = finished_run(tmp_path / "run", {("table_b4", "improved", "total"): 255})
    assert cli.main(["ledger", "--output", str(folder)]) == 0
    paper, _, neighbours = capsys.readouterr().out.partition("neighbouring papers")
    assert "Total" in paper
    assert "Total" in neighbours
    assert "004" not in paper
    assert cli.main(["ledger", "--output", str(folder), "--verdict", "reproduced"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == (
        "Table B.4: improved, total: printed 255, recomputed 255"
    )
    assert cli.main(["ledger", "--output", str(folder), "--verdict", "right"]) == 1
    assert "no verdict 'right'" in capsys.readouterr().err


def test_no_run_is_said_in_one_line(tmp_path, capsys):
    assert cli.main(["ledger", "--output", str(tmp_path)]) == 1
    assert "holds no finished run" in capsys.readouterr().err


def test_an_archive_is_validated(uneven_k_dir, tmp_path, capsys):
    assert cli.main(["validate", str(uneven_k_dir)]) == 0
    assert "uneven_k: a valid archive (collected)" in capsys.readouterr().out
    assert cli.main(["validate", str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith(f"error: archive '{tmp_path}'")


def test_ctrl_c_is_no_traceback(monkeypatch, capsys):
    def interrupt(settings, output):
        raise KeyboardInterrupt

    monkeypatch.setattr(reproduce, "plan", interrupt)
    assert cli.main(["reproduce"]) == 130
    assert "stopped" in capsys.readouterr().err
