"""The person's mail account: who writes, and which servers take and keep their mail. The password is elsewhere.

What this stops: a server that a skill names; a connection without encryption; a host that is spelt to deceive.
What it does not: know whether the server is the right one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import tomli_w

from permissions.egress.addresses import refusal
from permissions.egress.mail.addresses import address_of, plain
from permissions.egress.targets import Target, is_address, normal_host
from permissions.errors import BadScope, PermissionsError
from permissions.private_file import write_private

SECRET = "mail"  # noqa: S105  (its name, not its value)
"""Under this name the account's password is kept; it is the scope of the right to use the account."""

SECURITIES = ("tls", "starttls")
_LARGEST = 64 << 10


@dataclass(frozen=True, slots=True)
class Server:
    """A server: ``tls`` from the first byte, or ``starttls``. There is no third way."""

    host: str
    port: int
    security: str = "tls"

    @property
    def target(self) -> Target:
        """The place to connect to, as it is judged."""
        return Target("https", self.host, self.port, "/")


@dataclass(frozen=True, slots=True)
class Account:
    """Whose mail it is. ``sent`` is the folder where the server keeps what was sent, "" to let the server say."""

    address: str
    user: str
    name: str = ""
    smtp: Server | None = None
    imap: Server | None = None
    sent: str = ""

    @staticmethod
    def of(said: Mapping[str, Any]) -> Account:
        """Read an account. Raises BadScope (``mail.account``) that names what is wrong."""
        return _account_from(said)

    @staticmethod
    def read(file: Path) -> Account:
        """Return the account that is kept in ``file``. Raises BadScope (``mail.none``, ``mail.account``)."""
        return _read_account(file)

    def write(self, file: Path) -> None:
        """Keep it in ``file``, for the person alone. Raises OSError."""
        _write_account(file, self)


def _account_from(said: Mapping[str, Any]) -> Account:
    unknown = set(said) - {"address", "user", "name", "smtp", "imap", "sent"}
    if unknown:
        raise _bad(f"there is no {min(unknown)}")
    try:
        address = address_of(str(said.get("address", "")))
    except PermissionsError as error:
        raise _bad("address is no e-mail address") from error
    servers = {one: _server(one, said[one]) for one in ("smtp", "imap") if said.get(one)}
    if not servers:
        raise _bad("it needs smtp, imap or both")
    user, name, sent = (plain(str(said.get(one) or "")) for one in ("user", "name", "sent"))
    return Account(address, user or address, name, servers.get("smtp"), servers.get("imap"), sent)


def _server(name: str, said: object) -> Server:
    if not isinstance(said, Mapping) or set(said) - {"host", "port", "security"}:
        raise _bad(f"{name} needs host, port and security")
    port, security = said.get("port"), said.get("security", "tls")
    if not isinstance(port, int) or isinstance(port, bool) or not 0 < port < 1 << 16:
        raise _bad(f"the port of {name} is none")
    if security not in SECURITIES:
        raise _bad(f"the security of {name} is one of {', '.join(SECURITIES)}")
    try:
        host = normal_host(str(said.get("host", "")))
    except PermissionsError as error:
        raise _bad(f"the host of {name} is no whole host name") from error
    kind = refusal(host) if is_address(host) else ""
    if kind:
        raise _bad(f"{host} is no public address ({kind}), and nothing may connect to such a one")
    return Server(host, port, security)


def _read_account(file: Path) -> Account:
    try:
        with file.open("rb") as found:
            return _account_from(tomllib.loads(found.read(_LARGEST).decode()))
    except FileNotFoundError as error:
        raise BadScope("mail.none", "No mail account is set.", hint="Set one with: ./steward mail set") from error
    except (OSError, ValueError) as error:
        raise _bad("it cannot be read") from error


def _write_account(file: Path, account: Account) -> None:
    values = {name: value for name, value in asdict(account).items() if value}
    write_private(file, tomli_w.dumps(values).encode())


def _bad(why: str) -> BadScope:
    return BadScope("mail.account", f"The mail account is not complete: {why}.", subject=why,
                    hint="Set it anew with: ./steward mail set")  # fmt: skip
