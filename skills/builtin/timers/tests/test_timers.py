"""Timers, reminders and alarms: what is put on the clock, and what is said of it."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from skills.builtin.calendar import skill as calendar
from skills.builtin.timers import skill
from skills.schedule import Scheduled, read_schedule
from skills.sdk import Hours, Period, Query, Recurrence, Title, ToolError
from skills.sdk.testing import Done, PracticeHome

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2025, 3, 14, 12, 0, tzinfo=BERLIN)  # a Friday
MINUTE = timedelta(minutes=1)
TOMORROW = date(2025, 3, 15)


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    return PracticeHome(tmp_path, now=NOW)


def kept(home: PracticeHome) -> tuple[Scheduled, ...]:
    return read_schedule((home.own / "schedule.json").read_bytes())


def both(tmp_path: Path, tool: Any, **given: Any) -> tuple[Done, Done, tuple[Scheduled, ...]]:
    homes = [PracticeHome(tmp_path / language, now=NOW, language=language) for language in ("en", "de")]
    done = [one.do(tool, **given) for one in homes]
    return done[0], done[1], kept(homes[0])


@pytest.mark.parametrize(
    ("tool", "given", "at", "rule", "en", "de"),
    [
        (skill.timer, {"length": 5 * MINUTE}, "2025-03-14T11:05:00+00:00", "",
         "The timer runs for 5 minutes: it rings today at 12:05.",
         "Der Timer läuft 5 Minuten: Er klingelt heute um 12:05 Uhr."),
        (skill.timer, {"length": timedelta(seconds=90), "text": Title("tea")}, "2025-03-14T11:01:30+00:00", "",
         "The timer for “tea” runs for 1 minute and 30 seconds: it rings today at 12:01:30.",
         "Der Timer für „tea“ läuft 1 Minute und 30 Sekunden: Er klingelt heute um 12:01:30 Uhr."),
        (skill.remind, {"text": Title("take out the pizza"), "length": 20 * MINUTE}, "2025-03-14T11:20:00+00:00", "",
         "I will remind you today at 12:20: take out the pizza.", "heute um 12:20 Uhr: take out the pizza."),
        (skill.remind, {"text": Title("x"), "when": TOMORROW, "hours": Hours(time(8))}, "2025-03-15T08:00:00", "",
         "tomorrow at 08:00", "morgen um 08:00 Uhr"),
        (skill.remind, {"text": Title("x"), "when": date(2025, 4, 3)}, "2025-04-03T09:00:00", "",
         "on Thursday, 3 April 2025 at 09:00", "am Donnerstag, 3. April 2025 um 09:00 Uhr"),
        (skill.remind, {"text": Title("x"), "hours": Hours(time(17))}, "2025-03-14T17:00:00", "", "today at 17:00",
         "heute um 17:00"),
        (skill.remind, {"text": Title("x"), "hours": Hours(time(8))}, "2025-03-15T08:00:00", "", "tomorrow at 08:00",
         "morgen um 08:00"),
        (skill.remind, {"text": Title("x"), "repeat": Recurrence("FREQ=WEEKLY;BYDAY=MO"), "hours": Hours(time(8))},
         "2025-03-17T08:00:00", "FREQ=WEEKLY;BYDAY=MO", "every Monday, next on Monday, 17 March 2025 at 08:00",
         "jeden Montag, das nächste Mal am Montag, 17. März 2025 um 08:00 Uhr"),
        (skill.remind, {"text": Title("x"), "repeat": Recurrence("FREQ=DAILY;BYHOUR=21;BYMINUTE=0")},
         "2025-03-14T21:00:00", "FREQ=DAILY", "every day, next today at 21:00", "jeden Tag, das nächste Mal heute"),
        (skill.remind, {"text": Title("x"), "repeat": Recurrence("FREQ=MINUTELY;INTERVAL=30")},
         "2025-03-14T11:30:00+00:00", "FREQ=MINUTELY;INTERVAL=30", "every 30 minutes, next today at 12:30",
         "alle 30 Minuten"),
        (skill.remind, {"text": Title("x"), "repeat": Recurrence("FREQ=HOURLY")}, "2025-03-14T12:00:00+00:00",
         "FREQ=HOURLY", "every hour, next today at 13:00", "jede Stunde"),
        (skill.wake, {"hours": Hours(time(7))}, "2025-03-15T07:00:00", "", "I will wake you tomorrow at 07:00.",
         "Ich wecke dich morgen um 07:00 Uhr."),
        (skill.wake, {"hours": Hours(time(7)), "repeat": Recurrence("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")},
         "2025-03-17T07:00:00", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday, next on Monday, 17 March",
         "jeden Werktag, das nächste Mal am Montag"),
        (skill.wake, {"length": 30 * MINUTE}, "2025-03-14T11:30:00+00:00", "", "today at 12:30", "heute um 12:30 Uhr"),
    ],
)  # fmt: skip
def test_what_is_set_stands_on_the_clock(
    tmp_path: Path, tool: Any, given: dict[str, Any], at: str, rule: str, en: str, de: str
) -> None:
    english, german, (entry,) = both(tmp_path, tool, **given)
    assert (entry.at.isoformat(), entry.repeat) == (at, rule)
    assert en in english.answer
    assert de in german.answer


def test_it_says_what_it_is_about_in_the_language_it_was_asked_in(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path, now=NOW, language="de")
    home.do(skill.remind, text=Title("Müll rausbringen."), length=MINUTE)
    home.do(skill.timer, length=3 * MINUTE, text=Title("Tee"))
    home.do(skill.wake, hours=Hours(time(7)))
    assert [one.said() for one in kept(home)] == [
        "Erinnerung: Müll rausbringen.", "Der Timer von 3 Minuten für „Tee“ ist um.",
        "Es ist 07:00 Uhr. Zeit aufzustehen.",
    ]  # fmt: skip
    assert kept(home)[0].said("en") == "Reminder: Müll rausbringen."


@pytest.mark.parametrize(
    ("tool", "given", "why"),
    [
        (skill.remind, {"text": Title("x")}, "When?"),
        (skill.remind, {"text": Title("x"), "when": date(2025, 3, 14)}, "At what time today?"),
        (skill.remind, {"text": Title("x"), "when": date(2025, 3, 14), "hours": Hours(time(8))}, "is over already"),
        (skill.remind, {"text": Title("x"), "when": date(2024, 3, 14)}, "is over already"),
        (skill.remind, {"text": Title("x"), "repeat": Recurrence("FREQ=SECONDLY")}, "repeats by a rule"),
        (skill.timer, {"length": timedelta()}, "no length"),
        (skill.timer, {"length": timedelta(days=9999)}, "no length"),
        (skill.wake, {}, "When?"),
        (skill.cancel, {}, "There is no timer or reminder"),
        (skill.snooze, {}, "Nothing has rung"),
        (skill.left, {}, "There is no timer"),
        (skill.change, {}, "When?"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_kept(
    home: PracticeHome, tool: Any, given: dict[str, Any], why: str
) -> None:
    with pytest.raises(ToolError, match=why):
        home.do(tool, **given)
    assert not home.own.exists()


@pytest.fixture
def full(home: PracticeHome) -> PracticeHome:
    """A pizza, a dentist tomorrow, a timer for eggs, an alarm every weekday."""
    home.do(skill.remind, text=Title("take out the pizza"), length=20 * MINUTE)
    home.do(skill.remind, text=Title("the dentist"), when=TOMORROW, hours=Hours(time(8)))
    home.do(skill.timer, length=8 * MINUTE, text=Title("the eggs"))
    home.do(skill.wake, hours=Hours(time(7)), repeat=Recurrence("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"))
    return home


@pytest.mark.parametrize(
    ("given", "texts"),
    [
        ({}, ["the eggs", "take out the pizza", "the dentist", "It is 07:00. Time to get up."]),
        ({"kind": "reminder"}, ["take out the pizza", "the dentist"]),
        ({"kind": "timer"}, ["the eggs"]),
        ({"which": Query("pizza")}, ["take out the pizza"]),
        ({"which": Query("Pizzatimer")}, ["take out the pizza"]),
        ({"when": Period(TOMORROW, date(2025, 3, 16))}, ["the dentist"]),
        ({"when": Period(date(2025, 3, 19), date(2025, 3, 20))}, ["It is 07:00. Time to get up."]),
        ({"when": Period(date(2025, 3, 16), date(2025, 3, 17))}, []),
    ],
)
def test_what_is_to_come_is_listed_the_next_first(full: PracticeHome, given: dict[str, Any], texts: list[str]) -> None:
    assert [one.text for one in full.do(skill.show, pure=True, **given).value.reminders] == texts


def test_what_is_said_of_them(full: PracticeHome) -> None:
    assert full.do(skill.show, pure=True).answer.splitlines() == [
        "- Timer for 8 minutes “the eggs”, today at 12:08",
        "- Reminder “take out the pizza”, today at 12:20",
        "- Reminder “the dentist”, tomorrow at 08:00",
        "- Alarm, every weekday, next on Monday, 17 March 2025 at 07:00",
    ]
    full.language = "de"
    assert full.do(skill.show, pure=True, kind="alarm").answer == (
        "- Wecker, jeden Werktag, das nächste Mal am Montag, 17. März 2025 um 07:00 Uhr"
    )
    assert full.do(skill.left, pure=True).answer.startswith("Noch 8 Minuten: Timer für 8 Minuten")
    full.now = NOW + timedelta(minutes=5, seconds=30)
    assert full.do(skill.left, pure=True).answer.startswith("Noch 2 Minuten und 30 Sekunden")


@pytest.mark.parametrize(
    ("given", "stay"),
    [
        ({"which": Query("pizza")}, ["the dentist", "the eggs", ""]),
        ({"which": Query("the pizza reminder"), "kind": "reminder"}, ["the dentist", "the eggs", ""]),
        ({"kind": "timer"}, ["take out the pizza", "the dentist", ""]),
        ({"kind": "alarm"}, ["take out the pizza", "the dentist", "the eggs"]),
        ({"kind": "reminder", "many": "all"}, ["the eggs", ""]),
        ({"many": "all"}, []),
        ({"kind": "reminder", "when": Period(TOMORROW, date(2025, 3, 16))}, ["take out the pizza", "the eggs", ""]),
        ({"when": Period(TOMORROW, date(2025, 3, 16)), "many": "all"}, ["take out the pizza", "the eggs", ""]),
        ({"hours": Hours(time(8))}, ["take out the pizza", "the eggs", ""]),
        ({"hours": Hours(time(7)), "kind": "alarm"}, ["take out the pizza", "the dentist", "the eggs"]),
        ({"hours": Hours(time(12), time(13)), "many": "all"}, ["the dentist", ""]),
        ({"length": 8 * MINUTE, "kind": "timer"}, ["take out the pizza", "the dentist", ""]),
        ({"which": Query("Reminder “the dentist”, tomorrow at 08:00")}, ["take out the pizza", "the eggs", ""]),
    ],
)
def test_one_is_cancelled_or_all(full: PracticeHome, given: dict[str, Any], stay: list[str]) -> None:
    full.do(skill.cancel, **given)
    assert [one.about["text"] for one in kept(full)] == stay


@pytest.mark.parametrize(
    ("given", "choices"),
    [({"kind": "reminder"}, 2), ({}, 4), ({"which": Query("plumber")}, 4)],
)
def test_who_is_not_sure_asks(full: PracticeHome, given: dict[str, Any], choices: int) -> None:
    before = kept(full)
    with pytest.raises(ToolError) as caught:
        full.do(skill.cancel, **given)
    assert len(caught.value.choices) == choices
    assert kept(full) == before


@pytest.mark.parametrize("many", ["one", "all"])
@pytest.mark.parametrize(
    "then", [{"hours": Hours(time(6))}, {"length": 9 * MINUTE}, {"hours": Hours(time(9), time(11))}]
)
def test_a_time_without_it_cancels_nothing_of_another_time(full: PracticeHome, then: dict[str, Any], many: str) -> None:
    before = kept(full)
    with pytest.raises(ToolError, match="There is no timer or reminder then"):
        full.do(skill.cancel, many=many, **then)
    assert kept(full) == before


SATURDAY, MONDAY = Period(TOMORROW, date(2025, 3, 16)), Period(date(2025, 3, 17), date(2025, 3, 18))


@pytest.mark.parametrize("many", ["one", "all"])
@pytest.mark.parametrize(
    ("kind", "when", "why"),
    [
        ("alarm", SATURDAY, "There is no alarm then"),
        ("any", Period(date(2025, 3, 16), date(2025, 3, 17)), "There is no timer or reminder then"),
        ("alarm", MONDAY, "on other days, too"),
    ],
)
def test_a_day_without_it_cancels_nothing_of_another_day(
    full: PracticeHome, many: str, kind: str, when: Period, why: str
) -> None:
    before = kept(full)
    with pytest.raises(ToolError, match=why):
        full.do(skill.cancel, kind=kind, when=when, many=many)
    assert kept(full) == before


def test_what_can_be_chosen_is_said_in_the_language_of_the_request_and_taken_in_both(full: PracticeHome) -> None:
    full.language = "de"
    with pytest.raises(ToolError) as caught:
        full.do(skill.cancel, kind="reminder")
    assert caught.value.choices[1] == "Erinnerung „the dentist“, morgen um 08:00 Uhr"
    assert "Es gibt mehr als eins" in str(caught.value.words("de"))
    full.do(skill.cancel, which=Query(caught.value.choices[1]))
    assert len(kept(full)) == 3


def test_what_rang_last_comes_once_more(full: PracticeHome) -> None:
    full.now = NOW + 21 * MINUTE
    done = full.do(skill.snooze)
    assert done.answer == "Put off for 10 minutes: Reminder “take out the pizza”, today at 12:31."
    assert {one.about["text"]: f"{one.first(BERLIN).astimezone(BERLIN):%H:%M}" for one in kept(full)} == {
        "the dentist": "08:00", "the eggs": "12:08", "": "07:00", "take out the pizza": "12:31",
    }  # fmt: skip
    eggs = full.do(skill.snooze, which=Query("eggs"), length=MINUTE)
    assert "12:22" in eggs.answer


def test_a_timer_that_runs_is_put_off_and_not_what_rang(full: PracticeHome) -> None:
    full.now = NOW + 21 * MINUTE
    full.do(skill.timer, length=30 * MINUTE, text=Title("tea"))
    done = full.do(skill.snooze, length=10 * MINUTE, kind="timer", which=Query("tea"))
    assert done.answer.startswith("Put off for 10 minutes: Timer")
    assert {one.about["text"]: f"{one.first(BERLIN).astimezone(BERLIN):%H:%M}" for one in kept(full)}["tea"] == "13:01"
    with pytest.raises(ToolError, match="once"):
        full.do(skill.snooze, length=10 * MINUTE, kind="alarm")
    assert len(kept(full)) == 5


def test_a_timer_that_runs_is_put_off_and_not_one_that_rang_hours_ago(full: PracticeHome) -> None:
    full.now = NOW + 240 * MINUTE  # the eggs were done long ago
    full.do(skill.timer, length=30 * MINUTE, text=Title("tea"))
    full.do(skill.snooze, length=10 * MINUTE, kind="timer")
    at = {one.about["text"]: one.first(BERLIN) for one in kept(full)}
    assert at["tea"] == full.now + 40 * MINUTE
    assert at["the eggs"] < full.now
    full.now += 41 * MINUTE  # a control: what has just rung comes once more, also where another runs
    full.do(skill.timer, length=30 * MINUTE, text=Title("cake"))
    assert full.do(skill.snooze, length=5 * MINUTE, kind="timer").value.text == "tea"


def test_a_series_that_is_put_off_stays_a_series(full: PracticeHome) -> None:
    full.now = datetime(2025, 3, 18, 7, 1, tzinfo=BERLIN)
    full.do(skill.snooze, length=5 * MINUTE)
    alarms = [one for one in kept(full) if one.about["kind"] == "alarm"]
    assert [(one.repeat, f"{one.first(BERLIN).astimezone(BERLIN):%d %H:%M}") for one in alarms] == [
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "17 07:00"), ("", "18 07:06"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "label"),
    [
        ({"which": Query("dentist"), "when": date(2025, 3, 21)},
         "Reminder “the dentist”, on Friday, 21 March 2025 at 08:00"),
        ({"which": Query("dentist"), "hours": Hours(time(9))}, "Reminder “the dentist”, tomorrow at 09:00"),
        ({"which": Query("pizza"), "hours": Hours(time(19))}, "Reminder “take out the pizza”, today at 19:00"),
        ({"kind": "timer", "length": 15 * MINUTE}, "Timer for 15 minutes “the eggs”, today at 12:15"),
        ({"kind": "alarm", "hours": Hours(time(6, 30))},
         "Alarm, every weekday, next on Monday, 17 March 2025 at 06:30"),
        ({"which": Query("pizza"), "repeat": Recurrence("FREQ=WEEKLY;BYDAY=SU")},
         "Reminder “take out the pizza”, every Sunday, next on Sunday, 16 March 2025 at 12:20"),
    ],
)  # fmt: skip
def test_the_time_of_one_is_changed(full: PracticeHome, given: dict[str, Any], label: str) -> None:
    assert full.do(skill.change, **given).answer == f"Changed: {label}."
    assert len(kept(full)) == 4


def test_a_series_stays_when_one_of_it_is_to_come_after_a_while(full: PracticeHome) -> None:
    done = full.do(skill.change, kind="alarm", length=30 * MINUTE)
    assert done.answer.startswith("It comes once more today at 12:30; the series stays: Alarm, every weekday, next on")
    alarms = [one for one in kept(full) if one.about["kind"] == "alarm"]
    assert [one.repeat for one in alarms] == ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", ""]
    assert f"{alarms[1].first(BERLIN).astimezone(BERLIN):%d %H:%M}" == "14 12:30"


@pytest.mark.parametrize("more", [{}, {"hours": Hours(time(9))}, {"length": MINUTE}])
def test_a_day_of_a_series_is_asked_about_and_nothing_changes(full: PracticeHome, more: dict[str, Any]) -> None:
    before = kept(full)
    with pytest.raises(ToolError, match="This once, or always") as asked:
        full.do(skill.change, kind="alarm", when=date(2025, 3, 22), **more)
    assert "Nur dieses eine Mal" in str(asked.value.words("de"))
    assert kept(full) == before
    always = full.do(skill.change, kind="alarm", repeat=Recurrence("FREQ=WEEKLY;BYDAY=SA"), when=date(2025, 3, 22))
    assert "every Saturday, next on Saturday, 22 March 2025 at 07:00" in always.answer


def test_what_is_long_over_goes(full: PracticeHome) -> None:
    full.now = NOW + timedelta(days=30)
    full.do(skill.timer, length=MINUTE)
    assert [one.about["kind"] for one in kept(full)] == ["alarm", "timer"]


def test_an_alarm_stays_at_its_hour_when_the_clocks_change(full: PracticeHome) -> None:
    full.now = datetime(2025, 3, 29, 12, 0, tzinfo=BERLIN)  # summer time begins the night after
    assert full.do(skill.left, pure=True, kind="alarm").answer == (
        "1 day and 18 hours left: Alarm, every weekday, next on Monday, 31 March 2025 at 07:00."
    )


CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//test//EN
BEGIN:VEVENT
UID:1
DTSTAMP:20250301T000000Z
DTSTART:20250314T190000
DTEND:20250314T210000
SUMMARY:Dinner with Jonas
END:VEVENT
BEGIN:VEVENT
UID:2
DTSTAMP:20250301T000000Z
DTSTART;VALUE=DATE:20250320
SUMMARY:Holiday
END:VEVENT
END:VCALENDAR
"""


