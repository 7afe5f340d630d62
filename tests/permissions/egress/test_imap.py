"""Fetching by IMAP from a real server (pymap, STARTTLS): nothing is touched, what was sent is found and kept once."""

from __future__ import annotations

import asyncio
import imaplib
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import Any

import pytest

from permissions.egress.mail import Account, Mailer, imap
from permissions.egress.mail.account import Server
from permissions.egress.mail.imap import _modified_utf7
from permissions.errors import Unreachable
from tests.mail_servers import PASSWORD, USER
from tests.permissions.egress.conftest import PUBLIC, Authority, Internet, authority, internet

__all__ = ["authority", "internet"]

HOST = "post.test"
NOW = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)
MAIL = b"From: me@home.test\r\nSubject: kept\r\nMessage-ID: <kept@home.test>\r\n\r\nkept\r\n"
MailerFor = Callable[..., Mailer]

slow = [pytest.mark.slow, pytest.mark.skipif(find_spec("pymap") is None, reason="needs pymap (extra test)")]


@pytest.fixture
async def mailer(internet: Internet, authority: Authority) -> AsyncIterator[MailerFor]:
    """A real server with some letters, and what makes mailers for it."""
    authority.context(HOST)  # writes the certificate with its key
    pem = str(authority.file.with_name(f"{HOST}.pem"))
    with socket.socket() as free:
        free.bind((PUBLIC, 0))
        port = free.getsockname()[1]
    words = ["--host", PUBLIC, "--port", str(port), "--cert", pem, "--key", pem, "dict", "--demo-data"]
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "from pymap.main import main; main()", *words, "--demo-user", USER, "--demo-password",
        PASSWORD, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    internet.names[HOST] = [[PUBLIC]]
    await _listens(port)

    def made(password: str = PASSWORD, security: str = "starttls") -> Mailer:
        account = Account(USER, USER, imap=Server(HOST, port, security))
        return internet.egress(ca_file=authority.file).mailer(account, lambda: password)

    yield made
    server.kill()
    await server.wait()


