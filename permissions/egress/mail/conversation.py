"""One conversation with a mail server, in a thread: connected to an address that was checked, encrypted, bounded, cut.

What this stops: a server that talks without end, or so slowly that nobody waits for it (bounds on bytes; whoever waits
cuts the connection from outside, which no trickle of bytes outlives); a certificate that is not for the host; a second
look at the name.
What it does not: know what is said.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from permissions.egress.mail.account import Server
from permissions.errors import Unreachable

CONNECT_S = 8.0
STEP_S = 60.0
MOST_BYTES = 64 << 20
"""Of all that a server says in one conversation."""


class Conversation:
    """The one socket of a conversation with ``server``, and what came through it."""

    def __init__(self, server: Server, addresses: Sequence[str], trust: ssl.SSLContext) -> None:
        self.server = server
        self.trust = trust
        self.address = ""
        self.down_bytes = self.up_bytes = 0
        self._addresses = addresses
        self._socket: socket.socket | None = None
        self._is_cut = False
        self._files: list[Any] = []

    def connect(self) -> socket.socket:
        """Return a connection to the first address that answers; encrypted where the server is ``tls``.

        Raises Unreachable (``net.connect``, ``net.tls``).
        """
        problem: OSError | None = None
        for address in self._addresses:
            try:
                plain = socket.create_connection((address, self.server.port), CONNECT_S)
            except OSError as error:
                problem = error
                continue
            self._keep(plain)
            self.address = address
            plain.settimeout(STEP_S)
            return self.wrapped(plain) if self.server.security == "tls" else plain
        raise silent(self.server) from problem

    def wrapped(self, plain: socket.socket) -> socket.socket:
        """Return ``plain`` encrypted, its certificate verified for the server's name."""
        try:
            wrapped = self.trust.wrap_socket(plain, server_hostname=self.server.host, do_handshake_on_connect=False)
            self._keep(wrapped)  # before the handshake: who is cut while it goes on must not wait for its end
            wrapped.do_handshake()
        except ssl.SSLError as error:
            raise untrusted(self.server, error) from error
        except OSError as error:
            raise silent(self.server) from error
        return wrapped

    def _keep(self, open_: socket.socket) -> None:
        self._socket = open_
        if self._is_cut:
            self.cut()

    def heard(self, data: bytes) -> bytes:
        """Count what came. Raises Unreachable (``net.size``) where it is too much."""
        self.down_bytes += len(data)
        if self.down_bytes > MOST_BYTES:
            raise Unreachable("net.size", f"{self.server.target.place} said more than {MOST_BYTES} bytes.",
                              subject=str(MOST_BYTES), hint="Ask for less.")  # fmt: skip
        return data

    def closes(self, file: Any) -> None:
        """Close ``file`` at the end: a socket that is read through one stays open as long as that."""
        self._files.append(file)

    def cut(self) -> None:
        """End it at once, from any thread: whoever reads or writes gets an error."""
        self._is_cut = True
        if self._socket is not None:
            with suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def close(self) -> None:
        """Let go of the socket, and of what reads from it."""
        for one in (*self._files, self._socket):
            with suppress(OSError):  # what it came to is known by now
                if one is not None:
                    one.close()


class Measured:
    """What is read from a server, counted."""

    def __init__(self, file: Any, talk: Conversation) -> None:
        self._file = file
        self._talk = talk
        talk.closes(file)

    def readline(self, most: int = -1) -> bytes:
        """Return the next line, or its beginning."""
        return self._talk.heard(self._file.readline(most))

    def read(self, size: int) -> bytes:
        """Return ``size`` bytes. Refuses before it reads more than may come."""
        if size > MOST_BYTES - self._talk.down_bytes:
            raise Unreachable("net.size", f"{self._talk.server.target.place} wants to say {size} bytes.",
                              subject=str(MOST_BYTES), hint="Ask for less.")  # fmt: skip
        return self._talk.heard(self._file.read(size))

    def close(self) -> None:
        """Close it."""
        self._file.close()


def silent(server: Server) -> Unreachable:
    """Nobody answers there."""
    return Unreachable("net.connect", f"{server.target.place} does not answer.", subject=server.target.place,
                       hint="Check the network, and ask again.")  # fmt: skip


def untrusted(server: Server, error: ssl.SSLError) -> Unreachable:
    """The certificate is not to be believed, or there is no encryption."""
    why = getattr(error, "verify_message", "") or error.reason or "the handshake failed"
    return Unreachable("net.tls", f"{server.target.place} cannot be trusted: {why}.", subject=server.target.place,
                       hint="An authority of your own is set with: ./steward config set ca_file FILE")  # fmt: skip


def unencrypted(server: Server) -> Unreachable:
    """It offers no encryption, so nothing is said to it."""
    return Unreachable("net.tls", f"{server.target.place} offers no encryption (STARTTLS), so nothing was said to it.",
                       subject=server.target.place, hint="Use its port with tls: ./steward mail set")  # fmt: skip


def wrong_login(server: Server, user: str) -> Unreachable:
    """It did not let us in."""
    return Unreachable("mail.login", f"{server.target.place} does not accept the password of {user}.",
                       subject=server.target.place, hint="Set it anew: ./steward secrets set mail")  # fmt: skip


def broke_off(server: Server) -> Unreachable:
    """It broke off, or said what is no answer."""
    return Unreachable("net.protocol", f"{server.target.place} broke off or sent what is no answer.",
                       subject=server.target.place, hint="Ask again.")  # fmt: skip
