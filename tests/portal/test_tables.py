"""Rows in terminals of any width: nothing is cut, no id, day or path is broken."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from portal.cli.tables import drawn, show

COLUMNS = ("name", "folder", "size", "modified")
LONG = "a rather long file name of a holiday picture from the summer.jpg"
ROWS = [
    [LONG, "~/Pictures/summer", "12 bytes", "2026-11-22"],
    ["short.txt", "~", "3.4 MB", "2025-01-02"],
    ["二十文字の日本語のファイル名です.txt", "~/x", "1 kB", "2025-01-02"],
]


def shown(width: int, rows: list[list[str]] | None = None, columns: tuple[str, ...] = COLUMNS) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=False, highlight=False)
    wanted = ROWS if rows is None else rows
    show(console, drawn(columns, wanted, [False] * len(columns), width, ruled=True))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120, 400])
def test_every_letter_is_there_and_what_is_short_is_never_broken(width: int) -> None:
    text = shown(width)
    assert "…" not in text
    letters = "".join(sign for sign in text if not sign.isspace() and sign not in "│┃━╇")
    for row in ROWS:
        for cell in row[1:]:
            assert cell in text
        if width < 80:
            assert row[0] in text, "in one piece"
    assert letters.count("2025-01-02") == 2


@pytest.mark.parametrize("width", [40, 60])
def test_a_narrow_terminal_gets_lines_that_can_be_copied(width: int) -> None:
    lines = shown(width).splitlines()
    assert lines[0] == LONG
    assert all(cell_len(line) <= width or ": " not in line for line in lines)
    assert "  folder: ~/x · size: 1 kB" in "\n".join(lines)


def test_where_there_is_room_rows_stand_in_columns() -> None:
    assert shown(120).splitlines()[0].split("┃")[0].strip() == "name"
    assert len(shown(120).splitlines()) == 2 + len(ROWS)


def test_a_long_column_is_folded_beside_short_ones_in_eighty_columns() -> None:
    lines = shown(80, [[LONG, "~", "12 bytes", "2026-11-22"]]).splitlines()
    assert len(lines) == 4
    assert all(cell_len(line) <= 80 for line in lines)


def test_cells_that_are_empty_take_no_room_in_a_stack() -> None:
    assert shown(40, [[LONG, "", "", "2026-11-22"]]) == f"{LONG}\n  modified: 2026-11-22\n"


def test_one_column_and_no_rows() -> None:
    assert "name" in shown(40, [], ("name",))
    assert shown(40, [[LONG]], ("name",)) == f"{LONG}\n"
