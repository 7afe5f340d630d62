"""Drafts, and what is described to be sent: to whom exactly, with what; nothing leaves here."""

from __future__ import annotations

import base64
import email
import email.policy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from skills.builtin.contacts import skill as contacts
from skills.builtin.mail import skill
from skills.builtin.mail.writing import again, subject_of
from skills.sdk import ToolError
from skills.sdk.testing import PracticeHome

CARDS = """BEGIN:VCARD
FN:Anna Berg
EMAIL:anna@example.org
END:VCARD
BEGIN:VCARD
FN:Anna Stein
EMAIL:stein@example.org
END:VCARD
BEGIN:VCARD
FN:Ben Roth
EMAIL:ben@example.org
END:VCARD
BEGIN:VCARD
FN:Clara Voss
TEL:1
END:VCARD
"""
ROOF = (
    b"From: Anna Berg <anna@example.org>\nTo: me@home.test\nSubject: Roof\nMessage-ID: <1@x>\nReferences: <0@x>\n"
    b"Date: Thu, 13 Mar 2025 10:00:00 +0000\n\nTuesday?\n"
)


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path, calls={"contacts.people": contacts.people, "contacts.find": contacts.find})
    made.add("Contacts/all.vcf", CARDS)
    made.add("Mail/roof.eml", ROOF)
    return made


TO = [
    ("ben@example.org", ["ben@example.org"]),
    ("Ben", ["Ben Roth <ben@example.org>"]),
    ("Anna Stein", ["Anna Stein <stein@example.org>"]),
    ("Ben and Anna Berg", ["Ben Roth <ben@example.org>", "Anna Berg <anna@example.org>"]),
    ("Ben und x@y.example", ["Ben Roth <ben@example.org>", "x@y.example"]),
    ("tom.and.jerry@example.org", ["tom.and.jerry@example.org"]),
    ("Ben and tom-und-jerry@example.org", ["Ben Roth <ben@example.org>", "tom-und-jerry@example.org"]),
    ("a&b@x.example & Ben", ["a&b@x.example", "Ben Roth <ben@example.org>"]),
    ("x@y.example&z@y.example", ["x@y.example", "z@y.example"]),
    ("Ben and Rob <and@x.example>; c@y.example", ["Ben Roth <ben@example.org>", "and@x.example", "c@y.example"]),
    ("Ben, ben@example.org, Ben", ["Ben Roth <ben@example.org>", "ben@example.org"]),
]


@pytest.mark.parametrize(("said", "to"), TO)
def test_who_is_meant(home: PracticeHome, said: str, to: list[str]) -> None:
    home.step(skill.send, to=said, text="Hello. More.")
    assert home.sent[0]["to"] == to
    assert home.sent[0]["subject"] == "Hello"


def test_a_name_of_two_people_is_asked_about(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="More than one person") as caught:
        home.step(skill.send, to="Anna", text="x")
    assert (caught.value.instead_of, set(caught.value.choices)) == ("Anna", {"Anna Berg", "Anna Stein"})
    assert home.sent == []


@pytest.mark.parametrize(
    ("said", "why"), [("Zoe", "Nobody in your contacts"), ("Clara", "no e-mail address of Clara Voss")]
)
def test_an_address_that_nobody_knows_is_asked_for(home: PracticeHome, said: str, why: str) -> None:
    with pytest.raises(ToolError, match=why):
        home.step(skill.send, to=said, text="x")
    assert home.sent == []


def test_a_sender_of_mails_is_no_contact(home: PracticeHome) -> None:
    home.add("Mail/evil.eml", b"From: Zoe <evil@evil.test>\nSubject: x\n\nx")
    with pytest.raises(ToolError, match="Nobody in your contacts"):
        home.step(skill.send, to="Zoe", text="x")


def test_files_go_along(home: PracticeHome) -> None:
    home.add("report.pdf", b"%PDF")
    done = home.step(skill.send, to="ben@example.org", text="Here.", subject="Report", files=[home.file("report.pdf")])
    assert home.sent[0]["files"] == [("report.pdf", b"%PDF")]
    assert done.effects[0]["op"] == "send"
    assert done.answer == "I sent the mail “Report” to ben@example.org."


def test_files_alone_are_a_mail_and_nothing_is_none(home: PracticeHome) -> None:
    home.add("report.pdf", b"%PDF")
    home.step(skill.send, to="ben@example.org", files=[home.file("report.pdf")])
    assert (home.sent[0]["subject"], home.sent[0]["text"]) == ("report.pdf", "")
    with pytest.raises(ToolError, match="what the mail is to say"):
        home.step(skill.send, to="ben@example.org")
    assert len(home.sent) == 1


