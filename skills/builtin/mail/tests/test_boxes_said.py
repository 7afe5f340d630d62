"""A mailbox is said by its name or by its folder: what was written, what was put away, what lies in one folder."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from skills.builtin.mail import skill
from skills.sdk import Folder, ToolError
from skills.sdk.testing import PracticeHome


def letter(sender: str, to: str, subject: str) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"], mail["Date"] = sender, to, subject, "Thu, 13 Mar 2025 12:00:00 +0000"
    mail.set_content("Hello.")
    return mail.as_bytes()


ANNA, ME = "Anna Berg <anna@example.org>", "me@home.test"


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path)
    made.add("Maildir/cur/1741800000.a:2,S", letter(ANNA, ME, "Came"))
    made.add("Maildir/.Sent/cur/1741800001.b:2,S", letter(ME, ANNA, "Sent one"))
    made.add("Maildir/.INBOX.Entwürfe/cur/1741800002.c:2,S", letter(ME, ANNA, "Entwurf"))
    made.add("Maildir/cur/1741800003.d:2,DS", letter(ME, ANNA, "Flagged as a draft"))
    made.add("Mail/Drafts/note to Ben.eml", letter(ME, "ben@example.org", "Draft for Ben"))
    made.add("Mail/work/new/1741800004.e", letter(ANNA, ME, "Of work"))
    made.add("Mail/work/Gesendet/cur/1741800005.f:2,S", letter(ME, ANNA, "Sent at work"))
    made.add("Mail/Archive", b"From anna@example.org Thu Mar 13 12:00:00 2025\n" + letter(ANNA, ME, "Put away") + b"\n")
    made.add("Mail/Deleted Items/cur/1741800006.g:2,S", letter(ANNA, ME, "Gone"))
    return made


@pytest.mark.parametrize(
    ("box", "subjects"),
    [
        ("drafts", {"Entwurf", "Flagged as a draft", "Draft for Ben"}),
        ("sent", {"Sent one", "Sent at work"}),
        ("archive", {"Put away"}),
        ("trash", {"Gone"}),
        ("spam", set()),
        (None, {"Came", "Of work", "Put away"}),
    ],
)
def test_a_mailbox_by_its_name(home: PracticeHome, box: str | None, subjects: set[str]) -> None:
    assert {one.subject for one in home.do(skill.find, box=box, pure=True).value} == subjects


def test_of_what_was_written_it_is_said_to_whom(home: PracticeHome) -> None:
    answer = home.do(skill.find, box="drafts", about="Ben", pure=True).answer
    assert answer.startswith("1 mail about “Ben” among your drafts:\n- 13 March 2025, to ben@example.org: Draft")
    home.language = "de"
    assert "Es gibt keine Mail im Spam-Ordner." in home.do(skill.find, box="spam", pure=True).answer


def test_a_mailbox_by_its_folder(home: PracticeHome) -> None:
    found = home.do(skill.find, folder=home.folder("Mail/work"), pure=True).value
    assert {one.subject for one in found} == {"Of work", "Sent at work"}
    found = home.do(skill.find, folder=home.folder("Maildir"), box="sent", pure=True).value
    assert [one.subject for one in found] == ["Sent one"]


def test_elsewhere_no_mail_is_looked_for(home: PracticeHome) -> None:
    home.add("Documents/a.eml", letter(ANNA, ME, "Elsewhere"))
    with pytest.raises(ToolError, match="no mailbox: mail is looked for in") as raised:
        home.do(skill.find, folder=Folder(str(home.path / "Documents")), pure=True)
    assert raised.value.hint
