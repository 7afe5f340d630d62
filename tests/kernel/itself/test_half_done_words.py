"""What stands half way, said in both languages: the run, the place, and what to do."""

from __future__ import annotations

import pytest

from kernel.itself.half_done import half_done_view
from permissions.transactions import HalfDone


@pytest.mark.parametrize(
    ("undo", "language", "begins"),
    [(False, "en", "The changes of r-1 are half made"), (True, "en", "Taking back r-1 is half done"),
     (False, "de", "Die Änderungen von r-1 sind halb gemacht"), (True, "de", "Das Zurücknehmen von r-1 ist halb getan"),
     (False, "fr", "The changes of r-1 are half made")],
)  # fmt: skip
def test_it_names_run_and_place_and_the_way_out(undo: bool, language: str, begins: str) -> None:
    view = half_done_view(HalfDone("r-1", undo, "/home/u/Disk/sales.csv", "Read-only file system"), "/home/u", language)
    assert view["message"].startswith(begins)
    assert "~/Disk/sales.csv" in view["message"]
    assert "~/Disk" in view["hint"]
    assert "./steward down, ./steward up" in view["hint"]
    assert (view["folder"], view["why"]) == ("/home/u/Disk", "Read-only file system")


def test_an_unknown_place_is_no_empty_word() -> None:
    view = half_done_view(HalfDone("r-1", False, "", ""), "/home/u", "en")
    assert "at ?." in view["message"]
    assert view["folder"] == ""
