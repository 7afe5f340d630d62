"""What sets a routine off, and what keeps it still, in words of both languages."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from kernel.routines import BeforeEvent, Called, Change, Elapsed, FileSeen, Machine, Once, Recurring, State, Trigger
from kernel.routines.model import Limit
from kernel.routines.wording import limit_words, trigger_words

DAY = date(2026, 3, 11)
MORNING = "BYHOUR=7;BYMINUTE=30"
SAID: list[tuple[Trigger, str, str]] = [
    (Once(datetime(2026, 4, 2, 18)), "once, on 2 April 2026 at 18:00", "einmal, am 2. April 2026 um 18:00"),
    (Recurring(f"FREQ=DAILY;{MORNING}", DAY), "every day at 07:30", "jeden Tag um 07:30"),
    (
        Recurring("FREQ=DAILY;BYHOUR=8,18;BYMINUTE=0", DAY),
        "every day at 08:00 and 18:00",
        "jeden Tag um 08:00 und 18:00",
    ),
    (
        Recurring(f"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;{MORNING}", DAY),
        "every working day at 07:30",
        "jeden Werktag um 07:30",
    ),
    (
        Recurring(f"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;{MORNING}", DAY),
        "every 2 weeks on Tuesday at 07:30, from 11 March 2026 on",
        "alle 2 Wochen am Dienstag um 07:30, ab 11. März 2026",
    ),
    (
        Recurring(f"FREQ=MONTHLY;BYMONTHDAY=-1;{MORNING}", DAY),
        "every month on the last day at 07:30",
        "jeden Monat am letzten Tag um 07:30",
    ),
    (
        Recurring(f"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;{MORNING}", DAY),
        "every month on the last working day at 07:30",
        "jeden Monat am letzten Werktag um 07:30",
    ),
    (
        Recurring(f"FREQ=MONTHLY;BYDAY=2SA;{MORNING}", DAY, date(2026, 12, 31)),
        "every month on the 2nd Saturday at 07:30, until 31 December 2026",
        "jeden Monat am 2. Samstag um 07:30, bis 31. Dezember 2026",
    ),
    (
        Elapsed(5400, datetime(2026, 3, 11, tzinfo=UTC), 4),
        "every 90 minutes, 4 times in all",
        "alle 90 Minuten, 4-mal insgesamt",
    ),
    (
        FileSeen(Change.CREATED, "/h/Downloads", "*.pdf"),
        "when a file *.pdf is new in ~/Downloads",
        "wenn eine Datei *.pdf in ~/Downloads angelegt wird",
    ),
    (Machine(State.BATTERY, 15), "when the battery falls below 15 %", "wenn der Akku unter 15 % fällt"),
    (BeforeEvent(600), "10 minutes before every event", "10 Minuten vor jedem Termin"),
    (Called("doorbell"), "when the webhook doorbell is called", "wenn der Webhook doorbell gerufen wird"),
]


@pytest.mark.parametrize(("trigger", "english", "german"), SAID, ids=[one[1] for one in SAID])
def test_a_trigger_is_told_in_both_languages(trigger: Trigger, english: str, german: str) -> None:
    assert (trigger_words(trigger, "en", "/h"), trigger_words(trigger, "de", "/h")) == (english, german)


@pytest.mark.parametrize(
    ("limit", "amount", "english"),
    [
        (Limit.APART, 3600, "at most once in an hour"), (Limit.A_DAY, 1, "at most once a day"),
        (Limit.A_DAY, 2, "at most twice a day"),
        (Limit.A_DAY, 3, "at most 3 times a day"),
        (Limit.FROM, 72000, "not before 20:00"), (Limit.CHARGING, 1, "not while it charges"),
        (Limit.CHARGING, 0, "only while it charges"), (Limit.DAYS, 3, "only on Monday and Tuesday"),
        (Limit.LASTED, 600, "only if it lasted 10 minutes"), (Limit.OWN, 0, ""),
    ],
)  # fmt: skip
def test_a_limit_is_told(limit: Limit, amount: float, english: str) -> None:
    assert limit_words(limit, amount, "en") == english
    assert bool(limit_words(limit, amount, "de")) == bool(english)
