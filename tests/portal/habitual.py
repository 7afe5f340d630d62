"""Weeks that were written down before a daemon starts: the same two things are done one after the other every week."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.kernel.habits.diary import Diary, said
from tests.portal.conftest import Installation

DAYS = 56
LOOK = ("files.contents", "list {0}/Finance"), ("files.largest", "show me the largest files in {0}/Downloads")
PEOPLE = ("contacts.people", "list my contacts"), ("calendar.upcoming", "what is coming up")
BIRTHDAYS = ("contacts.birthdays", "whose birthday is next"), ("calendar.clashes", "are there clashes")
TOTALS = ("documents.totals", "add the documents up"), ("calendar.free", "when am I free")

Habit = tuple[tuple[str, str], tuple[str, str]]


def write_weeks(made: Installation, *habits: Habit, language: str = "en") -> None:
    """Write down what was done every week, each of ``habits`` on a day of its own, and other things every day."""
    for folder in ("Finance", "Downloads"):
        (made.home / folder).mkdir(parents=True)
    made.home.chmod(0o700)
    (made.home / "Downloads/big.iso").write_text("x" * 1000)
    made.places.data.mkdir(parents=True, mode=0o700)
    diary = Diary(made.places.data / "ledger")
    yesterday = datetime.now(UTC) - timedelta(days=1)
    for ago in reversed(range(DAYS)):
        day = yesterday - timedelta(days=ago)
        diary.ask(day - timedelta(hours=12), ("system.battery", {}))
        diary.ask(day - timedelta(hours=9), ("notes.search", {"words": said(f"word {ago}")}))
        diary.ask(day - timedelta(hours=6), ("system.disks", {}))
        diary.ask(day - timedelta(hours=3), ("calc.clock", {"place": said(f"place {ago}")}))
        for number, (tool, text) in enumerate(habits[ago % 7] if ago % 7 < len(habits) else ()):
            words = text.format(made.home)
            given = {"folder": said(words.split()[-1])} if words != text else {}
            diary.ask(day + timedelta(minutes=3 * number), (tool, given), text=words, language=language)
    diary.ledger.close()
