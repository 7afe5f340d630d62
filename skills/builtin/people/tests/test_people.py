"""Address books and calendars as other programs write them: folded, escaped, quoted, of three versions, and broken."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from skills.builtin.people import skill
from skills.builtin.people.cards import components
from skills.sdk import ToolError
from skills.sdk.testing import PracticeHome

ANNA = """BEGIN:VCARD\r
VERSION:3.0\r
N:Berg;Anna;;Dr.;\r
FN:Anna Berg\r
NICKNAME:Annchen\r
ORG:Xenon GmbH;Research\r
TITLE:Chemist\r
TEL;TYPE=CELL:+49 30 1234567\r
item1.EMAIL;TYPE=INTERNET:anna@xenon.\r
 example\r
ADR;TYPE=HOME:;;Hauptstr. 1;Bonn;;53111;Germany\r
BDAY:1990-05-03\r
NOTE:a note\\, with\\nescapes\r
END:VCARD\r
"""
OLD = (
    "BEGIN:VCARD\nVERSION:2.1\nN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:M=C3=BCller;J=C3=B6rg\n"
    "TEL;CELL:0171 99\nBDAY:--0503\nEND:VCARD\n"
)
EVENTS = """BEGIN:VCALENDAR
BEGIN:VEVENT
UID:1
SUMMARY:Dentist
DTSTART;TZID=Europe/Berlin:20260310T093000
LOCATION:Bonn\\, Markt 3
ATTENDEE;CN="Berg, Anna";ROLE=REQ-PARTICIPANT:mailto:anna@xenon.example
BEGIN:VALARM
SUMMARY:not this one
END:VALARM
END:VEVENT
BEGIN:VEVENT
SUMMARY:Holiday
DTSTART;VALUE=DATE:20260801
END:VEVENT
BEGIN:VEVENT
SUMMARY:Nonsense
DTSTART:20261341
END:VEVENT
END:VCALENDAR
"""


def _said(home: PracticeHome) -> dict[tuple[str, str], str]:
    found = home.do(skill.contacts).value.facts
    return {(fact.subject, fact.predicate): fact.object for fact in found}


def test_a_card_becomes_facts(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    home.add("Contacts/anna.vcf", ANNA)
    home.add("Contacts/old.vcf", OLD)
    assert _said(home) == {
        ("Anna Berg", "works_at"): "Xenon GmbH",
        ("Anna Berg", "role"): "Chemist",
        ("Anna Berg", "phone"): "+49 30 1234567",
        ("Anna Berg", "email"): "anna@xenon.example",
        ("Anna Berg", "address"): "Hauptstr. 1, Bonn, 53111, Germany",
        ("Anna Berg", "birthday"): "1990-05-03",
        ("Jörg Müller", "phone"): "0171 99",
    }
    done = home.do(skill.contacts)
    assert done.value.facts[0].names == ["Annchen"]
    assert done.value.facts[0].source.endswith("Contacts/anna.vcf")
    assert done.answer == "I read 2 contacts in 2 files."


def test_an_event_becomes_facts(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    home.add("Calendar/work.ics", EVENTS)
    facts = home.do(skill.calendar).value.facts
    said = [(fact.subject, fact.predicate, fact.object) for fact in facts]
    assert ("Dentist (2026-03-10)", "located_at", "Bonn, Markt 3") in said
    assert ("Berg, Anna", "attends", "Dentist (2026-03-10)") in said
    at = next(fact.object for fact in facts if fact.predicate == "happened_at" and fact.subject.startswith("Dentist"))
    assert datetime.fromisoformat(at) == datetime(2026, 3, 10, 9, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    assert not any(fact.subject.startswith(("Nonsense", "not this")) for fact in facts)


@pytest.mark.parametrize(
    "text",
    ["", "no card at all", "BEGIN:VCARD\nFN:open", "BEGIN:VCARD\nEND:VCARD", "END:VCARD\n" * 3, '"' * 200, ":" * 50,
     "BEGIN:VCARD\nFN;X=\"a:b\":Otto\nTEL:" + "1" * 10_000 + "\nEND:VCARD", "BEGIN:VCARD\nADR\nORG:\nFN:\nEND:VCARD",
     "BEGIN:VCARD\n" * 200],
)  # fmt: skip
def test_what_is_broken_is_passed_over(text: str) -> None:
    for card in components(text, "VCARD"):
        for one in card:
            assert len(one.text) <= 500


def test_files_that_are_none_are_named(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    home.add("Contacts/bad.vcf", b"\x00\xff\xfe")
    home.add("Contacts/anna.vcf", ANNA.encode("utf-8"))
    assert "not readable: bad.vcf" in home.do(skill.contacts).answer


def test_an_empty_address_book_says_what_to_do(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    home.add("Contacts/readme.txt", "x")
    with pytest.raises(ToolError, match=r"no \.vcf"):
        home.do(skill.contacts)
