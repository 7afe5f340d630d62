"""Rules that wait for what Steward is told of people: by the person, and by nobody else."""

from __future__ import annotations

import asyncio

import pytest

from memory.graph import Claim, Object
from permissions.labels import Label
from tests.kernel.routines.conftest import Desk, keeps, note, noted

pytestmark = pytest.mark.slow


@pytest.fixture
def people(desk: Desk) -> Desk:
    return noted(desk, "People")


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("Would you be so kind as to write it down in my note People whenever you learn who somebody works for?",
         "Vogt works at Acme"),
        ("Wenn du erfährst, für wen jemand arbeitet, schreib das in die Notiz People", "Vogt arbeitet bei Acme"),
        ("Erfährst du, bei welcher Firma jemand arbeitet, dann schreib den Namen und die Firma in meine Notiz People.",
         "Vogt arbeitet bei Acme"),
        ("When you learn somebody's employer, write the name and the employer into my note People",
         "Vogt works at Acme"),
    ],
)  # fmt: skip
async def test_what_the_person_tells_is_written_down(people: Desk, rule: str, said: str) -> None:
    await keeps(people, rule)
    assert (await people.say("remember that Vogt works at Acme"))["resolution"] == "executed"
    await people.until(lambda: said in note(people, "People"))
    await people.say("remember that Lena lives in Bonn")  # another fact
    await asyncio.sleep(1.0)
    assert len(people.fired()) == 1


async def test_only_of_whom_it_was_said(people: Desk) -> None:
    await keeps(people, "whenever you learn Lena's employer, add it to my note People")
    await people.say("remember that Vogt works at Acme")
    await people.say("remember that Lena works at Siemens")
    await people.until(lambda: "Siemens" in note(people, "People"))
    assert "Acme" not in note(people, "People")


async def test_what_others_wrote_sets_nothing_off(people: Desk) -> None:
    await keeps(people, "whenever you learn who somebody works for, add it to my note People")
    await people.say("remember that Vogt works at Acme")
    await people.until(lambda: "Acme" in note(people, "People"))
    graph = people.kernel._house.knowledge.graph()
    (vogt,) = [one for one in graph.entities() if one.name == "Vogt"]
    other = graph.make_entity("organisation", "Evil Corp")
    graph.assert_fact(Claim(vogt.id, "works_at", Object.entity(other.id), "document:1", label=Label().to_json()))
    await asyncio.sleep(1.0)
    assert len(people.fired()) == 1
    assert "Evil" not in note(people, "People")


@pytest.mark.parametrize(
    ("rule", "title"),
    [
        ("whenever I learn somebody's birthday, put it in my calendar every year so I don't miss it again",
         "Lena's birthday"),
        ("when i learn somebodys birthday put it in my calender evry year so i dont miss it agian", "Lena's birthday"),
        ("whenever I learn somebody's birthday, put it in my calandar every year", "Lena's birthday"),
        ("Immer wenn du einen Geburtstag erfährst, trag ihn jedes Jahr in meinen Kalender ein, damit ich ihn nicht "
         "vergesse", "Geburtstag von Lena"),
    ],
)  # fmt: skip
async def test_a_birthday_comes_into_the_calendar(people: Desk, rule: str, title: str) -> None:
    await keeps(people, rule)
    await people.say("remember that Lena was born on 3 May 1990")
    calendars = people.home / "Calendar"

    def written() -> str:
        return "".join(one.read_text() for one in calendars.rglob("*.ics"))

    await people.until(lambda: title in written())
    assert "RRULE:FREQ=YEARLY" in written()
    assert "0503" in written()