def test_files_that_are_too_large_are_refused(home: PracticeHome) -> None:
    home.add("large.bin", bytes((25 << 20) + 1))
    with pytest.raises(ToolError, match="can go with a mail"):
        home.step(skill.send, to="ben@example.org", text="x", files=[home.file("large.bin")])


def test_a_reply_goes_to_whoever_wrote_and_into_the_conversation(home: PracticeHome) -> None:
    home.step(skill.reply, sender="Anna", text="Fine.")
    [sent] = home.sent
    assert (sent["to"], sent["subject"]) == (["Anna Berg <anna@example.org>"], "Re: Roof")
    assert (sent["in_reply_to"], tuple(sent["references"])) == ("<1@x>", ("<0@x>",))
    assert sent["text"] == "Fine.\n\nOn 13 March 2025 Anna Berg <anna@example.org> wrote:\n> Tuesday?"


def test_a_reply_that_goes_elsewhere_is_said(home: PracticeHome) -> None:
    home.add("Mail/trick.eml", b"From: Dan <dan@example.org>\nReply-To: evil@evil.test\nSubject: x\n\nx")
    done = home.step(skill.reply, sender="Dan", text="Fine.")
    assert home.sent[0]["to"] == ["evil@evil.test"]
    assert "it asks for answers to evil@evil.test" in done.answer


def test_a_mail_is_forwarded_with_its_text(home: PracticeHome) -> None:
    home.step(skill.forward, to="Ben", sender="Anna", text="See below.")
    [sent] = home.sent
    assert (sent["to"], sent["subject"]) == (["Ben Roth <ben@example.org>"], "Fwd: Roof")
    assert sent["text"].startswith("See below.\n\n---------- Forwarded message ----------\nFrom: Anna Berg")
    assert sent["text"].endswith("Tuesday?")


def test_a_draft_is_a_file_that_can_be_read(home: PracticeHome) -> None:
    done = home.do(skill.draft, to="Ben", text="Grüße", subject="Über: das/Dach")
    [name] = [one for one in home.tree() if "Drafts" in one]
    mail = email.message_from_bytes(home.tree()[name], policy=email.policy.default)
    assert (mail["To"], mail["Subject"]) == ("Ben Roth <ben@example.org>", "Über: das/Dach")
    assert mail.get_body().get_content().strip() == "Grüße"  # type: ignore[union-attr]
    assert (home.sent, "It was not sent." in done.answer) == ([], True)


@pytest.mark.parametrize("subject", ["a\r\nBcc: evil@evil.test", "a\nBcc: evil@evil.test", "a\u2028Bcc: x@y.zz"])
def test_a_header_hidden_in_a_subject_is_none(home: PracticeHome, subject: str) -> None:
    home.do(skill.draft, to="ben@example.org", text="x", subject=subject)
    [name] = [one for one in home.tree() if "Drafts" in one]
    mail = email.message_from_bytes(home.tree()[name], policy=email.policy.default)
    assert (mail["Bcc"], mail["Subject"].startswith("a")) == (None, True)


@pytest.mark.parametrize(
    ("text", "subject"),
    [("Hello there. More.", "Hello there"), ("The plumber comes at 9", "The plumber comes at 9"), ("a " * 60, None)],
)
def test_a_subject_is_how_the_text_begins(text: str, subject: str | None) -> None:
    assert subject_of(text) == subject or (subject is None and len(subject_of(text)) <= 72)


def test_prefixes_stand_once() -> None:
    assert (again("Re", "AW: Re: Roof"), again("Fwd", "Roof")) == ("Re: Roof", "Fwd: Roof")


# --- fetching -----------------------------------------------------------------------------------------------------


