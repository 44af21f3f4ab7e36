from __future__ import annotations

from reliable_change.tables.grid import Grid, Head, Row, split


def grid_of(rows: int, columns: int, group: int) -> Grid:
    """A grid with one key and `columns` values, whose key is named once per `group` rows."""
    heads = (Head("key", left=True, key=True, merge=True), *(Head(str(c)) for c in range(columns)))
    return Grid(
        heads,
        tuple(
            Row(
                (f"g{r // group}", *(f"{r}.{c}" for c in range(columns))),
                (r % group > 0, *[False] * columns),
                rule=r > 0 and r % group == 0,
            )
            for r in range(rows)
        ),
    )


def test_what_fits_is_left_as_it_is():
    grid = grid_of(6, 4, 3)
    assert split(grid, rows=6, columns=4) == [grid]


def test_rows_are_parted_between_groups():
    parts = split(grid_of(10, 1, 4), rows=6, columns=5)
    assert [len(part.rows) for part in parts] == [4, 6]
    assert not parts[1].rows[0].rule


def test_a_group_longer_than_a_page_is_parted_and_named_again():
    parts = split(grid_of(10, 1, 10), rows=6, columns=5)
    assert [len(part.rows) for part in parts] == [6, 4]
    assert parts[1].rows[0].repeats == (False, False)


def test_no_cell_is_lost_or_doubled():
    parts = split(grid_of(23, 7, 4), rows=6, columns=3)
    cells = [cell for part in parts for row in part.rows for cell in row.cells[1:]]
    assert sorted(cells) == sorted(f"{r}.{c}" for r in range(23) for c in range(7))
    assert all(part.heads[0].heading == "key" for part in parts)


def test_columns_are_shared_out_evenly():
    parts = split(grid_of(2, 12, 2), rows=None, columns=10)
    assert [len(part.heads) - 1 for part in parts] == [6, 6]


def test_an_empty_grid_is_one_part():
    assert split(grid_of(0, 2, 1), rows=5, columns=5) == [grid_of(0, 2, 1)]
