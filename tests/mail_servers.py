"""Real mail servers on this machine, for tests: SMTP by aiosmtpd, over TLS, with a password."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword

USER, PASSWORD = "me@home.test", "correct-horse-battery"
Hook = Callable[[str], Awaitable[None]]


async def nothing(_stage: str) -> None:
    """Do nothing at a stage of a conversation."""


@dataclass(frozen=True)
class Taken:
    """A mail that the server took."""

    sender: str
    recipients: tuple[str, ...]
    content: bytes


@dataclass
class PostOffice:
    """The server's side. ``at`` is called at each stage of a conversation; ``answers`` replace its answer to DATA."""

    taken: list[Taken] = field(default_factory=list)
    at: Hook = nothing
    refuses: tuple[str, ...] = ()
    answer: str = "250 2.0.0 taken"
    user: str = USER
    password: str = PASSWORD
    tries: list[str] = field(default_factory=list)
    port: int = 0

    def authenticate(self, _server: Any, _session: Any, _envelope: Any, _way: str, said: Any) -> AuthResult:
        """Let in who knows the password."""
        assert isinstance(said, LoginPassword)
        self.tries.append(said.login.decode())
        right = (said.login.decode(), said.password.decode()) == (self.user, self.password)
        return AuthResult(success=right, handled=False)

    async def handle_EHLO(self, _server: Any, session: Any, _envelope: Any, hostname: str, answers: list[str]) -> Any:
        """Greet."""
        session.host_name = hostname
        await self.at("EHLO")
        return answers

    async def handle_MAIL(self, _server: Any, session: Any, envelope: Envelope, address: str, options: Any) -> str:
        """Hear who writes."""
        await self.at("MAIL")
        if not session.authenticated:
            return "530 5.7.0 who are you"
        envelope.mail_from = address
        return "250 2.1.0 fine"

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Envelope, address: str, options: Any) -> str:
        """Hear to whom."""
        await self.at("RCPT")
        if address in self.refuses:
            return "550 5.1.1 nobody of that name, and your password was correct-horse-battery"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 fine"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Envelope) -> str:
        """Take the mail, then say so."""
        await self.at("DATA")
        if self.answer.startswith("250"):
            assert envelope.mail_from is not None
            assert isinstance(envelope.original_content, bytes)
            self.taken.append(Taken(envelope.mail_from, tuple(envelope.rcpt_tos), envelope.original_content))
        await self.at("taken")
        return self.answer


@asynccontextmanager
async def post_office(context: ssl.SSLContext, at: str, *, starttls: bool = False) -> AsyncIterator[PostOffice]:
    """Serve at an address of this machine, by TLS from the first byte, or after STARTTLS."""
    office = PostOffice()
    loop = asyncio.get_running_loop()
    met: list[SMTP] = []

    def factory() -> SMTP:
        met.append(_server(office, loop, context if starttls else None))
        return met[-1]

    server = await loop.create_server(factory, at, 0, ssl=None if starttls else context)
    office.port = server.sockets[0].getsockname()[1]
    try:
        yield office
    finally:
        server.close()
        for one in met:
            if one.transport is not None:
                one.transport.abort()
        await asyncio.sleep(0.01)


def _server(office: PostOffice, loop: asyncio.AbstractEventLoop, context: ssl.SSLContext | None) -> SMTP:
    late = (
        context is not None
    )  # over TLS from the first byte aiosmtpd knows of none, so the password is asked for by us
    return SMTP(
        office, hostname="post.test", authenticator=office.authenticate, auth_required=late, auth_require_tls=late,
        tls_context=context, loop=loop, data_size_limit=40 << 20,
    )  # fmt: skip
