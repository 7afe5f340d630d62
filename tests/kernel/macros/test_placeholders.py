"""What a definition leaves open is told each time: typed by the place where it stands, said with the name or asked."""

from __future__ import annotations

from typing import Any

import pytest

from kernel.macros.placeholders import NoPlace, named_without, opened
from tests.kernel.macros.conftest import by_name
from tests.kernel.routines.conftest import Desk

BIG = "define big files as list the N largest files in a folder"


@pytest.mark.parametrize(("text", "language", "names"), [
    ("list the N largest files in a folder", "en", ["N", "folder"]),
    ("copy some file to a folder", "en", ["file", "folder"]),
    ("kopiere eine Datei in einen Ordner", "de", ["file", "folder"]),
    ("zeig mir die N größten Dateien in irgendeinem Ordner", "de", ["N", "folder"]),
    ("total of a.csv for a month", "en", ["month"]), ("Summe von a.csv für einen Monat", "de", ["month"]),
    ("copy a folder to a folder", "en", ["folder", "folder-2"]),
    ("remind me in a month", "en", []), ("list the files", "en", []), ("find Plan B files", "en", []),
])  # fmt: skip
def test_the_words_say_what_is_open(text: str, language: str, names: list[str]) -> None:
    filled, places = opened(text, language, ("/home/u/Alpha", "/home/u/Beta"), "/home/u/stand-in.txt")
    assert [one.name for one in places] == names
    assert all(one.stands in filled and one.words not in filled.split() for one in places)


def test_a_folder_that_is_named_stands_for_none() -> None:
    _, places = opened("copy Alpha to a folder", "en", ("/home/u/Alpha", "/home/u/Beta"), "")
    assert [one.stands for one in places] == ["/home/u/Beta"]
    assert opened("copy Alpha to a folder", "en", ("/home/u/Alpha",), "")[1] == ()


def test_an_open_place_at_the_end_of_a_name_is_no_part_of_it() -> None:
    _, places = opened("total for a month", "en", (), "")
    assert named_without("report for a month", places) == "report"
    assert named_without("report", places) == "report"
    with pytest.raises(NoPlace):
        named_without("report for a folder", places)


def arguments(view: dict[str, Any]) -> dict[str, str]:
    return dict(view["plan"]["tasks"][0]["arguments"])


@pytest.mark.slow
async def test_they_are_asked_one_by_one_said_with_the_name_or_given(desk: Desk) -> None:
    await desk.say(BIG)
    (macro,) = desk.kernel.macros.every()
    assert [(one["name"], one["kind"]) for one in macro["parameters"]] == [("N", "integer"), ("folder", "folder")]
    assert [(await desk.say(said))["resolution"] for said in ("big files", "2")] == ["clarify", "clarify"]
    assert arguments(await desk.say("Backup")).items() >= {"count": "2", "folder": "~/Backup"}.items()
    for said in ("big files 1 in Downloads", "do big files 1 in Downloads please", "big files in Downloads 1"):
        assert arguments(await desk.say(said)).items() >= {"count": "1", "folder": "~/Downloads"}.items(), said
    view = await by_name(desk, "big files", N=3, folder=str(desk.home / "Backup"))
    assert arguments(view).items() >= {"count": "3", "folder": "~/Backup"}.items()


@pytest.mark.slow
async def test_it_is_a_step_told_with_its_name_and_asked_for_one_value_at_most(desk: Desk) -> None:
    await desk.say(BIG)
    view = await desk.say("big files 2 in Downloads and list the files in Backup")
    assert [task["tool"] for task in view["plan"]["tasks"]] == ["files.largest", "files.contents"]
    assert (await desk.say("big files in Downloads and list the files in Backup"))["resolution"] == "clarify"
    assert len((await desk.say("2"))["plan"]["tasks"]) == 2
    refused = await desk.say("list the files in Backup and big files")
    assert (refused["resolution"], "N, folder" in refused["answer"]) == ("declined", True)


@pytest.mark.slow
async def test_a_month_in_the_name_is_told_with_it(desk: Desk) -> None:
    await desk.say("define report for a month as show the total of Finance/expenses.csv for a month")
    (macro,) = desk.kernel.macros.every()
    assert (macro["name"], [one["name"] for one in macro["parameters"]]) == ("report", ["month"])
    view = await desk.say("report for March 2026")
    assert "2026-03-01" in arguments(view)["period"]


@pytest.mark.slow
@pytest.mark.parametrize("said", [
    "define story for a month as list the files in Backup", "define stories as flurb a folder N times",
    "define things as list the N largest wibbles", "define milk as make a note called list saying N bottles of milk",
])  # fmt: skip
async def test_what_is_no_value_of_its_own_is_refused_with_the_reason_and_no_empty_choice(
    desk: Desk, said: str
) -> None:
    view = await desk.say(said)
    assert (view["resolution"], desk.kernel.macros.every()) == ("declined", [])
    assert not view["answer"].rstrip().endswith("one of these?"), view["answer"]


@pytest.mark.slow
async def test_words_behind_a_name_that_are_no_values_run_nothing(desk: Desk) -> None:
    await desk.say(BIG)
    for said in ("big files of nobody", "big files in Nowhere"):
        view = await desk.say(said)
        assert view["macro"] != "big files", view["answer"]


@pytest.mark.slow
async def test_what_is_shown_of_one_says_what_it_is_told(desk: Desk) -> None:
    view = await desk.say("define pick as copy a file to a folder")
    assert "told: file, folder" in view["answer"], view["answer"]
    assert "stand-in" not in str(desk.kernel.macros.whole("pick"))
