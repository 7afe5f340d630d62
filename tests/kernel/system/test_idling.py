"""Whether anybody uses the machine, asked on a real bus."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernel.system.idling import Idling
from tests.kernel.system.logind import Logind, awake_s, bus_in


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with bus_in(tmp_path) as found:
        yield found


async def test_it_rings_when_somebody_comes_or_goes(address: str) -> None:
    logind, rung = Logind(address), asyncio.Event()
    idling = Idling({"DBUS_SYSTEM_BUS_ADDRESS": address}, awake_s)
    hearing = asyncio.create_task(idling.hear(rung.set))
    try:
        await asyncio.wait_for(rung.wait(), 5)
        assert (idling.is_known, idling.idle_s()) == (True, None)
        for idle in (True, False):
            rung.clear()
            logind.tell(idle=idle, ago_s=100)
            await asyncio.wait_for(rung.wait(), 5)
            assert (idling.idle_s() or 0) >= 100 if idle else idling.idle_s() is None
    finally:
        hearing.cancel()
        await asyncio.gather(hearing, return_exceptions=True)
        logind.close()


async def test_why_nobody_tells(address: str, tmp_path: Path) -> None:
    around = {"DBUS_SYSTEM_BUS_ADDRESS": address}
    assert await Idling({"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={tmp_path}/none"}).lacking()
    assert await Idling(around).lacking()  # a bus, and no logind on it
    logind = Logind(address, is_known=False)
    try:
        assert "NoSuchUser" in await Idling(around).lacking()
    finally:
        logind.close()
    logind = Logind(address)
    try:
        assert await Idling(around).lacking() == ""
    finally:
        logind.close()


async def test_a_bus_that_ends_is_a_fault(tmp_path: Path) -> None:
    with bus_in(tmp_path) as address:
        logind, rung = Logind(address), asyncio.Event()
        hearing = asyncio.create_task(Idling({"DBUS_SYSTEM_BUS_ADDRESS": address}).hear(rung.set))
        await asyncio.wait_for(rung.wait(), 5)
    with pytest.raises((EOFError, OSError)):
        await asyncio.wait_for(hearing, 5)
    logind.close()
