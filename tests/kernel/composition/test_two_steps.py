"""Requests of two steps: where a text ends, fields side by side, verbs at the end, a thing named first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.model import Plan

if TYPE_CHECKING:
    from conftest import Desk

LARGEST = "files.largest(count=3, folder=~/Attic, order=largest)"
PLANS = [
    (
        "alle Zeilen aus ~/Cellar/wine.csv mit der Sorte Merlot rausholen und als Attic/merlot.xlsx speichern",
        "data.pick(only=Sorte Merlot, table=~/Cellar/wine.csv); data.save(file=~/Attic/merlot.xlsx, table=<t1>)",
    ),
    (
        "sort whatever is lying about in Attic into folders by type and copy the list to the clipboard",
        "files.organize(by=type, folder=~/Attic); desktop.copy(text=<t1>)",
    ),
    ("räum alles, was in Attic herumliegt, nach Art in Ordner", "files.organize(by=type, folder=~/Attic)"),
    ("leg mir einen Entwurf an Tom hin: Danke, bis bald", "mail.draft(text=Danke, bis bald, to=Tom)"),
    (
        "find the three largest files in Attic and make a note called big of their names and sizes",
        f"{LARGEST}; notes.create(text=<t1.name, size_bytes>, title=big)",
    ),
    (
        "find the three largest files in Attic and save the names and sizes of them as a note called big",
        f"{LARGEST}; notes.create(text=<t1.name, size_bytes>, title=big)",
    ),
    ("the Bird feeder note, make that To build", "notes.rename(name=To build, title=Bird feeder)"),
    ("the note Bird feeder, what does it say", "notes.read(title=Bird feeder)"),
    ("take seeds off the note Bird feeder", "notes.remove(line=seeds, title=Bird feeder)"),
    ("search my notes for seeds and read me the note", "notes.search(words=seeds); notes.read(title=<t1.title>)"),
    ("email Tom that the roof is mended", "mail.send(text=the roof is mended, to=Tom)"),
    (
        "such mir die Nummer von Tom raus und leg sie in eine Notiz namens Dach",
        "contacts.find(name=Tom, what=phone); notes.create(text=<t1>, title=Dach)",
    ),
    (
        "die älteste PDF in Attic finden und löschen",
        "files.find(count=1, folder=~/Attic, kind=pdf, order=oldest); files.delete(files=<t1>)",
    ),
    (
        "write a note called roof that says the tiles are late, then add a task call the tiler",
        "notes.create(text=the tiles are late, title=roof); tasks.add(text=call the tiler)",
    ),
]


@pytest.mark.parametrize(("text", "shape"), PLANS)
def test_the_plan(desk: Desk, text: str, shape: str) -> None:
    assert desk.shape(desk.say(text)) == shape


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("remind me tomorrow at 9 to call Karl, and what's his number?", "what's his number"),
        ("make a note called roof with the tiles in it, then add a task to call the tiler", "add a task"),
        ("when is Tom's birthday? put it in my calendar", "files.move"),
        ("speicher das Ganze als dach.csv", "notes.create"),
        ("make a note called shopping", "notes.rename"),
        ("delete the note Bird feeder and make a new note called roof saying tiles", "notes.rename"),
        ("take a selfie", "notes.remove"),
    ],
)
def test_what_is_no_plan(desk: Desk, text: str, never: str) -> None:
    found = desk.say(text)
    assert not isinstance(found, Plan) or never not in desk.shape(found), desk.shape(found)
