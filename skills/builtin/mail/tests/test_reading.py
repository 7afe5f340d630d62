"""Looking through mail as it lies: Maildir, mbox and .eml, who wrote what when, text, attachments, conversations."""

from __future__ import annotations

from datetime import date, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from skills.builtin.mail import skill
from skills.sdk import Period, ToolError
from skills.sdk.testing import NOON, PracticeHome


def letter(
    sender: str,
    subject: str,
    *,
    days: int = 0,
    text: str = "Hello.",
    files: dict[str, bytes] | None = None,
    **more: str,
) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, "me@home.test", subject
    mail["Date"] = format_datetime(NOON - timedelta(days=days))
    for name, value in more.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(text)
    for name, content in (files or {}).items():
        mail.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    return mail


def put(home: PracticeHome, place: str, mail: EmailMessage | bytes, days: int = 0) -> None:
    data = mail if isinstance(mail, bytes) else mail.as_bytes()
    home.add(place, data, modified=NOON - timedelta(days=days))


def stamp(days: int) -> str:
    return f"{int((NOON - timedelta(days=days)).timestamp())}.x{days}.host"


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path)
    anna, bank = "Anna Berg <anna@example.org>", "Stadtbank <info@bank.example>"
    put(made, f"Maildir/cur/{stamp(9)}:2,S", letter(anna, "Roof", days=9, text="It leaks.", Message_ID="<1@x>"))
    put(
        made,
        f"Maildir/new/{stamp(2)}",
        letter(anna, "Re: Roof", days=2, text="Tuesday is fine.", Message_ID="<3@x>", References="<1@x> <2@x>"),
    )
    put(
        made,
        f"Maildir/.Sent/cur/{stamp(5)}:2,S",
        letter("me@home.test", "Re: Roof", days=5, text="When?", Message_ID="<2@x>", In_Reply_To="<1@x>"),
    )
    put(made, f"Maildir/.Trash/cur/{stamp(1)}:2,S", letter(anna, "Old junk", days=1))
    put(made, f"Maildir/cur/{stamp(3)}:2,ST", letter(anna, "Deleted", days=3))
    invoice = letter(bank, "Your invoice", days=1, files={"invoice.pdf": b"%PDF-1", "terms.txt": b"t"})
    mbox = b"From info@bank.example Thu Mar 13 12:00:00 2025\n" + invoice.as_bytes() + b"\n"
    older = letter("Ben <ben@example.org>", "Hiking", days=30, text="Soon?\n>From here on", Status="RO")
    mbox = b"From ben@example.org Wed Feb 12 12:00:00 2025\n" + older.as_bytes() + b"\n" + mbox
    put(made, "Mail/Archive", mbox)
    put(
        made,
        "Mail/single.eml",
        letter("=?utf-8?q?J=C3=B6rg_M=C3=BCller?= <jm@example.org>", "=?utf-8?b?R3LDvMOfZQ==?=", days=4),
        4,
    )
    put(made, "Mail/notes.txt", b"From nobody at all")
    return made


FIND: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["Your invoice", "Re: Roof", "Grüße", "Roof", "Hiking"]),
    ({"sender": "Anna"}, ["Re: Roof", "Roof"]),
    ({"sender": "Anna Berg's"}, ["Re: Roof", "Roof"]),
    ({"sender": "the Stadtbank"}, ["Your invoice"]),
    ({"sender": "jorg muller"}, ["Grüße"]),
    ({"sender": "ben@example.org"}, ["Hiking"]),
    ({"sender": "anna@evil.test"}, []),
    ({"about": "the invoice"}, ["Your invoice"]),
    ({"about": "roof", "sender": "Anna"}, ["Re: Roof", "Roof"]),
    ({"when": Period(date(2025, 3, 10), None)}, ["Your invoice", "Re: Roof", "Grüße"]),
    ({"when": Period(None, date(2025, 3, 1))}, ["Hiking"]),
    ({"what": "attachments"}, ["Your invoice"]),
    ({"what": "unread"}, ["Re: Roof"]),
    ({"count": 2}, ["Your invoice", "Re: Roof"]),
    ({"sender": "Zoe"}, []),
]


@pytest.mark.parametrize(("wish", "subjects"), FIND)
def test_mails_are_found(home: PracticeHome, wish: dict[str, Any], subjects: list[str]) -> None:
    done = home.step(skill.find, pure=True, **wish)
    assert [one.subject for one in done.value] == subjects
    assert all(subject in done.answer for subject in subjects)


def test_how_many_are_unread_is_said_in_both_languages(home: PracticeHome) -> None:
    assert home.step(skill.find, pure=True, what="unread").answer.startswith("1 unread mail:\n- 12 March 2025, Anna")
    home.language = "de"
    answer = home.step(skill.find, pure=True, what="unread").answer
    assert answer == "1 ungelesene Mail:\n- 12. März 2025, Anna Berg <anna@example.org>: Re: Roof (ungelesen)"
    assert home.step(skill.find, pure=True, sender="Zoe").answer == "Es gibt keine Mail von Zoe."


