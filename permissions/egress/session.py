"""The daemon's end of a cell's socket: answer its questions one after the other, each within the rights of the call.

What this stops: a question that the rights do not cover, before a byte leaves; a redirect that leads elsewhere than a
question may; an answer that is larger or slower than was asked for; a call that asks without end. Its connections end
with its call.
What it does not: keep a call from telling a host that it may reach whatever it knows.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urljoin

from permissions.egress import frames, nearby
from permissions.egress.exchange import Exchange
from permissions.egress.handles import Filled, Lend, filled
from permissions.egress.headers import Headers, check_headers, check_method, for_another_host, without_packing
from permissions.egress.hello import ServerName
from permissions.egress.link import Link, open_link
from permissions.egress.questions import BadFrame, Question, TunnelQuestion, read_question
from permissions.egress.resolver import Refusal, Resolve, SystemResolver, public_addresses
from permissions.egress.rules import Hosts
from permissions.egress.targets import Target, read_place, read_url
from permissions.egress.trust import build_trust
from permissions.egress.tunnel import Tunnel
from permissions.errors import PermissionsError, Refused, Unreachable
from permissions.model import CellSpec, Connection, ConnectionEnd
from permissions.vault import Kept, no_secret

Report = Callable[[Connection], None]

MOST_QUESTIONS = 1000
MOST_REFUSED = 50
"""A call that asked or was refused so often is not listened to any more: each time is a line in the ledger."""
_CUT = "net.cut"
_MOVED = frozenset({301, 302, 303, 307, 308})


class Means:
    """What all calls share: the resolver, what counts as public, and whose certificates are believed."""

    def __init__(
        self, resolve: Resolve | None, refusal: Refusal | None, ca_file: Path | None, lend: Lend | None = None
    ) -> None:
        self.lend = lend or no_secrets
        self._resolve = resolve or SystemResolver()
        self._refusal = refusal or nearby.refusal
        self._ca_file = ca_file
        self._trust: ssl.SSLContext | None = None
        self._mail_trust: ssl.SSLContext | None = None

    async def addresses(self, target: Target) -> list[str]:
        """Return the addresses of ``target`` that may be connected to. Raises Refused, Unreachable."""
        return list(await public_addresses(target, self._resolve, self._refusal))

    async def trust(self, target: Target) -> ssl.SSLContext | None:
        """Return whom to believe about ``target``; None where its URL asks for no encryption."""
        if target.scheme != "https":
            return None
        if self._trust is None:
            self._trust = await asyncio.to_thread(build_trust, self._ca_file)
        return self._trust

    async def mail_trust(self) -> ssl.SSLContext:
        """Return whom to believe about a mail server."""
        if self._mail_trust is None:
            self._mail_trust = await asyncio.to_thread(build_trust, self._ca_file, protocol="")
        return self._mail_trust


async def answer_cell(means: Means, end: socket.socket, spec: CellSpec, report: Report) -> None:
    """Answer the cell at the other side of ``end`` until it leaves; to cancel is to end its connections.

    Raises BadScope when a scope of ``spec.hosts`` is none.
    """
    session = _Session(means, Hosts(spec.hosts, spec.denied_hosts), spec, report)
    reader, writer = await asyncio.open_unix_connection(sock=end.dup())
    try:
        await session.answer_all(reader, writer)
    except (BadFrame, ConnectionError):
        pass  # it speaks no language of ours, or has gone: the line is closed, and its next question fails
    finally:
        writer.transport.abort()
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)  # whoever else holds this end, the cell is told now


class _Session:
    """The questions of one call."""

    def __init__(self, means: Means, hosts: Hosts, spec: CellSpec, report: Report) -> None:
        self._means = means
        self._hosts = hosts
        self._changes = spec.changes_hosts
        self._relays = spec.relays
        self._secrets = spec.secrets
        self._report = report
        self._refused = 0
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter

    async def answer_all(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        for _ in range(MOST_QUESTIONS):
            question = await read_question(reader)
            if question is None or self._refused >= MOST_REFUSED:
                return
            await self._answer(question)

    async def _answer(self, question: Question | TunnelQuestion) -> None:
        try:
            if isinstance(question, TunnelQuestion):
                await self._tunnel(question)
                return
            async with asyncio.timeout(question.timeout_s):
                await self._perform(question)
            self._writer.write(frames.frame(frames.END))
        except TimeoutError:
            self._fail("net.time", f"It took longer than {question.timeout_s:g} seconds.", f"{question.timeout_s:g}")
        except PermissionsError as error:
            self._refuse(error)

    def _refuse(self, error: PermissionsError) -> None:
        self._refused += isinstance(error, Refused)
        self._fail(error.code, str(error), error.subject, error.hint)

    def _fail(self, code: str, message: str, subject: str, hint: str = "Ask for less, or again later.") -> None:
        said = {"code": code, "message": message, "subject": subject, "hint": hint}
        self._writer.write(frames.json_frame(frames.FAILED, said))

    async def _perform(self, question: Question) -> None:
        """Ask, follow as many redirects as the question allows, and pass the last answer on."""
        target = read_url(question.url)
        method = check_method(question.method, changes=self._changes, body=bool(question.body))
        headers = check_headers(question.headers)
        secret = filled(question.secrets, self._secrets, self._means.lend, target)
        for left in range(question.redirects, -1, -1):
            async with self._link(target) as link:
                onward = await self._pass_on(link, target, method, headers, secret, question, follow=left > 0)
            if onward is None:
                return
            if onward.origin != target.origin:
                headers, secret = for_another_host(headers), secret.without_headers()
            target = onward

    async def _pass_on(
        self, link: Link, target: Target, method: str, headers: Headers, secret: Filled, question: Question, *,
        follow: bool,
    ) -> Target | None:  # fmt: skip
        """Pass an answer on to the cell, or return where it leads to."""
        exchange = Exchange(link, target)
        head = await exchange.ask(method, (*without_packing(headers), *secret.headers) if secret.values else headers,
                                  question.body)  # fmt: skip
        if follow and head.status in _MOVED and head.header("location"):
            if secret.holds(head.header("location")):
                raise _tells(target)
            return _onward(target, method, head.header("location"))
        if head.length is not None and head.length > question.limit_bytes and method != "HEAD":
            raise _too_large(target, question)
        if secret.values and head.header("content-encoding").lower() not in ("", "identity"):
            raise _packed(target)
        said = {"status": head.status, "url": secret.masked_text(str(target)), "headers": secret.masked(head.headers)}
        await self._tell(frames.json_frame(frames.HEAD, said))
        total, mask = 0, secret.mask()
        async with aclosing(exchange.body()) as chunks:
            async for chunk in chunks:
                total += len(chunk)
                if total > question.limit_bytes:
                    raise _too_large(target, question)
                for part in mask.parts(chunk):
                    await self._tell(frames.frame(frames.BODY, part))
        if rest := mask.rest():
            await self._tell(frames.frame(frames.BODY, rest))
        return None

    async def _tunnel(self, question: TunnelQuestion) -> None:
        """Connect, and pass bytes on both ways until one side has enough; its own end is the last that is said."""
        if not self._relays:
            raise BadFrame("a tunnel on a line without")
        if not self._changes:
            raise _unseen(question.place)
        target = read_place(question.place)
        tunnel: Tunnel | None = None
        try:
            async with AsyncExitStack() as connected:
                async with asyncio.timeout(question.timeout_s):
                    link = await connected.enter_async_context(self._link(target, tunnel=True))
                await self._tell(frames.json_frame(frames.HEAD, {}))
                tunnel = Tunnel(link, self._reader, self._tell, ServerName(target))
                await tunnel.carry()
        except PermissionsError as error:
            self._refuse(error)
        if tunnel is not None:
            await tunnel.drain()

    async def _tell(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    @asynccontextmanager
    async def _link(self, target: Target, *, tunnel: bool = False) -> AsyncIterator[Link]:
        """Connect to ``target`` if the call may, and report how that ended, whatever ends it.

        In a tunnel whoever asked does the encrypting.
        """
        began = time.monotonic()
        link: Link | None = None
        code = _CUT  # what says nothing when it ends it is the question's time, or the end of the call
        try:
            (self._hosts.require_by_name if tunnel else self._hosts.require)(target)
            addresses = await self._means.addresses(target)
            link = await open_link(target, addresses, None if tunnel else await self._means.trust(target))
            yield link
            code = ""
        except PermissionsError as error:
            code = error.code
            raise
        finally:
            if link is not None:
                link.close()
                code = "" if link.finished and code == _CUT else code  # whoever asked had enough of it
            self._report(_connection(target, link, code, time.monotonic() - began))


def _connection(target: Target, link: Link | None, code: str, wall_s: float) -> Connection:
    refused = link is None and code.startswith("refused.")
    end = ConnectionEnd.CONNECTED if link else ConnectionEnd.REFUSED if refused else ConnectionEnd.FAILED
    return Connection(
        target.host, target.port, end, link.address if link else "", link.up_bytes if link else 0,
        link.down_bytes if link else 0, wall_s, code,
    )  # fmt: skip


def _onward(target: Target, method: str, location: str) -> Target:
    """Return where a redirect leads. Raises Refused: it is judged as a question of its own."""
    onward = read_url(urljoin(str(target), location))
    if target.scheme == "https" and onward.scheme != "https":
        raise _not_followed(onward, "it would give up encryption")
    if method not in ("GET", "HEAD"):
        raise _not_followed(onward, "only GET and HEAD are asked again elsewhere")
    return onward


def _unseen(place: str) -> Refused:
    shown = ascii(place[:80])[1:-1]
    message = f"A program of this call may not connect to {shown}: nobody sees what it changes there."
    hint = "Only a tool that steward.toml declares `once` may let programs connect with encryption."
    return Refused("refused.net.tunnel", message, subject=shown, hint=hint)


def _not_followed(onward: Target, why: str) -> Refused:
    return Refused("refused.net.redirect", f"The redirect to {onward.place} is not followed: {why}.",
                   subject=onward.place, hint="Ask for the new address itself.")  # fmt: skip


def _tells(target: Target) -> Refused:
    return Refused("refused.net.redirect", f"{target.place} redirects to an address with a secret in it.",
                   subject=target.place, hint="Send the secret in a header that the host does not repeat.")  # fmt: skip


def _packed(target: Target) -> Unreachable:
    return Unreachable("net.protocol", f"{target.place} answered packed, and was asked not to: a secret went there.",
                       subject=target.place, hint="Ask for an answer that is not packed.")  # fmt: skip


def no_secrets(name: str) -> Kept:
    """Lend nothing. Raises BadScope."""
    raise no_secret(name)


def _too_large(target: Target, question: Question) -> Unreachable:
    return Unreachable("net.size", f"The answer of {target.place} is larger than {question.limit_bytes} bytes.",
                       subject=str(question.limit_bytes), hint="Ask for less, or allow more.")  # fmt: skip
