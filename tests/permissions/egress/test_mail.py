"""The daemon's mail against a real SMTP server: sent whole, refused whole, or unclear; never in the clear."""

from __future__ import annotations

import asyncio
import email
import email.policy
import os
import smtplib
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from permissions.egress.mail import Account, Letter, Mailer
from permissions.egress.mail.account import Server
from permissions.egress.mail.letters import LARGEST_BYTES
from permissions.errors import BadScope, PermissionsError, Refused, Unclear, Unreachable
from permissions.model import Connection
from tests.mail_servers import PASSWORD, USER, PostOffice, post_office
from tests.permissions.egress.conftest import PUBLIC, Authority, Internet, authority, internet

__all__ = ["authority", "internet"]

HOST = "post.test"
NOW = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)
ID = "<1@home.test>"


class Desk:
    """A mailer for a real server, and what was reported."""

    def __init__(self, internet: Internet, authority: Authority, office: PostOffice, security: str) -> None:
        self.internet, self.authority, self.office, self.security = internet, authority, office, security
        self.reports: list[Connection] = []
        self.handed = 0
        internet.names[HOST] = [[PUBLIC]]

    def account(self, **more: Any) -> Account:
        server = Server(HOST, self.office.port, self.security)
        return Account(**{"address": USER, "user": USER, "name": "Me", "smtp": server, **more})

    def mailer(self, *, password: str = PASSWORD, ca: bool = True, **more: Any) -> Mailer:
        egress = self.internet.egress(ca_file=self.authority.file if ca else None)
        return egress.mailer(self.account(**more), lambda: password)

    def handing(self) -> None:
        self.handed += 1

    async def send(self, letter: Letter, mailer: Mailer | None = None) -> None:
        mail = letter.composed(self.account(), ID, NOW)
        await (mailer or self.mailer()).send(mail, letter.recipients, self.handing, self.reports.append)


@pytest.fixture(params=["tls", "starttls"])
async def desk(request: pytest.FixtureRequest, internet: Internet, authority: Authority) -> AsyncIterator[Desk]:
    async with post_office(authority.context(HOST), PUBLIC, starttls=request.param == "starttls") as office:
        yield Desk(internet, authority, office, request.param)


def letter(**more: Any) -> Letter:
    return Letter.of({"to": ["Anna Berg <anna@example.org>"], "subject": "Dach", "text": "Grüße\n", **more}, {})


async def test_a_letter_arrives_as_it_was_said(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "0001").write_bytes(b"\x00PDF\n.\n")
    said = {
        "to": ["Anna Berg <anna@example.org>", "ben@example.org"],
        "subject": "Über das Dach",
        "text": "Grüße,\n.\nMe",
        "files": [{"name": "plan.pdf", "blob": "0001"}],
        "in_reply_to": "<q@x.test>",
    }
    await desk.send(Letter.of(said, {"0001": tmp_path / "0001"}))
    [taken] = desk.office.taken
    mail = email.message_from_bytes(taken.content, policy=email.policy.default)
    assert taken.recipients == ("anna@example.org", "ben@example.org")
    assert (mail["Subject"], mail["Message-ID"], mail["In-Reply-To"]) == ("Über das Dach", ID, "<q@x.test>")
    assert mail["To"] == "Anna Berg <anna@example.org>, ben@example.org"
    assert mail.get_body().get_content() == "Grüße,\r\n.\r\nMe\r\n"  # type: ignore[union-attr]
    [attached] = mail.iter_attachments()  # type: ignore[attr-defined]
    assert (attached.get_filename(), attached.get_content()) == ("plan.pdf", b"\x00PDF\n.\n")
    [report] = desk.reports
    assert (report.host, report.address, report.code) == (HOST, PUBLIC, "")
    assert report.up_bytes > 300
    assert desk.handed == 1


async def test_one_refused_recipient_refuses_the_letter(desk: Desk) -> None:
    desk.office.refuses = ("ben@example.org",)
    with pytest.raises(Refused) as caught:
        await desk.send(letter(cc=["ben@example.org"]))
    assert (caught.value.code, desk.office.taken, desk.handed) == ("refused.mail.recipient", [], 0)
    assert "5.1.1" in str(caught.value)
    assert PASSWORD not in str(caught.value), "the server's words go no further"


async def test_a_no_to_the_text_is_certain(desk: Desk) -> None:
    desk.office.answer = "554 5.7.1 no"
    with pytest.raises(Refused) as caught:
        await desk.send(letter())
    assert (caught.value.code, desk.handed, desk.office.taken) == ("refused.mail.server", 1, [])


