"""Coverage: what is there, what should be, and whether scores answer to responses."""

from __future__ import annotations

import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reliable_change.archive.coverage import Found, check_answered, check_complete
from reliable_change.archive.keys import CellNumbers, KeyRows
from reliable_change.archive.manifest import parse_manifest
from reliable_change.archive.read import read_archive
from reliable_change.errors import ArchiveError
from tests.archive.conftest import MANIFEST


@pytest.fixture
def cells():
    items = pa.table({"benchmark": ["quiz", "quiz"], "item_id": ["1", "2"]})
    return CellNumbers(items, ["old", "new"])


def found_of(cells, *batches):
    found = Found.none(cells)
    for keys in batches:
        cell, trial = (np.array(part, np.int64) for part in zip(*keys, strict=True))
        found.add(KeyRows(0, None, cell, trial))
    return found


def test_cells_that_span_batches_add_up(cells):
    found = found_of(cells, [(0, 0), (0, 1), (1, 0)], [(1, 1), (1, 4), (3, 2)])
    assert found.trials.tolist() == [2, 3, 0, 1]
    assert found.last.tolist() == [1, 4, -1, 2]
    assert found.expected(5).tolist() == [5, 5, 5, 5]
    assert found.expected(None).tolist() == [2, 5, 1, 3]


def test_complete_with_uneven_k_needs_no_gaps_and_no_empty_cell(cells):
    manifest = parse_manifest(MANIFEST | {"trials_per_item": None, "files": {}})
    whole = [(0, 0), (0, 1), (1, 0), (2, 0), (2, 1), (2, 2), (3, 0)]
    check_complete("scores.parquet", found_of(cells, whole), cells, manifest)
    with pytest.raises(ArchiveError, match=r'"quiz" "2" "old" has 0 of 1 trials; give'):
        check_complete("scores.parquet", found_of(cells, whole[:-1]), cells, manifest)


def test_complete_allows_no_trial_too_many(cells):
    manifest = parse_manifest(MANIFEST | {"files": {}})
    found = found_of(
        cells, [(cell, trial) for cell in range(4) for trial in range(4 + (cell == 1))]
    )
    with pytest.raises(ArchiveError, match=r'"quiz" "1" "old" has 5 of 4 trials'):
        check_complete("scores.parquet", found, cells, manifest)


@pytest.mark.parametrize("rows", [1, 7, 64, 1000])
def test_scores_and_responses_in_batches_that_do_not_line_up(tmp_path, uneven_k_dir, rows):
    folder = shutil.copytree(uneven_k_dir, tmp_path / "x")
    cells = read_archive(folder).cells
    scores, responses = folder / "scores.parquet", folder / "responses.parquet"
    pq.write_table(pq.read_table(scores), scores, row_group_size=5)
    whole = pq.read_table(responses)
    pq.write_table(whole, responses, row_group_size=rows)
    check_answered(scores, responses, cells)
    few = whole.take([row for row in range(len(whole)) if row not in {100, 250}])
    pq.write_table(few, responses, row_group_size=rows)
    with pytest.raises(ArchiveError, match=r"has no row in responses.parquet \(row 100,"):
        check_answered(scores, responses, cells)
    pq.write_table(whole.slice(0, 0), responses)
    with pytest.raises(ArchiveError, match=r"\(rows 0, 1, 2 …,"):
        check_answered(scores, responses, cells)


def test_more_responses_than_scores_are_fine(broken):
    broken.manifest(complete=False)
    broken.table("scores.parquet", lambda table: table.take([1, 9, 14]))
    assert len(read_archive(broken.folder).scores()) == 3
