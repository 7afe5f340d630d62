"""A mail that brings an invitation and says nothing else says what it is about and when."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills.builtin.mail import skill
from skills.sdk.testing import PracticeHome

EVENT = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:%s\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:STANDARD\r\n"
    "DTSTART:19701025T030000\r\nSUMMARY:no event\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:1\r\n%s\r\n"
    "SUMMARY:Supper\\, late\r\nBEGIN:VALARM\r\nSUMMARY:ring\r\nEND:VALARM\r\nLOCATION:Oak \r\n Lane 3\r\n"
    "END:VEVENT\r\nEND:VCALENDAR\r\n"
)


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    return PracticeHome(tmp_path)


@pytest.mark.parametrize(
    ("method", "begins", "subject", "text"),
    [
        ("REQUEST", "DTSTART:20261204T193000", "Invitation: Supper, late", "4 December 2026, 19:30"),
        ("CANCEL", "DTSTART;VALUE=DATE:20261204", "Cancelled: Supper, late", "4 December 2026"),
        ("REPLY", "DTSTART;TZID=No/Where:20261204T193000", "Answer: Supper, late", ""),
        ("PUBLISH", "DTSTART:soon", "Event: Supper, late", ""),
    ],
)
def test_an_invitation_says_what_and_when(
    home: PracticeHome, method: str, begins: str, subject: str, text: str
) -> None:
    home.add("RSVP.ics", (EVENT % (method, begins)).encode())
    home.step(skill.send, to="ida@example.org", files=[home.file("RSVP.ics")])
    [sent] = home.sent
    assert sent["subject"] == subject
    assert sent["text"].splitlines() == ["Supper, late", *([text] if text else []), "Oak Lane 3"]


def test_what_was_said_stays(home: PracticeHome) -> None:
    home.add("RSVP.ics", (EVENT % ("REQUEST", "DTSTART:20261204T193000")).encode())
    home.step(skill.send, to="ida@example.org", text="Come!", files=[home.file("RSVP.ics")])
    home.step(skill.send, to="ida@example.org", subject="Food", files=[home.file("RSVP.ics")])
    assert [(one["subject"], one["text"][:5]) for one in home.sent] == [("Come", "Come!"), ("Food", "Suppe")]


def test_a_file_that_is_no_calendar_goes_as_any_other(home: PracticeHome) -> None:
    home.add("odd.ics", b"\xff\x00:no\r\nBEGIN:VEVENT\r\n")
    home.step(skill.send, to="ida@example.org", files=[home.file("odd.ics")])
    assert (home.sent[0]["subject"], home.sent[0]["text"]) == ("odd.ics", "")
