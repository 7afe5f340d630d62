"""People are invited to the person's own events, their answers are kept, and nobody else's word changes anything."""

from __future__ import annotations

from datetime import date, timedelta
from email.message import EmailMessage
from pathlib import Path
from time import process_time
from typing import Any

import icalendar
import pytest

from skills.builtin.calendar import skill
from skills.builtin.contacts import skill as contacts
from skills.sdk import Period, ToolError
from skills.sdk.testing import PracticeHome

ME, ANNA, TOM = "me@home.example", "anna@example.org", "tom@example.org"
CARDS = (
    f"BEGIN:VCARD\nFN:Anna Schmidt\nEMAIL:{ANNA}\nEND:VCARD\nBEGIN:VCARD\nFN:Tom Berger\nEMAIL:{TOM}\nEND:VCARD\n"
    "BEGIN:VCARD\nFN:Clara Voss\nTEL:1\nEND:VCARD\n"
)
TEAM = (
    "BEGIN:VEVENT\r\nUID:team-1\r\nDTSTAMP:20250101T000000Z\r\nDTSTART{start}\r\nDURATION:PT1H\r\nSUMMARY:{title}\r\n"
    "{more}END:VEVENT\r\n"
)
OTHER = (
    'BEGIN:VEVENT\r\nUID:own-2\r\nDTSTART:20250319T100000Z\r\nSUMMARY:Dentist\r\nX-FOREIGN;X-A="b:c":kept as \r\n it'
    " is\r\nEND:VEVENT\r\n"
)


def calendar(
    more: str = "", *, start: str = ":20250320T090000Z", title: str = "Team meeting", name: str = "Mine"
) -> str:
    event = TEAM.format(start=start, title=title, more=more)
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:{name}\r\n{event}{OTHER}END:VCALENDAR\r\n"


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path, calls={"contacts.people": contacts.people, "contacts.find": contacts.find})
    made.add("Contacts/all.vcf", CARDS)
    made.add("Calendar/mine.ics", calendar())
    return made


def invite(home: PracticeHome, who: str | None = "Anna and Tom", me: str | None = ME, **more: Any) -> Any:
    return home.do(skill.invite, event="team meeting", who=who, me=me, **more)


def read(home: PracticeHome, path: str) -> Any:
    """A file as another library reads it; what that cannot read has ended the test."""
    found: Any = icalendar.Calendar.from_ical(home.tree()[path])
    assert all(not event.errors for event in found.walk("VEVENT"))
    return found


def guests(event: Any) -> dict[str, str]:
    lines = event.get("ATTENDEE", [])
    return {str(one).removeprefix("mailto:"): str(one.params.get("PARTSTAT", ""))
            for one in (lines if isinstance(lines, list) else [lines])}  # fmt: skip


def event(home: PracticeHome, uid: str = "team-1", path: str = "Calendar/mine.ics") -> Any:
    return next(one for one in read(home, path).walk("VEVENT") if one["UID"] == uid and "RECURRENCE-ID" not in one)


def reply(
    who: str = ANNA, answer: str = "ACCEPTED", *, uid: str = "team-1", sequence: int = 0,
    stamp: str = "20250314T130000Z", organizer: str = ME, more: str = "", method: str = "REPLY", name: str = "",
    start: str = "DTSTART:20250320T090000Z\r\n",
) -> str:  # fmt: skip
    return (
        f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:{method}\r\nBEGIN:VEVENT\r\nUID:{uid}\r\nSEQUENCE:{sequence}\r\n"
        f"DTSTAMP:{stamp}\r\n{start}SUMMARY:Team meeting\r\nORGANIZER:mailto:{organizer}\r\n"
        f"ATTENDEE{name};PARTSTAT={answer}:mailto:{who}\r\n{more}END:VEVENT\r\nEND:VCALENDAR\r\n"
    )


def follow(home: PracticeHome, text: str | bytes) -> Any:
    return home.do(skill.follow, file=home.add("Downloads/answer.ics", text))


def mail(text: str, sender: str, to: str = ME) -> bytes:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = sender, to, "Accepted"
    made.set_content("Fine.")
    made.add_attachment(text.encode(), maintype="text", subtype="calendar", filename="reply.ics")
    return made.as_bytes()


# --- inviting -----------------------------------------------------------------------------------------------------