def test_new_mail_is_fetched_once(tmp_path: Path) -> None:
    asked: list[Mapping[str, Any]] = []

    def mailbox(wish: Mapping[str, Any]) -> Mapping[str, Any]:
        asked.append(wish)
        mails = [
            (4, True, b"From: a@b.test\nDate: Thu, 13 Mar 2025 10:00:00 +0000\nSubject: four\n\nx"),
            (5, False, b"From: a@b.test\nSubject: five\n\nx"),
            (6, False, b""),
        ]
        new = [one for one in mails if one[0] > wish["after"]]
        letters = [
            {"uid": uid, "seen": seen, "size_bytes": len(mail) or 1 << 30, "mail": base64.b64encode(mail).decode()}
            for uid, seen, mail in new[:2]
        ]
        return {"validity": 7, "more": len(new) > 2, "letters": letters}

    home = PracticeHome(tmp_path, mailbox=mailbox)
    done = home.do(skill.fetch)
    assert done.answer.splitlines()[0] == "I fetched 2 new mails into ~/Mail/Inbox."
    assert "1 mail is larger than 16 MiB" in done.answer
    assert set(home.tree()) == {
        "Mail/Inbox/cur/1741860000.V7U4.steward:2,S",
        f"Mail/Inbox/new/{int(home.now.timestamp())}.V7U5.steward",
    }
    assert [one.subject for one in home.step(skill.find, pure=True, what="unread").value] == ["five"]
    home.do(skill.fetch)
    assert asked[-1]["validity"] == 7
    assert asked[-1]["after"] == 6, "what is too large is told once"
    assert len(home.tree()) == 2


class Server:
    """A mailbox of one validity; letters are (UID, when they came, their bytes)."""

    def __init__(self, validity: int, *letters: tuple[int, int, bytes]) -> None:
        self.validity, self.letters = validity, letters
        self.asked: list[Mapping[str, Any]] = []

    def __call__(self, wish: Mapping[str, Any]) -> Mapping[str, Any]:
        self.asked.append(wish)
        after = wish["after"] if wish["validity"] == self.validity else 0
        letters = [
            {
                "uid": uid,
                "seen": False,
                "size_bytes": len(mail),
                "arrived_s": at,
                "mail": base64.b64encode(mail).decode(),
            }
            for uid, at, mail in self.letters
            if uid > after
        ]
        return {"validity": self.validity, "more": False, "letters": letters}


HEAD = b"From: a@b.test\nSubject: %d\n\nx"


def test_the_time_of_a_mail_is_not_the_number_of_its_folder(tmp_path: Path) -> None:
    """Many servers count with a time: 1609459200 is one of 2021."""
    server = Server(1609459200, (1, 1_741_000_000, HEAD % 1), (2, 1_741_000_100, HEAD % 2))
    home = PracticeHome(tmp_path, mailbox=server)
    home.do(skill.fetch)
    found = home.step(skill.find, pure=True).value
    assert [(one.subject, one.day.year) for one in found] == [("2", 2025), ("1", 2025)]


def test_what_was_fetched_is_known_when_its_files_are_gone(tmp_path: Path) -> None:
    server = Server(9, (1, 1_741_000_000, HEAD % 1), (2, 1_741_000_100, HEAD % 2), (3, 1_741_000_200, b""))
    home = PracticeHome(tmp_path, mailbox=server)
    done = home.do(skill.fetch)
    assert "larger" not in done.answer, "what is empty is not too large"
    for path in (home.path / "Mail/Inbox/new").iterdir():
        path.unlink()
    home.do(skill.fetch)
    assert (server.asked[-1]["validity"], server.asked[-1]["after"]) == (9, 3)
    assert not list((home.path / "Mail/Inbox/new").iterdir())


def test_a_server_that_counts_anew_is_asked_for_a_month(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path, mailbox=(server := Server(9, (5, 1_741_000_000, HEAD % 5))))
    home.do(skill.fetch)
    server.validity, server.letters = 3, ((1, 1_741_000_300, HEAD % 1),)
    home.do(skill.fetch)
    assert (server.asked[-1]["validity"], server.asked[-1]["after"]) == (3, 0)
    assert server.asked[-1]["since"]
    home.do(skill.fetch)
    assert (server.asked[-1]["validity"], server.asked[-1]["after"]) == (3, 1), "a smaller validity is one, too"


def test_without_the_right_nothing_is_fetched(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="may not use your mail account"):
        PracticeHome(tmp_path).do(skill.fetch)


def test_a_mail_to_johann_does_not_go_to_johanna(home: PracticeHome) -> None:
    home.add("Contacts/johanna.vcf", b"BEGIN:VCARD\nFN:Johanna Kern\nEMAIL:johanna@example.org\nEND:VCARD\n")
    with pytest.raises(ToolError, match="Nobody in your contacts"):
        home.do(skill.send, to="Johann", text="hi")
    home.do(skill.send, to="johanna", text="hi")
    assert home.sent[-1]["to"] == ["Johanna Kern <johanna@example.org>"]
