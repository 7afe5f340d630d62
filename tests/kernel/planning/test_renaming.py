"""What is given another name: a folder where a folder is meant, and a file as before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.model import Plan, Question

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("rename the folder Finance to Money", "files.rename_folder(folder=~/Finance, name=Money)"),
        ("rename the Finance folder to Money", "files.rename_folder(folder=~/Finance, name=Money)"),
        ("rename ~/Finance to Money", "files.rename_folder(folder=~/Finance, name=Money)"),
        ("benenne den Ordner Finance in Geld um", "files.rename_folder(folder=~/Finance, name=Geld)"),
        ("gib dem Ordner Finance den Namen Geld", "files.rename_folder(folder=~/Finance, name=Geld)"),
        ("der Ordner Finance soll Geld heißen", "files.rename_folder(folder=~/Finance, name=Geld)"),
        ("rename setup.exe to installer", "files.rename(file=~/Downloads/setup.exe, name=installer)"),
        ("rename the file setup.exe to installer", "files.rename(file=~/Downloads/setup.exe, name=installer)"),
        ("benenne setup.exe in Lader um", "files.rename(file=~/Downloads/setup.exe, name=Lader)"),
    ],
)
def test_the_kind_of_thing_decides(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


def test_it_is_what_was_there_last(planner: Planner) -> None:
    alone = planner.say("rename it to plan")
    assert isinstance(alone, Question)
    made = planner.say("create a folder Trips")
    assert isinstance(made, Plan)
    folder = planner.say("rename it to plan", planner.after(made, t1=f"{planner.home}/Trips"))
    assert planner.shape(folder) == "files.rename_folder(folder=~/Trips, name=plan)"
    found = planner.say("find the newest pdf in Downloads")
    assert isinstance(found, Plan)
    file = planner.say("rename it to plan", planner.after(found, t1=planner.files("Downloads/a.pdf")))
    assert planner.shape(file).startswith("files.rename(")