def test_people_are_entered_and_the_invitation_is_a_file(home: PracticeHome) -> None:
    before = home.tree()["Calendar/mine.ics"]
    done = invite(home)
    kept = event(home)
    assert guests(kept) == {ANNA: "NEEDS-ACTION", TOM: "NEEDS-ACTION"}
    assert (str(kept["ORGANIZER"]), kept["SEQUENCE"]) == (f"mailto:{ME}", 0)
    assert OTHER.encode() in home.tree()["Calendar/mine.ics"], "the rest stays byte by byte"
    assert before.replace(b"DTSTAMP:20250101T000000Z", b"") != home.tree()["Calendar/mine.ics"]
    sent = read(home, "Downloads/RSVP Team meeting.ics")
    (one,) = sent.walk("VEVENT")
    assert (sent["METHOD"], one["UID"], one["SEQUENCE"], str(one["DTSTART"].dt)) == (
        "REQUEST", "team-1", 0, "2025-03-20 09:00:00+00:00")  # fmt: skip
    params = {str(who): (who.params["CN"], who.params["ROLE"], who.params["RSVP"]) for who in one["ATTENDEE"]}
    assert params == {
        f"mailto:{ANNA}": ("Anna Schmidt", "REQ-PARTICIPANT", "TRUE"),
        f"mailto:{TOM}": ("Tom Berger", "REQ-PARTICIPANT", "TRUE"),
    }
    assert home.sent == []
    assert "not sent yet: ~/Downloads/RSVP Team meeting.ics" in done.answer
    assert "mail it to Anna Schmidt and Tom Berger" in done.answer


def test_the_invitation_is_one_that_steward_itself_understands(home: PracticeHome) -> None:
    invite(home)
    told = home.do(skill.invitation, file=home.file("Downloads/RSVP Team meeting.ics"), pure=True)
    assert told.answer.startswith(f"Invitation from {ME}: “Team meeting”\nThursday 20 March 2025, 09:00–10:00")


def test_whose_address_it_is_is_asked_once(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="address of yours") as asked:
        invite(home, me=None)
    assert asked.value.asks == "me"
    invite(home)
    done = home.do(skill.invite, event="dentist", who="Anna")
    assert "Anna Schmidt is a guest of “Dentist" in done.answer
    assert str(event(home, "own-2")["ORGANIZER"]) == f"mailto:{ME}"


def test_an_address_is_taken_as_it_is_and_nobody_twice(home: PracticeHome) -> None:
    invite(home, "Anna")
    follow(home, reply())
    invite(home, f"Anna, {ANNA.upper()} and new@x.example")
    assert guests(event(home)) == {ANNA: "ACCEPTED", "new@x.example": "NEEDS-ACTION"}
    assert event(home)["SEQUENCE"] == 0, "more guests are no new time (RFC 5546, 2.1.4)"


def test_whom_another_program_only_named_is_asked(home: PracticeHome) -> None:
    home.add("Calendar/mine.ics", calendar(f"ATTENDEE;CN=Anna S.:mailto:{ANNA}\r\nATTENDEE;CN=T:mailto:{TOM}\r\n"))
    invite(home, "Anna")
    assert guests(event(home)) == {ANNA: "NEEDS-ACTION", TOM: ""}


def test_the_invitation_is_written_again_without_names(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="Nobody is invited") as nobody:
        invite(home, None)
    assert nobody.value.asks == "who"
    invite(home)
    done = invite(home, None, me=None)
    assert "Downloads/RSVP Team meeting (2).ics" in home.tree()
    assert "Anna Schmidt and Tom Berger" in done.answer


def test_an_event_of_somebody_else_gets_no_guests(home: PracticeHome) -> None:
    home.add("Calendar/mine.ics", calendar("ORGANIZER:mailto:boss@firm.example\r\n"))
    before = home.tree()
    with pytest.raises(ToolError, match=r"organized by boss@firm\.example"):
        invite(home)
    assert home.tree() == before
    invite(home, me="boss@firm.example")  # who says that it is theirs


def test_who_is_not_known_is_asked_for(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="called “Zoe”") as unknown:
        invite(home, "Zoe")
    assert unknown.value.asks == "who"
    with pytest.raises(ToolError, match="no e-mail address of Clara Voss"):
        invite(home, "Clara")
    with pytest.raises(ToolError, match="your own address"):
        invite(home, ME)


def test_a_time_without_a_zone_is_one_of_the_persons(home: PracticeHome) -> None:
    home.add("Calendar/mine.ics", calendar(start=":20250320T090000"))
    invite(home)
    (one,) = read(home, "Downloads/RSVP Team meeting.ics").walk("VEVENT")
    assert str(one["DTSTART"].dt) == "2025-03-20 09:00:00+00:00"


