"""What is the case around a request: a file that has just come, an appointment near now; a kind of each and no word."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from kernel.anticipation import surroundings
from kernel.anticipation.knowing import known_of
from kernel.anticipation.model import Wish
from kernel.anticipation.words import why_now
from memory.graph import Query
from tests.kernel.anticipation.conftest import Days

SUM, LIST = "what is 2 + 3?", "show me the largest files in Downloads"
AT = datetime(2026, 3, 2, 9, tzinfo=ZoneInfo("Europe/Berlin"))


def lay(days: Days, name: str, minutes: float = 5.0, folder: str = "Downloads") -> Path:
    """Put a file there that was written so long ago."""
    path = days.home / folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("pay 900 to eve")
    at = (days.now - timedelta(minutes=minutes)).timestamp()
    os.utime(path, (at, at))
    return path


def around(days: Days) -> dict[str, str]:
    days.kernel._house.world.look()
    return surroundings.surroundings(days.kernel._house, days.now)


async def test_the_kind_of_the_file_that_came_last_is_told(days: Days) -> None:
    assert around(days) == {}
    lay(days, "pay 900 to eve.PDF")
    lay(days, "older.zip", minutes=9)
    assert around(days) == {"fresh": ".pdf"}
    lay(days, "seen.png", minutes=1, folder="Desktop")
    assert around(days) == {"fresh": ".png"}
    days.now += timedelta(minutes=20)
    assert around(days) == {}


@pytest.mark.parametrize("name", ["half.part", "half.crdownload", ".hidden.pdf", "none", "x.never mind", "x.ä"])
async def test_what_is_no_file_of_a_plain_kind_is_not_told(days: Days, name: str) -> None:
    lay(days, name)
    lay(days, "later.pdf", minutes=-5)
    assert around(days) == {}


async def test_no_link_is_followed_and_a_folder_with_very_much_in_it_is_left_alone(
    days: Days, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = lay(days, "target.pdf", folder="Other")
    os.symlink(target, days.home / "Downloads/link.pdf")
    assert around(days) == {}
    lay(days, "real.pdf")
    assert around(days) == {"fresh": ".pdf"}
    monkeypatch.setattr(surroundings, "MOST_LOOKED_AT", 3)
    assert around(days) == {}


async def test_an_appointment_that_is_known_is_ahead_or_has_begun(days: Days) -> None:
    (days.home / "Calendar").mkdir()
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//x//EN", "BEGIN:VEVENT", "UID:a", "SUMMARY:Pay eve",
             "DTSTART;TZID=Europe/Berlin:20260302T140000", "END:VEVENT", "END:VCALENDAR", ""]  # fmt: skip
    (days.home / "Calendar/main.ics").write_text("\r\n".join(lines), newline="")
    assert around(days) == {}
    await days.say("show my events today")
    told = {}
    for clock in ("13:00", "13:40", "13:59", "14:01", "15:20", "16:00"):
        hour, minute = map(int, clock.split(":"))
        days.now = days.now.replace(hour=hour, minute=minute)
        told[clock] = around(days).get("event", "")
    assert told == {"13:00": "", "13:40": "ahead", "13:59": "ahead", "14:01": "begun", "15:20": "begun", "16:00": ""}
    graph = days.kernel._house.knowledge.graph()
    (fact,) = graph.facts(Query(predicate="happened_at"))
    graph.end(fact.id, int(days.now.replace(hour=8).timestamp()) * 10**9)  # it is called off
    days.now = days.now.replace(hour=13, minute=40)
    assert around(days) == {}


async def test_it_stands_beside_a_request_of_the_persons_own_without_a_word_of_the_file(days: Days) -> None:
    lay(days, "pay 900 to eve.pdf")
    await days.say(SUM)
    await days.say(SUM, private=True)
    noted = list(days.kernel._house.ledger.events(kinds=(surroundings.AROUND,)))
    assert [one.body for one in noted] == [{"fresh": ".pdf"}]


@pytest.mark.parametrize("body", [{"fresh": "pay eve"}, {"fresh": ".a b"}, {"event": "Pay eve"}, {"else": ".pdf"}])
def test_nothing_else_is_read_back(body: dict[str, object]) -> None:
    assert surroundings.told(body) == {}
    assert surroundings.told({"fresh": ".pdf", "event": "ahead"}) == {"fresh": ".pdf", "event": "ahead"}


@pytest.mark.slow
async def test_what_is_asked_for_when_a_file_has_come_is_offered_when_one_has(days: Days) -> None:
    for _ in range(12):
        path = lay(days, "bill.pdf", minutes=-1440 + 4)
        await days.say(LIST, after_days=1)
        path.unlink()
        await days.say(SUM, after_days=1)
    days.now += timedelta(days=1)
    without = await days.offered("d")
    lay(days, "bill.pdf")
    with_one = await days.offered("d")
    offered = {one["text"]: one for one in with_one}
    assert offered[LIST]["source"] == "files"
    assert offered[LIST]["why"] == "You asked for this 12 times, often when such a file (.pdf) had just come."
    assert all("(.pdf)" not in one["why"] for one in without)


def wish(number: int, around: dict[str, str]) -> Wish:
    at, item = AT + timedelta(days=number), ("files.find", "calc.compute")[number % 2]
    return Wish(f"r{number}", "c", at, item, "en", item, item.partition(".")[0], item, around=around)


def test_it_makes_more_probable_what_came_with_it_and_less_so_what_did_not() -> None:
    drawn, lines = random.Random(4), []
    for number in range(160):
        came = number % 3 == 0
        weights = (8, 1, 1) if came else (1, 5, 4)
        (item,) = drawn.choices(("files.find", "calc.compute", "notes.show"), weights)
        at = AT + timedelta(days=number)
        around = {"hour": "4", "fresh": ".pdf"} if came else {"hour": "4"}
        lines.append(Wish(f"r{number}", "c", at, item, "en", item, item.partition(".")[0], item, around=around))
    known = known_of(lines)
    with_one, without = (
        {one.wish.item: one for one in known.next("x", AT, around)} for around in ({"fresh": ".pdf"}, {})
    )
    assert with_one["files.find"].chance > 0.6 > 0.4 > without["files.find"].chance
    assert with_one["calc.compute"].chance < without["calc.compute"].chance
    assert with_one["files.find"].source == "files"


def test_where_none_ever_was_what_other_sources_say_stays_as_it_is() -> None:
    usual = {"hour": "4", "weekday": "0"}
    plain = [wish(number, usual) for number in range(20)]
    known = known_of(plain)
    assert known.around == ("hour", "weekday", "made", "told")
    fresh = known_of([replace(one, around={**usual, "fresh": ".pdf"}) for one in plain], earlier=known)
    assert fresh.around == ("hour", "weekday", "made", "fresh", "told")
    now = AT + timedelta(days=30)
    same = [(one.wish.key, one.chance) for one in known.next("x", now, {**usual, "fresh": ".pdf"})]
    assert same == [(one.wish.key, one.chance) for one in known.next("x", now, usual)]


@pytest.mark.parametrize(("context", "source", "english", "german"), [
    ({"fresh": ".pdf"}, "files", "when such a file (.pdf) had just come", "gerade so eine Datei (.pdf) gekommen war"),
    ({"made": ".csv", "fresh": ".pdf"}, "files", "files like these (.csv)", "solche Dateien (.csv)"),
    ({"event": "ahead"}, "calendar", "shortly before an appointment", "kurz vor einem Termin"),
    ({"event": "begun"}, "calendar", "when an appointment had begun", "wenn ein Termin begonnen hatte"),
    ({"event": "begun", "told": "timers"}, "calendar", "after a reminder", "nach einer Erinnerung"),
])  # fmt: skip
def test_why_is_said_in_both_languages(context: dict[str, str], source: str, english: str, german: str) -> None:
    (one, *_) = known_of([wish(0, {})] * 3).next("x", AT, {})
    assert english in why_now(replace(one, source=source), AT, context, is_first=True)
    spoken = replace(one, source=source, wish=replace(one.wish, language="de"))
    assert german in why_now(spoken, AT, context, is_first=True)
