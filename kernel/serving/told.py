"""What a server is told in secret: values out of the vault, by name, into its environment or the headers sent to it.

What this stops: a key in ``steward.toml``, on a card, in the ledger; a server that reaches any host that the secret was
not kept for, or an address that is not encrypted; a value of before being used on after it was set anew.
What it does not: take it out of what the server says (``masking``); keep a program that was told one from writing it
where it works, or telling it to a host that it is for. Therefore it is a right of its own (``secret.reveal``), asked
for like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from kernel.errors import TaskFailed
from permissions.egress import may_carry
from permissions.errors import PermissionsError
from permissions.naming import shown
from permissions.vault import Kept

Lend = Callable[[str], Kept]
"""Takes a secret out of the vault by its name. Raises BadScope."""


def no_secret(name: str) -> Kept:
    """Know of no secret."""
    raise _not(name, f"There is no secret {name}.", f"./steward secrets set {name}",
               f"Es gibt kein Geheimnis {name}.")  # fmt: skip


def told(entry: Any, lend: Lend) -> dict[str, str]:
    """Return the secrets of a server by the names under which it knows them. Raises TaskFailed."""
    return {name: _value(secret, name, entry, lend) for name, secret in entry.secrets.items()}


def _value(secret: str, name: str, entry: Any, lend: Lend) -> str:
    try:
        kept = lend(secret)
    except PermissionsError as error:
        raise _not(secret, str(error), error.hint, str(error)) from error
    if entry.url and urlsplit(entry.url).scheme != "https":
        raise _not(secret, f"The secret {secret} is not sent without encryption.", "Give an address with https://.",
                   f"Das Geheimnis {secret} wird nicht unverschlüsselt gesendet.")  # fmt: skip
    other = next((host for host in entry.hosts if host not in kept.hosts), "")
    if not kept.hosts:  # the house's own are for none: the mail's password, the keys of models
        raise _not(secret, f"The secret {secret} was kept for no host, and no server is told it.",
                   f"Say for whom it is: ./steward secrets set {secret} --for {other or 'HOST:443'}",
                   f"Das Geheimnis {secret} ist für keinen Rechner, und kein Server erfährt es.")  # fmt: skip
    if other:
        every = " ".join(f"--for {one}" for one in (*kept.hosts, other))
        raise _not(secret, f"The secret {secret} is for {', '.join(kept.hosts)}, and the server reaches {other}.",
                   f"If it is for that host too: ./steward secrets set {secret} {every}",
                   f"Das Geheimnis {secret} ist nicht für {other}, und das erreicht der Server.")  # fmt: skip
    return in_header(name, kept.value, secret) if entry.url else kept.value


def in_header(name: str, value: str, secret: str) -> str:
    """Return what a header says: a key stands behind ``Bearer``, unless the secret names its own kind."""
    said = f"Bearer {value}" if name.lower() == "authorization" and " " not in value else value
    if not may_carry(name, said):
        raise _not(secret, f"{shown(name)} cannot carry the secret {secret}: its name or the value is none for that.",
                   "Name a header such as Authorization or X-Api-Key, and keep visible ASCII characters.",
                   f"{shown(name)} kann das Geheimnis {secret} nicht tragen.")  # fmt: skip
    return said


def _not(secret: str, message: str, hint: str, de: str) -> TaskFailed:
    return TaskFailed("server.secret", message, subject=shown(secret), hint=hint, de=de, de_hint=hint)
