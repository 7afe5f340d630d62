"""What a mail server may answer, and how late; and addresses and headers that were made to mislead or to cost time."""

from __future__ import annotations

import asyncio
import base64
import email
import email.policy
import io
import smtplib
import socket
import ssl
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from permissions.egress.mail import Account, Letter, addresses, mailer, smtp
from permissions.egress.mail.account import Server
from permissions.egress.mail.addresses import named
from permissions.egress.mail.conversation import Conversation, Measured
from permissions.errors import PermissionsError, Refused, Unclear, Unreachable
from tests.clock import less_than
from tests.mail_servers import PASSWORD, USER
from tests.permissions.egress.conftest import PUBLIC, Authority, Internet, authority, internet
from tests.permissions.egress.test_mail import HOST, ID, NOW, letter

__all__ = ["PUBLIC", "authority", "internet"]

ANSWERS = {
    b"EHLO": b"250-post.test\r\n250 AUTH PLAIN\r\n", b"AUTH": b"235 in\r\n", b"MAIL": b"250 ok\r\n",
    b"RCPT": b"250 ok\r\n", b"DATA": b"354 go on\r\n",
}  # fmt: skip


async def send(internet: Internet, authority: Authority, answer: bytes, *, ends: bool) -> None:
    """Send a letter to a server that says ``answer`` to its text, and then ends, or nothing more at all."""

    async def server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hi\r\n")
        while line := await reader.readline():
            writer.write(ANSWERS.get(line[:4].upper(), b""))
            if line[:4].upper() == b"DATA":
                await reader.readuntil(b"\r\n.\r\n")
                writer.write(answer)
                await writer.drain()
                if ends:
                    return

    port = await internet.server(server, name=HOST, ssl=authority.context(HOST))
    account = Account(USER, USER, smtp=Server(HOST, port))
    one = internet.egress(ca_file=authority.file).mailer(account, lambda: PASSWORD)
    await one.send(b"Subject: x\r\n\r\ny\r\n", ["a@b.test"], lambda: None, internet.reports.append)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (b"250 ok\r\n", None), (b"251 fine\r\n", None), (b"299 x\r\n", None), (b"451 later\r\n", Refused),
        (b"554 no\r\n", Refused), (b"garbage\r\n", Unclear), (b"\r\n", Unclear), (b"354 again\r\n", Unclear),
        (b"999 what\r\n", Unclear), (b"-1 what\r\n", Unclear), (b"", Unclear),
    ],
)  # fmt: skip
async def test_an_answer_to_the_text(
    internet: Internet, authority: Authority, answer: bytes, error: type[Exception] | None
) -> None:
    if error is None:
        await send(internet, authority, answer, ends=True)
        return
    with pytest.raises(error) as caught:
        await send(internet, authority, answer, ends=True)
    assert "othing was sent" not in f"{caught.value} {getattr(caught.value, 'hint', '')}"


async def test_a_letter_that_was_taken_is_sent_though_nobody_says_goodbye(
    internet: Internet, authority: Authority
) -> None:
    began = time.monotonic()
    await send(internet, authority, b"250 ok\r\n", ends=False)
    assert time.monotonic() - began < 10


@pytest.mark.parametrize(("no_to", "said"), [("AUTH", 1), ("name", 2), ("password", 3), ("", 3)])
async def test_a_password_is_said_only_to_who_asks_for_it(
    internet: Internet, authority: Authority, no_to: str, said: int
) -> None:
    """A server that signs in by LOGIN alone, and says no to a part of it."""
    heard: list[bytes] = []

    async def server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hi\r\n")
        answers = {b"EHLO": b"250-post.test\r\n250 AUTH LOGIN\r\n", b"QUIT": b"221 bye\r\n"}
        while line := await reader.readline():
            if line[:4].upper() in answers:
                writer.write(answers[line[:4].upper()])
                continue
            heard.append(line.strip())
            part = ["AUTH", "name", "password", "done"][len(heard) - 1]
            said_to = {"password": b"235 in\r\n", "done": b"550 no\r\n", no_to: b"535 no\r\n"}
            writer.write(said_to.get(part, b"334 \r\n"))

    port = await internet.server(server, name=HOST, ssl=authority.context(HOST))
    one = mailer_of(internet, authority, port, lambda: PASSWORD)
    with pytest.raises(Unreachable if no_to else Refused) as caught:
        await one.send(b"x", ["a@b.test"], lambda: None, internet.reports.append)
    assert caught.value.code == ("mail.login" if no_to else "refused.mail.server"), "the control: it was let in"
    secrets = [base64.b64encode(word.encode()) for word in (USER, PASSWORD)]
    assert heard[:said] == [b"AUTH LOGIN", *secrets][:said]
    assert len(heard) == said + (not no_to)


