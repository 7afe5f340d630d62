"""The daemon's mail: each conversation in a thread of its own, with a time that it has, reported as a connection.

What this stops: a server that holds up the daemon; a conversation that goes on when nobody waits for it any more; a
password that is taken out before there is anybody to say it to.
What it does not: decide whether a letter may be sent. Whoever asks has asked a person.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from permissions.egress.mail import imap, smtp
from permissions.egress.mail.account import Account, Server
from permissions.egress.mail.conversation import Conversation
from permissions.egress.mail.imap import Fetched
from permissions.egress.rules import Hosts
from permissions.egress.session import Means
from permissions.errors import BadScope, PermissionsError, Refused, Unclear, Unreachable
from permissions.model import Connection, ConnectionEnd

__all__ = ["Fetched", "Mailer"]

T = TypeVar("T")
Report = Callable[[Connection], None]

SEND_S = 120.0
SLOWEST = 64 << 10
"""Bytes a second of the slowest network over which a letter is handed over."""
FETCH_S = 120.0
LOOK_S = 30.0


class Mailer:
    """Speaks with the servers of an account. ``password`` is asked for when somebody is there to hear it."""

    def __init__(self, means: Means, account: Account, password: Callable[[], str]) -> None:
        self._means = means
        self._account = account
        self._password = password

    async def send(
        self, mail: bytes, recipients: Sequence[str], handing: Callable[[], None], report: Report,
        denied: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """Hand a composed mail over. Raises as ``smtp.hand_over``; ``handing`` is called in the thread."""
        server = self._server("smtp")

        def work(talk: Conversation) -> None:
            smtp.hand_over(talk, self._account, self._password(), mail, recipients, handing)

        await self._held(server, work, SEND_S + len(mail) / SLOWEST, report, denied)

    async def fetch(
        self, validity: int, after: int, since: datetime | None, report: Report, denied: Sequence[str] = ()
    ) -> tuple[int, list[Fetched], bool]:
        """Return letters of the inbox (see ``imap.fetch``)."""
        return await self._held(
            self._server("imap"),
            lambda talk: imap.fetch(talk, self._account, self._password(), validity=validity, after=after, since=since),
            FETCH_S, report, denied,
        )  # fmt: skip

    async def find(self, message_id: str, report: Report, denied: Sequence[str] = ()) -> bool:
        """Tell whether a letter lies in the folder of sent ones."""
        return await self._held(
            self._server("imap"), lambda talk: imap.find(talk, self._account, self._password(), message_id), LOOK_S,
            report, denied,
        )  # fmt: skip

    async def keep(
        self, mail: bytes, message_id: str, now: datetime, report: Report, denied: Sequence[str] = ()
    ) -> None:
        """Put a letter into the folder of sent ones, unless it is there."""
        await self._held(
            self._server("imap"),
            lambda talk: imap.keep(talk, self._account, self._password(), mail, message_id, now), LOOK_S, report,
            denied,
        )  # fmt: skip

    def _server(self, way: str) -> Server:
        server = self._account.smtp if way == "smtp" else self._account.imap
        if server is None:
            what = "sends (SMTP)" if way == "smtp" else "is asked for mail (IMAP)"
            raise BadScope(f"mail.{way}", f"Your mail account names no server that {what}.", subject=way.upper(),
                           hint="Set it with: ./steward mail set")  # fmt: skip
        return server

    async def _held(
        self, server: Server, work: Callable[[Conversation], T], limit_s: float, report: Report,
        denied: Sequence[str] = (),
    ) -> T:  # fmt: skip
        """Do ``work`` in a conversation with ``server``; to cancel is to cut it and wait until its thread has ended."""
        began, code, talk = time.monotonic(), "net.cut", None
        try:
            Hosts((server.target.place,), denied).require(server.target)
            addresses = await self._means.addresses(server.target)
            talk = Conversation(server, addresses, await self._means.mail_trust())
            done = await _in_thread(work, talk, limit_s)
            code = ""
        except PermissionsError as error:
            code = error.code
            raise
        finally:
            report(_connection(server, talk, code, time.monotonic() - began))
        return done


async def _in_thread(work: Callable[[Conversation], T], talk: Conversation, limit_s: float) -> T:
    job = asyncio.ensure_future(asyncio.to_thread(work, talk))
    try:
        done, _ = await asyncio.wait([job], timeout=limit_s)
        return job.result() if done else await _cut(job, talk, limit_s)
    finally:
        if not job.done():
            talk.cut()
            await _ended(job)
        talk.close()


async def _cut(job: asyncio.Future[T], talk: Conversation, limit_s: float) -> T:
    """End a conversation whose time is over; what it came to before that counts. Raises Unreachable (``net.time``)."""
    talk.cut()
    await _ended(job)
    error = job.exception()
    if error is None:
        return job.result()
    if isinstance(error, (Refused, Unclear)):  # the server has said no, or nobody can know
        raise error
    raise Unreachable("net.time", f"It took longer than {limit_s:g} seconds.", subject=f"{limit_s:g}",
                      hint="Ask again later.") from error  # fmt: skip


async def _ended(job: asyncio.Future[T]) -> None:
    """Wait for the thread of a conversation that was cut, however often this is cancelled meanwhile."""
    cancelled: asyncio.CancelledError | None = None
    while not job.done():
        try:
            await asyncio.wait([job])
        except asyncio.CancelledError as error:
            cancelled = error
    job.exception()
    if cancelled is not None:
        raise cancelled


def _connection(server: Server, talk: Conversation | None, code: str, wall_s: float) -> Connection:
    address = talk.address if talk else ""
    refused = not address and code.startswith("refused.")
    end = ConnectionEnd.CONNECTED if address else ConnectionEnd.REFUSED if refused else ConnectionEnd.FAILED
    up, down = (talk.up_bytes, talk.down_bytes) if talk else (0, 0)
    return Connection(server.host, server.port, end, address, up, down, wall_s, code)