def test_a_zone_by_name_goes_along_with_what_it_is(home: PracticeHome) -> None:
    home.add("Calendar/mine.ics", calendar(start=";TZID=Europe/Berlin:20250320T090000"))
    invite(home)
    sent = read(home, "Downloads/RSVP Team meeting.ics")
    assert [str(zone["TZID"]) for zone in sent.walk("VTIMEZONE")] == ["Europe/Berlin"]
    (one,) = sent.walk("VEVENT")
    assert one["DTSTART"].dt.utcoffset() == timedelta(hours=1)


def test_alarms_and_what_programs_keep_stay_at_home(home: PracticeHome) -> None:
    own = ("DESCRIPTION:Bring numbers\r\nATTACH:file:///home/me/secret.pdf\r\nX-PRIVATE:x\r\nCATEGORIES:Boss\r\n"
           "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nDESCRIPTION:hm\r\nEND:VALARM\r\n")  # fmt: skip
    home.add("Calendar/mine.ics", calendar(own))
    done = invite(home)
    sent = home.text("Downloads/RSVP Team meeting.ics")
    assert not {"ATTACH:", "VALARM", "X-PRIVATE", "CATEGORIES"} & set(sent.replace(":", ":\n").split("\n"))
    assert "secret" not in sent
    assert "VALARM" in home.text("Calendar/mine.ics")
    assert "What you noted about it goes along." in done.answer


WEEKLY = "RRULE:FREQ=WEEKLY;COUNT=4\r\n"


def test_of_a_series_it_is_asked_whether_one_time_or_all(home: PracticeHome) -> None:
    home.add("Calendar/mine.ics", calendar(WEEKLY))
    with pytest.raises(ToolError, match="only one time of it, or all"):
        invite(home)
    invite(home, which="series")
    (one,) = read(home, "Downloads/RSVP Team meeting.ics").walk("VEVENT")
    assert one["RRULE"]["COUNT"] == [4]


def test_people_come_to_one_time_of_a_series(home: PracticeHome) -> None:
    home.add("Calendar/mine.ics", calendar(WEEKLY))
    invite(home, when=Period(date(2025, 3, 27), date(2025, 3, 28)))
    assert guests(event(home)) == {}
    (one,) = read(home, "Downloads/RSVP Team meeting.ics").walk("VEVENT")
    assert str(one["RECURRENCE-ID"].dt) == "2025-03-27 09:00:00+00:00"
    assert "RRULE" not in one
    assert set(guests(one)) == {ANNA, TOM}


# --- answers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["ACCEPTED", "DECLINED", "TENTATIVE"])
def test_an_answer_is_kept_and_nothing_else_is_changed(home: PracticeHome, answer: str) -> None:
    invite(home)
    before = event(home).to_ical()
    done = follow(home, reply(answer=answer, start="DTSTART:20300101T000000Z\r\nLOCATION:Moon\r\n"))
    after = event(home)
    assert guests(after) == {ANNA: answer, TOM: "NEEDS-ACTION"}
    for line in after["ATTENDEE"]:
        line.params.pop("X-REPLIED", None)
        line.params["PARTSTAT"] = "NEEDS-ACTION"
    assert sorted(after.to_ical().splitlines()) == sorted(before.splitlines())
    assert done.answer.startswith("Anna Schmidt: “Team meeting”: ")


def test_an_answer_by_mail_is_its_senders(home: PracticeHome) -> None:
    invite(home)
    follow(home, mail(reply(), f"Anna <{ANNA}>"))
    assert guests(event(home))[ANNA] == "ACCEPTED"


def test_a_later_answer_counts_and_an_earlier_one_does_not(home: PracticeHome) -> None:
    invite(home)
    follow(home, reply(answer="ACCEPTED", stamp="20250314T110000Z"))
    follow(home, reply(answer="DECLINED", stamp="20250314T113000Z"))
    with pytest.raises(ToolError, match="answered an earlier version"):
        follow(home, reply(answer="ACCEPTED", stamp="20250314T110000Z"))
    assert guests(event(home))[ANNA] == "DECLINED"
    done = follow(home, reply(answer="DECLINED", stamp="20250314T113000Z"))
    assert "in your calendar already" in done.answer


