"""Secrets of the person: a password per name, kept by the daemon, handed to what speaks for a call and to nobody else.

What this stops: a password in a setting, in the ledger, in a log or in a cell: it lies in a file of its own (0600, in a
folder 0700 among Steward's private places, which no skill may be shown), and only the daemon's end of a conversation
takes it out. A file that others may read, that is a link or no plain file is not believed.
What it does not: hide it from the person's own programs, or from whoever holds the disk.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address
from pathlib import Path

from permissions.errors import BadScope, StorageFailed
from permissions.private_file import write_private

LONGEST_BYTES = 4096
MOST_HOSTS = 32
_LONGEST_NAME = 253
_LONGEST_LINE = len("\nfor :65535") + _LONGEST_NAME
_LONGEST_FILE = LONGEST_BYTES + MOST_HOSTS * _LONGEST_LINE
_NAME = re.compile(r"[a-z][a-z0-9-]{0,62}")
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})+")
"""A whole name without a star: a secret is for hosts that are named."""
_ADDRESS = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")
_PORT = re.compile(r"[1-9][0-9]{0,4}")


@dataclass(frozen=True, slots=True)
class Kept:
    """A secret, and the hosts (``host:port``) that a call may have it sent to: none where nothing was said."""

    value: str
    hosts: tuple[str, ...] = ()


class Vault:
    """The secrets below ``folder``. Nothing is held in memory."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, name: str, value: str, hosts: tuple[str, ...] = ()) -> None:
        """Keep ``value`` under ``name``, for ``hosts``, in place of what was there. Raises BadScope, StorageFailed.

        They are at most 32, each ``host:port`` with a whole name or an IPv4 address.
        """
        said = dict.fromkeys(map(_host, hosts))
        if len(said) > MOST_HOSTS:
            raise BadScope("secret.hosts", f"A secret is for at most {MOST_HOSTS} hosts, and these are {len(said)}.",
                           subject=name, hint="Keep it again under another name, for the others.")  # fmt: skip
        data = b"\n".join([_checked(value), *(f"for {one}".encode() for one in said)])
        path = self._path(name)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_private(path, data)
        except OSError as error:
            raise _unwritten(name, error) from error

    def take(self, name: str) -> str:
        """Return the secret ``name``. Raises BadScope (``secret.none``, ``secret.open``)."""
        return self.lend(name).value

    def lend(self, name: str) -> Kept:
        """Return the secret ``name`` with the hosts it is for. Raises BadScope (``secret.none``, ``secret.open``)."""
        try:
            file = os.open(self._path(name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise no_secret(name) from error
        with os.fdopen(file, "rb") as found:
            status = os.fstat(file)
            if not stat.S_ISREG(status.st_mode) or status.st_mode & 0o077 or status.st_uid != os.geteuid():
                raise _open(name)
            value, *lines = found.read(_LONGEST_FILE).decode("utf-8", "replace").split("\n")[: 1 + MOST_HOSTS]
        return Kept(value, tuple(line.removeprefix("for ") for line in lines if line.startswith("for ")))

    def names(self) -> tuple[str, ...]:
        """Return the names of the secrets that are kept, sorted."""
        try:
            return tuple(sorted(one for one in os.listdir(self._folder) if _NAME.fullmatch(one)))
        except FileNotFoundError:
            return ()

    def remove(self, name: str) -> None:
        """Destroy the secret ``name``. Raises BadScope where there is none, StorageFailed where it is still there."""
        path = self._path(name)
        try:
            path.unlink()
        except FileNotFoundError as error:
            raise no_secret(name) from error
        except OSError as error:
            raise StorageFailed("storage.secret", f"The secret {name} is still there: {error.strerror}.", subject=name,
                                hint=f"Delete {path} yourself.") from error  # fmt: skip

    def _path(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise BadScope("secret.name", "A secret's name has small letters, digits and hyphens, a letter first.",
                           subject=ascii(name[:60])[1:-1], hint="./steward secrets set mail")  # fmt: skip
        return self._folder / name


def _checked(value: str) -> bytes:
    data = value.encode("utf-8", "replace")
    if not data or len(data) > LONGEST_BYTES or any(ord(one) < 0x20 or ord(one) == 0x7F for one in value):
        raise BadScope("secret.value", "A secret is one line of at most 4096 bytes, and not empty.",
                       hint="Give it again: ./steward secrets set NAME")  # fmt: skip
    return data


def _host(scope: str) -> str:
    host, _, port = scope.lower().rpartition(":")
    named = len(host) <= _LONGEST_NAME and bool(
        _HOST.fullmatch(host) and (not _ADDRESS.fullmatch(host) or _is_v4(host))
    )
    if not named or not _PORT.fullmatch(port) or int(port) >= 1 << 16:
        raise BadScope("secret.host", f"{ascii(scope[:80])[1:-1]} is no host:port that a secret can be for.",
                       subject=ascii(scope[:60])[1:-1], hint="Name one such as api.example.org:443.")  # fmt: skip
    return f"{host}:{port}"


def _is_v4(host: str) -> bool:
    try:
        IPv4Address(host)
    except AddressValueError:
        return False
    return True


def no_secret(name: str) -> BadScope:
    """Return what is raised where no secret is called ``name``."""
    return BadScope("secret.none", f"There is no secret {name}.", subject=name,
                    hint=f"Set it with: ./steward secrets set {name}")  # fmt: skip


def _open(name: str) -> BadScope:
    return BadScope("secret.open", f"The secret {name} can be read by others, so it is not used.", subject=name,
                    hint=f"Change it where it is used, then: ./steward secrets set {name}")  # fmt: skip


def _unwritten(name: str, error: OSError) -> StorageFailed:
    return StorageFailed("storage.secret", f"The secret {name} could not be kept: {error.strerror}.", subject=name,
                         hint="Make room or mend the disk, and set it again.")  # fmt: skip
