"""Rules that wait for an event of the calendar: each time of it once, whatever the clock and the calendar do."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kernel.errors import NotNow
from tests.kernel.routines.conftest import Desk, desk_on, keeps, set_to, told, watched

pytestmark = pytest.mark.slow

SHOW = "show me a notification with its place"
RULE = f"ten minutes before every meeting {SHOW}"
AT_TEN = "2026-03-11T10:00"


def event(uid: str, title: str, start: str, *more: str) -> str:
    """One event; ``start`` is a time of Berlin, or a day."""
    zone = ";TZID=Europe/Berlin" if "T" in start else ";VALUE=DATE"
    return "\r\n".join(
        ["BEGIN:VEVENT", f"UID:{uid}", f"SUMMARY:{title}", f"DTSTART{zone}:{start}", *more, "END:VEVENT"]
    )


def write(home: Path, *events: str, name: str = "main.ics") -> None:
    """Write a calendar as a program that syncs does: beside it, then in its place."""
    place = home / "Calendar" / name
    place.parent.mkdir(exist_ok=True)
    text = "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//x//EN", *events, "END:VCALENDAR", ""])
    beside = place.with_name(f".{name}.new")
    beside.write_text(text, newline="")
    beside.replace(place)


@pytest.fixture
async def calendar_desk(tmp_path: Path) -> AsyncIterator[Desk]:
    (tmp_path / "home/Calendar").mkdir(parents=True)
    async with desk_on(tmp_path, AT_TEN) as desk:
        yield desk


async def test_an_event_is_told_once_before_it_begins_and_not_earlier(calendar_desk: Desk) -> None:
    desk = calendar_desk
    write(desk.home, event("a", "Team", "20260311T110000"), event("b", "Later", "20260311T160000"))
    routine = await keeps(desk, RULE)
    assert routine["when"] == "10 minutes before every event"
    assert await told(desk) == []
    await set_to(desk, "2026-03-11T10:50:01")
    assert await told(desk) == ["Team"]
    view = await desk.kernel.settled(desk.fired()[0]["run"])
    assert view["client"] == routine["node"]
    await set_to(desk, "2026-03-11T10:49")  # set back: the moment comes once more
    await set_to(desk, "2026-03-11T10:51")
    assert await told(desk) == ["Team"]
    await set_to(desk, "2026-03-11T15:50:01")
    assert await told(desk) == ["Team", "Later"]


async def test_it_sleeps_until_the_moment_by_itself(calendar_desk: Desk) -> None:
    desk = calendar_desk
    write(desk.home, event("a", "Team", "20260311T110000"))
    await keeps(desk, RULE)
    await set_to(desk, "2026-03-11T10:49:57")
    assert await told(desk) == []
    await asyncio.sleep(3.0)
    assert await told(desk) == ["Team"]


async def test_a_moved_event_is_due_anew_and_a_deleted_one_is_not(calendar_desk: Desk) -> None:
    desk = calendar_desk
    write(desk.home, event("a", "Moved", "20260311T110000"), event("b", "Deleted", "20260311T113000"))
    await keeps(desk, RULE)
    write(desk.home, event("a", "Moved", "20260311T120000"))
    await desk.until(lambda: not desk.kernel._upkeep.watcher.is_ready)  # type: ignore[union-attr]
    await watched(desk)
    await set_to(desk, "2026-03-11T11:25")
    assert await told(desk) == []
    await set_to(desk, "2026-03-11T11:50:01")
    assert await told(desk) == ["Moved"]


async def test_an_event_that_is_entered_late_is_told_as_long_as_it_has_not_begun(calendar_desk: Desk) -> None:
    desk = calendar_desk
    await keeps(desk, f"half an hour before every meeting {SHOW}")
    await set_to(desk, "2026-03-11T12:00")
    write(desk.home, event("a", "Soon", "20260311T121000"), event("b", "Begun", "20260311T115900"))
    await desk.until(lambda: len(desk.fired()) == 1)
    assert await told(desk) == ["Soon"]


async def test_each_time_of_a_series_counts_but_those_that_are_left_out(calendar_desk: Desk) -> None:
    desk = calendar_desk
    more = ("RRULE:FREQ=DAILY;COUNT=4", "EXDATE;TZID=Europe/Berlin:20260312T110000")
    write(desk.home, event("s", "Standup", "20260311T110000", *more))
    await keeps(desk, RULE)
    for day in (11, 12, 13):
        await set_to(desk, f"2026-03-{day}T10:50:01")
    assert await told(desk) == ["Standup", "Standup"]


async def test_whole_days_are_left_out_where_the_rule_says_so(calendar_desk: Desk) -> None:
    desk = calendar_desk
    write(desk.home, event("h", "Holiday", "20260312"), event("n", "Night shift", "20260312T000000"))
    await keeps(desk, f"ten minutes before every meeting, apart from the ones that go on all day, {SHOW}")
    await set_to(desk, "2026-03-11T23:50:01")
    assert await told(desk) == ["Night shift"]
    await keeps(desk, f"five minutes before every event {SHOW}")
    await set_to(desk, "2026-03-11T23:55:01")
    assert sorted(await told(desk)) == ["Holiday", "Night shift", "Night shift"]  # the control


async def test_words_are_of_the_title_and_not_of_what_whoever_invites_writes_below(calendar_desk: Desk) -> None:
    desk = calendar_desk
    write(
        desk.home, event("a", "Dentist Dr. Stein", "20260311T120000"),
        event("b", "Lunch", "20260311T120000", "DESCRIPTION:dentist", "LOCATION:Dentist Street"),
        event("c", "Zahnarzttermin", "20260311T140000"),
    )  # fmt: skip
    await keeps(desk, f"half an hour before any dentist appointment {SHOW}")
    await keeps(
        desk,
        "Eine halbe Stunde vor jedem Termin, in dem Zahnarzt vorkommt: zeig mir eine Benachrichtigung mit seinem Ort",
    )
    await set_to(desk, "2026-03-11T11:30:01")
    assert await told(desk) == ["Dentist Dr. Stein"]
    await set_to(desk, "2026-03-11T13:30:01")
    assert await told(desk) == ["Dentist Dr. Stein", "Zahnarzttermin"]


async def test_a_missed_moment_is_made_up_at_the_next_start_unless_the_event_has_begun(tmp_path: Path) -> None:
    (tmp_path / "home/Calendar").mkdir(parents=True)
    async with desk_on(tmp_path, AT_TEN) as desk:
        write(desk.home, event("a", "Begun", "20260311T110000"), event("b", "Ahead", "20260311T120000"))
        await keeps(desk, RULE)
    async with desk_on(tmp_path, "2026-03-11T11:55") as desk:
        await desk.until(lambda: len(desk.fired()) == 1)
        assert await told(desk) == ["Ahead"]
    async with desk_on(tmp_path, "2026-03-11T11:56") as desk:
        assert await told(desk) == ["Ahead"]


async def test_a_broken_calendar_takes_no_other_along(calendar_desk: Desk) -> None:
    desk = calendar_desk
    write(desk.home, event("a", "Team", "20260311T110000"))
    (desk.home / "Calendar/broken.ics").write_bytes(b"BEGIN:VCALENDAR\x00\xff" * 100)
    os.symlink("/etc/passwd", desk.home / "Calendar/link.ics")
    await keeps(desk, RULE)
    await set_to(desk, "2026-03-11T10:50:01")
    assert await told(desk) == ["Team"]


async def test_run_by_hand_takes_the_next_one(calendar_desk: Desk) -> None:
    desk = calendar_desk
    write(desk.home, event("a", "Team", "20260311T110000"), event("b", "Later", "20260311T160000"))
    routine = await keeps(desk, RULE)
    run = await desk.kernel.routines.run(routine["name"])
    await desk.kernel.settled(run)
    assert desk.fired()[0]["run"] == run


async def test_it_is_tried_out_on_the_next_event_once_it_may_look(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as desk:
        write(desk.home, event("a", "Team", "20260311T160000", "LOCATION:Room 4"))
        routine = await keeps(desk, RULE)
        done = await desk.kernel.settled(await desk.kernel.routines.try_out(routine["name"]))
        assert done["resolution"] == "rolled_back", done
        assert "Room 4" in done["answer"], "what it would show is named"
        (desk.home / "Calendar/main.ics").unlink()
        with pytest.raises(NotNow, match="No event ahead"):
            await desk.kernel.routines.try_out(routine["name"])


@pytest.mark.parametrize(
    ("rule", "place", "people"),
    [
        (
            "Ten minutes before every meeting, apart from the ones that go on all day, tell me where it is and who's "
            "going to be there.", "Room 4", "with Ida and Ben",
        ),
        ("Zehn Minuten vor jedem Termin sag mir, wo er ist und wer dabei ist.", "Room 4", "mit Ida und Ben"),
    ],
)  # fmt: skip
async def test_where_and_with_whom_is_told_of_the_very_event_that_comes(
    calendar_desk: Desk, rule: str, place: str, people: str
) -> None:
    desk = calendar_desk
    team = ("LOCATION:Room 4", "ATTENDEE;CN=Ida:mailto:ida@example.org", "ATTENDEE;CN=Ben:mailto:ben@example.org")
    write(
        desk.home, event("a", "Team", "20260311T110000", *team), event("b", "Team lunch", "20260311T105500"),
        event("c", "Team", "20260318T110000", "LOCATION:Room 9"), event("d", "Talk about the team", "20260311T105800"),
    )  # fmt: skip
    await keeps(desk, rule)
    await set_to(desk, "2026-03-11T10:50:01")
    assert "Team" in await told(desk)
    answers = [(await desk.kernel.settled(one["run"]))["answer"] for one in desk.fired()]
    (of_it,) = [one for one in answers if one.startswith("Team: ")]
    assert place in of_it
    assert people in of_it
    assert "Room 9" not in "".join(answers), answers