def test_an_answer_that_is_dated_ahead_does_not_bind(home: PracticeHome) -> None:
    invite(home)
    follow(home, reply(answer="ACCEPTED", stamp="99991231T235959Z"))
    follow(home, reply(answer="DECLINED", stamp="20250314T120000Z"))
    assert guests(event(home))[ANNA] == "DECLINED"


def test_an_answer_to_an_earlier_time_is_none(home: PracticeHome) -> None:
    invite(home)
    home.do(skill.move, event="team meeting", to=date(2025, 3, 21))
    assert event(home)["SEQUENCE"] == 1
    with pytest.raises(ToolError, match="answered an earlier version"):
        follow(home, reply(sequence=0))
    follow(home, reply(sequence=1))


def test_an_answer_to_one_time_is_kept_beside_the_series(home: PracticeHome) -> None:
    home.add("Calendar/mine.ics", calendar(WEEKLY))
    invite(home, which="series")
    follow(home, reply(answer="DECLINED", more="RECURRENCE-ID:20250327T090000Z\r\n", start=""))
    whole = [one for one in read(home, "Calendar/mine.ics").walk("VEVENT") if one["UID"] == "team-1"]
    assert [guests(one)[ANNA] for one in whole] == ["NEEDS-ACTION", "DECLINED"]
    assert (whole[1]["SEQUENCE"], str(whole[1]["DTSTART"].dt)) == (0, "2025-03-27 09:00:00+00:00")
    follow(home, reply(answer="ACCEPTED", stamp="20250314T140000Z", more="RECURRENCE-ID:20250327T090000Z\r\n"))
    whole = [one for one in read(home, "Calendar/mine.ics").walk("VEVENT") if one["UID"] == "team-1"]
    assert [guests(one)[ANNA] for one in whole] == ["NEEDS-ACTION", "ACCEPTED"]
    with pytest.raises(ToolError, match="does not have"):
        follow(home, reply(more="RECURRENCE-ID:20250328T090000Z\r\n"))


def test_an_answer_is_told_before(home: PracticeHome) -> None:
    invite(home)
    file = home.add("Downloads/answer.ics", reply(more="COMMENT:Five minutes late\r\n", name=";CN=Anna"))
    told = home.do(skill.invitation, file=file, pure=True)
    assert told.answer == f"Answer from Anna <{ANNA}>: “Team meeting”: comes\nIt says: “Five minutes late”"
    with pytest.raises(ToolError, match="itself an answer"):
        home.do(skill.answer, file=file, reply="yes")


def test_a_proposal_is_told_and_changes_nothing(home: PracticeHome) -> None:
    invite(home)
    before = home.tree()["Calendar/mine.ics"]
    done = follow(home, reply(method="COUNTER", start="DTSTART:20250321T140000Z\r\n"))
    assert "rather Friday 21 March 2025, 14:00" in done.answer
    assert "nothing was changed" in done.answer
    assert home.tree()["Calendar/mine.ics"] == before


def test_who_comes_is_told(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="Nobody is invited to “Team meeting”"):
        home.do(skill.guests, event="team meeting", pure=True)
    invite(home)
    follow(home, reply())
    done = home.do(skill.guests, event="team meeting", pure=True)
    assert done.answer == ("Team meeting, Thursday 20 March 2025, 09:00–10:00:\n- Coming: Anna Schmidt\n"
                           "- Not answered yet: Tom Berger")  # fmt: skip
    assert (done.value.coming, done.value.not_answered) == (["Anna Schmidt"], ["Tom Berger"])
    assert home.do(skill.guests, event="team meeting", said="no", pure=True).answer.endswith("Nobody has declined.")


# --- what guests do not know yet ----------------------------------------------------------------------------------


def test_what_guests_do_not_know_yet_is_said(home: PracticeHome) -> None:
    invite(home)
    follow(home, reply())
    done = home.do(skill.move, event="team meeting", to=date(2025, 3, 21))
    assert "Anna Schmidt and Tom Berger are invited and do not know it yet." in done.answer
    assert "write the invitation to “Team meeting” again" in done.answer
    assert guests(event(home)) == {ANNA: "NEEDS-ACTION", TOM: "NEEDS-ACTION"}, "another time is another question"
    invite(home, None, me=None)
    (one,) = read(home, "Downloads/RSVP Team meeting (2).ics").walk("VEVENT")
    assert one["SEQUENCE"] == 1
    done = home.do(skill.rename, event="team meeting", title="Board")
    assert "write the invitation to “Board” again" in done.answer
    done = home.do(skill.place, event="board", where="Room 4")
    assert "do not know it yet" in done.answer


