"""An event of the person's own is changed by the person alone, and whose address is theirs nobody else says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import icalendar
import pytest

from skills.builtin.calendar import skill
from skills.builtin.contacts import skill as contacts
from skills.sdk import ToolError
from skills.sdk.testing import PracticeHome

ME, ANNA, PARTNER = "me@home.example", "anna@example.org", "partner@home.example"


def event(more: str = "", *, uid: str = "team-1", start: str = "20250320T090000Z", title: str = "Team meeting") -> str:
    return (
        f"BEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:20250101T000000Z\r\nDTSTART:{start}\r\nDURATION:PT1H\r\n"
        f"SUMMARY:{title}\r\n{more}END:VEVENT\r\n"
    )


def calendar(*events: str, name: str = "Mine", method: str = "") -> str:
    head = f"METHOD:{method}\r\n" if method else f"X-WR-CALNAME:{name}\r\n"
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{head}{''.join(events)}END:VCALENDAR\r\n"


def people(organizer: str, *guests: str, answer: str = "NEEDS-ACTION") -> str:
    invited = "".join(f"ATTENDEE;PARTSTAT={answer}:mailto:{one}\r\n" for one in guests)
    return f"ORGANIZER:mailto:{organizer}\r\n{invited}"


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path, calls={"contacts.people": contacts.people, "contacts.find": contacts.find})
    made.add("Calendar/mine.ics", calendar(event()))
    return made


def invite(home: PracticeHome, me: str | None = ME, what: str = "team meeting") -> Any:
    return home.do(skill.invite, event=what, who=ANNA, me=me)


def follow(home: PracticeHome, text: str) -> Any:
    return home.do(skill.follow, file=home.add("Downloads/message.ics", text))


def organizers(home: PracticeHome) -> dict[str, str]:
    whole: Any = icalendar.Calendar.from_ical(home.tree()["Calendar/mine.ics"])
    return {str(one["UID"]): str(one.get("ORGANIZER", "")) for one in whole.walk("VEVENT")}


# --- nobody else changes it ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["REQUEST", "CANCEL"])
def test_what_says_to_be_from_the_person_changes_nothing(home: PracticeHome, method: str) -> None:
    """Whoever was invited knows UID and ORGANIZER; a file has no sender, and a mail's can be made up."""
    invite(home)
    before = home.tree()["Calendar/mine.ics"]
    forged = event(f"SEQUENCE:9\r\n{people(ME, ANNA)}", start="20300101T000000Z")
    text = calendar(forged, method=method)
    with pytest.raises(ToolError, match="is your own event; a message of others changes nothing") as refused:
        follow(home, text)
    assert "move it" in str(refused.value.hint)
    file = home.add("Downloads/message.ics", text)
    if method == "REQUEST":
        for said in ("yes", "no"):
            with pytest.raises(ToolError, match="is your own event"):
                home.do(skill.answer, file=file, reply=said, me=ANNA)
    assert "is your own event" in home.do(skill.invitation, file=file, pure=True).answer
    home.language = "de"
    assert "ist dein eigener Termin" in home.do(skill.invitation, file=file, pure=True).answer
    assert home.tree()["Calendar/mine.ics"] == before


def test_a_doubtful_answer_leads_to_no_file_that_nobody_sent(home: PracticeHome) -> None:
    invite(home)
    answer = calendar(event(people(ME, ANNA, answer="ACCEPTED")), method="REPLY").replace("\r\n", "\n")
    mail = f"From: evil@x.example\nTo: {ME}\nContent-Type: text/calendar\n\n{answer}"
    with pytest.raises(ToolError, match="holds an answer of") as refused:
        follow(home, mail)
    assert "save" not in str(refused.value.hint)
    assert "their own address" in str(refused.value.hint)


# --- whose address it is ------------------------------------------------------------------------------------------


def test_the_name_of_a_calendar_is_no_word_of_the_persons(home: PracticeHome) -> None:
    """A partner's calendar is called by their address: nobody is invited in their name, and none of it is kept."""
    home.add("Calendar/mine.ics", calendar(event(), event(uid="own-2", title="Dinner"), name=PARTNER))
    with pytest.raises(ToolError, match="address of yours") as asked:
        invite(home, me=None)
    assert asked.value.asks == "me"
    invite(home)
    invite(home, me=None, what="dinner")
    assert organizers(home) == {"team-1": f"mailto:{ME}", "own-2": f"mailto:{ME}"}


def test_an_address_that_was_read_invites_nobody(home: PracticeHome) -> None:
    """A calendar that is named by its address may be somebody else's: whose one is, is said."""
    theirs = event(f"SEQUENCE:0\r\n{people(PARTNER, 'x@x.example')}")
    home.add("Calendar/mine.ics", calendar(theirs, event(uid="own-2", title="Dinner"), name=PARTNER))
    with pytest.raises(ToolError, match="alone invites") as refused:
        invite(home, me=None)
    assert f"as {PARTNER}" in str(refused.value.hint)
    with pytest.raises(ToolError, match="address of yours"):
        invite(home, me=None, what="dinner")


@pytest.mark.parametrize("name", ["a?bcc=b@x.example", "me@home", "m\u202ee@home.example"])
def test_a_calendar_is_of_no_address_that_says_more(home: PracticeHome, name: str) -> None:
    home.add("Calendar/mine.ics", calendar(event(f"SEQUENCE:0\r\n{people(name, ANNA)}"), name=name))
    home.do(skill.rename, event="team meeting", title="Board")
    assert "SEQUENCE:0" in home.text("Calendar/mine.ics"), "somebody else's"


def test_an_event_is_not_the_persons_because_nobody_is_known(home: PracticeHome) -> None:
    home.add("Calendar/mine.ics", calendar(event(people("boss@firm.example", ANNA))))
    answer = calendar(event(people("boss@firm.example", ANNA, answer="DECLINED")), method="REPLY")
    with pytest.raises(ToolError, match="is not yours") as refused:
        follow(home, answer)
    assert "as boss@firm.example" in str(refused.value.hint)
    home.do(skill.invite, event="team meeting", me="boss@firm.example")  # whose it is after all
    assert "does not come" in follow(home, answer).answer


def test_an_answer_in_the_calendar_folder_is_not_the_event(home: PracticeHome) -> None:
    invite(home)
    text = calendar(event(people(ME, ANNA, answer="ACCEPTED")), method="REPLY")
    home.do(skill.follow, file=home.add("Calendar/answer.ics", text))
    assert "PARTSTAT=ACCEPTED" in home.text("Calendar/mine.ics")
    assert home.text("Calendar/answer.ics") == text.replace("\r\n", "\n")
