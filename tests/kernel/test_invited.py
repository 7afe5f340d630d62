"""An invitation is told, answered and followed by sentences; undo takes calendar and answer back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from conftest import Bench

INVITE = b"""BEGIN:VCALENDAR\r
VERSION:2.0\r
METHOD:%s\r
BEGIN:VEVENT\r
UID:meet-1\r
SEQUENCE:%d\r
DTSTAMP:20250301T000000Z\r
DTSTART:20300318T090000Z\r
DTEND:20300318T100000Z\r
SUMMARY:Budget round\r
ORGANIZER:mailto:boss@firm.example\r
ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:me@home.example\r
END:VEVENT\r
END:VCALENDAR\r
"""


@pytest.mark.parametrize(
    ("sentence", "status"),
    [
        ("accept the invitation invite.ics", b"ACCEPTED"),
        ("answer the invitation invite.ics with maybe", b"TENTATIVE"),
        ("sag ja zur Einladung invite.ics", b"ACCEPTED"),
    ],
)
async def test_an_invitation_is_answered_and_taken_back(bench: Bench, sentence: str, status: bytes) -> None:
    (bench.home / "Downloads" / "invite.ics").write_bytes(INVITE % (b"REQUEST", 0))
    before = bench.tree()
    view = await bench.ask(sentence)
    assert view["resolution"] == "confirmed"
    after = bench.tree()
    assert b"PARTSTAT=" + status in after["Calendar/Calendar.ics"]
    assert b"PARTSTAT=" + status in after["Downloads/Reply Budget round.ics"]
    await bench.kernel.undo(view["run"])
    assert bench.tree() == before


async def test_what_an_invitation_says_and_that_it_is_off(bench: Bench) -> None:
    downloads = bench.home / "Downloads"
    (downloads / "invite.ics").write_bytes(INVITE % (b"REQUEST", 0))
    (downloads / "cancel.ics").write_bytes(INVITE % (b"CANCEL", 1))
    told = await bench.ask("what does the invitation invite.ics say?")
    assert (told["resolution"], "boss@firm.example" in told["answer"]) == ("confirmed", True)
    await bench.ask("accept the invitation invite.ics")
    waits = await bench.ask("take the cancellation cancel.ics into my calendar")
    assert waits["resolution"] == "pending"
    assert "-SUMMARY:Budget round" in str(waits["diff"])
    done = await bench.answer(waits["run"], "once")
    assert done["resolution"] == "confirmed"
    assert b"VEVENT" not in bench.tree()["Calendar/Calendar.ics"]


SOON = f"{datetime.now(UTC) + timedelta(days=30):%Y%m%d}".encode()
OWN = b"""BEGIN:VCALENDAR\r
VERSION:2.0\r
BEGIN:VEVENT\r
UID:own-1\r
DTSTAMP:20250301T000000Z\r
DTSTART:%(day)sT090000Z\r
DTEND:%(day)sT100000Z\r
SUMMARY:Harvest round\r
END:VEVENT\r
END:VCALENDAR\r
""" % {b"day": SOON}
REPLY = b"""BEGIN:VCALENDAR\r
VERSION:2.0\r
METHOD:REPLY\r
BEGIN:VEVENT\r
UID:own-1\r
SEQUENCE:0\r
DTSTAMP:20250302T000000Z\r
DTSTART:%(day)sT090000Z\r
SUMMARY:Harvest round\r
ORGANIZER:mailto:me@home.example\r
ATTENDEE;PARTSTAT=ACCEPTED:mailto:ben@example.org\r
END:VEVENT\r
END:VCALENDAR\r
""" % {b"day": SOON}


async def _done(bench: Bench, sentence: str) -> dict[str, Any]:
    """Ask, and say yes to the plan and to the change of the calendar."""
    view = await bench.ask(sentence)
    while view["resolution"] == "pending":
        view = await bench.answer(view["run"], "once")
    assert view["resolution"] == "confirmed", view["answer"]
    return dict(view)


async def test_people_are_invited_and_answer(bench: Bench) -> None:
    (bench.home / "Calendar").mkdir(exist_ok=True)
    (bench.home / "Calendar" / "Calendar.ics").write_bytes(OWN)
    asked = await bench.ask("invite ben@example.org to the harvest round", yes=True)
    assert asked["resolution"] == "clarify"
    assert "Which address of yours" in asked["question"]["text"]
    done = await _done(bench, "me@home.example")
    after = bench.tree()
    assert b"METHOD:REQUEST" in after["Downloads/RSVP Harvest round.ics"]
    assert b"ORGANIZER:mailto:me@home.example" in after["Calendar/Calendar.ics"]
    await bench.kernel.undo(done["run"])
    assert bench.tree()["Calendar/Calendar.ics"] == OWN
    await _done(bench, "invite ben@example.org to the harvest round as me@home.example")
    (bench.home / "Downloads" / "reply.ics").write_bytes(REPLY)
    taken = await _done(bench, "take the answer reply.ics into my calendar")
    assert "ben@example.org: “Harvest round”: comes." in taken["answer"]
    told = await bench.ask("who is invited to the harvest round?")
    assert "Coming: ben@example.org" in told["answer"]
