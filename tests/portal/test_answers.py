"""An answer and its tables in a terminal: told once, with every digit."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.cli.answers import pieces, written_rows

FILES = {
    "columns": ["name", "folder", "size", "modified"],
    "rows": [["big.iso", "~/D", "21 MB", "2026-01-14"], ["clip.mp4", "~/D", "9.4 MB", "2025-08-24"]],
}
TOLD = "The 2 largest files in ~/D are: big.iso (21 MB, 14 January 2026) and clip.mp4 (9.4 MB, 24 August 2025)."
ERZAEHLT = "Am größten sind in ~/D: big.iso (21 MB, 14. Januar 2026) und clip.mp4 (9,4 MB, 24. August 2025)."
LINES = {"columns": ["vendor", "amount"], "rows": [["IKEA", 129.5], ["Deutsche Bahn", 89.9]]}


@pytest.mark.parametrize("answer", [TOLD, ERZAEHLT])
def test_what_the_table_shows_is_not_told_as_well(answer: str) -> None:
    shown = pieces(f"{answer}\nI saved the note “big”:\nbig.iso\nclip.mp4", [FILES])
    assert [piece.table for piece in shown] == [None, FILES, None]
    assert shown[0].text == answer.partition(":")[0] + ":"
    assert shown[2].text == "I saved the note “big”:\nbig.iso\nclip.mp4"


def test_files_below_a_folder_are_told_once_too() -> None:
    table = {"columns": ["name", "folder", "size"], "rows": [["a.pdf", "~/My Letters", "9 kB"], ["b.pdf", "~", "1 kB"]]}
    answer = "I found 2 PDFs in ~: ~/My Letters/a.pdf (9 kB, 20 November 2026) and ~/b.pdf (1 kB, 3 May 2026)."
    shown = pieces(f"{answer}\n1 hidden folder was left out.", [table])
    assert [piece.text for piece in shown] == ["I found 2 PDFs in ~:", "", "1 hidden folder was left out."]


def test_numbered_lines_give_way_too() -> None:
    answer = "2 of 12 rows have amount > 80:\n1. IKEA · 129.50\n2. Deutsche Bahn · 89.90"
    shown = pieces(answer, [LINES])
    assert [piece.text for piece in shown] == ["2 of 12 rows have amount > 80:", ""]


@pytest.mark.parametrize(
    "answer",
    ["I moved big.iso to ~/D.", "There are 2 files.", "",
     "In ~/D: big.iso, which nobody has opened for years and which may well be deleted, and clip.mp4, the holiday."],
)  # fmt: skip
def test_an_answer_that_says_something_else_stays(answer: str) -> None:
    shown = pieces(answer, [FILES])
    assert "".join(piece.text for piece in shown) == answer
    assert [piece.table for piece in shown if piece.table is not None] == [FILES]


@given(
    st.text(), st.lists(st.lists(st.one_of(st.none(), st.text(), st.integers(), st.floats()), min_size=2, max_size=2))
)
def test_every_table_is_shown_once_and_nothing_is_made_up(answer: str, rows: list[list[Any]]) -> None:
    table = {"columns": ["a", "b"], "rows": rows}
    shown = pieces(answer, [table, FILES])
    assert [piece.table for piece in shown if piece.table is not None].count(table) == 1
    assert all(piece.text in answer for piece in shown)


def test_without_a_table_an_answer_is_itself() -> None:
    assert [piece.text for piece in pieces(TOLD, [])] == [TOLD]


def test_cents_are_never_lost() -> None:
    table = {"columns": ["vendor", "amount", "n"], "rows": [["IKEA", 1234.5, 1], ["Bahn", 89.25, 22], ["x", None, 3]]}
    rows, numbers = written_rows(table, "en")
    assert rows == [["IKEA", "1234.50", "1"], ["Bahn", "89.25", "22"], ["x", "", "3"]]
    assert numbers == [False, True, True]
    assert written_rows({"columns": ["a", "b"], "rows": [["89.90", "2026-01-02"], ["1,5", "x"]]}, "en")[1] == [
        True,
        False,
    ]
    assert written_rows(table, "de")[0][0] == ["IKEA", "1234,50", "1"]


@pytest.mark.parametrize(
    ("cells", "written"),
    [([2.0, 3.0], ["2.0", "3.0"]), ([0.125, 1.5], ["0.125", "1.500"]), ([1e300], ["1e+300"]),
     ([float("inf")], ["inf"]), ([True], ["True"]), (["1.5"], ["1.5"]), ([1e-9, 2.5], ["1e-09", "2.50"])],
)  # fmt: skip
def test_other_numbers(cells: list[Any], written: list[str]) -> None:
    assert [row[0] for row in written_rows({"columns": ["a"], "rows": [[c] for c in cells]}, "en")[0]] == written
