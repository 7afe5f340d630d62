"""The part of the escape list about the relay of foreign programs: what a call says at its proxy, and what else it has.

The control of each is a proxy in the open that believes what it is told; it hears the same bytes.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Callable
from typing import Any

from permissions.errors import PermissionsError
from permissions.model import RELAY_PORT, CellSpec, Limits
from tests.permissions.confine.friends import Friend, holds
from tests.permissions.confine.ground import Attempt, Ground, Outcome, Probe, cell
from tests.permissions.confine.town import Town
from tests.permissions.egress.test_hello import greeting

_SETTLED_S = 0.2
_PATIENCE_S = 2.0
"""How long the control may take to be heard, on a busy machine."""
_GRANTED = ("GRANTED", "inside.test:INSIDE_PORT", "*:INSIDE_PORT")
_GET = "GET http://GRANTED/ HTTP/1.1\r\nhost: GRANTED\r\n"
_NEXT = "GET http://STRAY/stray HTTP/1.1\r\nhost: STRAY\r\n\r\n"
_CONNECT = "CONNECT GRANTED HTTP/1.1\r\nhost: GRANTED\r\n\r\n"


def town_of(ground: Ground) -> Town:
    """Return the town of a ground, the same one while it lasts."""
    if "town" not in ground.kept:
        town = ground.kept["town"] = Town()
        ground.until.callback(town.close)
        cells = ground.kept["networked"] = ground.wall.new_cells(network=town.egress())
        ground.until.callback(lambda: ground.wall.wait(cells.close()))
    town = ground.kept["town"]
    assert isinstance(town, Town)
    town.heard.clear()
    return town


def _spec(town: Town, *hosts: str, changes: bool = True, **more: Any) -> CellSpec:
    granted = tuple(map(town.said, hosts or _GRANTED))
    return CellSpec(hosts=granted, relays=True, changes_hosts=changes, **more)


def relayed(ground: Ground, name: str, spec: CellSpec, **words: Any) -> None:
    """Do an act in a cell that has a relay; where there is none it does not begin."""
    try:
        ground.wall.wait(ground.kept["networked"].call(spec, ground.wall.request(name, **words)))
    except PermissionsError:
        return


def said(
    *parts: str, changes: bool = True, hosts: tuple[str, ...] = _GRANTED, patience_s: float = _SETTLED_S
) -> Callable[[Ground], Outcome]:
    """Say ``parts`` to the relay, and to the believer; whoever should not hear anything tells within ``patience_s``."""

    def trial(ground: Ground) -> Outcome:
        town = town_of(ground)
        words = {"parts": [town.said(part) for part in parts]}
        relayed(ground, "say_to_proxy", _spec(town, *hosts, changes=changes), **words)
        escaped = _strayed_by_now(town, patience_s)
        ground.outside(Attempt("say_to_proxy", {**words, "port": town.believer.port}))
        return Outcome(_strayed_by_now(town, max(patience_s, _PATIENCE_S)), escaped)

    return trial


def _strayed_by_now(town: Town, patience_s: float) -> bool:
    """Tell whether anybody heard what nobody should; what was sent has been heard by then."""
    heard = town.hears("stray", patience_s)
    town.falls_silent(_PATIENCE_S)  # the rest of it would be taken for the next one's
    heard = heard or town.strayed()
    town.heard.clear()
    return heard


def _tls(name: str | None) -> str:
    """Return a greeting as text; one without a name says nothing that could be heard, but more than may go."""
    return (greeting(name) if name else greeting(None) + b"stray").decode("latin-1")


def _after_the_end(ground: Ground) -> Outcome:
    """Somebody whom a call left behind goes on talking in its tunnel."""
    town = town_of(ground)
    words = {"place": town.said("GRANTED"), "greeting": _tls("granted.test"), "seconds": 1.5}

    def still_talks() -> bool:
        time.sleep(_SETTLED_S)
        town.heard.clear()
        time.sleep(_SETTLED_S)
        return town.strayed()

    relayed(ground, "leave_tunnel", _spec(town), **words)
    escaped = still_talks()
    ground.outside(Attempt("leave_tunnel", {**words, "port": town.believer.port}))
    return Outcome(still_talks(), escaped)


def _another_s(ground: Ground) -> Outcome:
    """One call looks for the relay of another that runs beside it."""
    town, wall = town_of(ground), ground.wall
    cells = ground.kept["networked"]
    visit = {"family": int(socket.AF_INET), "address": ["127.0.0.1", RELAY_PORT]}

    async def both() -> bool:
        there = asyncio.Event()
        keeping = asyncio.create_task(cells.call(
            _spec(town, limits=Limits(wall_s=20)), wall.request("keep_relay", seconds=20.0),
            on_progress=lambda _: there.set(),
        ))  # fmt: skip
        await asyncio.wait({keeping, asyncio.create_task(there.wait())}, return_when=asyncio.FIRST_COMPLETED)
        try:
            if keeping.done():
                raise AssertionError(await keeping)
            reply = (await cells.call(_spec(town, "nobody.test:1"), wall.request("connect", **visit))).reply
        finally:
            keeping.cancel()
            await asyncio.wait({keeping})
        return b"connected" in (reply or b"")

    escaped = False
    if ground.strong:
        escaped = wall.wait(both())
    with socket.create_server(("127.0.0.1", 0)) as open_relay:
        visit["address"] = ["127.0.0.1", open_relay.getsockname()[1]]
        return Outcome(ground.outside(Attempt("connect", visit)), escaped)


def _descriptor_over(variable: str, question: bytes) -> Callable[[Ground], Outcome]:
    """A descriptor sent along over a line to the daemon arrives there: seen while it answers, and ever after."""

    def trial(ground: Ground) -> Outcome:
        town, path = town_of(ground), ground.secret()
        spec = _spec(town, read_paths=(os.path.dirname(path),))
        words = {"path": path, "variable": variable, "question": town.said(question.decode("latin-1"))}
        relayed(ground, "hand_over", spec, **words)
        escaped = holds(path)
        with Friend(ground) as friend:
            ground.outside(Attempt("hand_over", {**words, "friend": friend.path}))
            return Outcome(friend.took(path), escaped)

    return trial


def _framed(kind: bytes, content: str) -> bytes:
    # The places are put in later, and are longer: what is said is padded to a length of its own.
    return kind + (200).to_bytes(4, "little") + content.encode().ljust(200)


def _at_relay(name: str, **words: Any) -> Callable[[Ground], Attempt]:
    """An act of a call that has a relay, and so TCP of its own."""
    spec = CellSpec(hosts=("granted.test:1",), relays=True)
    return lambda _ground: Attempt(name, words, spec)


def _at_target(key: str, family: int) -> Callable[[Ground], Attempt]:
    def make(ground: Ground) -> Attempt:
        address = ["127.0.0.1", ground.target[key]] if family == socket.AF_INET else ground.target[key]
        spec = CellSpec(hosts=("granted.test:1",), relays=True)
        return Attempt("connect", {"family": family, "address": address}, spec)

    return make


_FOLDED = "x-a: b\r\n\tstray: folded\r\n\r\n"
_SMUGGLED = "GET /stray HTTP/1.1\r\nhost: STRAY\r\n\r\n"
_POST = "POST http://GRANTED/ HTTP/1.1\r\nhost: GRANTED\r\n"

SAID = {
    "another host than granted": said("GET http://STRAY/stray HTTP/1.1\r\nhost: STRAY\r\n\r\n"),
    "another host, by a tunnel": said("CONNECT STRAY HTTP/1.1\r\n\r\n", _tls("stray.test")),
    "another port": said("CONNECT granted.test:STRAY_PORT HTTP/1.1\r\n\r\n", _tls("granted.test")),
    "a name that leads into this machine": said("GET http://INSIDE/stray HTTP/1.1\r\nhost: INSIDE\r\n\r\n"),
    "such a name, by a tunnel": said("CONNECT INSIDE HTTP/1.1\r\n\r\n", _tls("inside.test")),
    "this machine by its address": said("CONNECT 127.0.0.1:INSIDE_PORT HTTP/1.1\r\n\r\n"),
    "this machine by a number": said("CONNECT 2130706433:INSIDE_PORT HTTP/1.1\r\n\r\n"),
    "this machine by an IPv6 address that holds it": said("CONNECT [::ffff:127.0.0.1]:INSIDE_PORT HTTP/1.1\r\n\r\n"),
    "this machine as nobody's address": said("CONNECT 0.0.0.0:INSIDE_PORT HTTP/1.1\r\n\r\n"),
    "a host behind a user's name": said("GET http://GRANTED@STRAY/stray HTTP/1.1\r\nhost: GRANTED\r\n\r\n"),
    "a host behind a backslash": said("GET http://GRANTED\\@STRAY/stray HTTP/1.1\r\nhost: GRANTED\r\n\r\n"),
    "a tunnel to a host behind a user's name": said("CONNECT GRANTED@STRAY HTTP/1.1\r\n\r\n", _tls("granted.test")),
    "the site of another by its Host header": said("GET http://GRANTED/ HTTP/1.1\r\nhost: stray.test\r\n\r\n"),
    "two Host headers": said(f"{_GET}host: stray.test\r\n\r\n"),
    "the site of another by its greeting (fronting)": said(_CONNECT, _tls("stray.test")),
    "a greeting without a name": said(_CONNECT, _tls(None)),
    "a tunnel that carries no TLS": said(_CONNECT, _SMUGGLED),
    "a second CONNECT in a tunnel": said(_CONNECT, "CONNECT STRAY HTTP/1.1\r\n\r\n"),
    "a second CONNECT right behind the first": said(f"{_CONNECT}CONNECT STRAY HTTP/1.1\r\n\r\n"),
    "a second request right behind the first": said(f"{_GET}\r\n{_NEXT}"),
    "a second request after the answer": said(f"{_GET}\r\n", _NEXT),
    "a request in a header, by a line feed": said(f"{_GET}x-a: b\nstray: stray\r\n\r\n"),
    "a request in a header, by a carriage return": said(f"{_GET}x-a: b\rstray: stray\r\n\r\n"),
    "a folded header": said(_GET + _FOLDED),
    "a header of 60,000 bytes": said(f"{_GET}x-a: {'stray' * 12_000}\r\n\r\n"),
    "a hundred headers": said(_GET + "".join(f"x-stray-{n}: x\r\n" for n in range(100)) + "\r\n"),
    "a request in a body of two lengths": said(f"{_POST}content-length: 0\r\ncontent-length: 9\r\n\r\n{_SMUGGLED}"),
    "a request behind a body in chunks": said(
        f"{_POST}content-length: 500\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n{_SMUGGLED}"),
    "a coding that hides behind a space": said(f"{_POST}transfer-encoding : chunked\r\n\r\n0\r\n\r\n{_SMUGGLED}"),
    "a request in the name of the page": said("GET http://GRANTED/\tHTTP/1.1\r\nstray: HTTP/1.1\r\n\r\n"),
    "change something, of a call that may only read": said(
        "POST http://GRANTED/stray HTTP/1.1\r\nhost: GRANTED\r\ncontent-length: 0\r\n\r\n", changes=False),
    "a tunnel, of a call that may only read": said(_CONNECT, _tls("granted.test") + "stray", changes=False),
}  # fmt: skip

RELAY_PROBES: tuple[Probe, ...] = (
    *(Probe(f"110.{number}", f"through the relay: {title}", trial)
      for number, (title, trial) in enumerate(SAID.items(), 1)),
    Probe("111", "a tunnel that goes on after its call", _after_the_end),
    Probe("112", "the relay of another call", _another_s),
    Probe("113", "a descriptor handed to the daemon over the relay's line", _descriptor_over(
        "STEWARD_RELAY", _framed(b"t", '{"place": "GRANTED", "timeout_s": 2}'))),
    Probe("113b", "a descriptor handed to the daemon with a question for a page", _descriptor_over(
        "STEWARD_NETWORK", _framed(b"q", '{"url": "http://GRANTED/", "method": "GET", "headers": [], "limit_bytes": 9, '
        '"timeout_s": 2, "redirects": 0}') + b"b\0\0\0\0")),
    cell("114", "TCP to this machine, of a call with a relay", _at_target("tcp", int(socket.AF_INET))),
    cell("114b", "an abstract Unix socket, of a call with a relay", _at_target("abstract", int(socket.AF_UNIX))),
    cell("114c", "UDP, of a call with a relay", lambda ground: Attempt(
        "ask_datagram", {"port": ground.target["udp"]}, CellSpec(hosts=("granted.test:1",), relays=True))),
    cell("114d", "a raw socket, of a call with a relay", _at_relay(
        "raw_socket", family=int(socket.AF_INET), kind=int(socket.SOCK_RAW), protocol=1)),
    cell("114e", "a packet socket, of a call with a relay", _at_relay(
        "raw_socket", family=17, kind=int(socket.SOCK_RAW))),
    cell("114f", "listen at another port than the relay's", _at_relay("listen")),
)  # fmt: skip
