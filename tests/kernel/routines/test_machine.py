"""Rules that wait for the machine: a tree as sysfs has it, sockets on which it tells, and a bus with logind on it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from kernel.routines.model import State
from kernel.routines.watching import machine
from kernel.routines.watching.ears import DiskEar, MemoryEar
from tests.kernel.routines.conftest import Desk, desk_on, keeps, quiet, watched
from tests.kernel.system.box import Box
from tests.kernel.system.logind import Logind, bus_in

pytestmark = pytest.mark.slow

DO = "show me the largest files in Downloads"
TUE = "zeig mir die größten Dateien in Downloads"


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    (tmp_path / "bus").mkdir()
    with bus_in(tmp_path / "bus") as bus:
        made = Box(tmp_path / "machine", bus)
        made.battery(50)
        made.network(there=True)
        made.write("free", 50 * 10**9)
        made.memory(used=50)
        made.heat(50)
        yield made
        for _, one in made.sockets:
            one.close()


@pytest.fixture
async def desk(tmp_path: Path, box: Box) -> AsyncIterator[Desk]:
    async with desk_on(tmp_path) as made:
        made.kernel._house.machine = box.senses()
        yield made


async def fires(desk: Desk, times: int) -> None:
    """It has run so often, and no more."""
    await desk.until(lambda: len(desk.fired()) >= times, 10)
    assert await quiet(desk) == times


@pytest.mark.parametrize(
    ("rule", "when"),
    [
        (f"when the battery drops below 15 percent, {DO}", "when the battery falls below 15 %"),
        (f"Wenn der Akku unter 15 Prozent fällt, {TUE}", "wenn der Akku unter 15 % fällt"),
    ],
)
async def test_a_battery_runs_low_once(desk: Desk, box: Box, rule: str, when: str) -> None:
    assert (await keeps(desk, rule))["when"] == when
    for percent in (16, 14, 15, 14, 12):
        box.battery(percent)
        await asyncio.sleep(0.7)
    await fires(desk, 1)
    assert (await desk.kernel.settled(desk.fired()[0]["run"]))["resolution"] == "executed"
    box.battery(60, plugged=True)
    await quiet(desk)
    box.battery(10)
    await fires(desk, 2)


async def test_a_battery_that_says_it_is_full_is_charged(desk: Desk, box: Box) -> None:
    rule = await keeps(desk, f"when the battery is full, {DO}")
    assert rule["when"] == "when the battery has reached 100 %"
    box.battery(96, plugged=True)
    await quiet(desk)
    box.battery(97, plugged=True, full=True)  # an old one never shows a hundred
    await fires(desk, 1)


async def test_the_charger_counts_only_while_the_battery_is_low(desk: Desk, box: Box) -> None:
    box.battery(50, plugged=True)
    rule = await keeps(desk, f"As soon as the charger is out and the battery is below 40 percent, {DO}")
    assert rule["limits"] == ["only while the battery is below 40 %"]
    box.battery(50)
    assert await quiet(desk) == 0
    box.battery(39, plugged=True)
    await quiet(desk)
    box.battery(39)
    await fires(desk, 1)


async def test_what_is_so_already_sets_nothing_off_also_after_a_rest(desk: Desk, box: Box) -> None:
    box.battery(10)
    name = (await keeps(desk, f"when the battery drops below 15 percent, {DO}"))["name"]
    box.battery(9)
    assert await quiet(desk) == 0
    await desk.kernel.routines.pause(name)
    await quiet(desk)
    box.battery(50)
    box.battery(8)
    await desk.kernel.routines.resume(name)
    assert await quiet(desk) == 0


async def test_what_is_so_when_it_starts_sets_nothing_off(tmp_path: Path, box: Box) -> None:
    async with desk_on(tmp_path) as first:
        first.kernel._house.machine = box.senses()
        await keeps(first, f"when the battery drops below 15 percent, {DO}")
    box.battery(5)
    async with desk_on(tmp_path) as later:
        later.kernel._house.machine = box.senses()
        await watched(later)
        assert await quiet(later) == 0


@pytest.mark.parametrize(
    ("rule", "there"),
    [(f"when I plug in the charger, {DO}", True), (f"Wenn ich das Ladegerät abstecke, {TUE}", False)],
)
async def test_the_charger(desk: Desk, box: Box, rule: str, there: bool) -> None:
    box.battery(50, plugged=not there)
    await keeps(desk, rule)
    box.battery(50, plugged=there)
    await fires(desk, 1)


@pytest.mark.parametrize(
    ("rule", "there"),
    [(f"when the network comes back, {DO}", True), (f"Sobald ich offline gehe, {TUE}", False)],
)
async def test_the_network(desk: Desk, box: Box, rule: str, there: bool) -> None:
    box.network(there=not there)
    await keeps(desk, rule)
    for one in (there, not there, there):  # it comes up with much ado
        box.network(there=one)
        await asyncio.sleep(0.1)
    await fires(desk, 1)
    assert box.opened == ["network"]


@pytest.mark.parametrize(("away_s", "times"), [(200.0, 0), (400.0, 1)])
async def test_the_network_was_gone_for_long_enough(desk: Desk, box: Box, away_s: float, times: int) -> None:
    await keeps(desk, f"If the internet has been gone for more than five minutes and comes back, {DO}")
    box.network(there=False)
    await quiet(desk)
    box.now_s += away_s
    box.network(there=True)
    assert await quiet(desk) == times


@pytest.mark.parametrize(
    "rule", [f"when I have been offline for five minutes, {DO}", f"Wenn das Netz fünf Minuten lang weg ist, {TUE}"]
)
async def test_the_network_stays_away_for_long_enough(desk: Desk, box: Box, rule: str) -> None:
    await keeps(desk, rule)
    box.network(there=False)
    await quiet(desk)
    box.now_s += 200
    box.network(there=True)  # back before it has lasted
    await quiet(desk)
    box.now_s += 200
    box.network(there=False)
    assert await quiet(desk) == 0
    box.now_s += 301
    box.network(there=False)
    await fires(desk, 1)


async def test_the_battery_rises_above_a_bound(desk: Desk, box: Box) -> None:
    routine = await keeps(desk, f"if the battery goes above 85 percent, {DO}")
    assert routine["when"] == "when the battery rises above 85 %"
    box.battery(85, plugged=True)
    assert await quiet(desk) == 0
    box.battery(86, plugged=True)
    await fires(desk, 1)


@pytest.mark.parametrize(
    "rule",
    [f"when less than 10 GB are free on the disk, {DO}",
     f"Wenn weniger als 10 GB auf der Platte frei sind, {TUE}"],
)  # fmt: skip
async def test_the_disk_is_looked_at_after_a_change_by_steward(desk: Desk, box: Box, rule: str) -> None:
    await keeps(desk, rule)
    box.write("free", 9 * 10**9)
    assert await quiet(desk) == 0  # nobody told
    (desk.home / "Downloads/a.txt").write_text("x")
    assert (await desk.say("move Downloads/a.txt to Backup"))["resolution"] in {"executed", "confirmed"}
    await fires(desk, 1)


async def test_the_disk_is_looked_at_after_what_is_taken_back(desk: Desk, box: Box) -> None:
    (desk.home / "Downloads/a.txt").write_text("x")
    run = (await desk.say("move Downloads/a.txt to Backup"))["run"]
    await keeps(desk, f"when less than 10 GB are free on the disk, {DO}")
    box.write("free", 9 * 10**9)
    await desk.kernel.undo(run)
    await fires(desk, 1)


async def test_the_disk_is_looked_at_now_and_then(desk: Desk, box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    house = desk.kernel._house
    soon = {frozenset({State.DISK}): lambda house: DiskEar(house.senses, str(desk.home), house.causes, 0.1)}
    monkeypatch.setattr(machine, "EARS", {**machine.EARS, **soon})
    assert house.machine is not None
    await keeps(desk, f"when less than 10 GB are free on the disk, {DO}")
    box.write("free", 9 * 10**9)
    await fires(desk, 1)


@pytest.mark.parametrize(
    "rule",
    [f"when more than 90% of the memory is in use for five minutes, {DO}",
     f"Wenn der Arbeitsspeicher fünf Minuten lang zu mehr als 90 % belegt ist, {TUE}"],
)  # fmt: skip
async def test_the_memory_is_looked_at_and_has_to_be_in_use_for_long_enough(
    desk: Desk, box: Box, monkeypatch: pytest.MonkeyPatch, rule: str
) -> None:
    often = {frozenset({State.MEMORY}): lambda house: MemoryEar(house.senses, 0.1)}
    monkeypatch.setattr(machine, "EARS", {**machine.EARS, **often})
    await keeps(desk, rule)
    box.memory(used=95)
    assert await quiet(desk) == 0
    box.now_s += 299
    assert await quiet(desk) == 0
    box.now_s += 2
    await fires(desk, 1)


@pytest.mark.parametrize(
    "rule",
    ["if more than 90% of the memory is in use for five minutes, list the 3 programs that take most of it",
     "wenn mehr als 90 % vom Arbeitsspeicher belegt sind, zeig mir die Programme, die am meisten davon brauchen"],
)  # fmt: skip
async def test_a_pronoun_means_what_of_the_machine_is_spoken_of(desk: Desk, rule: str) -> None:
    await keeps(desk, rule)
    (routine,) = desk.kernel._house.routines.every()
    (task,) = routine.plan.tasks
    assert (task.tool, getattr(task.arguments["what"], "value", None)) == ("system.hungriest", "memory")


@pytest.mark.parametrize(
    "rule",
    [f"when the processor gets hotter than 85 degrees, {DO}", f"Wird der Rechner heißer als 85 Grad, {TUE}"],
)
async def test_a_driver_tells_of_heat(desk: Desk, box: Box, rule: str) -> None:
    await keeps(desk, rule)
    box.heat(84)
    assert await quiet(desk) == 0
    box.heat(91, told=False)
    assert await quiet(desk) == 0  # nobody told, and it is not looked at yet
    box.heat(92)
    await fires(desk, 1)


@pytest.mark.parametrize(
    ("gone", "rule", "why"),
    [
        (
            "proc/meminfo",
            f"when more than 90% of the memory is in use for five minutes, {DO}",
            "how much of its memory",
        ),
        ("sys/class/thermal/thermal_zone0/temp", f"Wird der Rechner heißer als 85 Grad, {TUE}", "keinen Fühler"),
    ],
)
async def test_what_no_file_of_the_system_says_is_refused(desk: Desk, box: Box, gone: str, rule: str, why: str) -> None:
    (box.root / gone).unlink()
    said = await desk.say(rule)
    assert (said["resolution"], desk.kernel.routines.every()) == ("declined", [])
    assert why in said["answer"]


@pytest.mark.parametrize(
    "rule",
    [f"when nobody has used the computer for 10 minutes, {DO}", f"Wenn 10 Minuten niemand am Rechner war, {TUE}"],
)
async def test_nobody_is_there(desk: Desk, box: Box, rule: str) -> None:
    logind = Logind(box.bus)
    try:
        await keeps(desk, rule)
        logind.tell(idle=True, ago_s=300)
        assert await quiet(desk) == 0
        logind.tell(idle=True, ago_s=599)  # the rest of it is waited for
        await fires(desk, 1)
        logind.tell(idle=False)
        await quiet(desk)
        logind.tell(idle=True, ago_s=601)
        await fires(desk, 2)
    finally:
        logind.close()


async def test_nobody_was_there_already(desk: Desk, box: Box) -> None:
    logind = Logind(box.bus)
    try:
        logind.tell(idle=True, ago_s=3000)
        logind.slow_s = 0.8  # until it answers, nothing is known
        await keeps(desk, f"when nobody has used the computer for 10 minutes, {DO}")
        assert await quiet(desk, 3.0) == 0
    finally:
        logind.close()


async def test_nothing_is_opened_while_no_routine_waits_for_it(desk: Desk, box: Box) -> None:
    await quiet(desk)
    assert box.opened == []
    name = (await keeps(desk, f"when I plug in the charger, {DO}"))["name"]
    await desk.until(lambda: box.opened == ["power"])
    ours = len(os.listdir("/proc/self/fd"))
    await desk.kernel.routines.pause(name)
    await desk.until(lambda: len(os.listdir("/proc/self/fd")) < ours)
    box.battery(50, plugged=True)
    assert await quiet(desk) == 0


@pytest.mark.parametrize(
    ("limit", "percent", "plugged", "times"),
    [
        ("but only while the charger is plugged in", 50, True, 1),
        ("but only while the charger is plugged in", 50, False, 0),
        ("but only while the charger isn't plugged in", 50, True, 0),
    ],
)
async def test_what_the_machine_runs_on_keeps_it_still(
    desk: Desk, box: Box, limit: str, percent: int, plugged: bool, times: int
) -> None:
    box.network(there=False)
    await keeps(desk, f"when the network comes back, {DO}, {limit}")
    box.battery(percent, plugged=plugged)
    box.network(there=True)
    assert await quiet(desk) == times


@pytest.mark.parametrize(("percent", "times"), [(40, 0), (60, 1)])
async def test_the_battery_keeps_one_still_that_waits_for_files(desk: Desk, box: Box, percent: int, times: int) -> None:
    rule = "every time a PDF lands in Downloads and the battery is above 50 percent, copy it to Backup"
    await keeps(desk, rule)
    box.battery(percent)
    (desk.home / "Downloads/march.pdf").write_bytes(b"%PDF-1.4")
    assert await quiet(desk, 2.0) == times


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (f"when the battery drops below 15 percent, {DO}", "tells of no battery"),
        (f"when the battery rises above 80 percent, {DO}", "tells of no battery"),
        (f"Wenn ich das Ladegerät abstecke, {TUE}", "ob er am Strom hängt"),
        (f"when the network comes back, {DO}, but only while the charger is plugged in", "is plugged in"),
        (f"when nobody has used the computer for 10 minutes, {DO}", "logind"),
        (f"Wenn 10 Minuten niemand am Rechner war, {TUE}", "logind"),
    ],
)
async def test_what_the_machine_does_not_tell_is_refused(desk: Desk, box: Box, rule: str, why: str) -> None:
    for one in sorted((box.root / "sys/class/power_supply").rglob("*"), reverse=True):
        one.rmdir() if one.is_dir() else one.unlink()
    said = await desk.say(rule)
    assert (said["resolution"], desk.kernel.routines.every()) == ("declined", [])
    assert why in said["answer"]
