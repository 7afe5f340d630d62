"""Mails that mean harm, or are broken: each is read as far as it can be, and none takes the others along."""

from __future__ import annotations

import io
import zipfile
from email.message import EmailMessage
from pathlib import Path
from time import process_time

import pytest

from skills.builtin.mail import boxes, letter, skill
from skills.builtin.mail.letter import fit_name, from_html
from skills.sdk import Context
from skills.sdk.testing import PracticeHome

GOOD = b"From: Ben <ben@example.org>\nSubject: fine\nDate: Thu, 13 Mar 2025 10:00:00 +0000\n\nall well\n"


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path)
    made.add("Mail/good.eml", GOOD)
    return made


def test_a_declaration_that_html_does_not_know() -> None:
    assert from_html("<p>before</p><![foo[ x]>") == "before"


BROKEN = [
    b"From: a@b.test\nContent-Type: text/html\n\n<p>before</p><![foo[ x]>",
    b"",
    b"\x00" * 3000,
    b"no header at all",
    b"From: \xff\xfe <x@y.test>\nSubject: \x80\x81\nDate: yesterday, or so\n\n\xff",
    b"From: =?utf-9?q?a?= <a@b.test>\nSubject: =?utf-8?b?!!!?=\nContent-Type: text/plain; charset=klingon\n\nx",
    b"From: a@b.test\nContent-Type: multipart/mixed; boundary=\n\n--\n--\n",
    b"From: a@b.test\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nno end",
    b"From: a@b.test\nSubject: " + b"x" * 300_000 + b"\n\nlong",
    b"From: a@b.test\nDate: Thu, 32 Foo 99999 99:99:99 +9999\n\nx",
    b"From: a@b.test\nContent-Transfer-Encoding: base64\n\n!!!not base64!!!",
    b"From: a@b.test\nContent-Disposition: attachment; filename*=utf-8''%ff%fe\n\nx",
    b"From: <<<>>>,,;;@@\nTo: ((((((\nContent-Type: ;;;;====\n\nx",
]


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_a_broken_mail_never_stops_the_rest(home: PracticeHome, number: int) -> None:
    home.add("Mail/broken.eml", BROKEN[number])
    found = home.step(skill.find, pure=True).value
    assert "fine" in [one.subject for one in found]
    assert len(found) == 2
    assert home.step(skill.read, pure=True, sender="Ben").value.text == "all well"
    for one in found:
        if one.file.path.endswith("broken.eml"):
            stub = next(stub for stub in _stubs(home) if stub.path == one.file.path)
            letter.read(stub)


def _stubs(home: PracticeHome) -> list[boxes.Stub]:
    return boxes.stubs(Context(home=str(home.path), now=home.now))


def test_a_name_that_claims_to_be_an_address_is_not_shown_for_one(home: PracticeHome) -> None:
    home.add("Mail/a.eml", b'From: "boss@company.example" <evil@evil.test>\nSubject: transfer\n\nx')
    home.add("Mail/b.eml", 'From: "Anna\u202e Berg" <evil2@evil.test>\nSubject: hi\u202e there\n\nx'.encode())
    answer = home.step(skill.find, pure=True).answer
    assert "boss@company.example" not in answer
    assert "evil@evil.test: transfer" in answer
    assert "Anna Berg <evil2@evil.test>: hi there" in answer
    assert "\u202e" not in answer
    read = home.step(skill.read, pure=True, about="transfer").value
    assert (read.address, read.facts) == ("evil@evil.test", [])


def test_html_becomes_text_and_fetches_nothing(home: PracticeHome) -> None:
    page = (b"<html><head><title>t</title><style>p{background:url(http://evil.test/1)}</style></head><body>"
            b"<script>alert(1)</script><p>Hello&nbsp;<b>Anna</b></p><img src='http://evil.test/track.png'>"
            b"<a href='http://evil.test'>click</a><br>bye</body></html>")  # fmt: skip
    home.add("Mail/h.eml", b"From: shop@x.test\nSubject: offer\nContent-Type: text/html; charset=utf-8\n\n" + page)
    text = home.step(skill.read, pure=True, about="offer").value.text
    assert "Hello" in text
    assert "Anna" in text
    assert "bye" in text
    for absent in ("alert", "evil.test", "background", "<"):
        assert absent not in text


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("a<script>x<b>y</script>z", "az"),
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("&lt;b&gt; &amp; &#8364;", "<b> & €"),
        ("<style>never ended", ""),
        ("<div>" * 50_000 + "deep", "deep"),
    ],
)
def test_pages(page: str, text: str) -> None:
    assert from_html(page) == text


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("../../.bashrc", "bashrc"),
        ("..\\..\\evil.exe", "evil.exe"),
        ("/etc/passwd", "passwd"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ("a\nb.txt", "a b.txt"),
        ("a\0b.txt", "ab.txt"),
        ("....", ""),
        ("", ""),
        ("x" * 500 + ".pdf", "x" * 196 + ".pdf"),
        ("con|:*?.txt", "con.txt"),
        ("Grüße 🎄" * 60 + ".pdf", "Grüße 🎄" * 16 + "Grü.pdf"),
    ],
)
def test_names_stay_where_they_are_written(said: str, name: str) -> None:
    assert fit_name(said) == name


def with_file(name: str, content: bytes) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "a@b.test", "files"
    mail.set_content("x")
    mail.add_attachment(content, maintype="application", subtype="zip", filename=name)
    return mail


def test_a_bomb_is_saved_as_it_is_and_never_opened(home: PracticeHome) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(50 << 20))
    home.add("Mail/bomb.eml", with_file("../../bomb.zip", packed.getvalue()).as_bytes())
    home.do(skill.save_attachments, about="files")
    assert home.tree()["Downloads/bomb.zip"] == packed.getvalue()


def test_two_files_of_one_name_are_both_kept(home: PracticeHome) -> None:
    mail = with_file("a.txt", b"1")
    mail.add_attachment(b"2", maintype="application", subtype="zip", filename="a.txt")
    home.add("Mail/two.eml", mail.as_bytes())
    home.do(skill.save_attachments, about="files")
    assert (home.tree()["Downloads/a.txt"], home.tree()["Downloads/a (2).txt"]) == (b"1", b"2")


@pytest.mark.slow
def test_a_mail_of_fifty_megabytes_is_read(home: PracticeHome) -> None:
    home.add("Mail/large.eml", with_file("large.bin", bytes(range(256)) * (50 << 12)).as_bytes())
    began = process_time()
    assert home.step(skill.read, pure=True, about="files").value.attachments == ["large.bin"]
    assert process_time() - began < 10


@pytest.mark.parametrize("depth", [100, 3000])
def test_parts_in_parts_without_end_are_cut(home: PracticeHome, depth: int) -> None:
    head = b"From: a@b.test\nSubject: nested\n"
    body = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth))
    home.add("Mail/nested.eml", head + body + b"Content-Type: text/plain\n\ninside\n")
    home.step(skill.read, pure=True, about="nested")
    assert len(home.step(skill.find, pure=True).value) == 2


def test_a_link_in_a_mailbox_is_not_followed(home: PracticeHome, tmp_path: Path) -> None:
    (tmp_path / "outside.eml").write_bytes(b"From: x@y.test\nSubject: outside\n\nx")
    (home.path / "Mail" / "link.eml").symlink_to(tmp_path / "outside.eml")
    assert [one.subject for one in home.step(skill.find, pure=True).value] == ["fine"]
