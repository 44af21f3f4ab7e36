from __future__ import annotations

from dataclasses import replace

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
    assert split(grid, rows=6) == [grid]


def test_rows_are_parted_between_groups():
    parts = split(grid_of(10, 1, 4), rows=6)
    assert [len(part.rows) for part in parts] == [4, 6]
    assert not parts[1].rows[0].rule


def test_a_group_longer_than_a_page_is_parted_and_named_again():
    parts = split(grid_of(10, 1, 10), rows=6)
    assert [len(part.rows) for part in parts] == [6, 4]
    assert parts[1].rows[0].repeats == (False, False)


def test_no_cell_is_lost_or_doubled():
    parts = split(grid_of(23, 7, 4), rows=6, width=25)
    cells = [cell for part in parts for row in part.rows for cell in row.cells[1:]]
    assert sorted(cells) == sorted(f"{r}.{c}" for r in range(23) for c in range(7))
    assert all(part.heads[0].heading == "key" for part in parts)


def test_a_page_ends_at_a_rule_rather_than_at_a_gap():
    grid = grid_of(12, 1, 4)
    spaced = [replace(row, space=number in (5, 9)) for number, row in enumerate(grid.rows)]
    parts = split(replace(grid, rows=tuple(spaced)), rows=6)
    assert [len(part.rows) for part in parts] == [4, 4, 4]
    # With no rule on the lower half of the page, a gap will do.
    parts = split(replace(grid, rows=tuple(spaced)), rows=11)
    assert [len(part.rows) for part in parts] == [8, 4]
    parts = split(replace(grid, rows=tuple(spaced[:7])), rows=3)
    assert [len(part.rows) for part in parts] == [3, 2, 2]


def test_no_part_is_wider_than_asked():
    parts = split(grid_of(2, 12, 2), width=20)
    # The key takes 3 + 2 characters, a value such as "1.7" as many, "1.10" one more.
    assert [len(part.heads) - 1 for part in parts] == [3, 3, 3, 2, 1]


def test_headings_count_for_the_width():
    grid = grid_of(1, 4, 1)
    long = replace(grid, heads=(grid.heads[0], *(Head("a long heading") for _ in range(4))))
    assert [len(part.heads) - 1 for part in split(long, width=40)] == [2, 2]


def test_very_long_names_leave_the_values_together():
    grid = grid_of(1, 4, 1)
    named = replace(grid, rows=(replace(grid.rows[0], cells=("x" * 500, "1", "2", "3", "4")),))
    assert len(split(named)) == 1


def test_an_empty_grid_is_one_part():
    assert split(grid_of(0, 2, 1), rows=5) == [grid_of(0, 2, 1)]