async def test_a_wrong_password_is_said_and_not_shown(desk: Desk) -> None:
    with pytest.raises(Unreachable) as caught:
        await desk.send(letter(), desk.mailer(password="wrong-and-secret"))
    assert (caught.value.code, desk.handed) == ("mail.login", 0)
    assert "wrong-and-secret" not in f"{caught.value!r} {caught.value.hint} {caught.value.__cause__!r}"


async def test_a_server_that_dies_before_its_answer_leaves_it_unclear(desk: Desk) -> None:
    async def dies(stage: str) -> None:
        if stage == "taken":
            raise ConnectionResetError

    desk.office.at = dies
    task = asyncio.create_task(desk.send(letter()))
    with pytest.raises((Unclear, Refused)) as caught:
        await task
    assert desk.office.taken
    if isinstance(caught.value, Refused):  # aiosmtpd turns the fault into a 500, which is an answer
        assert "500" in str(caught.value)


async def test_a_connection_cut_after_the_text_is_unclear(internet: Internet, authority: Authority) -> None:
    heard: list[bytes] = []

    async def cuts(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hi\r\n")
        answers = {
            b"EHLO": b"250-post.test\r\n250 AUTH PLAIN\r\n",
            b"AUTH": b"235 in\r\n",
            b"MAIL": b"250 ok\r\n",
            b"RCPT": b"250 ok\r\n",
            b"DATA": b"354 go on\r\n",
        }
        while line := await reader.readline():
            if line[:4].upper() == b"DATA":
                writer.write(answers[b"DATA"])
                heard.append(await reader.readuntil(b"\r\n.\r\n"))
                return  # it has the mail, and never says so
            writer.write(answers[line[:4].upper()])

    port = await internet.server(cuts, name=HOST, ssl=authority.context(HOST))
    mailer = internet.egress(ca_file=authority.file).mailer(
        Account(USER, USER, smtp=Server(HOST, port)), lambda: PASSWORD
    )
    handed: list[int] = []
    with pytest.raises(Unclear):
        await mailer.send(
            b"Subject: x\r\n\r\ny\r\n", ["anna@example.org"], lambda: handed.append(1), internet.reports.append
        )
    assert heard
    assert handed


async def test_a_server_without_a_certificate_to_believe_hears_no_password(desk: Desk) -> None:
    with pytest.raises(Unreachable) as caught:
        await desk.send(letter(), desk.mailer(ca=False))
    assert (caught.value.code, desk.office.tries) == ("net.tls", [])


def careless(port: int) -> None:
    """Sign in as a client does that takes encryption where it is offered."""
    with smtplib.SMTP(PUBLIC, port) as smtp:
        smtp.login(USER, PASSWORD)


@pytest.mark.parametrize("offers", [b"250 AUTH PLAIN\r\n", b"250-STARTTLS\r\n250 AUTH PLAIN\r\n"])
async def test_a_server_that_offers_no_encryption_hears_no_password(
    internet: Internet, authority: Authority, offers: bytes
) -> None:
    """Somebody on the way takes the offer of encryption out, or says no in the server's name."""
    heard: list[bytes] = []

    async def bare(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hi\r\n")
        answers = {b"EHLO": b"250-post.test\r\n" + offers, b"STAR": b"454 not today\r\n", b"AUTH": b"235 in\r\n"}
        while line := await reader.readline():
            heard.append(line)
            writer.write(answers.get(line[:4].upper(), b"221 bye\r\n"))

    port = await internet.server(bare, name=HOST)
    account = Account(USER, USER, smtp=Server(HOST, port, "starttls"))
    mailer = internet.egress(ca_file=authority.file).mailer(account, lambda: PASSWORD)
    with pytest.raises(Unreachable, match="offers no encryption") as caught:
        await mailer.send(b"x", ["a@b.test"], lambda: None, internet.reports.append)
    assert caught.value.code == "net.tls"
    assert {line.split()[0].upper() for line in heard} <= {b"EHLO", b"STARTTLS"}, "nor anything else"
    await asyncio.to_thread(careless, port)
    assert [line for line in heard if line.upper().startswith(b"AUTH")], "the control: a client that does not insist"


async def test_a_name_that_leads_inside_is_not_connected_to(desk: Desk) -> None:
    desk.internet.names[HOST] = [["127.0.0.1"]]
    with pytest.raises(Refused) as caught:
        await desk.send(letter())
    assert (caught.value.code, desk.office.tries) == ("refused.net.address", [])
    desk.internet.names[HOST] = [[PUBLIC]]
    await desk.send(letter())  # the control: the same, where the name leads outside
    assert desk.office.taken


async def test_a_denied_host_is_not_connected_to(desk: Desk) -> None:
    mail = letter().composed(desk.account(), ID, NOW)
    denied = (f"{HOST}:{desk.office.port}",)
    with pytest.raises(Refused) as caught:
        await desk.mailer().send(mail, ["anna@example.org"], desk.handing, desk.reports.append, denied)
    assert (caught.value.code, desk.office.tries) == ("refused.net.denied", [])


async def test_a_server_that_talks_without_end_is_ended(internet: Internet, authority: Authority) -> None:
    async def talks(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write((b"220-" + b"x" * 500 + b"\r\n") * 100)
            await writer.drain()

    port = await internet.server(talks, name=HOST, ssl=authority.context(HOST))
    mailer = internet.egress(ca_file=authority.file).mailer(
        Account(USER, USER, smtp=Server(HOST, port)), lambda: PASSWORD
    )
    with pytest.raises(Unreachable) as caught:
        await asyncio.wait_for(mailer.send(b"x", ["a@b.test"], lambda: None, internet.reports.append), 60)
    assert caught.value.code == "net.size"


async def test_who_stops_waiting_ends_the_conversation(internet: Internet, authority: Authority) -> None:
    there, gone = asyncio.Event(), asyncio.Event()

    async def silent(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        there.set()
        try:
            await reader.read()
        finally:
            gone.set()

    port = await internet.server(silent, name=HOST, ssl=authority.context(HOST))
    mailer = internet.egress(ca_file=authority.file).mailer(
        Account(USER, USER, smtp=Server(HOST, port)), lambda: PASSWORD
    )
    sending = asyncio.create_task(mailer.send(b"x", ["a@b.test"], lambda: None, internet.reports.append))
    await asyncio.wait_for(there.wait(), 30)
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    await asyncio.wait_for(gone.wait(), 30)


# --- letters and accounts -----------------------------------------------------------------------------------------


def composed(tmp_path: Path, *files: tuple[str, bytes]) -> Any:
    """Return a letter with files as its receiver has it."""
    for at, (_, content) in enumerate(files):
        (tmp_path / str(at)).write_bytes(content)
    said = {"to": ["anna@example.org"], "subject": "Team", "text": "Come.",
            "files": [{"name": name, "blob": str(at)} for at, (name, _) in enumerate(files)]}  # fmt: skip
    made = Letter.of(said, {str(at): tmp_path / str(at) for at in range(len(files))})
    account = Account(USER, USER, smtp=Server(HOST, 465))
    return email.message_from_bytes(made.composed(account, ID, NOW), policy=email.policy.default)


ICS = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:%s\r\nBEGIN:VEVENT\r\nUID:1\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"


@pytest.mark.parametrize("method", ["REQUEST", "REPLY", "CANCEL", "COUNTER"])
def test_an_invitation_is_sent_as_one_that_can_be_answered(tmp_path: Path, method: str) -> None:
    """Programs show their buttons for a text/calendar part with a method beside the text (RFC 6047, section 2.4)."""
    content = ICS % method.encode()
    mail = composed(tmp_path, ("plan.pdf", b"\x00"), ("Invitation Team.ics", content))
    (beside,) = [part for part in mail.walk() if part.get_content_type() == "text/calendar"]
    assert (beside.get_param("method"), beside.get_param("charset")) == (method, "utf-8")
    assert beside.get_payload(decode=True) == content
    assert mail.get_body(("plain",)).get_content() == "Come.\r\n"
    kinds = [(part.get_filename(), part.get_content_type()) for part in mail.iter_attachments()]
    assert kinds == [("plan.pdf", "application/pdf"), ("Invitation Team.ics", "application/ics")]
    assert [part.get_content() for part in mail.iter_attachments()] == [b"\x00", content]


@pytest.mark.parametrize(
    "files",
    [
        [("calendar.ics", ICS.replace(b"METHOD:%s\r\n", b""))],  # a calendar that is no message
        [("calendar.ics", ICS % b"PUBLISH")],
        [("calendar.ics", ICS % b"REQUEST; charset=x")],
        [("calendar.ics", ICS % b"REQUEST\r\n X-Header: evil")],
        [("calendar.ics", (ICS % b"X").replace(b"UID:1", b"METHOD:REQUEST"))],  # of the event, not of the calendar
        [("calendar.ics", (ICS % b"REQUEST\r\nMETHOD:CANCEL"))],  # which of them would it be?
        [("calendar.ics", (ICS % b"REQUEST").replace(b"UID:1", b"method;X=1:CANCEL"))],
        [("calendar.ics", (ICS % b"REQUEST") + b"METHOD:CANCEL\r\n")],
        [("calendar.ics", (ICS % b"REQUEST").replace(b"UID:1", b"UID:1\rMETHOD:CANCEL"))],  # a line for some
        [("calendar.ics", (ICS % b"REQUEST").replace(b"UID:1\r\n", b"UID:1\r\r\n"))],
        [("calendar.ics", (ICS % b"REQUEST") + b" " * (1 << 20))],
        [("notes.txt", ICS % b"REQUEST")],  # the card says that a text goes along
        [("a.ics", ICS % b"REQUEST"), ("b.ics", ICS % b"CANCEL")],  # which of them would it be?
        [("a.ics", b"\xff" * 99)],
    ],
)
def test_what_is_no_such_message_is_a_file_like_any_other(tmp_path: Path, files: list[tuple[str, bytes]]) -> None:
    mail = composed(tmp_path, *files)
    assert not [part for part in mail.walk() if part.get_param("method") is not None]
    assert [part.get_filename() for part in mail.iter_attachments()] == [name for name, _ in files]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"to": ["anna@example.org\r\nBcc: evil@evil.test"]}, "address"),
        ({"to": ["Anna\nBcc: x <anna@example.org>"]}, "header"),
        ({"to": ["anna@example.org>, <evil@evil.test"]}, "address"),
        ({"to": ["anna@example.org, evil@evil.test"]}, "address"),
        ({"to": ['"a b"@example.org']}, "address"),
        ({"to": ["anna@localhost"]}, "address"),
        ({"to": ["anna@[127.0.0.1]"]}, "address"),
        ({"to": ["a@b@example.org"]}, "address"),
        ({"to": ["an\u202ena@example.org"]}, "address"),
        ({"to": ["Anna \u202egro.live <anna@example.org>"]}, "header"),
        ({"to": ["anna@bank.test <evil@evil.test>"]}, "name"),
        ({"to": ["A" * 81 + " <evil@evil.test>"]}, "name"),
        ({"to": ["a" * 65 + "@example.org"]}, "address"),
        ({"to": [" " * 501 + "anna@example.org"]}, "address"),
        ({"to": []}, "recipients"),
        ({"to": [], "cc": []}, "recipients"),
        ({"to": "anna@example.org"}, "recipients"),
        ({"to": {"anna@example.org": "x"}}, "recipients"),
        ({"to": 7}, "recipients"),
        ({"cc": {"anna@example.org"}}, "recipients"),
        ({"to": [f"a{n}@example.org" for n in range(51)]}, "recipients"),
        ({"cc": [f"a{n}@example.org" for n in range(50)]}, "recipients"),
        ({"to": ["anna@example.org"] * 51}, "recipients"),
        ({"subject": "a\u202eb"}, "header"),
        ({"subject": "x" * 501}, "header"),
        ({"text": "a\0b"}, "text"),
        ({"text": "x" * ((1 << 20) + 1)}, "text"),
        ({"files": [{"name": "../x", "blob": "0001"}]}, "file"),
        ({"files": [{"name": "..", "blob": "0001"}]}, "file"),
        ({"files": [{"name": "x", "blob": "0002"}]}, "file"),
        ({"files": [{"name": "x", "blob": "0001"}] * 51}, "size"),
        ({"files": [{"name": "x", "blob": "large"}]}, "size"),
        ({"files": [{"name": "x", "blob": "half"}, {"name": "y", "blob": "half"}]}, "size"),
    ],
)
def test_what_hides_something_is_no_letter(tmp_path: Path, said: dict[str, Any], why: str) -> None:
    files = {name: tmp_path / name for name in ("0001", "half", "large")}
    for name, size in (("0001", 1), ("half", (LARGEST_BYTES >> 1) + 1), ("large", LARGEST_BYTES + 1)):
        files[name].touch()
        os.truncate(files[name], size)
    good = {"to": ["anna@example.org"], "subject": "s", "text": "t", "files": [{"name": "x", "blob": "half"}]}
    with pytest.raises(Refused) as caught:
        Letter.of({**good, **said}, files)
    assert caught.value.code == f"refused.mail.{why}"
    assert Letter.of(good, files).recipients == ("anna@example.org",), "the control"


