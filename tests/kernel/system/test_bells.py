"""What the operating system's kernel tells by itself, over real sockets."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys

import pytest

from kernel.system import bells

BATTERY = b"change@/devices/x/power_supply/BAT0\0ACTION=change\0SUBSYSTEM=power_supply\0SEQNUM=7\0"
STICK = b"add@/devices/usb1\0ACTION=add\0SUBSYSTEM=usb\0POWER_SUPPLY=power_supply\0"


async def test_it_rings_once_it_hears_and_at_what_means_something() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    rung = 0

    def ring() -> None:
        nonlocal rung
        rung += 1

    hearing = asyncio.create_task(bells.hear(lambda: ours, bells.is_of_power, ring))
    try:
        async with asyncio.timeout(5):
            while rung < 1:  # noqa: ASYNC110 - what a watch would see
                await asyncio.sleep(0.01)
            for message in (STICK, STICK, BATTERY):
                theirs.send(message)
            while rung < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        assert rung == 2
    finally:
        hearing.cancel()
        await asyncio.gather(hearing, return_exceptions=True)
        theirs.close()
    assert ours.fileno() == -1


@pytest.mark.parametrize("opened", [bells.uevents, bells.routes])
def test_linux_lets_anybody_listen(opened: object) -> None:
    with opened() as told:  # type: ignore[operator]
        assert told.family == socket.AF_NETLINK
        assert told.getsockname()[1] != 0


def test_a_line_that_comes_up_is_told() -> None:
    code = (
        "import subprocess, sys\n"
        "from kernel.system import bells\n"
        "told = bells.routes()\n"
        "told.settimeout(5)\n"
        "subprocess.run(['ip', 'link', 'set', 'lo', 'up'], check=True)\n"
        "sys.exit(0 if told.recv(65536) else 1)\n"
    )
    try:
        done = subprocess.run(
            ["unshare", "-rn", sys.executable, "-P", "-c", code],
            check=False,
            capture_output=True,
            text=True,
            timeout=30,
        )
    except FileNotFoundError:
        pytest.skip("needs unshare: apt install util-linux")
    if done.returncode and ("unshare" in done.stderr or "'ip'" in done.stderr):
        pytest.skip("needs a network of its own (unshare -rn) and ip: apt install iproute2")
    assert done.returncode == 0, done.stderr