async def _listens(port: int) -> None:
    for _ in range(600):
        try:
            _, writer = await asyncio.open_connection(PUBLIC, port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.transport.abort()
            return
    raise AssertionError("pymap does not listen")


class TestServer:
    """Against the real server."""

    pytestmark = slow

    async def test_letters_are_fetched_once_and_stay_as_they_were(self, mailer: MailerFor, internet: Internet) -> None:
        validity, letters, more = await mailer().fetch(0, 0, None, internet.reports.append)
        assert validity > 0
        assert len(letters) > 1
        assert not more
        assert all(one.mail and b"\r\n\r\n" in one.mail and len(one.mail) == one.size_bytes for one in letters)
        assert [one.uid for one in letters] == sorted(one.uid for one in letters)
        again = await mailer().fetch(0, 0, None, internet.reports.append)
        assert [one.seen for one in again[1]] == [one.seen for one in letters], "looking marks nothing as read"
        none = await mailer().fetch(validity, letters[-1].uid, None, internet.reports.append)
        assert (none[0], none[1]) == (validity, [])
        other = await mailer().fetch(validity + 1, letters[-1].uid, None, internet.reports.append)
        assert len(other[1]) == len(letters), "of another validity all are new"
        assert all((one.host, one.address, one.code) == (HOST, PUBLIC, "") for one in internet.reports)

    async def test_what_was_sent_is_found_and_kept_once(self, mailer: MailerFor, internet: Internet) -> None:
        report = internet.reports.append
        assert not await mailer().find("<kept@home.test>", report)
        await mailer().keep(MAIL, "<kept@home.test>", NOW, report)
        assert await mailer().find("<kept@home.test>", report)
        assert not await mailer().find("<other@home.test>", report)
        before = internet.reports[-1].up_bytes
        await mailer().keep(MAIL, "<kept@home.test>", NOW, report)
        assert internet.reports[-1].up_bytes < before + len(MAIL), "it is there, so it is not put there again"

    async def test_a_wrong_password_is_said_and_not_shown(self, mailer: MailerFor, internet: Internet) -> None:
        with pytest.raises(Unreachable) as caught:
            await mailer("wrong-and-secret").fetch(0, 0, None, internet.reports.append)
        assert caught.value.code == "mail.login"
        assert "wrong-and-secret" not in f"{caught.value!r} {caught.value.hint} {caught.value.__cause__!r}"


async def test_a_server_that_announces_too_much_is_ended(internet: Internet, authority: Authority) -> None:
    async def announces(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"* OK [CAPABILITY IMAP4rev1] hi\r\n")
        while line := await reader.readline():
            tag = line.split(b" ")[0]
            if b"FETCH" in line or b"LOGIN" in line:
                writer.write(b"* 1 FETCH (BODY[] {999999999999}\r\n")
            writer.write(b"* CAPABILITY IMAP4rev1\r\n" + tag + b" OK done\r\n")

    port = await internet.server(announces, name=HOST, ssl=authority.context(HOST))
    account = Account(USER, USER, imap=Server(HOST, port))
    mailer = internet.egress(ca_file=authority.file).mailer(account, lambda: PASSWORD)
    with pytest.raises(Unreachable) as caught:
        await asyncio.wait_for(mailer.fetch(0, 0, None, internet.reports.append), 30)
    assert caught.value.code == "net.size"


def careless(port: int) -> None:
    """Sign in as a client does that takes encryption where it is offered."""
    with imaplib.IMAP4(PUBLIC, port) as imap:
        imap.login(USER, PASSWORD)


@pytest.mark.parametrize("offers", [b"IMAP4rev1 AUTH=PLAIN", b"IMAP4rev1 AUTH=PLAIN STARTTLS"])
async def test_a_server_that_offers_no_encryption_hears_no_password(
    internet: Internet, authority: Authority, offers: bytes
) -> None:
    """Somebody on the way takes the offer of encryption out, or says no in the server's name."""
    heard: list[bytes] = []

    async def bare(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"* OK [CAPABILITY " + offers + b"] hi\r\n")
        while line := await reader.readline():
            heard.append(line)
            tag, said = line.split()[0], line.split()[1]
            done = b" NO not today\r\n" if said == b"STARTTLS" else b" OK done\r\n"
            writer.write(b"* CAPABILITY " + offers + b"\r\n" + tag + done)

    port = await internet.server(bare, name=HOST)
    account = Account(USER, USER, imap=Server(HOST, port, "starttls"))
    mailer = internet.egress(ca_file=authority.file).mailer(account, lambda: PASSWORD)
    with pytest.raises(Unreachable, match="offers no encryption") as caught:
        await mailer.fetch(0, 0, None, internet.reports.append)
    assert caught.value.code == "net.tls"
    assert {line.split()[1] for line in heard} <= {b"CAPABILITY", b"STARTTLS", b"LOGOUT"}, "nor anything else"
    await asyncio.to_thread(careless, port)
    assert any(PASSWORD.encode() in line for line in heard), "the control: a client that does not insist"


@pytest.mark.parametrize("at", [b"LOGIN", b"SEARCH"])
async def test_a_line_without_end_breaks_off_and_is_no_wrong_password(
    internet: Internet, authority: Authority, at: bytes
) -> None:
    async def server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"* OK [CAPABILITY IMAP4rev1] hi\r\n")
        while line := await reader.readline():
            if at in line:
                writer.write(b"* " + b"x" * 2_000_000)
            writer.write(b"* CAPABILITY IMAP4rev1\r\n" + line.split()[0] + b" OK done\r\n")

    port = await internet.server(server, name=HOST, ssl=authority.context(HOST))
    mailer = internet.egress(ca_file=authority.file).mailer(
        Account(USER, USER, imap=Server(HOST, port)), lambda: PASSWORD
    )
    with pytest.raises(Unreachable) as caught:
        await mailer.fetch(0, 0, None, internet.reports.append)
    assert caught.value.code == "net.protocol"


