"""The part of the escape list about where names lead: to a service of this machine, its network, or its cloud.

All of those addresses are given to a machine with a network of its own, where a service listens at each. The relay is
asked for them by a public name that was granted, as in an attack by rebinding. The control is the same without our
judgement of addresses: then the service answers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from tests.permissions.confine.ground import Outcome
from tests.proofs.refusals import Refusal

_ROOT = Path(__file__).parents[2]
_KINDS = {
    "the cloud's metadata service": "169.254.169.254", "the metadata service by IPv6": "fd00:ec2::254",
    "a link-local address": "169.254.1.1", "a private address (10)": "10.1.2.3",
    "a private address (172.16)": "172.16.1.1", "a private address (192.168)": "192.168.7.7",
    "a provider's shared address": "100.64.1.1", "a private address of IPv6": "fd12:3456::1",
    "loopback": "127.0.0.1", "loopback by another number": "127.9.9.9", "loopback of IPv6": "::1",
    "this machine as nobody's address": "0.0.0.0", "an IPv6 address that holds a private one": "::ffff:10.1.2.3",
    "a public address of this very machine": "93.184.216.34",
}  # fmt: skip
_GIVEN = [at for at in _KINDS.values() if at not in ("::1", "0.0.0.0") and not at.startswith(("127.", "::ffff:"))]
_SETUP = "ip link set lo up && " + " && ".join(
    f"ip addr add {at}/{128 if ':' in at else 32} dev lo{' nodad' if ':' in at else ''}" for at in _GIVEN
)
_TRY = """
import asyncio, json, socket, sys
from permissions.egress import Egress, Line, Relay
from permissions.model import CellSpec

PAGE = b"HTTP/1.1 200 OK\\r\\ncontent-length: 6\\r\\n\\r\\ninside"

async def hello(reader, writer):
    await reader.readuntil(b"\\r\\n\\r\\n")
    writer.write(PAGE)
    await writer.drain()
    writer.close()

def ask(port, target):
    with socket.create_connection(("127.0.0.1", port), 5) as link:
        link.sendall(f"GET http://{target}/ HTTP/1.1\\r\\nhost: {target}\\r\\n\\r\\n".encode())
        return b"".join(iter(lambda: link.recv(65536), b""))

def connect(port, target):
    with socket.create_connection(("127.0.0.1", port), 5) as link:
        link.sendall(f"CONNECT {target} HTTP/1.1\\r\\n\\r\\n".encode())
        said = b""
        while b"\\r\\n\\r\\n" not in said and (part := link.recv(1000)):
            said += part
        return said

async def tried(address, **judgement):
    async def resolve(_host):
        return [address]

    ours, theirs = socket.socketpair()
    egress = Egress(resolve=resolve, **judgement)
    spec = CellSpec(hosts=(f"public.test:{PORT}",), relays=True, changes_hosts=True)
    serving = asyncio.create_task(egress.serve(ours, spec, lambda _: None))
    relay = Relay([Line(theirs.fileno())], port=0)
    asked = await asyncio.to_thread(ask, relay.port, f"public.test:{PORT}")
    tunnel = await asyncio.to_thread(connect, relay.port, f"public.test:{PORT}")
    relay.close()
    serving.cancel()
    await asyncio.wait([serving])
    return [b"inside" in asked, b" 200 " in tunnel]

async def in_the_open(address):
    for _ in range(3):  # a busy machine may fail once of itself
        found = await tried(address, refusal=lambda _: "")
        if all(found):
            break
    return found

async def main():
    global PORT
    server = await asyncio.start_server(hello, "", 0, family=socket.AF_INET)
    PORT = server.sockets[0].getsockname()[1]
    also = await asyncio.start_server(hello, "::", PORT, family=socket.AF_INET6)
    found = {}
    for address in sys.argv[1:]:
        found[address] = [await in_the_open(address), await tried(address)]
    print(json.dumps(found))

asyncio.run(main())
"""


@cache
def reached() -> dict[str, list[list[bool]]]:
    """Return, for every address, what was reached by a request and by a tunnel: without us, and with us."""
    python = [sys.executable, "-P", "-c", _TRY, *_KINDS.values()]
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--net", "sh", "-c", f'{_SETUP} && exec "$@"', "sh", *python],
        capture_output=True, text=True, timeout=60, check=False, env={**os.environ, "PYTHONPATH": str(_ROOT)},
    )  # fmt: skip
    if done.returncode:
        print(f"No network of its own here, so these prove nothing: {done.stderr.strip()[-300:]}", file=sys.stderr)
    return dict(json.loads(done.stdout)) if done.stdout else {}


def _leads_to(address: str) -> Callable[[], Outcome]:
    def trial() -> Outcome:
        control, ours = reached().get(address, ([False], [False]))
        return Outcome(all(control), any(ours))

    return trial


INSIDERS: tuple[Refusal, ...] = tuple(
    Refusal(f"90.{number}", f"a granted name that leads to {kind}", _leads_to(address))
    for number, (kind, address) in enumerate(_KINDS.items(), 1)
)