def test_a_line_break_in_a_subject_is_a_blank() -> None:
    mail = letter(subject="a\r\nBcc: evil@evil.test").composed(Account(USER, USER), ID, NOW)
    parsed = email.message_from_bytes(mail, policy=email.policy.default)
    assert parsed["Subject"] == "a Bcc: evil@evil.test"
    assert parsed["Bcc"] is None


def test_ids_that_are_none_are_left_out() -> None:
    one = letter(in_reply_to="<a@b>\r\nBcc: x@y.z", references=["<ok@x>", "no id", "<a b@c>"])
    assert (one.in_reply_to, one.references) == ("", ("<ok@x>",))


def test_an_address_of_another_script_goes_out_in_ascii() -> None:
    assert letter(to=["anna@bücher.example"]).recipients == ("anna@xn--bcher-kva.example",)


GOOD: dict[str, Any] = {"address": USER, "smtp": {"host": "Post.Test", "port": 465}}


def test_an_account_is_kept_for_the_person_alone(tmp_path: Path) -> None:
    account = Account.of({**GOOD, "imap": {"host": "imap.post.test", "port": 143, "security": "starttls"}})
    account.write(tmp_path / "mail.toml")
    assert Account.read(tmp_path / "mail.toml") == account
    assert (tmp_path / "mail.toml").stat().st_mode & 0o777 == 0o600
    assert account.smtp == Server("post.test", 465, "tls")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({}, "address is no"),
        ({"address": USER}, "needs smtp, imap or both"),
        ({"address": USER, "smtp": {}, "imap": {}}, "needs smtp, imap or both"),
        ({**GOOD, "address": "me"}, "address is no"),
        ({**GOOD, "password": "x"}, "there is no password"),
        ({**GOOD, "smtp": "post.test:465"}, "smtp needs host, port and security"),
        ({**GOOD, "imap": {**GOOD["smtp"], "password": "x"}}, "imap needs host, port and security"),
        ({**GOOD, "smtp": {"host": "post.test"}}, "the port of smtp"),
        ({**GOOD, "smtp": {"host": "post.test", "port": 0}}, "the port of smtp"),
        ({**GOOD, "smtp": {"host": "post.test", "port": 1 << 16}}, "the port of smtp"),
        ({**GOOD, "smtp": {"host": "post.test", "port": True}}, "the port of smtp"),
        ({**GOOD, "smtp": {"host": "post.test", "port": 25, "security": "plain"}}, "the security of smtp"),
        ({**GOOD, "smtp": {"host": "0x7f.1", "port": 25}}, "the host of smtp"),
        ({**GOOD, "smtp": {"host": "post", "port": 25}}, "the host of smtp"),
        ({**GOOD, "name": "a\nb"}, "cannot stand in a mail's header"),
        ({**GOOD, "smtp": {"host": "127.0.0.1", "port": 465}}, r"127\.0\.0\.1 is no public address \(loopback\)"),
        ({**GOOD, "imap": {"host": "10.1.2.3", "port": 993}}, r"10\.1\.2\.3 is no public address \(private\)"),
    ],
)
def test_an_account_that_is_none_is_refused_and_says_why(said: dict[str, Any], why: str) -> None:
    with pytest.raises(PermissionsError, match=why):
        Account.of(said)


def test_without_an_account_it_says_how_to_set_one(tmp_path: Path) -> None:
    with pytest.raises(BadScope, match="No mail account") as caught:
        Account.read(tmp_path / "mail.toml")
    assert "./steward mail set" in caught.value.hint


async def test_an_account_without_the_server_that_is_needed_is_told_so(desk: Desk) -> None:
    """It is the account that is at fault, and what sets it is named; nobody is asked."""
    with pytest.raises(BadScope) as refused:
        await desk.send(letter(), desk.mailer(smtp=None, imap=Server(HOST, 993, "tls")))
    assert (refused.value.code, "steward mail set" in refused.value.hint) == ("mail.smtp", True)
    with pytest.raises(BadScope) as refused:
        await desk.mailer().find(ID, desk.reports.append)
    assert (refused.value.code, "steward mail set" in refused.value.hint) == ("mail.imap", True)
    assert desk.reports == []
    await desk.send(letter())  # the control
    assert len(desk.office.taken) == 1