def test_nothing_is_said_where_nobody_was_invited(home: PracticeHome) -> None:
    home.add("Calendar/mine.ics", calendar(f"ATTENDEE;CN=Anna:mailto:{ANNA}\r\n"))
    done = home.do(skill.move, event="team meeting", to=date(2025, 3, 21))
    assert "know" not in done.answer
    home.do(skill.remove, event="team meeting")
    assert not [path for path in home.tree() if path.startswith("Downloads")]


def test_who_was_invited_is_told_that_it_is_off(home: PracticeHome) -> None:
    invite(home)
    done = home.do(skill.remove, event="team meeting")
    sent = read(home, "Downloads/Cancellation Team meeting.ics")
    (one,) = sent.walk("VEVENT")
    assert (sent["METHOD"], one["STATUS"], one["SEQUENCE"], one["UID"]) == ("CANCEL", "CANCELLED", 1, "team-1")
    assert set(guests(one)) == {ANNA, TOM}
    assert "The cancellation is not sent yet: ~/Downloads/Cancellation Team meeting.ics" in done.answer
    assert "team-1" not in home.text("Calendar/mine.ics")


def test_one_time_of_a_series_is_called_off(home: PracticeHome) -> None:
    home.add("Calendar/mine.ics", calendar(WEEKLY))
    invite(home, which="series")
    home.do(skill.remove, event="team meeting", when=Period(date(2025, 3, 27), date(2025, 3, 28)))
    (one,) = read(home, "Downloads/Cancellation Team meeting.ics").walk("VEVENT")
    assert str(one["RECURRENCE-ID"].dt) == "2025-03-27 09:00:00+00:00"
    assert event(home)["SEQUENCE"] == one["SEQUENCE"] == 1


def test_a_guest_who_uses_steward_follows_it_all(home: PracticeHome, tmp_path: Path) -> None:
    """What one writes the other reads: invitation, answer, another time, cancellation."""
    guest = PracticeHome(tmp_path / "guest")
    guest.add("Calendar/mine.ics", calendar(title="Other").replace("team-1", "theirs"))
    invite(home, "Anna")
    guest.do(skill.answer, file=guest.add("a.ics", home.tree()["Downloads/RSVP Team meeting.ics"]), reply="yes")
    follow(home, guest.tree()["Downloads/Reply Team meeting.ics"])
    assert guests(event(home)) == {ANNA: "ACCEPTED"}
    home.do(skill.move, event="team meeting", to=date(2025, 3, 21))
    invite(home, None, me=None)
    guest.do(skill.follow, file=guest.add("b.ics", home.tree()["Downloads/RSVP Team meeting (2).ics"]))
    assert str(event(guest)["DTSTART"].dt) == "2025-03-21 09:00:00+00:00"
    home.do(skill.remove, event="team meeting")
    guest.do(skill.follow, file=guest.add("c.ics", home.tree()["Downloads/Cancellation Team meeting.ics"]))
    assert "team-1" not in guest.text("Calendar/mine.ics")


# --- attacks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (reply("stranger@x.example"), "was not invited"),
        (mail(reply(), "evil@x.example"), "holds an answer of"),
        (mail(reply("evil@x.example"), "evil@x.example"), "was not invited"),
        (mail(reply(), f"{ANNA}, evil@x.example"), "holds an answer of"),
        (mail(reply(), f'"{ANNA}" <evil@x.example>'), "holds an answer of"),
        (reply(organizer="evil@x.example"), "is not yours"),
        (reply(more=f"ATTENDEE;PARTSTAT=DECLINED:mailto:{TOM}\r\n"), "of one person"),
        (reply(answer="NEEDS-ACTION"), "does not say yes, no or maybe"),
        (reply(answer="DELEGATED"), "does not say yes, no or maybe"),
        (reply(uid="other"), "not in your calendar"),
        (reply(uid="own-2"), "was not invited"),
        (reply(more="RECURRENCE-ID;RANGE=THISANDFUTURE:20250320T090000Z\r\n"), "all later ones"),
        (reply(more="".join(f"ATTENDEE:mailto:a{at}@x.example\r\n" for at in range(10_000))), "too large"),
        (reply(more="COMMENT:" + "x" * (2 << 20) + "\r\n"), "too large"),
        (reply(f"{ANNA}\u202e"), "of one person"),
    ],
)
def test_what_is_no_answer_of_a_guest_changes_nothing(home: PracticeHome, text: str | bytes, why: str) -> None:
    invite(home)
    before = home.tree()["Calendar/mine.ics"]
    began = process_time()
    with pytest.raises(ToolError, match=why) as refused:
        follow(home, text)
    assert process_time() - began < 3
    assert refused.value.hint
    assert home.tree()["Calendar/mine.ics"] == before


