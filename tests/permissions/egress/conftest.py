"""Servers on this machine that stand for the internet: the resolver and what counts as public are handed in.

``internet`` maps names to addresses and says that 127.0.1.1 is public here, so that a server on 127.0.0.1 is what it is
in life: this very machine, which nobody may reach.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from permissions.egress import Answer, Egress, Line
from permissions.egress.addresses import refusal
from permissions.model import CellSpec, Connection

PUBLIC = "127.0.1.1"
"""Stands for a public address; 127.0.0.1 is what it is."""
Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Internet:
    """Names, addresses and servers; ``asked`` are the names that were looked up."""

    folder: Path
    names: dict[str, list[Sequence[str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    reports: list[Connection] = field(default_factory=list)
    until: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def resolve(self, host: str) -> Sequence[str]:
        """Answer with the next of the addresses that were set for ``host``, and with the last one from then on."""
        self.asked.append(host)
        answers = self.names.get(host)
        if not answers:
            raise OSError("no such name")
        return answers.pop(0) if len(answers) > 1 else answers[0]

    @staticmethod
    def refusal(address: str) -> str:
        return "" if address == PUBLIC else refusal(address)

    def egress(self, **options: Any) -> Egress:
        return Egress(resolve=self.resolve, refusal=self.refusal, **options)

    async def server(self, handler: Handler, *, at: str = PUBLIC, name: str = "", port: int = 0, **options: Any) -> int:
        """Serve at an address, under a name; return the port."""

        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                await handler(reader, writer)
            except (ConnectionError, asyncio.IncompleteReadError):
                pass
            finally:
                writer.transport.abort()

        server = await asyncio.start_server(handle, at, port, **options)
        self.until.callback(server.close)
        if name:
            self.names[name] = [[at]]
        return int(server.sockets[0].getsockname()[1])

    @asynccontextmanager
    async def line(self, *hosts: str, changes: bool = False, **options: Any) -> AsyncIterator[Line]:
        """Give a line as a cell has one, with the rights to ``hosts``."""
        ours, theirs = socket.socketpair()
        spec = CellSpec(hosts=hosts, changes_hosts=changes)
        serving = asyncio.create_task(self.egress(**options).serve(ours, spec, self.reports.append))
        with ours, theirs:
            try:
                yield Line(theirs.fileno())
            finally:
                serving.cancel()
                await asyncio.wait([serving])

    async def ask(self, url: str, *hosts: str, options: dict[str, Any] | None = None, **wishes: Any) -> Answer:
        """Ask once, over a line of its own."""
        changes = wishes.pop("changes", False)
        async with self.line(*hosts, changes=changes, **(options or {})) as line:
            return await asyncio.to_thread(lambda: line.ask(url, **{"timeout_s": 5.0, **wishes}))


@pytest.fixture
async def internet(tmp_path: Path) -> AsyncIterator[Internet]:
    net = Internet(tmp_path)
    async with net.until:
        yield net


async def read_head(reader: asyncio.StreamReader) -> str:
    """Return a request up to its body."""
    return (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")


def saying(text: str, *, status: str = "200 OK", headers: str = "", heard: list[str] | None = None) -> Handler:
    """Return a server that says the same to everybody, and writes down what it heard."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await read_head(reader)
        if heard is not None:
            heard.append(head)
        body = text.encode()
        writer.write(f"HTTP/1.1 {status}\r\ncontent-length: {len(body)}\r\n{headers}\r\n".encode() + body)
        await writer.drain()

    return handle


def moving(to: str, *, status: str = "302 Found", heard: list[str] | None = None) -> Handler:
    """Return a server that sends everybody elsewhere."""
    return saying("", status=status, headers=f"location: {to}\r\n", heard=heard)


@dataclass(frozen=True)
class Authority:
    """A certificate authority of a test."""

    file: Path
    key: ec.EllipticCurvePrivateKey
    name: x509.Name

    def context(self, host: str) -> ssl.SSLContext:
        """Return the server's side for ``host``."""
        key = ec.generate_private_key(ec.SECP256R1())
        names = x509.SubjectAlternativeName([x509.DNSName(host)])
        certificate = _certificate(host, self.name, key, self.key, [(names, False)])
        path = self.file.with_name(f"{host}.pem")
        secret = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        path.write_bytes(secret + certificate.public_bytes(serialization.Encoding.PEM))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return make_authority(tmp_path_factory.mktemp("authority"))


def make_authority(folder: Path) -> Authority:
    """Make an authority whose certificate lies in ``folder``."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority of a test")])
    certificate = _certificate("authority of a test", name, key, key, [
        (x509.BasicConstraints(ca=True, path_length=0), True),
        (x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False),
    ])  # fmt: skip
    file = folder / "authority.pem"
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return Authority(file, key, name)


def _certificate(
    subject: str,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    signer: ec.EllipticCurvePrivateKey,
    extensions: list[tuple[x509.ExtensionType, bool]],
) -> x509.Certificate:
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, subject)]))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
    )
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical)
    return builder.sign(signer, hashes.SHA256())
