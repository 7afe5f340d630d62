"""The commands of clients. Names are the person's own; a token is shown once, and never with anything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from portal.cli.house import connected, list_rows, shown
from portal.cli.outcome import Failure, say, tell
from portal.cli.words import one_line

if TYPE_CHECKING:
    from portal.locate import Places

View = Mapping[str, Any]

_OWN = "steward."


def listed(as_json: bool) -> int:
    """List the clients."""
    with connected() as client:
        found = client.clients()
    return shown({"clients": found}, as_json, lambda _: _print_clients(found))


def _print_clients(found: Sequence[View]) -> None:
    rows = [(one["name"], _added(one), _presence(one), ", ".join(_short(offer) for offer in one["offers"]),
             str(len(one["rights"]))) for one in found]  # fmt: skip
    columns = ("client", "added", "", "may call", "rights")
    list_rows(columns, rows, "No program may ask: ./steward mcp clients add NAME")
    if found:
        say("What one was granted: ./steward perms show mcp:NAME")


def _added(one: View) -> str:
    return datetime.fromtimestamp(float(one["at_s"])).astimezone().strftime("%Y-%m-%d")


def _presence(one: View) -> str:
    """Say whether a client is there now, else when it was last heard of."""
    if one["open"]:
        return "connected"
    heard = one["heard_at_s"]
    return f"last heard {datetime.fromtimestamp(heard).astimezone():%Y-%m-%d %H:%M}" if heard else ""


def _short(offer: str) -> str:
    return one_line(offer.removeprefix(_OWN), 60)


def add(name: str, as_json: bool) -> int:
    """Make a client, and show its token and how it is used."""
    with connected() as client:
        made = client.add_client(name)
        address = client.status()["address"]
    found = {"name": name, "token": made["token"], "url": f"{address}/mcp", "openai_base_url": f"{address}/v1",
             "command": ["./steward", *_serving(name)]}  # fmt: skip
    return shown(found, as_json, _print_added)


def _serving(name: str) -> list[str]:
    return ["mcp", "serve", "--client", name]


def _print_added(found: View) -> None:
    tell(f"{found['name']} may ask, and search memory. More: ./steward mcp allow {found['name']} files.find")
    tell(f"  over HTTP   {found['url']}")
    tell(f"  as OpenAI   OPENAI_BASE_URL={found['openai_base_url']}   (model steward; the token is the key)")
    tell(f"  token       {found['token']}")
    tell(f"  as command  {' '.join(found['command'])}   (needs no token)")
    say("The token is shown this once; Steward keeps only a digest of it.")


def remove(name: str, as_json: bool) -> int:
    """Remove a client."""
    with connected() as client:
        gone = client.remove_client(name)
    return shown(gone, as_json, lambda _: tell(f"{name} is removed; its token opens nothing any more."))


def allow(name: str, offers: Sequence[str], as_json: bool) -> int:
    """Let a client call more."""
    with connected() as client:
        done = client.allow_client(name, offers)
    words = ", ".join(_short(one) for one in done["allowed"])
    text = f"{name} may call {words} now; what a call needs besides is still asked for." if words else "It may already."
    return shown(done, as_json, lambda _: tell(text))


def withdraw(name: str, offers: Sequence[str], as_json: bool) -> int:
    """Let a client call less."""
    with connected() as client:
        done = client.withdraw_from_client(name, offers)
    words = ", ".join(_short(one) for one in done["withdrawn"])
    return shown(done, as_json, lambda _: tell(f"{name} may no longer call {words}." if words else "It could not."))


def serve(name: str) -> int:
    """Pass MCP between standard input and output and the daemon, in the name of a client."""
    from portal.locate import find_places
    from portal.mcp.pipe import Pipe

    places = find_places()
    with connected() as client:
        name = name or _only([str(one["name"]) for one in client.clients()])
    return Pipe(places, name, lambda: _start(places)).run()


def _start(places: Places) -> None:
    """Start a daemon where none runs. Raises OSError: another try may find that an older one has ended."""
    from portal.cli.daemon import ensure_running

    try:
        ensure_running(places)
    except Failure as failure:
        raise OSError(f"{failure} {failure.hint}") from failure


def _only(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    if not names:
        raise Failure("client.none", "No program may ask yet.", "./steward mcp clients add NAME")
    raise Failure("client.which", "There are several clients.", f"--client, one of: {', '.join(names)}")