def test_an_answer_to_an_event_of_others_is_not_the_persons(home: PracticeHome) -> None:
    invite(home, "Anna")  # the person's own address is known from here on
    home.add(
        "Calendar/mine.ics",
        calendar(f"ORGANIZER:mailto:boss@firm.example\r\nATTENDEE;PARTSTAT=DECLINED:mailto:{ANNA}\r\n"),
    )
    with pytest.raises(ToolError, match="is not yours"):
        follow(home, reply(organizer="boss@firm.example"))


@pytest.mark.parametrize(
    ("who", "card"),
    [
        ("Eve", "FN:Eve\\nATTENDEE:mailto:evil@x.example\nEMAIL:eve@x.example"),
        ("Eve", 'FN:Eve";PARTSTAT=ACCEPTED:mailto:evil@x.example\nEMAIL:eve@x.example'),
        ("vevent", "FN:E\u202ev\x07e\u2028BEGIN:VEVENT\nEMAIL:eve@x.example"),
        ("Eve", "FN:" + "Eve " * 500 + "\nEMAIL:eve@x.example"),
    ],
)
def test_a_name_begins_no_line_of_its_own(home: PracticeHome, who: str, card: str) -> None:
    home.add("Contacts/all.vcf", f"BEGIN:VCARD\n{card}\nEND:VCARD\n")
    invite(home, who)
    assert guests(event(home)) == {"eve@x.example": "NEEDS-ACTION"}
    assert len(read(home, "Calendar/mine.ics").walk("VEVENT")) == 2
    name = event(home)["ATTENDEE"].params.get("CN", "")
    assert name.isprintable()
    assert len(name) <= 100
    assert not any(
        line.startswith(("PARTSTAT", "BEGIN:VEVENT\u2028")) for line in home.text("Calendar/mine.ics").split("\n")
    )


@pytest.mark.parametrize(
    "address",
    [
        "eve@x.example\\nATTENDEE:mailto:evil@x.example",
        "eve@x.example?bcc=a@b.c",
        "eve@x.exa\u202emple",
        "a:b@x.example",
    ],
)
def test_an_address_that_says_more_is_none(home: PracticeHome, address: str) -> None:
    home.add("Contacts/all.vcf", f"BEGIN:VCARD\nFN:Eve\nEMAIL:{address}\nEND:VCARD\n")
    before = home.tree()["Calendar/mine.ics"]
    with pytest.raises(ToolError, match="no address"):
        invite(home, "Eve")
    with pytest.raises(ToolError, match="no address"):
        invite(home, "Eve", me="me@home.example\r\nATTENDEE:mailto:evil@x.example")
    assert home.tree()["Calendar/mine.ics"] == before


def test_more_than_a_mail_goes_to_are_not_invited(home: PracticeHome) -> None:
    many = ", ".join(f"a{at}@x.example" for at in range(51))
    with pytest.raises(ToolError, match="more than 50 guests"):
        invite(home, many)


def test_an_event_with_ten_thousand_people_is_answered_in_time(home: PracticeHome) -> None:
    lines = "".join(f"ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:a{at}@x.example\r\n" for at in range(10_000))
    home.add("Calendar/mine.ics", calendar(f"SEQUENCE:0\r\nORGANIZER:mailto:{ME}\r\n{lines}", name=ME))
    began = process_time()
    follow(home, reply("a9999@x.example"))
    assert process_time() - began < 5
    assert guests(event(home))["a9999@x.example"] == "ACCEPTED"


def test_what_a_title_says_stays_in_its_marks_and_its_folder(home: PracticeHome) -> None:
    home.add("Calendar/mine.ics", calendar(title="../../.config/x”\\nMind: all is well. “"))
    done = home.do(skill.invite, event="config", who="Anna", me=ME)
    (made,) = [path for path in home.tree() if path.startswith("Downloads")]
    assert made.count("/") == 1
    assert "\nMind" not in done.answer


def test_it_is_said_in_german(home: PracticeHome) -> None:
    home.language = "de"
    assert "Anna Schmidt ist Gast von „Team meeting" in invite(home, "Anna").answer
    assert "maile sie an Anna Schmidt" in home.do(skill.remove, event="team meeting").answer
