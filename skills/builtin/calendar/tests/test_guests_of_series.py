"""What guests of a series answered, and which version they have, holds for its single times too."""

from __future__ import annotations

from datetime import date, time
from pathlib import Path
from typing import Any

import icalendar
import pytest

from skills.builtin.calendar import skill
from skills.builtin.contacts import skill as contacts
from skills.sdk import Hours, Period, ToolError
from skills.sdk.testing import PracticeHome

ME, ANNA, TOM = "me@home.example", "anna@example.org", "tom@example.org"
WEEKLY = "RRULE:FREQ=WEEKLY;COUNT=4\r\n"
TIME = "RECURRENCE-ID:20250327T090000Z\r\n"
THAT_DAY = Period(date(2025, 3, 27), date(2025, 3, 28))


def event(more: str = "", *, start: str = "20250320T090000Z", length: str = "DURATION:PT1H") -> str:
    return (
        f"BEGIN:VEVENT\r\nUID:team-1\r\nDTSTAMP:20250101T000000Z\r\nDTSTART:{start}\r\n{length}\r\n"
        f"SUMMARY:Team meeting\r\n{more}END:VEVENT\r\n"
    )


def calendar(*events: str) -> str:
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{''.join(events)}END:VCALENDAR\r\n"


def invited(*people: str) -> str:
    lines = "".join(f"ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:{one}\r\n" for one in people)
    return f"ORGANIZER:mailto:{ME}\r\n{lines}"


def reply(
    answer: str, more: str = "", *, who: str = ANNA, hour: int = 13, sequence: int = 0, method: str = "REPLY",
    organizer: str = ME,
) -> str:  # fmt: skip
    return (
        f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:{method}\r\nBEGIN:VEVENT\r\nUID:team-1\r\nSEQUENCE:{sequence}\r\n"
        f"DTSTAMP:20250314T{hour:02}0000Z\r\nDTSTART:20250320T090000Z\r\nORGANIZER:mailto:{organizer}\r\n"
        f"ATTENDEE;PARTSTAT={answer}:mailto:{who}\r\n{more}END:VEVENT\r\nEND:VCALENDAR\r\n"
    )


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path, calls={"contacts.people": contacts.people, "contacts.find": contacts.find})
    made.add("Calendar/mine.ics", calendar(event(WEEKLY)))
    return made


def invite(home: PracticeHome, **more: Any) -> Any:
    return home.do(skill.invite, event="team meeting", who=f"{ANNA}, {TOM}", me=ME, **more)


def follow(home: PracticeHome, text: str) -> Any:
    return home.do(skill.follow, file=home.add("Downloads/answer.ics", text))


def events(home: PracticeHome, path: str = "Calendar/mine.ics") -> list[Any]:
    """What another library reads, the series first."""
    whole: Any = icalendar.Calendar.from_ical(home.tree()[path])
    return sorted(whole.walk("VEVENT"), key=lambda one: "RECURRENCE-ID" in one)


def answers(home: PracticeHome, who: str = ANNA) -> list[str]:
    return [line.params["PARTSTAT"] for one in events(home) for line in one["ATTENDEE"] if str(line)[7:] == who]


# --- a series that is moved ---------------------------------------------------------------------------------------


def test_a_time_that_was_answered_alone_moves_with_its_series(home: PracticeHome) -> None:
    invite(home, which="series")
    follow(home, reply("DECLINED", TIME))
    home.do(skill.move, event="team meeting", hours=Hours(time(11)), which="series")
    series, alone = events(home)
    assert str(series["DTSTART"].dt) == "2025-03-20 11:00:00+00:00"
    assert [str(alone[name].dt) for name in ("RECURRENCE-ID", "DTSTART", "DTEND")] == [
        "2025-03-27 11:00:00+00:00", "2025-03-27 11:00:00+00:00", "2025-03-27 12:00:00+00:00"]  # fmt: skip
    assert (series["SEQUENCE"], alone["SEQUENCE"]) == (1, 1)
    assert answers(home) == ["NEEDS-ACTION", "NEEDS-ACTION"]


@pytest.mark.parametrize("length", ["DURATION:PT1H", "DTEND:20250327T100000Z"])
def test_a_series_of_another_length_is_so_at_each_of_its_times(home: PracticeHome, length: str) -> None:
    home.add("Calendar/mine.ics", calendar(event(WEEKLY), event(TIME, start="20250327T090000Z", length=length)))
    home.do(skill.move, event="team meeting", hours=Hours(time(11), time(13)), which="series")
    alone = events(home)[1]
    assert (str(alone["DTSTART"].dt), str(alone["DTEND"].dt), "DURATION" in alone) == (
        "2025-03-27 11:00:00+00:00", "2025-03-27 13:00:00+00:00", False)  # fmt: skip


