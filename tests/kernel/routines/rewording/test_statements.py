"""What a notice says that only says what has happened."""

from __future__ import annotations

from typing import get_args

import pytest

from kernel.routines.hearing.deeds import DELETION, FAILED, MOVE, SENT, UNDO
from kernel.routines.model import (
    Added,
    BeforeEvent,
    Called,
    Change,
    Clock,
    FileSeen,
    Happened,
    Learnt,
    Machine,
    State,
    TaskDue,
    Trigger,
)
from kernel.routines.rewording.statements import statement

HOME = "/home/kim"
LEASE = FileSeen(Change.CHANGED, f"{HOME}/Documents/Contracts", "Rental agreement.docx")


@pytest.mark.parametrize(("trigger", "english", "german"), [
    (LEASE, "Rental agreement.docx was changed in ~/Documents/Contracts",
     "Rental agreement.docx wurde in ~/Documents/Contracts geändert"),
    (FileSeen(Change.CREATED, f"{HOME}/Downloads", "*.pdf"), "A file *.pdf is new in ~/Downloads",
     "Eine Datei *.pdf ist neu in ~/Downloads"),
    (FileSeen(Change.DELETED, f"{HOME}/Documents", "*", below=True), "A file was deleted in ~/Documents",
     "Eine Datei wurde in ~/Documents gelöscht"),
    (FileSeen(Change.CREATED, f"{HOME}/Mail/Inbox", "*"), "A mail has come", "Eine Mail ist gekommen"),
    (BeforeEvent(1800, "dentist"), "An event with “dentist” begins in 30 minutes",
     "Ein Termin mit „dentist“ beginnt in 30 Minuten"),
    (BeforeEvent(0, ""), "An event begins", "Ein Termin beginnt"),
    (Machine(State.BATTERY, 20), "The battery is below 20 %", "Der Akku ist unter 20 %"),
    (Machine(State.ABOVE, 85), "The battery is above 85 %", "Der Akku ist über 85 %"),
    (Machine(State.DISK, 5e9), "Less than 5 GB of the disk are free", "Auf der Platte sind weniger als 5 GB frei"),
    (Called("bell"), "The webhook bell was called", "Der Webhook bell wurde gerufen"),
    (Happened(UNDO), "Something was taken back", "Etwas wurde zurückgenommen"),
])  # fmt: skip
def test_it_says_what_has_happened(trigger: Trigger, english: str, german: str) -> None:
    assert statement(trigger, "en", HOME) == english
    assert statement(trigger, "de", HOME) == german


@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_that_happens_has_no_words(language: str) -> None:
    happen: list[Trigger] = [BeforeEvent(60, ""), Called("x"), Added("task", "a task"), Learnt("birthday"), LEASE]
    happen += [TaskDue(), TaskDue(days=1), TaskDue(days=-1, overdue=True), TaskDue(before_s=60)]
    happen += [Machine(state, 10) for state in State] + [Happened(one) for one in (UNDO, DELETION, MOVE, SENT, FAILED)]
    happen += [FileSeen(change, f"{HOME}/x", "*") for change in Change]
    assert all(statement(one, language, HOME) for one in happen)
    assert set(get_args(Trigger)) - set(map(type, happen)) == set(get_args(Clock))
