"""One more of the kind that a rule waits for, said without its noun."""

from __future__ import annotations

import pytest

from kernel.routines.rewording.another import adds_another, with_its_noun


@pytest.mark.parametrize(
    ("said", "thing", "language", "meant"),
    [
        ("leg noch eine an, in der steht, dass", "eine Aufgabe", "de", "leg eine Aufgabe an, in der steht, dass"),
        ("trag noch einen ein: Rückfahrt", "ein Termin", "de", "trag einen Termin ein: Rückfahrt"),
        ("leg noch eins an", "ein To-do", "de", "leg ein To-do an"),
        ("setz eine weitere auf die Liste", "eine Aufgabe", "de", "setz eine Aufgabe auf die Liste"),
        ("add another one that says x", "a task", "en", "add a task that says x"),
        ("make one more called Copy", "a note", "en", "make a note called Copy"),
    ],
)
def test_its_noun_stands_for_one_more(said: str, thing: str, language: str, meant: str) -> None:
    assert adds_another(said, language)
    assert with_its_noun(said, thing, language) == meant


@pytest.mark.parametrize(
    ("said", "language"),
    [("leg noch eine Notiz an", "de"), ("add another line to my note", "en"), ("schreib ihn in die Notiz", "de"),
     ("noch ein Kaffee", "de")],
)  # fmt: skip
def test_one_more_of_what_is_named_stays(said: str, language: str) -> None:
    assert not adds_another(said, language)
    assert with_its_noun(said, "a task", language) == said
