"""How long ten thousand events, fifty thousand mails or a file of cards may take, with no other test beside it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from skills.builtin.calendar import entries
from skills.builtin.calendar.book import Book
from skills.builtin.calendar.occurrences import Occurrence
from skills.builtin.contacts import skill as contacts
from skills.builtin.mail import skill as mail
from skills.sdk import File, Period
from skills.sdk.testing import PracticeHome
from tests.clock import idle_s

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2025, 3, 14, 12, 0, tzinfo=BERLIN)


def test_ten_thousand_events_take_less_than_a_second() -> None:
    events = "".join(
        f"BEGIN:VEVENT\r\nUID:{at}\r\nDTSTAMP:20250101T000000Z\r\n"
        f"DTSTART:2025{1 + at % 12:02}{1 + at % 28:02}T{at % 24:02}0000Z\r\n"
        f"DTEND:2025{1 + at % 12:02}{1 + at % 28:02}T{at % 24:02}3000Z\r\nSUMMARY:Event {at}\r\nEND:VEVENT\r\n"
        for at in range(10_000)
    )
    data = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n".encode()
    found: list[Occurrence] = []

    def look() -> None:
        book = Book(BERLIN, NOW, [entries.read(File("/a.ics"), data, BERLIN)])
        found[:] = book.during(Period(date(2025, 3, 3), date(2025, 3, 4)))

    assert idle_s(look, 1) < 1.0
    assert len(found) == sum(1 for at in range(10_000) if (at % 12, at % 28) == (2, 2))


@pytest.mark.slow
def test_fifty_thousand_mails_take_less_than_two_seconds(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    folder = home.path / "Maildir" / "cur"
    folder.mkdir(parents=True)
    first = int(datetime(2020, 1, 1, tzinfo=UTC).timestamp())
    for number in range(50_000):
        text = f"From: P{number % 50} <p{number % 50}@x.test>\nSubject: s {number}\n"
        text += "Date: Wed, 1 Jan 2020 00:00:00 +0000\n\nx\n"
        (folder / f"{first + number * 60}.{number}.host:2,S").write_text(text)
    done, all_of_them = home.step(mail.find, pure=True, sender="P7"), home.step(mail.find, pure=True)
    assert len(done.value) == 20
    assert "30000 older ones were not looked at" in done.answer
    assert all_of_them.answer.startswith("50000 mails; the newest 20:")
    assert idle_s(lambda: home.step(mail.find, pure=True, sender="P7"), 1) < 2.0
    assert idle_s(lambda: home.step(mail.find, pure=True), 1) < 2.0


def test_two_thousand_cards_are_taken_in_beside_two_thousand_in_a_few_seconds(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    home.add("Contacts/all.vcf", _cards("Own", 2000))
    file = home.add("Downloads/choir.vcf", _cards("Other", 2000))
    took = idle_s(lambda: home.do(contacts.import_file, file=file), 1)
    assert took < 3.0, took
    assert home.text("Contacts/choir.vcf").count("BEGIN:VCARD") == 2000


def _cards(name: str, many: int) -> str:
    return "".join(
        f"BEGIN:VCARD\r\nVERSION:4.0\r\nUID:{name}-{at}\r\nFN:{name} {at}\r\nTEL:030 {at:06}\r\nEND:VCARD\r\n"
        for at in range(many)
    )
