"""What a rule wants written down, in the words that an ordinary request has for that."""

from __future__ import annotations

import pytest

from kernel.routines.parts import Part, stands_for
from kernel.routines.rewording.writing import as_written, without_reason

IT = stands_for(Part.TEXT)


@pytest.mark.parametrize(
    ("language", "said", "meant"),
    [
        ("en", f"jot down in my note Slips {IT}", f"add {IT} to my note Slips"),
        ("en", f"add a line saying backup finished {IT}, to the note Slips",
         f"add backup finished {IT} to the note Slips"),
        ("en", f"make {IT} a task with low priority so I can have another look at it tomorrow",
         f"add a task {IT} with low priority, due tomorrow"),
        ("de", f"schreib in die Notiz Slips, {IT}", f"häng {IT} an die Notiz Slips an"),
        ("de", f"setz mir in fünf Tagen die Aufgabe nachhaken auf die Liste Büro, {IT}",
         f"setz mir in fünf Tagen die Aufgabe nachhaken {IT} auf die Liste Büro"),
        ("de", f"zeig mir {IT} als Benachrichtigung und häng {IT} an die Notiz Slips an",
         f"zeig die Benachrichtigung {IT} und häng {IT} an die Notiz Slips an"),
        ("de", f"schreib {IT} in meine Notiz Slips und zeig {IT} mir als Meldung",
         f"häng {IT} an die Notiz Slips an und zeig die Benachrichtigung {IT}"),
        ("en", f"show me {IT} as a notification and make a task of {IT}",
         f"show {IT} as a notification and add a task {IT}"),
        ("en", "show my open tasks", "show my open tasks"),
    ],
)  # fmt: skip
def test_it_is_said_as_an_ordinary_request(language: str, said: str, meant: str) -> None:
    assert as_written(said, language) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (f"add a task {IT} so I don't miss it again", f"add a task {IT}"),
        (f"add a task {IT} so I don't miss it and show my tasks", f"add a task {IT} and show my tasks"),
        (f"füge die Aufgabe {IT} hinzu, damit ich es nicht vergesse, und zeig mir die Aufgaben",
         f"füge die Aufgabe {IT} hinzu, und zeig mir die Aufgaben"),
    ],
)  # fmt: skip
def test_why_it_is_wanted_is_left_out_and_nothing_else(said: str, meant: str) -> None:
    assert without_reason(said) == meant
