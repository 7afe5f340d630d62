"""Mails that a rule waits for: who is meant, and which of those that came are such ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills.builtin.mail import arriving, boxes, expecting, skill
from skills.builtin.mail.expecting import Sender, has_such, is_about
from skills.sdk import Context, File
from skills.sdk.testing import PracticeHome

KLAUS = Sender(frozenset({"klaus@vogt.example"}))


def mail(home: PracticeHome, sender: bytes, name: str = "a.eml", subject: bytes = b"Hello") -> str:
    """Put a mail into the inbox; return where it lies."""
    data = b"From: " + sender + b"\nSubject: " + subject + b"\nMessage-ID: <1@x.example>\n"
    data += b"Date: Thu, 13 Mar 2025 10:00:00 +0000\n\ntext\n"
    return home.add(f"Mail/Inbox/{name}", data).path


@pytest.mark.parametrize(
    ("sender", "address"),
    [
        (b"Klaus Vogt <klaus@vogt.example>", "klaus@vogt.example"),
        (b"klaus@vogt.example", "klaus@vogt.example"),
        (b"Klaus\n\tVogt\n <KLAUS@VOGT.example>", "klaus@vogt.example"),
        (b'"Vogt, Klaus" <klaus@vogt.example>', "klaus@vogt.example"),
        (b"klaus@vogt.example (Klaus)", "klaus@vogt.example"),
        (b"=?utf-8?q?M=C3=BCller?= <m@x.example>", "m@x.example"),
        (b"klaus@vogt.example, x@evil.example", ""),
        (b"x@evil.example\nFrom: klaus@vogt.example", ""),
        (b"klaus@vogt.example\x00", ""),
        (b"klaus@vogt.example\x00.evil.example", ""),
        (b"klaus@vogt.example@evil.example", ""),
        (b"=?utf-8?q?klaus=40vogt=2Eexample?=", ""),
        (b"Klaus Vogt", ""),
        (b"", ""),
        (b"\xff\xfe <klaus@v\xd0\xbegt.example>", ""),
    ],
)
def test_the_one_address_of_a_mail(tmp_path: Path, sender: bytes, address: str) -> None:
    home = PracticeHome(tmp_path)
    path = mail(home, sender)

    def look(ctx: Context) -> str:
        """Look."""
        (stub,) = [one for one in boxes.stubs(ctx) if one.path == path]
        return expecting.sole_address(stub)

    assert home.step(look, pure=True).value == address


@pytest.mark.parametrize(
    ("meant", "sender", "is_it"),
    [
        (KLAUS, b"x <klaus@vogt.example>", True),
        (KLAUS, b"Klaus Vogt <klaus@evil.example>", False),
        (KLAUS, b'"klaus@vogt.example" <klaus@evil.example>', False),
        (KLAUS, b"=?utf-8?q?=3Cklaus=40vogt=2Eexample=3E?= <x@evil.example>", False),
        (Sender(domain="bank.example"), b"x@mail.bank.example", True),
        (Sender(domain="bank.example"), b"x@notbank.example", False),
        (Sender(domain="bank.example"), b"x@bank.example.evil.example", False),
        (Sender(names=("klaus", "vogt")), b"Klaus Vogt <k@x.example>", True),
        (Sender(names=("klaus", "vogt")), b"Anna Vogt <k@x.example>", False),
        (Sender(names=("klaus",)), b"Klausi <k@x.example>", False),
        (Sender(), b"k@x.example", False),
    ],
)
def test_who_is_meant_is_told_by_address_where_there_is_one(
    tmp_path: Path, meant: Sender, sender: bytes, is_it: bool
) -> None:
    home = PracticeHome(tmp_path)
    path = mail(home, sender)

    def look(ctx: Context) -> int:
        """Look."""
        return len(arriving.among(ctx, [path], arriving.Waited(meant, "", "")))

    assert home.step(look, pure=True).value == is_it


def test_only_those_that_came_are_looked_at_and_what_was_sent_is_none(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    came = mail(home, b"a@x.example", "a.eml", b"Invoice 7")
    mail(home, b"b@x.example", "b.eml", b"Invoice 8")
    sent = home.add("Mail/Sent/c.eml", b"From: me@x.example\nSubject: Invoice 9\n\nx").path
    found = home.step(skill.received, pure=True, mails=[File(came), File(sent)], subject="invoice").value
    assert [one.subject for one in found] == ["Invoice 7"]
    assert found[0].text == "text"
    assert home.step(skill.received, pure=True, mails=[File(came)], subject="lunch").value == []


def test_a_mail_keeps_its_key_when_it_is_read(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    data = b"From: a@x.example\nSubject: s\n\nno id"
    new = home.add("Mail/Inbox/new/17.x", data).path
    (first,) = home.step(skill.received, pure=True, mails=[File(new)]).value
    read = Path(new).parent.parent / "cur/17.x:2,S"
    read.parent.mkdir()
    Path(new).rename(read)
    (again,) = home.step(skill.received, pure=True, mails=[File(str(read))]).value
    assert (first.key, first.file.path) != (again.key, again.file.path)
    assert first.key == again.key


@pytest.mark.parametrize(
    ("names", "pattern", "has"),
    [
        (["a.pdf"], "*", True), ([], "*", False), (["A.PDF"], "*.pdf", True), (["a.png"], "*.pdf", False),
        (["a.jpg"], "*.{png,jpg}", True), (["a.txt"], "*.{png,jpg}", False),
    ],
)  # fmt: skip
def test_what_is_attached_fits_a_pattern(names: list[str], pattern: str, has: bool) -> None:
    assert has_such(names, pattern) is has


def test_words_of_the_subject_are_whole_or_begin(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    path = mail(home, b"a@x.example", subject=b"Re: Rechnungen vom M\xc3\xa4rz")

    def look(ctx: Context) -> list[str]:
        """Look."""
        ((head, _),) = arriving.among(ctx, [path], arriving.Waited(None, "", ""))
        return [one for one in ("Rechnung", "rechnungen märz", "ung", "Mahnung") if is_about(head, one)]

    assert home.step(look, pure=True).value == ["Rechnung", "rechnungen märz"]
