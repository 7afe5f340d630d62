"""``mail`` and ``secrets``: what a person sets once; passwords are typed unseen and go to the daemon alone."""

from __future__ import annotations

import getpass
import sys

from portal.cli.daemon import ensure_running
from portal.cli.outcome import OK, Json, emit, is_interactive, refuse, say, tell
from portal.cli.prompt import read_line
from portal.client import Client
from portal.locate import find_places

PASSWORD = "mail"  # noqa: S105  (the name of the secret, not its value)
_LONGEST = 4096
_ASKED = {
    "address": "Your address: ",
    "name": "Your name, as receivers see it: ",
    "smtp": "Server that sends (HOST:PORT, often 465): ",
    "imap": "Server to fetch from (HOST:PORT, often 993): ",
}


def set_account(given: dict[str, str], as_json: bool) -> int:
    """Ask for what is missing, keep the account, then its password."""
    if is_interactive() and not given["address"]:
        given |= {one: given[one] or read_line(question) for one, question in _ASKED.items()}
    account: Json = {one: given[one] for one in ("address", "name", "user", "sent") if given[one]}
    account |= {one: _server(given[one]) for one in ("smtp", "imap") if given[one]}
    with _client() as client:
        kept = client.set_mail(account)
        if is_interactive() and not as_json:
            client.put_secret(PASSWORD, _typed(f"Password of {kept['account']['user']}: "))
            kept = client.mail()
    return _shown(kept, as_json)


def _server(text: str) -> Json:
    """Read ``HOST:PORT`` or ``HOST:PORT/starttls``; whether it is one is for the daemon to say."""
    place, _, security = text.partition("/")
    host, colon, port = place.rpartition(":")
    if not colon or not port.isdigit():
        refuse(f"{text!r} is no server.", "Write it as mail.example.org:465, or mail.example.org:587/starttls")
    return {"host": host, "port": int(port), "security": security or "tls"}


def show(as_json: bool) -> int:
    """Show the account."""
    with _client() as client:
        return _shown(client.mail(), as_json)


def _shown(kept: Json, as_json: bool) -> int:
    if as_json:
        emit(kept)
        return OK
    account = kept["account"]
    tell(f"{account['name'] or account['address']} <{account['address']}>, signed in as {account['user']}")
    for way, word in (("smtp", "sends"), ("imap", "fetches")):
        server = account[way]
        tell(f"  {word}: {server['host']}:{server['port']} ({server['security']})" if server else f"  {word}: not set")
    tell("  password: kept" if kept["password"] else "  password: not set")
    if not kept["password"]:
        say(f"Set it with: ./steward secrets set {PASSWORD}")
    return OK


def remove(as_json: bool) -> int:
    """Let go of the account."""
    with _client() as client:
        client.forget_mail()
    if as_json:
        emit({})
    else:
        tell("The mail account is gone, and its password with it.")
    return OK


def put_secret(name: str, hosts: list[str], as_json: bool) -> int:
    """Have the daemon keep a secret, for ``hosts``; a host without a port is one of https."""
    hosts = [one if ":" in one else f"{one}:443" for one in hosts]
    value = _typed(f"{name}: ") if sys.stdin is not None and sys.stdin.isatty() else _piped()
    with _client() as client:
        client.put_secret(name, value, hosts)
    if as_json:
        emit({"name": name, "hosts": hosts})
    else:
        tell(f"The secret {name} is kept{', for ' + ', '.join(hosts) if hosts else ''}.")
    return OK


def list_secrets(as_json: bool) -> int:
    """List the names of the secrets."""
    with _client() as client:
        found = client.secrets()
    if as_json:
        emit({"secrets": list(found), "hosts": found})
    else:
        lines = [f"{name}  for {', '.join(hosts)}" if hosts else name for name, hosts in found.items()]
        tell("\n".join(lines) or "There are no secrets.")
    return OK


def remove_secret(name: str, as_json: bool) -> int:
    """Destroy a secret."""
    with _client() as client:
        client.remove_secret(name)
    if as_json:
        emit({"name": name})
    else:
        tell(f"The secret {name} is gone.")
    return OK


def _client() -> Client:
    places = find_places()
    ensure_running(places)
    return Client(places)


def _typed(prompt: str) -> str:
    value = getpass.getpass(prompt)
    if not value:
        refuse("Nothing was typed, so nothing was changed.", "Type it again.")
    return value


def _piped() -> str:
    value = sys.stdin.read(_LONGEST + 1).removesuffix("\n").removesuffix("\r")
    if not value or len(value) > _LONGEST:
        refuse("The secret is empty or too long.", "Send one line on standard input.")
    return value