def test_the_last_mail_is_read_with_its_text(home: PracticeHome) -> None:
    done = home.step(skill.read, pure=True, sender="Anna")
    assert done.answer == "Anna Berg <anna@example.org> wrote on 12 March 2025: Re: Roof\n\nTuesday is fine."
    [fact] = done.value.facts
    assert (fact.subject, fact.predicate, fact.object) == ("Anna Berg", "email", "anna@example.org")
    assert done.value.sources == [fact.source]
    invoice = home.step(skill.read, pure=True, about="invoice")
    assert invoice.value.attachments == ["invoice.pdf", "terms.txt"]
    assert "Attachments: invoice.pdf and terms.txt." in invoice.answer
    hiking = home.step(skill.read, pure=True, sender="Ben")
    assert hiking.value.text == "Soon?\n>From here on"


def test_a_mail_that_is_not_there_is_said(home: PracticeHome) -> None:
    home.language = "de"
    with pytest.raises(ToolError) as caught:
        home.step(skill.read, pure=True, sender="Zoe")
    assert caught.value.words("de")[0] == "Es gibt keine Mail von Zoe."


def test_a_conversation_is_shown_whole_with_what_was_sent(home: PracticeHome) -> None:
    done = home.step(skill.thread, pure=True, about="roof")
    assert [one.subject for one in done.value] == ["Roof", "Re: Roof", "Re: Roof"]
    assert done.answer.startswith("3 mails in this conversation:")
    assert done.answer.index("It leaks.") < done.answer.index("When?") < done.answer.index("Tuesday is fine.")


def test_attachments_are_saved_and_never_over_another_file(home: PracticeHome) -> None:
    home.add("Downloads/invoice.pdf", "mine")
    done = home.do(skill.save_attachments, about="invoice")
    assert home.tree()["Downloads/invoice (2).pdf"] == b"%PDF-1"
    assert (home.text("Downloads/invoice.pdf"), home.text("Downloads/terms.txt")) == ("mine", "t")
    assert "I saved invoice (2).pdf and terms.txt from the mail of Stadtbank" in done.answer
    home.do(skill.save_attachments, sender="bank", to=home.folder("Finance"))
    assert home.tree()["Finance/invoice.pdf"] == b"%PDF-1"
    with pytest.raises(ToolError):
        home.do(skill.save_attachments, sender="Anna")


def _listed(home: PracticeHome, **wish: Any) -> list[Any]:
    found: list[Any] = home.step(skill.find, pure=True, **wish).value
    return found


@pytest.mark.parametrize("subject", ["Roof", "Re: Roof", "Your invoice", "Hiking", "Grüße"])
def test_a_mail_that_was_listed_is_the_one_that_is_read(home: PracticeHome, subject: str) -> None:
    [one] = [one for one in _listed(home) if one.subject == subject]
    assert home.step(skill.read, pure=True, mail=one.file).value.subject == subject
    assert subject in [each.subject for each in home.step(skill.thread, pure=True, mail=one.file).value]


def test_a_mail_that_was_read_since_is_the_same_mail(home: PracticeHome) -> None:
    [one] = [one for one in _listed(home) if one.subject == "Re: Roof"]
    new = Path(one.file.path)
    new.rename(new.parent.parent / "cur" / f"{new.name}:2,S")
    assert home.step(skill.read, pure=True, mail=one.file).value.subject == "Re: Roof"


def test_a_mail_that_is_gone_is_said_and_no_other_is_read(home: PracticeHome) -> None:
    [one] = [one for one in _listed(home) if one.subject == "Re: Roof"]
    Path(one.file.path).unlink()
    with pytest.raises(ToolError, match="not there any more"):
        home.step(skill.read, pure=True, mail=one.file)


def test_a_file_that_is_no_mail_is_not_read_as_one(home: PracticeHome) -> None:
    home.add("Documents/secret.eml", "From: a@b.test\nSubject: mine\n\nnothing of the mailbox")
    with pytest.raises(ToolError, match="not there any more"):
        home.step(skill.read, pure=True, mail=home.file("Documents/secret.eml"))


def test_the_attachments_of_a_listed_mail_are_those_of_no_other(home: PracticeHome) -> None:
    plain, with_files = (next(one for one in _listed(home) if one.subject == name) for name in ("Roof", "Your invoice"))
    home.do(skill.save_attachments, mail=with_files.file)
    assert home.tree()["Downloads/invoice.pdf"] == b"%PDF-1"
    with pytest.raises(ToolError, match=r"The mail of Anna Berg <anna@example\.org> has no attachments"):
        home.do(skill.save_attachments, mail=plain.file)


def test_without_a_mailbox_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="no mail on this machine"):
        PracticeHome(tmp_path).step(skill.find, pure=True)


def test_thunderbirds_own_marks_tell_what_was_read(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    mails = [(b"0001", "Read"), (b"0000", "New")]
    data = b"".join(
        b"From - Thu Mar 13 12:00:00 2025\nX-Mozilla-Status: "
        + status
        + b"\n"
        + letter("a@b.test", name).as_bytes()
        + b"\n"
        for status, name in mails
    )
    home.add("Mail/Local Folders/Inbox", data)
    assert [one.subject for one in home.step(skill.find, pure=True, what="unread").value] == ["New"]
