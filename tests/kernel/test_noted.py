"""A note of a tool reaches the card, word for word, and nothing happens before it is answered."""

from __future__ import annotations

import pytest

from tests.kernel.conftest import Bench
from tests.kernel.hostile import attack, described, reasons, said, step


async def test_the_same_row_a_second_time_is_asked_about(hostile: Bench) -> None:
    path = hostile.home / "Documents" / "sheet.csv"
    path.write_text("vendor,amount\nACME,12.50\n")
    row = {"fields": {"vendor": "IKEA", "amount": "7.30"}}
    add = step(1, "data.append", file=said({"path": str(path)}), row=said(row))
    assert (await attack(hostile, add))["resolution"] == "confirmed"
    assert path.read_text().endswith("ACME,12.50\nIKEA,7.30\n")
    before = path.read_text()
    view = await attack(hostile, add)
    assert reasons(view) == ["noted"]
    assert view["card"]["concerns"][0]["subject"].startswith(
        "~/Documents/sheet.csv has an equal row already (number 2)"
    )
    assert path.read_text() == before
    refused = await hostile.answer(view["run"], "no")
    assert (refused["resolution"], path.read_text()) == ("blocked", before)
    again = await hostile.answer((await attack(hostile, add))["run"], "once")
    assert again["resolution"] == "confirmed"
    assert path.read_text() == before + "IKEA,7.30\n"


@pytest.mark.parametrize("note", ["x" * 5000, "\x1b[2J\u202eevil\nline"])
async def test_a_note_is_bounded_and_shows_what_is_in_it(hostile: Bench, note: str) -> None:
    folder = hostile.home / "Documents"
    view = await attack(hostile, described(1, "create", folder, {"op": "mkdir", "path": f"{folder}/x", "note": note}))
    assert reasons(view) == ["noted"]
    shown = view["card"]["concerns"][0]["subject"]
    assert shown.isprintable()
    assert len(shown) <= 300


async def test_a_note_that_is_no_text_is_refused(hostile: Bench) -> None:
    folder = hostile.home / "Documents"
    view = await attack(hostile, described(1, "create", folder, {"op": "mkdir", "path": f"{folder}/x", "note": ["x"]}))
    assert (view["resolution"], view["error"]["code"]) == ("failed", "scope.effect")
    assert not (folder / "x").exists()
