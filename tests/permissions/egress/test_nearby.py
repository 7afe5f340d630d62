"""This machine's own public addresses, in a network of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from permissions.egress import nearby

ROOT = Path(__file__).parents[3]
IPV4, SECOND, IPV6 = "93.184.216.34", "93.184.216.35", "2a00:1450::34"
_SETUP = (
    "ip link set lo up && ip link add d0 type veth peer name d1 && ip link set d0 up && ip link set d1 up && "
    f"ip addr add {IPV4}/24 dev d0 && ip addr add {SECOND}/24 dev d0 && ip addr add {IPV6}/64 dev d0 nodad && "
    "ip route add default dev d0"
)
_TRY = f"""
import asyncio, socket, sys
sys.path.insert(0, {str(ROOT)!r})
from permissions.egress import Egress, Line, NoAnswer, nearby
from permissions.model import CellSpec

async def hello(reader, writer):
    await reader.readuntil(b"\\r\\n\\r\\n")
    writer.write(b"HTTP/1.1 200 OK\\r\\ncontent-length: 6\\r\\n\\r\\ninside")
    await writer.drain()
    writer.close()

async def ask(egress, port):
    ours, theirs = socket.socketpair()
    serving = asyncio.create_task(egress.serve(ours, CellSpec(hosts=("example.org:*",)), lambda one: None))
    try:
        answer = await asyncio.to_thread(Line(theirs.fileno()).ask, f"http://example.org:{{port}}/")
        return answer.body.decode()
    except NoAnswer as error:
        return error.code
    finally:
        serving.cancel()

async def main():
    server = await asyncio.start_server(hello, "", 0, family=socket.AF_INET)
    port = server.sockets[0].getsockname()[1]

    async def resolve(host):
        return ["{SECOND}"]

    print(await ask(Egress(resolve=resolve, refusal=lambda address: ""), port))
    print(await ask(Egress(resolve=resolve), port))
    for address in sys.argv[1:]:
        print(address, nearby.refusal(address) or "public")

asyncio.run(main())
"""


@pytest.mark.network
def test_a_public_address_of_this_machine_is_refused(tmp_path: Path) -> None:
    script = tmp_path / "try.py"
    script.write_text(_TRY)
    asked = [
        IPV4,
        SECOND,
        "93.184.216.255",
        IPV6,
        "2a00:1450::99",
        "2a00:1450:0:1::1",
        "93.184.216.99",
        "8.8.8.8",
        "127.0.0.1",
    ]
    python = [sys.executable, "-P", str(script), *asked]
    command = f'{_SETUP} && echo ready && exec "$@"'
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--net", "sh", "-c", command, "sh", *python],
        capture_output=True, text=True, timeout=20, check=False, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    if "ready" not in done.stdout:
        pytest.skip(f"needs iproute2, user namespaces and veth: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    _, control, refused, *kinds = done.stdout.splitlines()
    assert control == "inside"  # the control: without us that address leads to this machine's service
    assert refused == "refused.net.address"
    assert dict(line.split() for line in kinds) == {
        IPV4: "own", SECOND: "own", "93.184.216.255": "own", IPV6: "own",
        "2a00:1450::99": "neighbour", "2a00:1450:0:1::1": "public",
        "93.184.216.99": "public", "8.8.8.8": "public", "127.0.0.1": "loopback",
    }  # fmt: skip


def test_what_is_not_public_is_refused_first() -> None:
    assert nearby.refusal("10.0.0.1") == "private"
    assert nearby.refusal("8.8.8.8") == ""
