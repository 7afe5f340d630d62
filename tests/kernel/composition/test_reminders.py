"""What a person is to be reminded of: deeds to leave be, clauses, and nouns that other tools have too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Desk


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("remind me tomorrow not to eat breakfast", "not to eat breakfast"),
        ("remind me not to forget the keys tomorrow at 8", "not to forget the keys"),
        ("remind me on Friday that the rent is due", "the rent is due"),
        ("remind me that the rent is due on Friday", "the rent is due"),
        ("remind me at 5 that the shop closes at 6", "the shop closes at 6"),
        ("erinnere mich morgen an den Müll", "Müll"),
        ("erinnere mich morgen um 7 an die Steuer", "Steuer"),
    ],
)
def test_the_text_of_a_reminder(desk: Desk, sentence: str, text: str) -> None:
    said = desk.shape(desk.say(sentence))
    assert said.startswith("timers.remind("), said
    assert f"text={text}," in said or f"text={text})" in said, said


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("wake me up tomorrow at half past five", "hours={'start': '05:30'"),
        ("set an alarm for 5 o'clock", "hours={'start': '05:00'"),
        ("wake me every day at six", "BYHOUR=6;"),
        ("weck mich morgen um halb sechs", "hours={'start': '05:30'"),
        ("stell den Wecker auf Viertel vor sechs", "hours={'start': '05:45'"),
        ("weck mich jeden Tag um sechs", "BYHOUR=6;"),
        ("wake me at 5 pm", "hours={'start': '17:00'"),  # the half is said
        ("wake me at six this evening", "hours={'start': '18:00'"),
        ("weck mich um 17 Uhr", "hours={'start': '17:00'"),
        ("erinnere mich morgen um halb sechs an die Steuer", "hours={'start': '17:30'"),  # nobody is woken
        ("remind me tomorrow at half past five to call Anna", "hours={'start': '17:30'"),
    ],
)
def test_one_is_woken_in_the_morning(desk: Desk, sentence: str, said: str) -> None:
    shape = desk.shape(desk.say(sentence))
    assert shape.startswith(("timers.wake(", "timers.remind("))
    assert said in shape


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("die Blumen hab ich schon gegossen, hak das ab", "tasks.done(task=Blumen)"),
        ("den Reiseführer hab ich schon gekauft, hak ihn ab", "tasks.done(task=Reiseführer)"),
        ("I already bought the present for Anna, check it off", "tasks.done(task=present for Anna)"),
        ("the fence is painted, tick that off", "tasks.done(task=fence)"),
        ("Library books are returned, you can tick them off", "tasks.done(task=Library books)"),
        ("I've paid the gas bill, so you can tick it off", "tasks.done(task=gas bill)"),
        ("der Rasen ist gemäht, das kannst du abhaken", "tasks.done(task=Rasen)"),
        ("ich habe Frau Sommer angerufen, hak das ab", "tasks.done(task=Frau Sommer)"),
    ],
)
def test_what_is_done_is_ticked_off(desk: Desk, sentence: str, expected: str) -> None:
    assert desk.shape(desk.say(sentence)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "die Fotos hab ich schon gesichert, lösch sie",  # what is done is no name of an appointment or a timer
        "I have already backed up the photos, delete them",
        "den Friseur hab ich schon angerufen, nimm ihn aus dem Kalender",
    ],
)
def test_what_is_done_names_nothing_that_goes(desk: Desk, sentence: str) -> None:
    assert not desk.shape(desk.say(sentence)).startswith(("calendar.remove(", "timers.cancel(", "tasks.remove("))


@pytest.mark.parametrize("sentence", ["don't remind me to water the plants tomorrow", "remind me tomorrow of that"])
def test_what_is_no_reminder(desk: Desk, sentence: str) -> None:
    assert not desk.shape(desk.say(sentence)).startswith("timers.remind(")


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("give me a heads up one hour before my yoga class", "timers.before(event=yoga class, length=3600)"),
        (
            "remind me ten minutes before the rehearsal to tune the cello",
            "timers.before(event=rehearsal, length=600, t",
        ),
        ("erinner mich ne halbe stunde vor dem konzert", "timers.before(event=konzert, length=1800)"),
        ("erinner mich eine stunde vorm zahnarzt an die karte", "timers.before(event=zahnarzt, length=3600, text=kar"),
        ("remind me to call Anna before lunch at 11", "timers.remind(hours="),
        ("erinner mich um fünf vor acht an den Zug", "timers.remind(hours="),
    ],
)
def test_a_while_before_an_appointment(desk: Desk, sentence: str, said: str) -> None:
    assert desk.shape(desk.say(sentence)).startswith(said)