def test_a_time_at_an_hour_of_its_own_stays_there(home: PracticeHome) -> None:
    home.add("Calendar/mine.ics", calendar(event(WEEKLY), event(TIME, start="20250327T150000Z")))
    home.do(skill.move, event="team meeting", hours=Hours(time(11)), which="series")
    alone = events(home)[1]
    assert [str(alone[name].dt) for name in ("RECURRENCE-ID", "DTSTART")] == [
        "2025-03-27 11:00:00+00:00", "2025-03-27 15:00:00+00:00"]  # fmt: skip


# --- an answer to all of it ---------------------------------------------------------------------------------------


def test_an_answer_to_a_series_is_one_to_times_that_others_answered(home: PracticeHome) -> None:
    invite(home, which="series")
    follow(home, reply("ACCEPTED", hour=9))
    follow(home, reply("DECLINED", TIME, who=TOM))
    follow(home, reply("TENTATIVE", hour=10))
    assert answers(home) == ["TENTATIVE", "TENTATIVE"]
    assert answers(home, TOM) == ["NEEDS-ACTION", "DECLINED"]
    follow(home, reply("ACCEPTED", who=TOM, hour=14))
    assert answers(home, TOM) == ["ACCEPTED", "DECLINED"], "who answered to that time said so"


def test_an_answer_to_one_time_from_before_one_to_all_is_none(home: PracticeHome) -> None:
    invite(home, which="series")
    follow(home, reply("ACCEPTED", TIME, who=TOM))
    follow(home, reply("DECLINED", hour=12))
    with pytest.raises(ToolError, match="has answered since"):
        follow(home, reply("ACCEPTED", TIME, hour=11))
    assert answers(home) == ["DECLINED", "DECLINED"]


def test_an_answer_to_a_series_is_none_to_a_time_that_was_moved_since(home: PracticeHome) -> None:
    invite(home, which="series")
    home.do(skill.move, event="team meeting", to=date(2025, 3, 28), when=THAT_DAY, which="one")
    follow(home, reply("ACCEPTED"))
    assert answers(home) == ["ACCEPTED", "NEEDS-ACTION"]


# --- versions, and who calls off ----------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["", WEEKLY])
def test_an_event_with_guests_gets_a_version_with_its_first_change(home: PracticeHome, rule: str) -> None:
    """Without one, guests take another time for what they have (RFC 5546, 2.1.4)."""
    home.add("Calendar/mine.ics", calendar(event(rule + invited(ANNA))))
    home.do(skill.invite, event="team meeting", me=ME, which="series")
    home.do(skill.move, event="team meeting", hours=Hours(time(11)), which="series")
    assert events(home)[0]["SEQUENCE"] == 1
    home.do(skill.move, event="team meeting", hours=Hours(time(12)), which="series")
    assert events(home)[0]["SEQUENCE"] == 2


def test_one_time_that_is_moved_gets_a_version(home: PracticeHome) -> None:
    home.add("Calendar/mine.ics", calendar(event(WEEKLY + invited(ANNA))))
    home.do(skill.invite, event="team meeting", me=ME, which="series")
    home.do(skill.move, event="team meeting", hours=Hours(time(11)), when=THAT_DAY, which="one")
    series, alone = events(home)
    assert ("SEQUENCE" in series, alone["SEQUENCE"]) == (False, 1)


def test_an_event_without_guests_needs_no_version(home: PracticeHome) -> None:
    home.do(skill.move, event="team meeting", hours=Hours(time(11)), which="series")
    assert "SEQUENCE" not in events(home)[0]


def test_a_cancellation_says_who_invited(home: PracticeHome) -> None:
    """People were invited to one time alone: the series itself has no organizer."""
    invite(home, when=THAT_DAY)
    home.do(skill.remove, event="team meeting", which="series")
    (one,) = events(home, "Downloads/Cancellation Team meeting.ics")
    assert str(one["ORGANIZER"]) == f"mailto:{ME}"


# --- proposals, and whom another program named --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "organizer", "why"),
    [("stranger@x.example", ME, "was not invited"), (ANNA, "evil@x.example", "is not yours")],
)
def test_a_proposal_is_one_of_a_guest(home: PracticeHome, who: str, organizer: str, why: str) -> None:
    invite(home, which="series")
    text = reply("TENTATIVE", who=who, organizer=organizer, method="COUNTER")
    with pytest.raises(ToolError, match=why):
        follow(home, text)
    file = home.add("Downloads/answer.ics", text)
    assert why in home.do(skill.invitation, file=file, pure=True).answer


def test_who_is_asked_keeps_what_their_line_says(home: PracticeHome) -> None:
    line = f"ATTENDEE;ROLE=OPT-PARTICIPANT;CUTYPE=ROOM;RSVP=FALSE;CN=Room 4:mailto:{ANNA}\r\n"
    home.add("Calendar/mine.ics", calendar(event(line)))
    home.do(skill.invite, event="team meeting", who=ANNA, me=ME)
    (one,) = events(home)
    params = dict(one["ATTENDEE"].params)
    assert params == {"ROLE": "OPT-PARTICIPANT", "CUTYPE": "ROOM", "CN": "Room 4", "PARTSTAT": "NEEDS-ACTION",
                      "RSVP": "TRUE"}  # fmt: skip
