from __future__ import annotations

import pytest

from reliable_change.archive.read import read_archive
from reliable_change.archive.write import write_archive
from reliable_change.errors import ArchiveError, ParameterError
from reliable_change.run.ranges import check_ranges
from reliable_change.run.reproduce import plan


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("epsilon", 0.0),
        ("epsilon", 1.1),
        ("alpha", 0.0),
        ("alpha", 1.0),
        ("interval", "walt"),
        ("trials", 0),
        ("replications", 0),
        ("seed", -1),
        ("few_trials", 1),
        ("population", "some"),
    ],
)
def test_a_value_out_of_range_is_one_line_that_names_it(name, value, tmp_path):
    with pytest.raises(ParameterError, match=f"^setting {name} = ") as caught:
        check_ranges({name: value})
    assert "\n" not in str(caught.value)
    with pytest.raises(ParameterError, match=f"^setting {name} = "):
        plan({name: value}, output=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_the_ends_of_the_ranges_are_taken():
    check_ranges({"epsilon": 1.0, "alpha": 0.999, "trials": 1, "replications": 1, "seed": 0})
    check_ranges({"trials": None, "interval": "wald", "unknown": -1})


def test_an_archive_without_scores_says_how_to_make_them(tmp_path, uneven_k_dir):
    archive = read_archive(uneven_k_dir)
    manifest = archive.manifest.to_dict() | {"complete": False, "incomplete": ["no scores"]}
    write_archive(tmp_path / "bare", manifest, archive.items, archive.responses(), None)
    with pytest.raises(ArchiveError, match="make score ARCHIVE="):
        plan({"archive": str(tmp_path / "bare")}, output=tmp_path / "run")