async def mailbox(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, folders: bytes) -> list[bytes]:
    """Serve a mailbox with no letters and these ``folders``, as LIST tells them; return what was said to it."""
    said, names = [], [line.rpartition(b" ")[2] for line in folders.splitlines()]
    writer.write(b"* OK [CAPABILITY IMAP4rev1] hi\r\n")
    while line := await reader.readline():
        tag, word, *rest = line.split()
        said.append(line)
        if word == b"LIST":
            writer.write(b"".join(b"* LIST " + one + b"\r\n" for one in folders.splitlines()))
        if word == b"APPEND":
            writer.write(b"+ go on\r\n")
            said.append(await reader.readexactly(int(rest[-1].strip(b"{}")) + 2))
        known = word not in (b"EXAMINE", b"SELECT", b"APPEND") or rest[0] in names
        untagged = {b"CAPABILITY": b"* CAPABILITY IMAP4rev1\r\n", b"UID": b"* SEARCH\r\n", b"LOGOUT": b"* BYE\r\n"}
        writer.write(untagged.get(word, b"") + tag + (b" OK done\r\n" if known else b" NO there is none\r\n"))
        if word == b"LOGOUT":
            break
    return said


@pytest.fixture
def scripted(internet: Internet, authority: Authority) -> Callable[[Callable[[bytes], bytes]], Awaitable[Mailer]]:
    """Makes a mailer for a server that answers with what a function makes of a line, its tag set before OK and NO."""

    async def made(answer: Callable[[bytes], bytes]) -> Mailer:
        async def server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"* OK [CAPABILITY IMAP4rev1] hi\r\n")
            while line := await reader.readline():
                tag, _, said = line.strip().partition(b" ")
                told = b"* CAPABILITY IMAP4rev1\r\n" if said == b"CAPABILITY" else answer(said)
                told = told if told.endswith((b"OK\r\n", b"NO\r\n")) else told + b"OK\r\n"
                writer.write(told[:-4] + tag + b" " + told[-4:-2] + b" done\r\n")

        port = await internet.server(server, name=HOST, ssl=authority.context(HOST))
        account = Account(USER, USER, imap=Server(HOST, port), sent="Sent")
        return internet.egress(ca_file=authority.file).mailer(account, lambda: PASSWORD)

    return made


@pytest.mark.parametrize(
    ("sizes", "whole", "more"),
    [
        ([9, 9, 9], [9, 9], True), ([9, 9, 2], [9, 9, 2], False), ([9, 2, 9, 1], [9, 2, 9], True), ([], [], False),
        ([16, 4, 1], [16, 4], True), ([17, 9], [0, 9], False), ([17, 17, 5], [0, 0, 5], False),
        ([1] * 3, [1] * 3, False),
    ],
)  # fmt: skip
async def test_no_more_is_fetched_at_once_than_there_is_room_for(
    internet: Internet, scripted: Any, monkeypatch: pytest.MonkeyPatch, sizes: list[int], whole: list[int], more: bool
) -> None:
    """20 KiB at once and letters up to 16, instead of MiB: a letter that is too large is told, and not fetched."""
    monkeypatch.setattr(imap, "MOST_BYTES_AT_ONCE", 20 << 10)
    monkeypatch.setattr(imap, "LARGEST_LETTER", 16 << 10)
    fetched = []

    def answer(said: bytes) -> bytes:
        if said.startswith(b"UID SEARCH"):
            return b"* SEARCH" + b"".join(b" %d" % uid for uid in range(1, len(sizes) + 1)) + b"\r\n"
        if not said.startswith(b"UID FETCH"):
            return b""
        uid = int(said.split()[2])
        size = sizes[uid - 1] << 10
        if b"BODY" not in said:
            return b"* %d FETCH (UID %d RFC822.SIZE %d FLAGS ())\r\n" % (uid, uid, size)
        fetched.append(uid)
        return b"* %d FETCH (UID %d BODY[] {%d}\r\n%b)\r\n" % (uid, uid, size, b"x" * size)

    mailer = await scripted(answer)
    _, letters, is_more = await mailer.fetch(0, 0, None, internet.reports.append)
    assert [len(one.mail) >> 10 for one in letters] == whole
    assert [one.size_bytes >> 10 for one in letters] == sizes[: len(whole)]
    assert fetched == [one.uid for one in letters if one.mail]
    assert is_more is more