async def test_a_letter_that_was_taken_is_sent_though_its_connection_closes_badly(
    internet: Internet, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[Any] = []

    class Reading(io.BufferedReader):
        def close(self) -> None:
            super().close()
            closed.append(self)
            raise OSError(104, "reset")

    monkeypatch.setattr(ssl.SSLSocket, "makefile", lambda self, _mode: Reading(socket.SocketIO(self, "r")))
    await send(internet, authority, b"250 ok\r\n", ends=True)
    assert closed
    with pytest.raises(Refused):  # the control: what was not taken is not said to be sent
        await send(internet, authority, b"554 no\r\n", ends=True)


async def test_a_letter_that_was_taken_is_sent_though_its_goodbye_fails(
    internet: Internet, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault that nobody thought of, when all is over, must not be read as: nothing was sent."""
    failed: list[str] = []

    def fails(self: smtplib.SMTP) -> None:
        failed.append(type(self).__name__)
        raise ValueError("read of a closed file")

    monkeypatch.setattr(smtplib.SMTP, "quit", fails)
    await send(internet, authority, b"250 ok\r\n", ends=False)
    assert failed


@pytest.mark.parametrize("error", [ValueError("read of a closed file"), RuntimeError("of a library"), OSError(5, "x")])
async def test_whatever_ends_it_after_the_text_leaves_it_unclear(
    internet: Internet, authority: Authority, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """A fault that nobody thought of must not be read as: nothing was sent."""
    gone, readline = threading.Event(), Measured.readline

    def fails(self: Measured, most: int = -1) -> bytes:
        line = readline(self, most)
        if line.startswith(b"250 taken"):
            gone.set()
        if gone.is_set():
            raise error
        return line

    monkeypatch.setattr(Measured, "readline", fails)
    with pytest.raises(Unclear):
        await send(internet, authority, b"250 taken\r\n", ends=False)
    assert gone.is_set()


@pytest.mark.slow
async def test_the_end_of_the_time_does_not_unsend(
    internet: Internet, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailer, "SEND_S", 8.0)
    monkeypatch.setattr(smtp, "GOODBYE_S", 60.0)  # so that it is the end of the time which ends it
    await send(internet, authority, b"250 ok\r\n", ends=False)
    with pytest.raises(Unclear):  # the control: without an answer nobody can know
        await send(internet, authority, b"", ends=False)


@pytest.mark.parametrize(
    "said", [" " * 1600, "a" + " " * 1600 + "<", "<" * 1600, " " * 490 + "<", "x <" + " " * 480 + ">"]
)
def test_no_address_costs_time(said: str) -> None:
    with less_than(0.2), pytest.raises(PermissionsError):
        named(said)


@pytest.mark.parametrize("said", ["a@" + "ü" * 600 + ".test", "A <a@" + "ü" * 600 + ".test>"])
def test_a_host_without_end_is_not_even_read(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(addresses, "normal_host", lambda host: read.append(host) or host)
    assert named("A <a@ü.test>") == ("A", "a@ü.test")  # the control
    with pytest.raises(Refused):
        named(said)
    assert read == ["ü.test"]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("boss@example.org <eve@evil.test>", "refused.mail.name"), (f"{'x' * 81} <a@b.test>", "refused.mail.name"),
        ("a <b> <a@b.test>", "refused.mail.address"), ("a <a@b.test", "refused.mail.address"),
        ("a <a@b.test> c", "refused.mail.address"), ("a < a@b.test>", "refused.mail.address"),
    ],
)  # fmt: skip
def test_a_name_that_hides_the_address_is_refused(said: str, code: str) -> None:
    with pytest.raises(Refused) as caught:
        named(said)
    assert caught.value.code == code


def test_a_name_before_an_address() -> None:
    assert named('"Berg, Anna" <anna@Example.org>') == ("Berg, Anna", "anna@example.org")
    assert named(" anna@example.org ") == ("", "anna@example.org")


def test_too_many_recipients_are_refused_before_they_are_read() -> None:
    with pytest.raises(Refused) as caught:
        Letter.of({"to": ["not an address"] * 10_000, "subject": "x", "text": "y"}, {})
    assert caught.value.code == "refused.mail.recipients"


def test_long_ids_hold_a_conversation_together() -> None:
    ids = [f"<{letter_ * 90}@example.org>" for letter_ in "abc"]
    own = f"<{'d' * 32}@{'e' * 50}.example.org>"
    said: dict[str, Any] = {"in_reply_to": ids[2], "references": ids[:2]}
    account = Account(USER, USER, "Me")
    raw = letter(**said).composed(account, own, NOW)
    head = raw.partition(b"\r\n\r\n")[0]
    assert b"=?" not in head
    lines = head.decode().replace("\r\n ", " ").split("\r\n")
    assert f"In-Reply-To: {ids[2]}" in lines
    assert f"References: {' '.join(ids)}" in lines
    assert f"Message-ID: {own}" in lines
    assert email.message_from_bytes(raw, policy=email.policy.default)["Subject"] == "Dach"
    assert b"References" not in letter().composed(account, ID, NOW)


async def never_asked(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
    raise AssertionError


def mailer_of(internet: Internet, authority: Authority, port: int, password: Callable[[], str]) -> mailer.Mailer:
    account = Account(USER, USER, smtp=Server(HOST, port))
    return internet.egress(ca_file=authority.file).mailer(account, password)


@pytest.fixture
def was_cut(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set when a conversation is cut."""
    done, cut = threading.Event(), Conversation.cut

    def told(self: Conversation) -> None:
        cut(self)
        done.set()

    monkeypatch.setattr(Conversation, "cut", told)
    return done


@pytest.mark.parametrize("cancelled", [1, 3, 0])
async def test_who_is_cancelled_while_a_conversation_ends_is_cancelled(
    internet: Internet, authority: Authority, monkeypatch: pytest.MonkeyPatch, was_cut: threading.Event, cancelled: int
) -> None:
    """Its time is over, and its thread hangs yet: who waits is told then, and the thread is waited for all the same."""
    monkeypatch.setattr(mailer, "SEND_S", 0.05)
    go_on, port = threading.Event(), await internet.server(never_asked, name=HOST, ssl=authority.context(HOST))

    def password() -> str:
        assert go_on.wait(30)
        return PASSWORD

    one = mailer_of(internet, authority, port, password)
    sending = asyncio.create_task(one.send(b"x", ["a@b.test"], lambda: None, internet.reports.append))
    assert await asyncio.to_thread(was_cut.wait, 30)
    for _ in range(cancelled):
        sending.cancel()
        await asyncio.sleep(0.02)
    assert not sending.done(), "its thread goes on"
    go_on.set()
    with pytest.raises(asyncio.CancelledError if cancelled else Unreachable):  # the control: nobody cancels it
        await sending


@pytest.mark.parametrize("trickles", [False, True])
async def test_a_handshake_without_end_is_cut(internet: Internet, authority: Authority, trickles: bool) -> None:
    """A server that takes the connection, and then says nothing or a byte at a time, holds up nobody who goes."""
    there = asyncio.Event()

    async def hangs(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        there.set()
        for byte in b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc" + bytes(1000):
            if trickles:
                writer.write(bytes([byte]))
            await asyncio.sleep(0.1)

    one = mailer_of(internet, authority, await internet.server(hangs, name=HOST), lambda: PASSWORD)
    sending = asyncio.create_task(one.send(b"x", ["a@b.test"], lambda: None, internet.reports.append))
    await asyncio.wait_for(there.wait(), 30)
    began = time.monotonic()
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    assert time.monotonic() - began < 10