@pytest.fixture
def planned(tmp_path: Path) -> PracticeHome:
    home = PracticeHome(tmp_path, now=NOW, calls={"calendar.upcoming": calendar.upcoming})
    home.add("Calendar/mine.ics", CALENDAR)
    return home


def test_a_reminder_comes_before_an_appointment(planned: PracticeHome) -> None:
    done = planned.do(skill.before, event=Query("dinner"), length=30 * MINUTE)
    assert done.answer == (
        "I will remind you today at 18:30, 30 minutes before “Dinner with Jonas”: Dinner with Jonas."
    )
    assert [str(one.at) for one in kept(planned)] == ["2025-03-14 18:30:00"]
    own = planned.do(skill.before, event=Query("dinner"), length=30 * MINUTE, text=Title("wine"))
    assert own.answer.endswith("before “Dinner with Jonas”: wine.")


@pytest.mark.parametrize(
    ("event", "length", "why"),
    [
        ("dinner", 7 * 60 * MINUTE, "over already"),
        ("holiday", MINUTE, "begins at no time"),
        ("yoga", MINUTE, "no event"),
    ],
)
def test_before_nothing_that_comes_nobody_is_reminded(
    planned: PracticeHome, event: str, length: timedelta, why: str
) -> None:
    with pytest.raises(ToolError, match=why):
        planned.do(skill.before, event=Query(event), length=length)