@pytest.mark.parametrize("fails", [b"", b"UID SEARCH", b"EXAMINE"])
@pytest.mark.parametrize("wish", ["fetch", "find", "keep"])
async def test_a_no_is_not_taken_for_nothing_found(internet: Internet, scripted: Any, wish: str, fails: bytes) -> None:
    """Who asks for a letter that may have been sent would be told that it was not."""
    heard = []

    def answer(said: bytes) -> bytes:
        heard.append(said)
        if fails and said.startswith(fails):
            return b"NO\r\n"
        return b"* SEARCH 1\r\n" if said.startswith(b"UID SEARCH HEADER") else b""

    mailer, report = await scripted(answer), internet.reports.append
    asked = {
        "fetch": lambda: mailer.fetch(0, 0, None, report), "find": lambda: mailer.find("<a@b>", report),
        "keep": lambda: mailer.keep(MAIL, "<a@b>", NOW, report),
    }[wish]  # fmt: skip
    if not fails or (fails == b"EXAMINE" and wish != "fetch"):  # the controls: it works, or there is no such folder
        assert await asked() == {"fetch": (0, [], False), "find": not fails, "keep": None}[wish]
    else:
        with pytest.raises(Unreachable) as caught:
            await asked()
        assert caught.value.code == "net.protocol"
    assert not [said for said in heard if said.startswith(b"APPEND")], "it is there, or nobody knows"


INBOX = b'(\\HasNoChildren) "/" "INBOX"'
MARKED = INBOX + b'\n(\\HasNoChildren \\Sent) "/" "Post"\n() "/" "Sent"\n() "/" "Entw&APw-rfe"'


@pytest.mark.parametrize(
    ("folders", "named", "kept_in"),
    [
        (MARKED, "", b'"Post"'), (MARKED, "Sent", b'"Sent"'), (MARKED, "Entwürfe", b'"Entw&APw-rfe"'),
        (INBOX + b'\n() "/" "Sent"', "", b'"Sent"'), (INBOX, "", None), (MARKED, "Absent", None), (b"", "", None),
    ],
)  # fmt: skip
async def test_what_was_sent_is_kept_where_the_person_or_the_server_says_or_nowhere(
    internet: Internet, authority: Authority, folders: bytes, named: str, kept_in: bytes | None
) -> None:
    """A letter that was sent lies in the inbox of nobody, and where there is no folder for it that is no fault."""
    talks: list[asyncio.Future[list[bytes]]] = []

    async def server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks.append(asyncio.ensure_future(mailbox(reader, writer, folders)))
        await talks[-1]

    port = await internet.server(server, name=HOST, ssl=authority.context(HOST))
    account = Account(USER, USER, imap=Server(HOST, port), sent=named)
    mailer = internet.egress(ca_file=authority.file).mailer(account, lambda: PASSWORD)
    assert not await mailer.find("<kept@home.test>", internet.reports.append)
    await mailer.keep(MAIL, "<kept@home.test>", NOW, internet.reports.append)
    looked, said = [await talk for talk in talks]
    assert not [line for line in looked if b"APPEND" in line]
    assert [line.split()[2] for line in said if b" APPEND " in line] == ([kept_in] if kept_in else [])
    assert (MAIL + b"\r\n" in said) is bool(kept_in)


@pytest.mark.parametrize(
    ("name", "written"), [("Sent", b"Sent"), ("Entwürfe", b"Entw&APw-rfe"), ("A&B", b"A&-B"), ("台北", b"&U,BTFw-")]
)
def test_folders_are_written_as_imap_does(name: str, written: bytes) -> None:
    assert _modified_utf7(name) == written
