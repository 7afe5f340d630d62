"""Lines of cron: each field becomes its part of a rule, is said in words, or is refused by its name."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from kernel.language import Line, tokenize
from kernel.routines import Recurring, following
from kernel.routines.hearing import Heard, Lack, Unclear, left_of
from kernel.routines.hearing.clock import hear_clock
from kernel.routines.wording import trigger_words
from tests.kernel.routines.conftest import BERLIN, NOW, Desk

SAID = [
    ("en", "run the backup with cron 0 9 * * 1-5", "every working day at 09:00"),
    ("en", "cron: */15 8-17 * * 1-5 run the backup", "every working day from 08:00 to 17:45, every 15 minutes"),
    ("en", "0 9 * * 1-5: run the backup", "every working day at 09:00"),
    ("en", 'run the backup by the cron expression "30 8 1,15 * *"', "every month on the 1st and the 15th at 08:30"),
    ("en", "cron 0 9 * jan-feb mon,sun run the backup", "every Monday and Sunday in January and February at 09:00"),
    ("en", "cron 5 0-6/3 * * 7 run the backup", "every Sunday at 00:05, 03:05 and 06:05"),
    ("en", "cron: @daily run the backup", "every day at 00:00"),
    ("en", "cron 10 4 * * 0-6 run the backup", "every day at 04:10"),
    ("de", "run the backup mit cron * * * * *", "jeden Tag von 00:00 bis 23:59, jede Minute"),
]  # fmt: skip
REFUSED = [
    ("cron: @reboot run the backup", "@reboot"),
    ("cron: 0 0 9 * * 1-5 run the backup", "seconds"),
    ("cron: 0 25 * * * run the backup", "hour “25”"),
    ("cron: */0 9 * * * run the backup", "minute “*/0”"),
    ("cron: 0 9 * * 5-1 run the backup", "day of the week “5-1”"),
    ("cron: 0 9 0 * * run the backup", "day of the month “0”"),
    ("cron: 0 9 1 * 1 run the backup", "day of the month “1” and day of the week “1”"),
]
NONE = ["what is 3 * 4 * 5 * 6 * 7", "copy 3 4 5 * 2 files", "show me my notes about cron", "1 2 3 4 5: count them"]


def heard(language: str, text: str) -> Heard | Unclear | None:
    return hear_clock(Line(text, tokenize(text, language), language, NOW))


@pytest.mark.parametrize(("language", "text", "words"), SAID, ids=[text for _, text, _ in SAID])
def test_five_fields_are_a_rule_and_said_in_words(language: str, text: str, words: str) -> None:
    found = heard(language, text)
    assert isinstance(found, Heard)
    assert trigger_words(found.trigger, language, "/home/ada") == words
    line = Line(text, tokenize(text, language), language, NOW)
    assert left_of(line, found.words) == "run the backup"


@pytest.mark.parametrize(("text", "field"), REFUSED, ids=[text for text, _ in REFUSED])
def test_what_no_rule_says_is_refused_by_its_field(text: str, field: str) -> None:
    found = heard("en", text)
    assert isinstance(found, Unclear)
    assert (found.why, found.about) == (Lack.CRON, field)


def test_a_day_that_no_month_has_is_no_day() -> None:
    found = heard("en", "cron: 0 0 30 2 * run the backup")
    assert isinstance(found, Unclear)
    assert found.why is Lack.NO_SUCH_DAY


@pytest.mark.parametrize("text", NONE)
def test_other_figures_are_no_cron(text: str) -> None:
    assert heard("en", text) is None


def test_a_time_that_the_clocks_skip_comes_once() -> None:
    found = heard("en", "cron: 30 2 * * * run the backup")
    assert isinstance(found, Heard)
    assert found.trigger == Recurring("FREQ=DAILY;BYHOUR=2;BYMINUTE=30", date(2026, 3, 11))
    eve = datetime(2026, 3, 28, 12, tzinfo=BERLIN)
    first = following(found.trigger, eve, "", eve, BERLIN)
    assert first == datetime(2026, 3, 29, 3, tzinfo=BERLIN)


async def test_it_is_kept_like_any_rule(desk: Desk) -> None:
    view = await desk.say("0 9 * * 1-5: show me the largest files in Downloads")
    assert view["resolution"] == "confirmed"
    assert "every working day at 09:00" in view["answer"]
    refused = await desk.say("show me the largest files with cron 0 9 1 * 1")
    assert refused["error"]["code"] == "routine.unclear"
    assert "day of the month “1” and day of the week “1”" in refused["answer"]


@pytest.mark.parametrize(
    "text",
    [
        "every 5 seconds show me the largest files", "every second tell me what 17*4 is",
        "tell me what 17*4 is every second", "jede Sekunde sag mir, was 17*4 ist",
        "alle 5 Sekunden zeig mir die Termine",
    ],
)  # fmt: skip
async def test_what_comes_more_often_than_each_minute_is_told_so(desk: Desk, text: str) -> None:
    view = await desk.say(text)
    assert view["error"]["code"] == "routine.unclear"
    assert "minute is the shortest" in view["answer"] or "Minute ist das Kürzeste" in view["answer"]


def test_every_second_one_of_something_is_no_length() -> None:
    assert heard("en", "every second file is a copy") is None
